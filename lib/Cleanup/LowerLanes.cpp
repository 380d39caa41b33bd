// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a GPU, what derivatives ask of the tape's memory becomes code of
// lib/Runtime/LaneTape.c: a function that asks has a tape of its own, which is
// taken where it begins and given back where it returns. Exchanges of values
// between lanes become that of LaneShuffles.c. Shadows of shared memory whose
// size the launch gives lie behind it.
#include "adze/AtomicSum.h"
#include "adze/Cleanup.h"
#include "adze/DeviceTarget.h"
#include "adze/Emit.h"
#include "adze/LaneShuffles.h"
#include "adze/OwnFunction.h"
#include "adze/Runtime.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// Of memory.
struct Ask {
  const char *Name, *Runtime;
  unsigned Operands; // that the runtime takes
};
constexpr Ask Asks[] = {{"adze.tape.alloc", "adze.lanes.take", 1},
                        {"adze.tape.free", "adze.lanes.give", 1},
                        {"adze.tape.grow", "adze.lanes.grow", 3},
                        {"adze.tape.shrink", "adze.lanes.shrink", 3}};

const Ask *askOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return nullptr;
  const auto *It =
      find_if(Asks, [&](const Ask &R) { return Callee->getName() == R.Name; });
  return It == std::end(Asks) ? nullptr : It;
}

/// The names of C that the host and the device know (include/adze/gpu.h).
constexpr const char *StateName = "adze_gpu_tape_state";

/// A file in which the host says nothing has a state that says so.
void defineState(Module &M) {
  GlobalVariable *State = M.getNamedGlobal(StateName);
  if (!State || !State->isDeclaration())
    return;
  State->setInitializer(Constant::getNullValue(State->getValueType()));
  State->setLinkage(GlobalValue::WeakAnyLinkage);
  State->setExternallyInitialized(true);
}

const RuntimeUnit &unitFor(const Module &M, const RuntimeUnit &Nvptx,
                           const RuntimeUnit &Amdgpu) {
  return Triple(M.getTargetTriple()).isNVPTX() ? Nvptx : Amdgpu;
}

Function *tapeFunction(Module &M, StringRef Name) {
  auto keepName = [](Module &Runtime) {
    GlobalVariable *State = Runtime.getNamedGlobal("adze.gpu.tape.state");
    State->setName(StateName);
    State->setVisibility(GlobalValue::DefaultVisibility);
  };
  Function *F = runtimeFunction(
      M, unitFor(M, LaneTapeNvptxUnit, LaneTapeAmdgpuUnit), Name, keepName);
  defineState(M);
  return F;
}

void inlineAll(ArrayRef<CallInst *> Calls) {
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
}

/// Where the shadow of \p Shared stands, in \p F.
Value *behind(GlobalVariable &Shared, Function &F) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().getFirstInsertionPt());
  CallInst *Bytes = B.CreateCall(
      runtimeFunction(*F.getParent(), DynamicSharedUnit, "adze.shared.bytes"));
  Value *Shadow = B.CreateGEP(B.getInt8Ty(), &Shared, Bytes);
  InlineFunctionInfo Info;
  InlineFunction(*Bytes, Info);
  return Shadow;
}

void lowerDynamicShadows(Module &M, SetVector<Function *> &Changed) {
  for (GlobalVariable &Shadow : make_early_inc_range(M.globals())) {
    StringRef Name = Shadow.getName();
    if (!isDynamicShared(Shadow) || !Name.consume_back(ShadowSuffix))
      continue;
    GlobalVariable *Shared = M.getNamedGlobal(Name);
    convertUsersOfConstantsToInstructions({&Shadow});
    MapVector<Function *, SmallVector<Use *, 8>> Uses;
    for (Use &U : Shadow.uses())
      Uses[cast<Instruction>(U.getUser())->getFunction()].push_back(&U);
    for (auto &[F, In] : Uses) {
      Value *Place = behind(*Shared, *F);
      for (Use *U : In)
        U->set(Place);
      Changed.insert(F);
    }
    Shadow.eraseFromParent();
  }
}

/// Whether an address leads to memory of the thread, as far as that is known:
/// what the host gives a kernel does not.
class ThreadMemory {
public:
  std::optional<bool> of(const Value &Pointer, unsigned Depth = 0) {
    const Value *Object = getUnderlyingObject(&Pointer, /*MaxLookup=*/0);
    // So HIP makes what a kernel is given a generic pointer.
    if (auto *Cast = dyn_cast<IntToPtrInst>(Object))
      if (auto *From = dyn_cast<PtrToIntInst>(Cast->getOperand(0)))
        Object = getUnderlyingObject(From->getPointerOperand(), 0);
    if (isa<AllocaInst>(Object))
      return true;
    if (isa<GlobalVariable>(Object) ||
        Object->getType()->getPointerAddressSpace() != 0)
      return Object->getType()->getPointerAddressSpace() == PrivateSpace;
    auto *Arg = dyn_cast<Argument>(Object);
    return Arg && !Arg->hasByValAttr() ? of(*Arg, Depth) : std::nullopt;
  }

private:
  static constexpr unsigned PrivateSpace = 5; // of both targets

  std::optional<bool> of(const Argument &Arg, unsigned Depth) {
    constexpr unsigned MaxDepth = 8;
    const Function &F = *Arg.getParent();
    if (isKernel(F))
      return false;
    if (!F.hasLocalLinkage() || Depth == MaxDepth)
      return std::nullopt;
    for (const Use &U : F.uses()) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      if (!Call || !Call->isCallee(&U) || Call->arg_size() != F.arg_size() ||
          of(*Call->getArgOperand(Arg.getArgNo()), Depth + 1) != false)
        return std::nullopt;
    }
    return false;
  }
};

void answerForThreadMemory(Module &M, SetVector<Function *> &Changed) {
  ThreadMemory Known;
  for (Function &F : M) {
    if (!isOwn(F))
      continue;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !asksForMemoryOfThread(*Call))
        continue;
      if (std::optional<bool> Is = Known.of(*Call->getArgOperand(0))) {
        Call->replaceAllUsesWith(ConstantInt::getBool(Call->getType(), *Is));
        Call->eraseFromParent();
      }
      Changed.insert(&F);
    }
  }
}

/// Variables of functions that are called lie on the caller's tape. If that is
/// not the thread's memory, the kernel ends.
void lowerPrivateFields(Module &M, SetVector<Function *> &Changed) {
  Function *Cast = M.getFunction(PrivateFieldFunction);
  if (!Cast)
    return;
  for (User *U : make_early_inc_range(Cast->users())) {
    auto *Call = cast<CallInst>(U);
    IRBuilder<> B(Call);
    Value *Field = Call->getArgOperand(0);
    Instruction *Else = SplitBlockAndInsertIfThen(
        B.CreateNot(isMemoryOfThread(B, Field)), Call, /*Unreachable=*/true);
    IRBuilder<>(Else).CreateIntrinsic(Intrinsic::trap, {}, {});
    B.SetInsertPoint(Call);
    Call->replaceAllUsesWith(B.CreateAddrSpaceCast(Field, Call->getType()));
    Changed.insert(Call->getFunction());
    Call->eraseFromParent();
  }
  Cast->eraseFromParent();
}

/// Sums that lanes make together first, on NVIDIA's GPUs. (LLVM does that for
/// AMD's.)
void lowerSums(Module &M, SetVector<Function *> &Changed) {
  if (!Triple(M.getTargetTriple()).isNVPTX())
    return;
  SmallVector<AtomicRMWInst *, 16> Sums;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Sum = dyn_cast<AtomicRMWInst>(&I);
          Sum && Sum->hasMetadata(LanesMetadata) && Sum->use_empty())
        Sums.push_back(Sum);
  SmallVector<CallInst *, 16> Calls;
  for (AtomicRMWInst *Sum : Sums) {
    IRBuilder<> B(Sum);
    Value *Term = Sum->getValOperand();
    const char *Name =
        Term->getType()->isFloatTy() ? "adze.lanes.add.f" : "adze.lanes.add.d";
    Calls.push_back(B.CreateCall(
        runtimeFunction(M, LaneSumsUnit, Name),
        {B.CreateAddrSpaceCast(Sum->getPointerOperand(), B.getPtrTy()), Term}));
    Changed.insert(Sum->getFunction());
    Sum->eraseFromParent();
  }
  inlineAll(Calls);
}

bool isShuffle(const Function &F) {
  return F.isDeclaration() && (F.getName().starts_with(shuffles::Prefix) ||
                               F.getName().starts_with(shuffles::BackPrefix));
}

/// The exchange of 32 bits by an instruction with an immediate pattern.
Value *exchangeByPattern(IRBuilder<> &B, Value *Word, const CallInst &Call) {
  auto number = [&](unsigned Operand) {
    return unsigned(
        cast<ConstantInt>(Call.getArgOperand(Operand))->getZExtValue());
  };
  const unsigned Pattern = number(shuffles::B), Masks = number(shuffles::C);
  if (number(shuffles::Which) == shuffles::Swizzle)
    return B.CreateIntrinsic(Intrinsic::amdgcn_ds_swizzle, {},
                             {Word, B.getInt32(Pattern)});
  return B.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {Word->getType()},
                           {B.getInt32(0), Word, B.getInt32(Pattern),
                            B.getInt32(Masks & 15), B.getInt32(Masks >> 4),
                            B.getTrue()});
}

/// Those of a declaration that moves numbers of one type.
void lowerPatterns(Function &F, SetVector<Function *> &Changed) {
  if (!F.getName().starts_with(shuffles::Prefix))
    return;
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = cast<CallInst>(U);
    auto *Kind = cast<ConstantInt>(Call->getArgOperand(shuffles::Which));
    if (Kind->getZExtValue() < shuffles::Swizzle)
      continue;
    IRBuilder<> B(Call);
    const unsigned Words = F.getReturnType()->getPrimitiveSizeInBits() / 32;
    Type *Ty = FixedVectorType::get(B.getInt32Ty(), Words);
    Value *X = B.CreateBitCast(Call->getArgOperand(shuffles::X), Ty);
    for (unsigned K = 0; K < Words; ++K)
      X = B.CreateInsertElement(
          X, exchangeByPattern(B, B.CreateExtractElement(X, K), *Call), K);
    Call->replaceAllUsesWith(B.CreateBitCast(X, Call->getType()));
    Changed.insert(Call->getFunction());
    Call->eraseFromParent();
  }
}

/// Until now they were declared alone.
void lowerShuffles(Module &M, SetVector<Function *> &Changed) {
  // (The linker gives bodies to all that it finds by name.)
  SmallVector<std::pair<Function *, std::string>, 8> Declared;
  for (Function &F : M)
    if (isShuffle(F)) {
      lowerPatterns(F, Changed);
      Declared.emplace_back(&F, F.getName().str());
    }
  for (auto &[F, Name] : Declared)
    F->setName("");
  const RuntimeUnit &Unit =
      unitFor(M, LaneShufflesNvptxUnit, LaneShufflesAmdgpuUnit);
  SmallVector<Function *, 8> Bodies;
  for (auto &[F, Name] : Declared) {
    Bodies.push_back(runtimeFunction(M, Unit, Name));
    F->replaceAllUsesWith(Bodies.back());
    F->eraseFromParent();
  }
  for (Function *F : Bodies) {
    SmallVector<CallInst *, 16> Calls;
    for (User *U : F->users())
      Calls.push_back(cast<CallInst>(U));
    for (CallInst *Call : Calls)
      Changed.insert(Call->getFunction());
    inlineAll(Calls);
  }
}

/// One function that asks for memory.
class Lowering {
public:
  Lowering(Function &F, ArrayRef<CallInst *> Calls)
      : F(F), M(*F.getParent()), Calls(Calls) {}

  void run();

private:
  void call(IRBuilder<> &B, StringRef Name) {
    Made.push_back(B.CreateCall(tapeFunction(M, Name), {Tape}));
  }
  void lower(CallInst &Call);

  Function &F;
  Module &M;
  ArrayRef<CallInst *> Calls;
  Value *Tape = nullptr;
  SmallVector<CallInst *, 16> Made;
};

void Lowering::lower(CallInst &Call) {
  const Ask &R = *askOf(Call);
  IRBuilder<> B(&Call);
  Function *Runtime = tapeFunction(M, R.Runtime);
  const FunctionType *Ty = Runtime->getFunctionType();
  SmallVector<Value *, 4> Args{Tape};
  for (unsigned K = 0; K < R.Operands; ++K) {
    Value *Arg = Call.getArgOperand(K);
    Type *Param = Ty->getParamType(1 + K);
    Args.push_back(Param->isPointerTy() ? B.CreateAddrSpaceCast(Arg, Param)
                                        : Arg);
  }
  CallInst *New = B.CreateCall(Runtime, Args);
  Made.push_back(New);
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(B.CreateAddrSpaceCast(New, Call.getType()));
  Call.eraseFromParent();
}

void Lowering::run() {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstInsertionPt());
  // struct LaneTape
  Type *Memory = PointerType::get(F.getContext(), 1);
  Type *Ty = StructType::get(Memory, Memory, B.getInt64Ty(), B.getInt32Ty());
  Tape = B.CreateAddrSpaceCast(B.CreateAlloca(Ty), B.getPtrTy());
  call(B, "adze.lanes.open");
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      IRBuilder<> End(Return);
      call(End, "adze.lanes.close");
    }
  for (CallInst *Call : Calls)
    lower(*Call);
  inlineAll(Made);
}

void simplify(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, Passes.run(F, FAM));
}

} // namespace

void lowerLanes(Module &M, FunctionAnalysisManager &FAM) {
  if (!isDevice(M))
    return;
  MapVector<Function *, SmallVector<CallInst *, 8>> Asking;
  for (Function &F : M)
    if (isOwn(F))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallInst>(&I); Call && askOf(*Call))
          Asking[&F].push_back(Call);
  SetVector<Function *> Changed;
  for (auto &[F, Calls] : Asking) {
    Lowering(*F, Calls).run();
    Changed.insert(F);
  }
  lowerDynamicShadows(M, Changed);
  lowerShuffles(M, Changed);
  lowerPrivateFields(M, Changed);
  answerForThreadMemory(M, Changed);
  lowerSums(M, Changed);
  for (Function *F : Changed)
    if (!F->hasOptNone())
      simplify(*F, FAM);
}

} // namespace adze

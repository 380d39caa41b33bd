// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions with `...` become calls of copies without.
//
// A function that never looks at what stands there (the library has such, to
// choose between overloads) loses these arguments. One that does is handed a
// frame: the arguments in memory, one behind the other, as the x86-64 psABI
// (section 3.5.7) lays them out where the registers are used up:
//
//   f(n, x, y)    becomes    frame = {x, y}; f'(n, frame)
//   va_start(l)   becomes    l = {no registers left, frame}
//
// What reads the list, here or behind a call, then finds all in the frame, and
// floats in it are active memory like any other. Other targets keep their
// lists: there such calls are refused if they have to do with active data.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/OwnAnalyses.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// What a copy does about `...`.
enum class Rest { Unread, InFrame, Kept };

Rest restOf(const Function &F) {
  bool Reads = false;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (isa<VAArgInst>(I) || (Call && Call->isMustTailCall()))
      return Rest::Kept;
    Reads |= isa<VAStartInst>(I);
  }
  if (!Reads)
    return Rest::Unread;
  Triple Target(F.getParent()->getTargetTriple());
  return Target.getArch() == Triple::x86_64 && !Target.isOSWindows() &&
                 !Target.isX32() && F.getCallingConv() == CallingConv::C
             ? Rest::InFrame
             : Rest::Kept;
}

/// The psABI's list: offsets into the registers' save area, of which nothing is
/// left, the next argument in memory, and that area.
void lowerStart(VAStartInst &Start, Value *Frame) {
  constexpr uint64_t EndOfIntegers = 48, EndOfFloats = 176;
  IRBuilder<> B(&Start);
  Value *List = Start.getArgList();
  auto put = [&](Value *V, uint64_t Offset) {
    B.CreateAlignedStore(
        V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), List, Offset), Align(4));
  };
  put(B.getInt32(EndOfIntegers), 0);
  put(B.getInt32(EndOfFloats), 4);
  put(Frame, 8);
  put(ConstantPointerNull::get(B.getPtrTy()), 16);
  Start.eraseFromParent();
}

void lowerLists(Function &F, Value *Frame) {
  constexpr uint64_t SizeOfList = 24;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Start = dyn_cast<VAStartInst>(&I)) {
      lowerStart(*Start, Frame);
    } else if (auto *Copy = dyn_cast<VACopyInst>(&I)) {
      IRBuilder<> B(Copy);
      B.CreateMemCpy(Copy->getDest(), Align(8), Copy->getSrc(), Align(8),
                     SizeOfList);
      Copy->eraseFromParent();
    } else if (isa<VAEndInst>(I)) {
      I.eraseFromParent();
    }
  }
  // That no argument is in a register is known of lists that stay here: the
  // code that looks there goes.
  OwnAnalyses Own;
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(SCCPPass());
  Passes.addPass(SimplifyCFGPass());
  Passes.run(F, Own.FAM);
}

/// A copy of \p F with the named parameters and, if \p HasFrame, one more.
/// Null if its name is taken.
Function *fixedCopy(Function &F, bool HasFrame) {
  std::string Name = ("adze.fixed." + F.getName()).str();
  Module &M = *F.getParent();
  SmallVector<Type *, 8> Params(F.getFunctionType()->params());
  if (HasFrame)
    Params.push_back(PointerType::getUnqual(F.getContext()));
  auto *Ty = FunctionType::get(F.getReturnType(), Params, /*isVarArg=*/false);
  if (Function *Made = M.getFunction(Name))
    return Made->getFunctionType() == Ty ? Made : nullptr;
  Function *Copy = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  ValueToValueMapTy Map;
  for (Argument &A : F.args())
    Map[&A] = Copy->getArg(A.getArgNo());
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  markOwn(*Copy);
  if (HasFrame)
    lowerLists(*Copy, Copy->getArg(Copy->arg_size() - 1));
  return Copy;
}

/// Where the arguments behind the named ones stand in memory.
struct FrameLayout {
  SmallVector<uint64_t, 8> Offsets;
  StructType *Ty = nullptr;
};

constexpr uint64_t Slot = 8, MostAligned = 16;

/// What the variable argument \p Arg of \p Call is in memory.
Type *typeInFrame(const CallBase &Call, unsigned Arg) {
  return Call.isByValArgument(Arg) ? Call.getParamByValType(Arg)
                                   : Call.getArgOperand(Arg)->getType();
}

/// Nothing if one of them is aligned to more than the frame.
std::optional<FrameLayout> layoutOfFrame(const CallBase &Call, unsigned First) {
  const DataLayout &DL = Call.getDataLayout();
  LLVMContext &C = Call.getContext();
  FrameLayout Out;
  SmallVector<Type *, 16> Members;
  uint64_t End = 0;
  auto pad = [&](uint64_t To) {
    if (To > End)
      Members.push_back(ArrayType::get(Type::getInt8Ty(C), To - End));
    End = To;
  };
  for (unsigned I = First; I < Call.arg_size(); ++I) {
    Type *Ty = typeInFrame(Call, I);
    Align Needed =
        std::max(Call.getParamAlign(I).valueOrOne(),
                 Ty->isAggregateType() ? Align(1) : DL.getABITypeAlign(Ty));
    if (Needed > MostAligned || !Ty->isSized() ||
        DL.getTypeAllocSize(Ty).isScalable())
      return std::nullopt;
    pad(alignTo(End, std::max(Needed, Align(Slot))));
    Out.Offsets.push_back(End);
    Members.push_back(Ty);
    End += DL.getTypeAllocSize(Ty);
    pad(alignTo(End, Slot));
  }
  Out.Ty = StructType::get(C, Members, /*isPacked=*/true);
  return Out;
}

/// Puts the variable arguments of \p Call in a variable of its function.
Value *storeFrame(CallBase &Call, unsigned First, const FrameLayout &Layout) {
  const DataLayout &DL = Call.getDataLayout();
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  AllocaInst *Frame = AtEntry.CreateAlloca(Layout.Ty);
  Frame->setAlignment(Align(MostAligned));
  IRBuilder<> B(&Call);
  for (unsigned I = First; I < Call.arg_size(); ++I) {
    uint64_t Offset = Layout.Offsets[I - First];
    Align At = commonAlignment(Align(MostAligned), Offset);
    Value *Place = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Frame, Offset);
    Value *Arg = Call.getArgOperand(I);
    if (Call.isByValArgument(I))
      B.CreateMemCpy(Place, At, Arg, Call.getParamAlign(I),
                     DL.getTypeAllocSize(typeInFrame(Call, I)));
    else
      B.CreateAlignedStore(Arg, Place, At);
  }
  return Frame;
}

void callFixed(CallInst &Call, Function &Copy, Value *Frame) {
  unsigned Named = Copy.arg_size() - (Frame ? 1 : 0);
  SmallVector<Value *, 8> Args(Call.arg_begin(), Call.arg_begin() + Named);
  AttributeList Given = Call.getAttributes();
  SmallVector<AttributeSet, 8> Attributes;
  for (unsigned I = 0; I < Named; ++I)
    Attributes.push_back(Given.getParamAttrs(I));
  if (Frame) {
    Args.push_back(Frame);
    Attributes.emplace_back();
  }
  CallInst *New = CallInst::Create(&Copy, Args, "", Call.getIterator());
  New->setCallingConv(Call.getCallingConv());
  New->setDebugLoc(Call.getDebugLoc());
  New->setAttributes(AttributeList::get(Call.getContext(), Given.getFnAttrs(),
                                        Given.getRetAttrs(), Attributes));
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void fixCall(CallInst &Call) {
  Function &Callee = *Call.getCalledFunction();
  Rest R = restOf(Callee);
  if (R == Rest::Kept)
    return;
  unsigned First = Callee.arg_size();
  std::optional<FrameLayout> Layout;
  if (R == Rest::InFrame) {
    Layout = layoutOfFrame(Call, First);
    if (!Layout)
      return;
  }
  Function *Copy = fixedCopy(Callee, Layout.has_value());
  if (Copy)
    callFixed(Call, *Copy, Layout ? storeFrame(Call, First, *Layout) : nullptr);
}

} // namespace

void fixVariadicCalls(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && Callee->isVarArg() && !Callee->isDeclaration() &&
          !Callee->isInterposable() && !isDeclaredInactive(*Call) &&
          !lookupKnown(*Call) && !Call->hasOperandBundles())
        Calls.push_back(Call);
  for (CallInst *Call : Calls)
    fixCall(*Call);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScratchShadows.h"
#include "AccessedExtent.h"

#include "adze/Diagnostics.h"
#include "adze/OwnFunction.h"
#include "adze/TapeMemory.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

/// Larger shadows are not in the frame of the marker's caller.
static constexpr uint64_t MaxInFrame = 4096;
/// Larger ones are not filled: the system gives zeros, or has no such memory.
static constexpr uint64_t MaxFilled = uint64_t(1) << 33;

/// What unoptimized code loads from the variable \p Load reads, which is stored
/// to once; null if that is not all that can be in it.
static Value *onlyStoredTo(LoadInst &Load) {
  auto *Variable = dyn_cast<AllocaInst>(Load.getPointerOperand());
  Value *Stored = nullptr;
  if (!Variable)
    return nullptr;
  for (User *U : Variable->users()) {
    if (isa<LoadInst>(U))
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getPointerOperand() != Variable || Stored)
      return nullptr;
    Stored = Store->getValueOperand();
  }
  return Stored;
}

/// \p Pointer, seen through variables of unoptimized code; null if one of them
/// may hold something else.
Value *ScratchShadows::resolved(Value *Pointer, CallBase &At) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*At.getFunction());
  while (auto *Load = dyn_cast<LoadInst>(Pointer)) {
    Value *Stored = onlyStoredTo(*Load);
    auto *Made = dyn_cast_or_null<Instruction>(Stored);
    if (!Stored || (Made && !DT.dominates(Made, &At)))
      return nullptr;
    Pointer = Stored;
  }
  return Pointer;
}

/// Code of other functions than \p Caller uses \p Variable.
static bool isKnownElsewhere(const GlobalVariable &Variable,
                             const Function &Caller) {
  if (!Variable.hasLocalLinkage())
    return true;
  SmallVector<const User *, 8> Todo(Variable.user_begin(), Variable.user_end());
  while (!Todo.empty()) {
    const User *U = Todo.pop_back_val();
    if (auto *I = dyn_cast<Instruction>(U)) {
      if (I->getFunction() != &Caller)
        return true;
    } else if (isa<GlobalVariable>(U)) {
      return true;
    } else {
      append_range(Todo, U->users());
    }
  }
  return false;
}

/// The object that \p Pointer leads into, as far as variables of unoptimized
/// code show.
const Value *ScratchShadows::objectOf(Value *Pointer, CallBase &At) {
  for (;;) {
    Value *Object = getUnderlyingObject(Pointer);
    Value *Stored = isa<LoadInst>(Object) ? resolved(Object, At) : nullptr;
    if (!Stored)
      return Object;
    Pointer = Stored;
  }
}

/// What \p M passes as constant pointers.
SmallVector<ScratchShadows::Piece, 4>
ScratchShadows::constantPointers(const Marker &M) {
  SmallVector<Piece, 4> Found;
  unsigned Place = 0;
  for (auto [K, A] : enumerate(M.Req.Args)) {
    Value *V = M.Operands[Place];
    if (!hasShadowParam(A) && V->getType()->isPointerTy() &&
        !isa<ConstantPointerNull>(V)) {
      Value *Pointer = resolved(V, *M.Call);
      Found.push_back({unsigned(K), Place, Pointer ? Pointer : V});
    }
    Place += hasShadowParam(A) ? 2 : 1;
  }
  return Found;
}

/// \p First, and what points into the same object. Nothing if another one may
/// do so, or a variable that the function knows by its name.
std::optional<ScratchShadows::Pieces>
ScratchShadows::piecesOf(const Piece &First, const Marker &M) {
  Function &Caller = *M.Call->getFunction();
  auto &AA = FAM.getResult<AAManager>(Caller);
  const Value *Object = objectOf(First.Pointer, *M.Call);
  auto *Variable = dyn_cast<GlobalVariable>(Object);
  if (Variable && isKnownElsewhere(*Variable, Caller))
    return std::nullopt;
  Pieces Found;
  for (const Piece &Other : constantPointers(M)) {
    if (objectOf(Other.Pointer, *M.Call) == Object)
      Found.push_back(Other);
    else if (AA.alias(MemoryLocation::getBeforeOrAfter(First.Pointer),
                      MemoryLocation::getBeforeOrAfter(Other.Pointer)) !=
             AliasResult::NoAlias)
      return std::nullopt;
  }
  return Found;
}

/// Size and offset of what \p Pointer leads into, also if it is computed from
/// variables of unoptimized code.
SizeOffsetValue
ScratchShadows::blockBehind(Value *Pointer, CallBase &At,
                            ObjectSizeOffsetEvaluator &Evaluator) {
  SmallVector<GEPOperator *, 2> Steps;
  while (isa<LoadInst>(getUnderlyingObject(Pointer))) {
    if (auto *Step = dyn_cast<GEPOperator>(Pointer)) {
      Steps.push_back(Step);
      Pointer = Step->getPointerOperand();
    } else if (!isa<LoadInst>(Pointer)) {
      break;
    } else if (Pointer = resolved(Pointer, At); !Pointer) {
      return SizeOffsetValue();
    }
  }
  SizeOffsetValue Found = Evaluator.compute(Pointer);
  if (!Found.bothKnown())
    return Found;
  IRBuilder<> B(&At);
  for (GEPOperator *Step : Steps)
    Found.Offset = B.CreateAdd(
        Found.Offset,
        B.CreateSExtOrTrunc(emitGEPOffset(&B, At.getDataLayout(), Step),
                            Found.Offset->getType()));
  return Found;
}

/// The block that all lead into.
std::optional<ScratchShadows::Extent>
ScratchShadows::extentOfBlock(const Pieces &Of, CallBase &At) {
  auto &TLI = FAM.getResult<TargetLibraryAnalysis>(*At.getFunction());
  ObjectSizeOffsetEvaluator Evaluator(At.getDataLayout(), &TLI,
                                      At.getContext());
  Extent E;
  for (const Piece &P : Of) {
    SizeOffsetValue Found = blockBehind(P.Pointer, At, Evaluator);
    if (!Found.bothKnown())
      return std::nullopt;
    E.Size = Found.Size;
    E.Offsets.push_back(Found.Offset);
  }
  return E;
}

/// From the first byte that is accessed by any of them to the last, in numbers
/// that the marker passes.
std::optional<ScratchShadows::Extent>
ScratchShadows::extentOfAccesses(const Pieces &Of, const Marker &M) {
  const Primal *P = Store.prepared(*M.Req.Primal, *M.From);
  if (!P)
    return std::nullopt;
  SmallVector<Value *, 8> Passed;
  unsigned Place = 0;
  for (ArgActivity A : M.Req.Args) {
    Passed.push_back(M.Operands[Place]);
    Place += hasShadowParam(A) ? 2 : 1;
  }
  IRBuilder<> B(M.Call);
  // All relative to the first pointer.
  SmallVector<Value *, 2> Distances;
  Value *Least = nullptr, *End = nullptr;
  Extent E;
  for (const Piece &Each : Of) {
    std::optional<AccessedExtent> Accessed =
        accessedExtent(*P, *P->F->getArg(Each.Arg), B, Passed);
    if (!Accessed)
      return std::nullopt;
    Value *Distance =
        B.CreateSub(B.CreatePtrToInt(Passed[Each.Arg], B.getInt64Ty()),
                    B.CreatePtrToInt(Passed[Of.front().Arg], B.getInt64Ty()));
    Value *Holds = Accessed->Holds;
    // Others must not lose theirs for a loop that does not run.
    if (Of.size() > 1)
      Holds = B.CreateAnd(
          Holds, B.CreateICmpULE(B.CreateSub(Accessed->End, Accessed->Least),
                                 B.getInt64(MaxFilled)));
    auto placed = [&](Value *Place) {
      return B.CreateAdd(Distance, B.CreateSelect(Holds, Place, B.getInt64(0)));
    };
    Value *From = placed(Accessed->Least), *To = placed(Accessed->End);
    Least =
        Least ? B.CreateBinaryIntrinsic(Intrinsic::smin, Least, From) : From;
    End = End ? B.CreateBinaryIntrinsic(Intrinsic::smax, End, To) : To;
    Distances.push_back(Distance);
    E.Holds.push_back(Holds);
  }
  E.Size = B.CreateSub(End, Least);
  for (Value *Distance : Distances)
    E.Offsets.push_back(B.CreateSub(Distance, Least));
  return E;
}

std::optional<ScratchShadows::Extent>
ScratchShadows::extentOf(const Pieces &Of, const Marker &M) {
  std::optional<Extent> E = extentOfBlock(Of, *M.Call);
  return E ? E : extentOfAccesses(Of, M);
}

/// Where \p Call has returned. (One that throws leaves the shadow behind.)
static Instruction *behind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  BasicBlock *To = Invoke->getNormalDest();
  if (!To->getSinglePredecessor())
    To = SplitEdge(Invoke->getParent(), To);
  return &*To->getFirstInsertionPt();
}

/// F(size, block): what \p Emit says of memory that may be so large that it is
/// seldom there but for a loop that does not run, and of other memory.
template <class Body>
static Function *bySize(Module &M, StringRef Name, Type *Returned, Body Emit) {
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  auto *Number = Type::getInt64Ty(C);
  auto *Ty =
      FunctionType::get(Returned, {Number, PointerType::getUnqual(C)}, false);
  Function *F = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoInline); // where it is called, memory is new
  if (Returned->isPointerTy())
    F->addRetAttr(Attribute::NoAlias);
  auto *Entry = BasicBlock::Create(C, "", F);
  auto *Large = BasicBlock::Create(C, "large", F);
  auto *Small = BasicBlock::Create(C, "small", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateICmpUGT(F->getArg(0), B.getInt64(MaxFilled)), Large,
                 Small);
  for (BasicBlock *Block : {Large, Small}) {
    B.SetInsertPoint(Block);
    if (Value *Result = Emit(B, *F, Block == Large))
      B.CreateRet(Result);
    else
      B.CreateRetVoid();
  }
  return F;
}

/// Memory of zeros, or null.
static Function *takeFunction(Module &M) {
  auto *Ptr = PointerType::getUnqual(M.getContext());
  return bySize(M, "adze.scratch.take", Ptr,
                [&](IRBuilder<> &B, Function &F, bool Large) -> Value * {
                  Value *Size = F.getArg(0);
                  if (Large)
                    return B.CreateCall(M.getOrInsertFunction("calloc", Ptr,
                                                              Size->getType(),
                                                              Size->getType()),
                                        {B.getInt64(1), Size});
                  Value *Block = B.CreateCall(tapeAllocFunction(M), {Size});
                  B.CreateMemSet(Block, B.getInt8(0), Size,
                                 Align(TapeBlockAlign));
                  return Block;
                });
}

static Function *giveBackFunction(Module &M) {
  Type *Void = Type::getVoidTy(M.getContext());
  return bySize(M, "adze.scratch.give", Void,
                [&](IRBuilder<> &B, Function &F, bool Large) -> Value * {
                  FunctionCallee Free = tapeFreeFunction(M);
                  if (Large)
                    Free = M.getOrInsertFunction("free", Void, B.getPtrTy());
                  B.CreateCall(Free, {F.getArg(1)});
                  return nullptr;
                });
}

/// Zeros from here until the call is over.
SmallVector<Value *, 2> ScratchShadows::shadowsIn(const Extent &E,
                                                  CallBase &At) {
  IRBuilder<> B(&At);
  Module &M = *At.getModule();
  Value *Size = B.CreateZExtOrTrunc(E.Size, B.getInt64Ty());
  auto *Known = dyn_cast<ConstantInt>(Size);
  Value *Block;
  if (Known && Known->getZExtValue() <= MaxInFrame) {
    BasicBlock &Entry = At.getFunction()->getEntryBlock();
    IRBuilder<> AtEntry(&Entry, Entry.begin());
    AllocaInst *Variable = AtEntry.CreateAlloca(
        ArrayType::get(B.getInt8Ty(), Known->getZExtValue()), nullptr,
        "scratch.shadow");
    Variable->setAlignment(Align(TapeBlockAlign));
    Block = Variable;
    B.CreateMemSet(Block, B.getInt8(0), Size, Align(TapeBlockAlign));
  } else if (E.Holds.empty()) {
    Block = B.CreateCall(tapeAllocFunction(M), {Size}, "scratch.shadow");
    B.CreateMemSet(Block, B.getInt8(0), Size, Align(TapeBlockAlign));
    IRBuilder<> Behind(behind(At));
    Behind.CreateCall(tapeFreeFunction(M), {Block});
  } else {
    Value *None = Constant::getNullValue(B.getPtrTy());
    Block = B.CreateCall(takeFunction(M), {Size, None}, "scratch.shadow");
    IRBuilder<> Behind(behind(At));
    Behind.CreateCall(giveBackFunction(M), {Size, Block});
  }
  SmallVector<Value *, 2> Shadows;
  for (auto [I, Offset] : enumerate(E.Offsets)) {
    Value *Shadow = B.CreateGEP(B.getInt8Ty(), Block, Offset);
    // No program has as much, so nobody accesses it.
    if (!E.Holds.empty())
      Shadow = B.CreateSelect(E.Holds[I], Shadow,
                              Constant::getNullValue(Shadow->getType()));
    Shadows.push_back(Shadow);
  }
  return Shadows;
}

const ScratchShadows::Piece *
ScratchShadows::pieceOf(unsigned Arg, ArrayRef<Piece> Constants) {
  const auto *It =
      find_if(Constants, [&](const Piece &P) { return P.Arg == Arg; });
  return It == Constants.end() ? nullptr : It;
}

void ScratchShadows::reportOneMemory(const Marker &M, unsigned Written,
                                     unsigned Read) {
  Diags.report(Diag::ActivityConflict, *M.From, M.Call,
               {"arguments " + std::to_string(Written + 1) + " and " +
                    std::to_string(Read + 1) + " of '" +
                    sourceName(*M.Req.Primal) +
                    "' are the same memory, and one is written, the other read",
                ""});
}

void ScratchShadows::give(Marker &M) {
  CallBase *At = M.Call;
  if (M.Half != SplitHalf::None || M.Req.RuntimeActivity)
    return;
  const auto Before = constantPointers(M);
  auto areOne = [&](unsigned K, unsigned L) {
    const Piece *One = pieceOf(K, Before), *Other = pieceOf(L, Before);
    return One && Other &&
           objectOf(One->Pointer, *At) == objectOf(Other->Pointer, *At);
  };
  const auto Missing = Store.missingShadows(M.Req, *M.From, areOne);
  const unsigned Width = M.Req.Width;
  for (auto [K, By] : Missing) {
    const auto Constants = constantPointers(M);
    const Piece *First = pieceOf(K, Constants);
    if (!First) // it has one by now
      continue;
    std::optional<Pieces> Of = piecesOf(*First, M);
    std::optional<Extent> E;
    if (Of)
      E = extentOf(*Of, M);
    if (!E) {
      // What one argument alone does is reported by activity analysis.
      const Piece *Reader = By ? pieceOf(*By, Constants) : nullptr;
      if (Reader && First->Pointer->stripPointerCasts() ==
                        Reader->Pointer->stripPointerCasts())
        reportOneMemory(M, K, *By);
      continue;
    }
    IRBuilder<> B(At);
    SmallVector<Value *, 2> Duals = shadowsIn(*E, *At);
    if (Width != 1) {
      for (Value *&Dual : Duals)
        Dual = B.CreateInsertValue(
            PoisonValue::get(dualTypeOf(Dual->getType(), Width)), Dual, 0);
      for (unsigned D = 1; D != Width; ++D)
        for (auto [Dual, Shadow] : zip(Duals, shadowsIn(*E, *At)))
          Dual = B.CreateInsertValue(Dual, Shadow, D);
    }
    // The last one first: the places of others stay.
    for (unsigned I = Of->size(); I-- > 0;) {
      const Piece &P = (*Of)[I];
      M.Req.Args[P.Arg] = ArgActivity::Dup;
      M.Operands.insert(M.Operands.begin() + P.Place + 1, Duals[I]);
    }
  }
}

} // namespace adze

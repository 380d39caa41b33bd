// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SplitMarkers.h"
#include "adze/Deferred.h"
#include "adze/Emit.h"
#include "adze/Exceptions.h"
#include "adze/OwnFunction.h"
#include "adze/RuntimeStop.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace adze {

namespace {

/// The header, which may start anywhere, as memory of the caller may.
constexpr uint64_t DeferredOffset = 8;
constexpr uint64_t HeaderBytes = 16;
/// What the tape behind it is aligned to.
constexpr uint64_t TapeAlignment = 16;

uint64_t ownBytes(const Derivative &D, const DataLayout &DL) {
  return HeaderBytes + DL.getTypeAllocSize(D.TapeType).getFixedValue();
}

uint64_t providedBytes(const Derivative &D, const DataLayout &DL) {
  return ownBytes(D, DL) + TapeAlignment - 1;
}

/// In the stamp: the block is ours to free.
constexpr uint64_t OwnBit = 2;

/// Never what cleared memory holds, nor the address of a user's memory.
uint64_t stampOf(const Derivative &D, const DataLayout &DL) {
  std::string Text = D.Req.key() + "/" + std::to_string(ownBytes(D, DL));
  return (xxh3_64bits(Text) & ~OwnBit) | uint64_t(1) << 63;
}

} // namespace

/// Builds the body of a function between a marker and a half.
class HalfBuilder {
public:
  HalfBuilder(const Derivative &D, FunctionType *Ty, const Twine &Name,
              Module &M)
      : D(D), F(createOwn(Ty, GlobalValue::InternalLinkage, Name, M)),
        B(BasicBlock::Create(M.getContext(), "entry", F)) {}

  /// Ends the program with \p Reason where \p Wrong.
  void stopIf(Value *Wrong, const Twine &Reason) {
    BasicBlock *Stop = BasicBlock::Create(F->getContext(), "stop", F);
    BasicBlock *Next = BasicBlock::Create(F->getContext(), "next", F);
    B.CreateCondBr(Wrong, Stop, Next);
    B.SetInsertPoint(Stop);
    emitRuntimeStop(B, Reason.str());
    B.CreateUnreachable();
    B.SetInsertPoint(Next);
  }

  Value *at(Value *Block, uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, Offset);
  }

  /// The tape proper.
  Value *tapeIn(Value *Block) {
    Value *Address = B.CreatePtrToInt(Block, B.getInt64Ty());
    Value *Missing =
        B.CreateAnd(B.CreateNeg(Address), B.getInt64(TapeAlignment - 1));
    return B.CreateInBoundsGEP(B.getInt8Ty(), at(Block, HeaderBytes), Missing);
  }

  Value *load(Type *Ty, Value *Place) {
    return B.CreateAlignedLoad(Ty, Place, Align(1));
  }
  void store(Value *V, Value *Place) {
    B.CreateAlignedStore(V, Place, Align(1));
  }

  uint64_t stamp() const { return stampOf(D, F->getParent()->getDataLayout()); }
  std::string name() const { return "'" + sourceName(*D.Req.Primal) + "'"; }

  const Derivative &D;
  Function *F;
  IRBuilder<> B;
};

namespace {

Value *newBlock(HalfBuilder &H) {
  IRBuilder<> &B = H.B;
  Module &M = *H.F->getParent();
  FunctionCallee Malloc =
      M.getOrInsertFunction("malloc", B.getPtrTy(), B.getInt64Ty());
  uint64_t Bytes = providedBytes(H.D, M.getDataLayout());
  Value *Block = B.CreateCall(Malloc, {B.getInt64(Bytes)}, "tape");
  H.stopIf(B.CreateIsNull(Block), "out of memory for the tape of " + H.name());
  return Block;
}

Value *callersBlock(HalfBuilder &H, Value *Memory, Value *Size) {
  IRBuilder<> &B = H.B;
  uint64_t Wanted = providedBytes(H.D, H.F->getParent()->getDataLayout());
  H.stopIf(B.CreateICmpULT(Size, B.getInt64(Wanted)),
           "the memory that __enzyme_augmentfwd was given for the tape of " +
               H.name() + " is too small: " + Twine(Wanted) +
               " bytes are needed");
  return Memory;
}

/// The block that a second half was given, and its stamp, without OwnBit.
std::pair<Value *, Value *> checkedBlock(HalfBuilder &H, Value *Given,
                                         bool OrAddress, StringRef Marker) {
  IRBuilder<> &B = H.B;
  std::string Wrong = Marker.str() +
                      " was given what is no tape, or no longer one, of " +
                      H.name() + " for these arguments";
  Value *Own = B.getInt64(H.stamp() | OwnBit);
  auto isStamp = [&](Value *Word) {
    return B.CreateICmpEQ(B.CreateOr(Word, OwnBit), Own);
  };
  H.stopIf(B.CreateIsNull(Given), Wrong);
  Value *Block = Given;
  Value *Stamp = H.load(B.getInt64Ty(), Block);
  if (OrAddress) {
    Value *Direct = isStamp(Stamp);
    // Other stamps and cleared ones are no addresses.
    Value *NoAddress = B.CreateICmpSLE(Stamp, B.getInt64(0));
    H.stopIf(B.CreateAnd(B.CreateNot(Direct), NoAddress), Wrong);
    Block = B.CreateSelect(Direct, Block, H.load(B.getPtrTy(), Block));
    Stamp = H.load(B.getInt64Ty(), Block);
  }
  H.stopIf(B.CreateNot(isStamp(Stamp)), Wrong);
  return {Block, Stamp};
}

/// An exception left the half, and nobody will use its tape: goes back on it,
/// frees what is held, and throws. \p Args are those of the half, \p Outer is
/// the list of deallocations around it.
void leaveIfThrown(HalfBuilder &H, std::vector<Value *> Args, Value *Block,
                   bool Frees, Value *Outer) {
  IRBuilder<> &B = H.B;
  Module &M = *H.F->getParent();
  BasicBlock *Left = BasicBlock::Create(H.F->getContext(), "left", H.F);
  BasicBlock *Next = BasicBlock::Create(H.F->getContext(), "next", H.F);
  CallInst *Threw = exceptions::emitThrew(B);
  Threw->removeFnAttr(Attribute::Memory);
  B.CreateCondBr(Threw, Left, Next);
  B.SetInsertPoint(Left);
  if (Function *Back = H.D.Reverse) {
    if (retTakesAdjoint(H.D.Req.Ret)) {
      Type *Adjoint = Back->getArg(Args.size() - 1)->getType();
      Args.insert(Args.end() - 1, Constant::getNullValue(Adjoint));
    }
    B.CreateCall(Back, Args);
  } else {
    B.CreateCall(endRecord(M), {Args.back()});
  }
  if (Outer)
    freeDeferredList(B, setDeferredList(B, Outer));
  if (Frees)
    B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
                 {Block});
  B.CreateCall(exceptions::raiseFunction(M));
  B.CreateUnreachable();
  B.SetInsertPoint(Next);
}

void returnResult(IRBuilder<> &B, Value &Of) {
  if (Of.getType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(&Of);
}

std::vector<Value *> firstArguments(Function *F, unsigned Count) {
  std::vector<Value *> Args;
  for (unsigned I = 0; I != Count; ++I)
    Args.push_back(F->getArg(I));
  return Args;
}

bool sameButTypes(const Request &A, const Request &B) {
  Request Left = A, Right = B;
  Left.Types = Right.Types = {};
  return Left == Right;
}

} // namespace

/// The first half of \p D, which takes its arguments and its tape, in \p Block.
/// What it returns beside the tape, in order.
SmallVector<Value *, 2> SplitMarkers::runFirst(HalfBuilder &H, Value *Block,
                                               unsigned Count, bool Frees) {
  IRBuilder<> &B = H.B;
  Value *Outer = setDeferredList(B, ConstantPointerNull::get(B.getPtrTy()));
  std::vector<Value *> Args = firstArguments(H.F, Count);
  Value *Tape = H.tapeIn(Block);
  Args.push_back(Tape);
  Function *Half = H.D.Record ? H.D.Record : H.D.Augmented;
  if (H.D.Record)
    B.CreateCall(beginRecord(M), {Tape});
  Value *Call = B.CreateCall(Half, Args);
  if (H.D.Record)
    B.CreateCall(finishRecord(M), {Tape});
  if (Half->hasFnAttribute(exceptions::Leaves))
    leaveIfThrown(H, Args, Block, Frees, Outer);
  Value *Deferred = Outer ? setDeferredList(B, Outer)
                          : ConstantPointerNull::get(B.getPtrTy());
  H.store(Deferred, H.at(Block, DeferredOffset));
  if (H.D.Record)
    return Call->getType()->isVoidTy() ? SmallVector<Value *, 2>()
                                       : SmallVector<Value *, 2>{Call};
  SmallVector<Value *, 2> Results;
  if (auto *S = dyn_cast<StructType>(Call->getType()))
    for (unsigned I = 0; I != S->getNumElements(); ++I)
      Results.push_back(B.CreateExtractValue(Call, I));
  return Results;
}

static SmallVector<Type *, 2> resultsOfFirst(const Derivative &D) {
  Type *Ty =
      D.Record ? D.Record->getReturnType() : D.Augmented->getReturnType();
  if (Ty->isVoidTy())
    return {};
  if (D.Record)
    return {Ty};
  auto *S = cast<StructType>(Ty);
  return SmallVector<Type *, 2>(S->element_begin(), S->element_end());
}

Function *SplitMarkers::firstHalf(const Derivative &D, TapePlace Place) {
  Function *&F = Made[{&D, unsigned(Place)}];
  if (F)
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  FunctionType *Half = (D.Record ? D.Record : D.Augmented)->getFunctionType();
  SmallVector<Type *, 8> Params(Half->params());
  Params.pop_back(); // the tape
  unsigned Count = Params.size();
  bool Provided = Place == TapePlace::Provided;
  if (Place != TapePlace::Own)
    Params.push_back(Ptr);
  if (Provided)
    Params.push_back(Type::getInt64Ty(C));
  SmallVector<Type *, 3> Results{Ptr};
  append_range(Results, resultsOfFirst(D));

  HalfBuilder H(D,
                FunctionType::get(StructType::get(C, Results), Params, false),
                "adze.first." + D.Req.Primal->getName(), M);
  F = H.F;
  IRBuilder<> &B = H.B;
  Value *Block = Provided
                     ? callersBlock(H, F->getArg(Count), F->getArg(Count + 1))
                     : newBlock(H);
  H.store(B.getInt64(H.stamp() | (Provided ? 0 : OwnBit)), Block);
  SmallVector<Value *, 2> Returned =
      runFirst(H, Block, Count, /*Frees=*/!Provided);
  if (Place == TapePlace::Variable)
    H.store(Block, F->getArg(Count));
  Value *Result = PoisonValue::get(F->getReturnType());
  Result = B.CreateInsertValue(Result, Block, 0);
  for (unsigned I = 1; I != Results.size(); ++I)
    Result = B.CreateInsertValue(Result, Returned[I - 1], I);
  B.CreateRet(Result);
  return F;
}

/// Without a tape nothing has run yet: forward mode in one step.
static void runAtOnce(HalfBuilder &H, const std::vector<Value *> &Args,
                      Value *Given) {
  IRBuilder<> &B = H.B;
  BasicBlock *AtOnce = BasicBlock::Create(H.F->getContext(), "at.once", H.F);
  BasicBlock *Later = BasicBlock::Create(H.F->getContext(), "later", H.F);
  B.CreateCondBr(B.CreateIsNull(Given), AtOnce, Later);
  B.SetInsertPoint(AtOnce);
  CallInst *Call = B.CreateCall(H.D.Forward, Args);
  returnResult(B, *Call);
  resetShadowsBefore(*Call);
  B.SetInsertPoint(Later);
}

/// The tape is done with.
void SplitMarkers::endTape(HalfBuilder &H, Value *Block, Value *Stamp) {
  IRBuilder<> &B = H.B;
  freeDeferredList(B, H.load(B.getPtrTy(), H.at(Block, DeferredOffset)));
  H.store(B.getInt64(0), Block);
  Value *IsOurs = B.CreateIsNotNull(B.CreateAnd(Stamp, OwnBit));
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()),
               {B.CreateSelect(IsOurs, Block, None)});
}

Function *SplitMarkers::replay(const Derivative &D, bool OrAddress, bool Keep) {
  unsigned Variant = 7 + (OrAddress ? 1 : 0) + (Keep ? 2 : 0);
  Function *&F = Made[{&D, Variant}];
  if (F)
    return F;
  HalfBuilder H(D, D.Replay->getFunctionType(),
                "adze.later." + D.Req.Primal->getName(), M);
  F = H.F;
  IRBuilder<> &B = H.B;
  std::vector<Value *> Args = firstArguments(F, F->arg_size() - 1);
  Value *Given = F->getArg(F->arg_size() - 1);
  runAtOnce(H, Args, Given);
  auto [Block, Stamp] = checkedBlock(H, Given, OrAddress, "__enzyme_fwdsplit");
  Value *Tape = H.tapeIn(Block);
  B.CreateCall(rewindRecord(M), {Tape});
  Args.push_back(Tape);
  CallInst *Call = B.CreateCall(D.Replay, Args);
  B.CreateCall(checkRecord(M), {Tape});
  if (!Keep) {
    B.CreateCall(endRecord(M), {Tape});
    endTape(H, Block, Stamp);
  }
  returnResult(B, *Call);
  resetShadowsBefore(*Call);
  return F;
}

Function *SplitMarkers::secondHalf(const Derivative &D, bool OrAddress,
                                   bool Keep) {
  unsigned Variant = 3 + (OrAddress ? 1 : 0) + (Keep ? 2 : 0);
  Function *&F = Made[{&D, Variant}];
  if (F)
    return F;
  Function *Half = Keep ? D.ReverseKeepTape : D.Reverse;
  HalfBuilder H(D, Half->getFunctionType(),
                "adze.second." + D.Req.Primal->getName(), M);
  F = H.F;
  IRBuilder<> &B = H.B;
  auto [Block, Stamp] = checkedBlock(H, F->getArg(F->arg_size() - 1), OrAddress,
                                     "__enzyme_reverse");
  std::vector<Value *> Args = firstArguments(F, F->arg_size() - 1);
  Args.push_back(H.tapeIn(Block));
  CallInst *Call = B.CreateCall(Half, Args);
  if (!Keep)
    endTape(H, Block, Stamp);
  returnResult(B, *Call);
  resetShadowsBefore(*Call);
  emptyDeferredList(*F);
  return F;
}

/// A function like the forward derivative: one half after the other.
Function *SplitMarkers::recordAndReplay(const Derivative &D) {
  Function *First = firstHalf(D, TapePlace::Own);
  Function *Second = replay(D, /*OrAddress=*/false, /*Keep=*/false);
  HalfBuilder H(D, D.Forward->getFunctionType(),
                "adze.both." + D.Req.Primal->getName(), M);
  IRBuilder<> &B = H.B;
  std::vector<Value *> Primals, Args = firstArguments(H.F, H.F->arg_size());
  unsigned Next = 0;
  for (ArgActivity A : D.Req.Args) {
    Primals.push_back(Args[Next]);
    Next += hasShadowParam(A) ? 2 : 1;
  }
  Args.push_back(B.CreateExtractValue(B.CreateCall(First, Primals), 0));
  Value *Result = B.CreateCall(Second, Args);
  returnResult(B, *Result);
  return H.F;
}

/// A function like that of a Fused derivative: one half after the other.
Function *SplitMarkers::bothHalves(const Derivative &D) {
  Function *First = firstHalf(D, TapePlace::Own);
  Function *Second = secondHalf(D, /*OrAddress=*/false, /*Keep=*/false);
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 8> Params(First->getFunctionType()->params());
  unsigned Shared = Params.size();
  bool TakesAdjoint = retTakesAdjoint(D.Req.Ret);
  if (TakesAdjoint)
    Params.push_back(Second->getArg(Shared)->getType());
  SmallVector<Type *, 4> Results;
  if (D.Req.ReturnPrimal)
    Results.push_back(
        cast<StructType>(First->getReturnType())->getElementType(1));
  if (auto *S = dyn_cast<StructType>(Second->getReturnType()))
    Results.append(S->element_begin(), S->element_end());
  Type *Returned =
      Results.empty() ? Type::getVoidTy(C) : StructType::get(C, Results);

  HalfBuilder H(D, FunctionType::get(Returned, Params, false),
                "adze.both." + D.Req.Primal->getName(), M);
  IRBuilder<> &B = H.B;
  std::vector<Value *> Args = firstArguments(H.F, Shared);
  Value *Ahead = B.CreateCall(First, Args);
  if (TakesAdjoint)
    Args.push_back(H.F->getArg(Shared));
  Args.push_back(B.CreateExtractValue(Ahead, 0));
  Value *Back = B.CreateCall(Second, Args);
  if (Results.empty()) {
    B.CreateRetVoid();
    return H.F;
  }
  Value *Result = PoisonValue::get(Returned);
  unsigned Primals = D.Req.ReturnPrimal;
  if (Primals)
    Result = B.CreateInsertValue(Result, B.CreateExtractValue(Ahead, 1), 0);
  for (unsigned I = Primals; I != Results.size(); ++I)
    Result =
        B.CreateInsertValue(Result, B.CreateExtractValue(Back, I - Primals), I);
  B.CreateRet(Result);
  return H.F;
}

/// A size known now is compared now.
void SplitMarkers::checkSize(const Item &I) {
  std::optional<uint64_t> Given = sizeGiven(*I.Call, [&](const CallBase &C) {
    std::optional<uint64_t> Bytes;
    for (const Item &Other : All)
      if (Other.Call->Half == SplitHalf::Size && Other.Call->Call == &C)
        Bytes = providedBytes(*Other.D, M.getDataLayout());
    return Bytes;
  });
  uint64_t Wanted = providedBytes(*I.D, M.getDataLayout());
  if (Given && *Given < Wanted)
    Diags.report(Diag::TapeTooSmall, *I.Call->From, I.Call->Call,
                 {sourceName(*I.D->Req.Primal), std::to_string(Wanted),
                  std::to_string(*Given)});
}

Function *SplitMarkers::targetOf(const Item &I) {
  const Marker &Call = *I.Call;
  switch (Call.Half) {
  case SplitHalf::None:
    return I.D->Replay ? recordAndReplay(*I.D) : bothHalves(*I.D);
  case SplitHalf::Augment:
    return firstHalf(*I.D, Call.Place);
  case SplitHalf::Reverse:
    return secondHalf(*I.D, Call.Place == TapePlace::Variable, Call.KeepsTape);
  case SplitHalf::Forward:
    return replay(*I.D, Call.Place == TapePlace::Variable, Call.KeepsTape);
  case SplitHalf::Size:
  case SplitHalf::Table:
    break;
  }
  return nullptr;
}

/// {first half, second half}, the memory of whose tapes is their own.
GlobalVariable *SplitMarkers::table(const Derivative &D) {
  GlobalVariable *&Table = Tables[&D];
  if (Table)
    return Table;
  LLVMContext &C = M.getContext();
  auto *Ty = ArrayType::get(PointerType::getUnqual(C), 2);
  Constant *Halves = ConstantArray::get(
      Ty, {firstHalf(D, TapePlace::Own),
           secondHalf(D, /*OrAddress=*/false, /*Keep=*/false)});
  Table = new GlobalVariable(M, Ty, /*isConstant=*/true,
                             GlobalValue::InternalLinkage, Halves,
                             "adze.table." + D.Req.Primal->getName());
  return Table;
}

/// What a marker that calls nothing stands for.
Constant *SplitMarkers::constantFor(const Item &I) {
  Type *Ty = I.Call->Call->getType();
  if (I.Call->Half == SplitHalf::Table)
    return ConstantExpr::getPointerBitCastOrAddrSpaceCast(table(*I.D), Ty);
  return ConstantInt::get(Ty, providedBytes(*I.D, M.getDataLayout()));
}

void SplitMarkers::replace() {
  for (const Item &I : All)
    if (I.Call->Half == SplitHalf::Augment &&
        I.Call->Place == TapePlace::Provided)
      checkSize(I);
  for (const Item &I : All)
    if (Function *Target = targetOf(I))
      replaceMarkerBy(*I.Call, *Target);
  for (const Item &I : All) {
    CallBase *Call = I.Call->Call;
    if (!Call) // replaced
      continue;
    if (!Call->use_empty())
      Call->replaceAllUsesWith(constantFor(I));
    eraseMarkerCall(*Call);
    I.Call->Call = nullptr;
  }
}

Request inTwoHalves(Request R) {
  R.Kind = DerivativeKind::Split;
  R.MayBeOverwritten.Arguments.assign(R.Args.size(), true);
  R.MayBeOverwritten.Elsewhere = true;
  return R;
}

void shareTapes(MutableArrayRef<Marker> Markers) {
  for (const Marker &Keeping : Markers)
    if (Keeping.KeepsTape && !Keeping.Req.RunsAgain) {
      Request Kept = Keeping.Req;
      for (Marker &M : Markers)
        if (M.Req == Kept)
          M.Req.RunsAgain = true;
    }
}

void shareTypes(MutableArrayRef<Marker> Markers) {
  for (size_t I = 0; I != Markers.size(); ++I) {
    Marker &First = Markers[I];
    // Who calls the functions of a table nobody knows.
    auto isCalled = [](const Marker &M) {
      return M.Half != SplitHalf::None && M.Half != SplitHalf::Table;
    };
    if (!isCalled(First))
      continue;
    auto belongs = [&](const Marker &M) {
      return isCalled(M) && sameButTypes(M.Req, First.Req);
    };
    // Done with the first of its kind.
    if (any_of(Markers.take_front(I), belongs))
      continue;
    CallerTypes Agreed;
    bool Any = false;
    for (const Marker &M : Markers) {
      if (!belongs(M) || M.Half != SplitHalf::Augment)
        continue;
      if (!Any)
        Agreed = M.Req.Types;
      Any = true;
      for (size_t K = 0; K != Agreed.Arguments.size(); ++K)
        if (K >= M.Req.Types.Arguments.size() ||
            Agreed.Arguments[K] != M.Req.Types.Arguments[K])
          Agreed.Arguments[K].clear();
      if (Agreed.Result != M.Req.Types.Result)
        Agreed.Result.clear();
    }
    for (Marker &M : Markers)
      if (belongs(M))
        M.Req.Types = Agreed;
  }
}

} // namespace adze

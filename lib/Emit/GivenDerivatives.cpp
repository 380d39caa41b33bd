// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with the signatures of Request.h that call the derivatives that a
// program gives (GivenDerivatives.h):
//
//   aug_f(p, p', a, tape)   kept = augmented(p, p', a); tape = kept.T
//   rev_f(p, p', a, r', tape)     a' = reverse(p, p', a, r', tape)
//   fwd_f(p, p', a, a')     (r, r') = forward(p, p', a, a')
//   or                      (T, r) = augmented(p, p', a)
//                           r' = forward(p, p', a, a', T)
//   record_f(a)             (T, r) = augmented(a), or r = f(a)
//   replay_f(a, a', record) r' = forward(a, a', T)
//
// With several directions the program's functions are called once for each, in
// the reverse pass the last one first. What the primal writes is put back
// between them (Runtime/RepeatedCalls.h). Those of an exchange know of it: the
// first one of its directions does what the primal does.
#include "adze/GivenDerivatives.h"
#include "RecordCursor.h"
#include "TrackedSteps.h"
#include "adze/Emit.h"
#include "adze/GivenPlan.h"
#include "adze/RuleContext.h"
#include "adze/Runtime.h"
#include "adze/RuntimeStop.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Calls one of the program's functions.
class Adapter {
public:
  /// \p F: the function of ours that does so, still empty.
  Adapter(Function &F, const Request &R)
      : F(F), Primal(*R.Primal), B(BasicBlock::Create(F.getContext(), "", &F)),
        Directions(R.Width) {}

  IRBuilder<> &builder() { return B; }
  Value *lastArg() { return F.getArg(F.arg_size() - 1); }

  /// Runs \p Body for one direction after the other, or the last one first. It
  /// gives one value for each result of F but the first \p Shared, which are
  /// the same in all directions.
  void eachDirection(unsigned Shared, bool LastFirst,
                     function_ref<SmallVector<Value *, 4>()> Body) {
    SmallVector<Value *, 4> All;
    const unsigned Count = Directions.count();
    const bool Once = given::exchangingOf(Primal) == given::Exchanging::Once;
    for (unsigned K = 0; K != (Once ? 1 : Count); ++K) {
      if (K > 0 && Written)
        speak("undo");
      Direction = LastFirst && !Once ? Count - 1 - K : K;
      beginDirection(Direction, Count);
      SmallVector<Value *, 4> One = Body();
      if (Directions.isOne())
        return finish(One);
      for (unsigned I = 0; I != One.size(); ++I) {
        if (K == 0)
          All.push_back(I < Shared ? One[I]
                                   : PoisonValue::get(Directions.dualType(
                                         One[I]->getType())));
        if (I >= Shared)
          All[I] = B.CreateInsertValue(All[I], One[I], Direction);
      }
    }
    beginDirection(0, 0);
    if (Written)
      speak("done");
    finish(All);
  }
  /// Between directions what the primal writes is to be put back: a first run
  /// of it tells what that is.
  void findWritten(const Request &R) {
    operands(R);
    Written = B.CreateCall(runtimeFunction(*F.getParent(), CheckpointsUnit,
                                           "adze.checkpoint.repeats"));
    Primals.push_back(Written);
    callPrimal(*trackedFunction(*R.Primal));
    speak("first");
  }
  void speak(StringRef What) {
    B.CreateCall(runtimeFunction(*F.getParent(), CheckpointsUnit,
                                 ("adze.checkpoint." + What).str()),
                 {Written});
  }
  /// Tells the derivatives of an exchange.
  void beginDirection(unsigned Which, unsigned Count) {
    Function *Hook =
        Directions.isOne() ? nullptr : given::directionHookOf(Primal);
    if (Hook)
      B.CreateCall(Hook, {B.getInt32(Which), B.getInt32(Count)});
  }
  /// Of parameter \p V, which has a value for each direction.
  Value *here(Value *V) {
    return Directions.isOne() ? V : B.CreateExtractValue(V, Direction);
  }
  /// Of an array at \p Place of one \p Ty for each direction.
  Value *placeHere(StructType *Ty, Value *Place) {
    return Directions.isOne()
               ? Place
               : B.CreateConstInBoundsGEP1_64(Ty, Place, Direction);
  }

  /// What \p F is called with, in the order in which derivative functions take
  /// it. What has no shadow here has one that is null, or zero.
  SmallVector<Value *, 8> operands(const Request &R) {
    SmallVector<Value *, 8> Operands;
    Next = 0;
    Primals.clear();
    const bool Forward = R.Kind.isForward();
    for (const Argument &A : Primal.args()) {
      Primals.push_back(next());
      if (!given::isPassed(A))
        continue;
      Operands.push_back(described(A, Primals.back(), R));
      Value *Shadow =
          hasShadowParam(R.Args[A.getArgNo()]) ? here(next()) : nullptr;
      if (given::takesShadow(A) || (Forward && given::isFloat(A)))
        Operands.push_back(Shadow ? Shadow
                                  : Constant::getNullValue(A.getType()));
    }
    return Operands;
  }
  /// The arguments alone, of which none takes a shadow.
  SmallVector<Value *, 8> arguments(const Request &R) {
    SmallVector<Value *, 8> Operands;
    for (const Argument &A : Primal.args()) {
      Primals.push_back(next());
      if (given::isPassed(A))
        Operands.push_back(described(A, Primals.back(), R));
    }
    return Operands;
  }
  /// \p Operands of a forward function, for an augmented one: it takes no
  /// tangents of numbers.
  SmallVector<Value *, 8> withoutTangents(ArrayRef<Value *> Operands) {
    SmallVector<Value *, 8> Left;
    for (const Argument &A : Primal.args()) {
      if (!given::isPassed(A))
        continue;
      const unsigned Taken = given::takesShadow(A) || given::isFloat(A) ? 2 : 1;
      append_range(Left, Operands.take_front(given::isFloat(A) ? 1 : Taken));
      Operands = Operands.drop_front(Taken);
    }
    return Left;
  }
  /// What they take for \p V, the argument \p A.
  Value *described(const Argument &A, Value *V, const Request &R) {
    const unsigned K = A.getArgNo();
    if (K >= R.Descriptions.size() || R.Descriptions[K].empty())
      return V;
    return B.CreateCall(&given::describerOf(Primal),
                        {V, descriptionOf(R.Descriptions[K])});
  }
  /// The variable {text, null} that both halves share.
  Constant *descriptionOf(StringRef Text) {
    Module &M = *F.getParent();
    const std::string Name = ("adze.description." + Text).str();
    if (GlobalVariable *Known = M.getNamedGlobal(Name))
      return Known;
    Constant *String = B.CreateGlobalString(Text, "", 0, &M);
    Constant *Init = ConstantStruct::getAnon(
        {String, ConstantPointerNull::get(B.getPtrTy())});
    return new GlobalVariable(M, Init->getType(), /*isConstant=*/false,
                              GlobalValue::InternalLinkage, Init, Name);
  }
  /// The next parameter of \p F.
  Value *next() { return F.getArg(Next++); }

  /// Between the two calls of this stand those of the derivatives.
  void inTeam(const Request &R, bool Begins) {
    Function *Hook =
        R.InTeam == TeamRole::None ? nullptr : given::teamHookOf(Primal);
    if (Hook)
      B.CreateCall(Hook, B.getInt32(Begins));
  }

  Value *callPrimal(Function &Callee) {
    CallInst *Call = B.CreateCall(&Callee, Primals);
    Call->setCallingConv(Callee.getCallingConv());
    return Call;
  }

  /// The address of what \p Callee returns, which lies as \p Record; null if it
  /// returns nothing.
  Value *call(Function &Callee, ArrayRef<Value *> Operands,
              StructType *Record) {
    SmallVector<Value *, 8> Args;
    AllocaInst *Place = nullptr;
    const bool InMemory = Callee.arg_size() > 0 && Callee.hasStructRetAttr();
    if (Record) {
      Type *Ty =
          InMemory ? Callee.getParamStructRetType(0) : Callee.getReturnType();
      const DataLayout &DL = F.getParent()->getDataLayout();
      const bool Larger = DL.getTypeAllocSize(Ty) > DL.getTypeAllocSize(Record);
      IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
      Place = Entry.CreateAlloca(Larger ? Ty : Record);
      Place->setAlignment(
          std::max(DL.getABITypeAlign(Ty), DL.getABITypeAlign(Record)));
    }
    if (InMemory)
      Args.push_back(Place);
    Args.append(Operands.begin(), Operands.end());
    CallInst *Call = B.CreateCall(&Callee, Args);
    Call->setCallingConv(Callee.getCallingConv());
    Call->setAttributes(Callee.getAttributes());
    if (Place && !InMemory)
      B.CreateStore(Call, Place);
    return Place;
  }

  /// A variable with \p V.
  Value *inMemory(Value *V) {
    IRBuilder<> Entry(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *Place = Entry.CreateAlloca(V->getType());
    B.CreateStore(V, Place);
    return Place;
  }

  Value *field(StructType *Record, Value *Place, unsigned I) {
    return B.CreateLoad(Record->getElementType(I),
                        B.CreateStructGEP(Record, Place, I));
  }

  /// What \p Callee takes at its end: the fields of \p Tape at \p Place.
  void addTape(SmallVectorImpl<Value *> &Operands, const Function &Callee,
               StructType *Tape, Value *Place) {
    const unsigned Shift = Callee.hasStructRetAttr() ? 1 : 0;
    for (unsigned I = 0; Tape && I < Tape->getNumElements(); ++I) {
      const bool ByValue =
          Callee.getArg(Operands.size() + Shift)->hasByValAttr();
      Operands.push_back(ByValue ? B.CreateStructGEP(Tape, Place, I)
                                 : field(Tape, Place, I));
    }
  }

  /// The rest is done if \p Condition, an i1, is true; else there are zeros.
  void onlyIf(Value *Condition) {
    LLVMContext &C = F.getContext();
    BasicBlock *Rest = BasicBlock::Create(C, "", &F);
    BasicBlock *Else = BasicBlock::Create(C, "threw", &F);
    B.CreateCondBr(Condition, Rest, Else);
    Type *Ty = F.getReturnType();
    ReturnInst::Create(C, Ty->isVoidTy() ? nullptr : Constant::getNullValue(Ty),
                       Else);
    B.SetInsertPoint(Rest);
  }

  void finish(ArrayRef<Value *> Results) {
    Type *Ty = F.getReturnType();
    if (Ty->isVoidTy()) {
      B.CreateRetVoid();
      return;
    }
    Value *Result = PoisonValue::get(Ty);
    for (unsigned I = 0; I < Results.size(); ++I)
      Result = B.CreateInsertValue(Result, Results[I], I);
    B.CreateRet(Result);
  }

private:
  Function &F;
  const Function &Primal;
  IRBuilder<> B;
  const Lanes Directions;
  unsigned Direction = 0;   // of the call that is made
  Value *Written = nullptr; // what is put back, if something is
  unsigned Next = 0;
  SmallVector<Value *, 8> Primals; // what operands() has found
};

/// An augmented call that an exception ends keeps nothing. If one may, the last
/// field of the tape type says whether it came back.
bool tellsReturn(const given::Gradient &G) {
  return !G.Augmented->doesNotThrow();
}

Value *returnedField(const Derivative &D, Adapter &A) {
  return A.builder().CreateStructGEP(D.TapeType, A.lastArg(),
                                     D.TapeType->getNumElements() - 1);
}

void emitAugmented(const Derivative &D, const given::Gradient &G) {
  const Request &R = D.Req;
  Adapter A(*D.Augmented, R);
  IRBuilder<> &B = A.builder();
  if (isPutBack(R)) {
    if (tellsReturn(G)) // an exception may end the first run
      B.CreateStore(B.getInt8(0), returnedField(D, A));
    A.findWritten(R);
  }
  A.eachDirection(R.ReturnPrimal, /*LastFirst=*/false, [&] {
    if (tellsReturn(G))
      B.CreateStore(B.getInt8(0), returnedField(D, A));
    A.inTeam(R, true);
    Value *Place = A.call(*G.Augmented, A.operands(R), G.Kept);
    A.inTeam(R, false);
    if (tellsReturn(G))
      B.CreateStore(B.getInt8(1), returnedField(D, A));
    if (G.Tape)
      B.CreateStore(A.field(G.Kept, Place, 0),
                    A.placeHere(G.Tape, A.lastArg()));
    SmallVector<Value *, 4> Results;
    if (R.ReturnPrimal)
      Results.push_back(A.field(G.Kept, Place, G.Tape ? 1 : 0));
    return Results;
  });
}

/// The adjoints in one direction.
SmallVector<Value *, 4> reverseHere(const Request &R, const given::Gradient &G,
                                    Adapter &A) {
  SmallVector<Value *, 8> Operands = A.operands(R);
  Type *Ret = R.Primal->getReturnType();
  if (Ret->isFloatingPointTy())
    Operands.push_back(retTakesAdjoint(R.Ret) ? A.here(A.next())
                                              : Constant::getNullValue(Ret));
  A.addTape(Operands, *G.Reverse, G.Tape,
            G.Tape ? A.placeHere(G.Tape, A.lastArg()) : nullptr);
  A.inTeam(R, true);
  Value *Place = A.call(*G.Reverse, Operands, G.Adjoints);
  A.inTeam(R, false);
  SmallVector<Value *, 4> Results;
  unsigned Field = 0; // of the adjoints, also of those that nobody wants
  for (const Argument &Arg : R.Primal->args()) {
    if (!given::isFloat(Arg))
      continue;
    if (returnsAdjoint(R.Args[Arg.getArgNo()]))
      Results.push_back(A.field(G.Adjoints, Place, Field));
    ++Field;
  }
  return Results;
}

void emitReverse(const Derivative &D, const given::Gradient &G,
                 Function &Reverse) {
  const Request &R = D.Req;
  Adapter A(Reverse, R);
  if (tellsReturn(G)) {
    IRBuilder<> &B = A.builder();
    A.onlyIf(B.CreateICmpNE(B.CreateLoad(B.getInt8Ty(), returnedField(D, A)),
                            B.getInt8(0)));
  }
  A.eachDirection(/*Shared=*/0, /*LastFirst=*/true,
                  [&] { return reverseHere(R, G, A); });
}

/// What \p R wants, after a call of `forward` that has left its results at
/// \p Place. \p Primal: the primal's, if that call does not return it.
SmallVector<Value *, 4> resultsOf(const Request &R, const given::Tangent &T,
                                  Adapter &A, Value *Place, Value *Primal) {
  SmallVector<Value *, 4> Results;
  if (R.ReturnPrimal)
    Results.push_back(T.ReturnsPrimal ? A.field(T.Returned, Place, 0) : Primal);
  if (R.Ret != RetActivity::Const)
    Results.push_back(A.field(T.Returned, Place, T.ReturnsPrimal ? 1 : 0));
  return Results;
}

/// `forward` does not give the result that \p R wants.
bool lacksResult(const Request &R, const given::Tangent &T) {
  return R.ReturnPrimal && !T.ReturnsPrimal;
}

/// The first of the two steps of forward mode (Recording.h).
void emitRecord(const Derivative &D, const given::Tangent &T) {
  const Request &R = D.Req;
  Adapter A(*D.Record, R);
  IRBuilder<> &B = A.builder();
  const RecordCursor At(*D.Record);
  auto put = [&](Value *V) {
    B.CreateAlignedStore(V, At.pass(B, V->getType(), "adze.record.put"),
                         Align(1));
  };
  SmallVector<Value *, 8> Operands = A.arguments(R);
  Value *Result = nullptr;
  if (T.Augmented) {
    Value *Kept = A.call(*T.Augmented, Operands, T.Kept);
    if (T.Tape)
      put(A.field(T.Kept, Kept, 0));
    if (!R.Primal->getReturnType()->isVoidTy())
      Result = A.field(T.Kept, Kept, T.Tape ? 1 : 0);
  } else {
    Result = A.callPrimal(*R.Primal);
  }
  if (lacksResult(R, T))
    put(Result);
  At.give(B);
  if (D.Record->getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Result);
}

/// And the second one.
void emitReplayOf(const Derivative &D, const given::Tangent &T) {
  const Request &R = D.Req;
  Adapter A(*D.Replay, R);
  IRBuilder<> &B = A.builder();
  const RecordCursor At(*D.Replay);
  auto get = [&](Type *Ty) {
    return B.CreateAlignedLoad(Ty, At.pass(B, Ty, "adze.record.get"), Align(1));
  };
  Value *Tape = T.Tape ? A.inMemory(get(T.Kept->getElementType(0))) : nullptr;
  Value *Result = lacksResult(R, T) ? get(R.Primal->getReturnType()) : nullptr;
  At.give(B);
  A.eachDirection(R.ReturnPrimal, /*LastFirst=*/false, [&] {
    SmallVector<Value *, 8> Operands = A.operands(R);
    A.addTape(Operands, *T.Forward, T.Tape, Tape);
    Value *Place = A.call(*T.Forward, Operands, T.Returned);
    return resultsOf(R, T, A, Place, Result);
  });
}

void emitTangent(const Derivative &D, const given::Tangent &T) {
  const Request &R = D.Req;
  Adapter A(*D.Forward, R);
  if (isPutBack(R))
    A.findWritten(R);
  A.eachDirection(R.ReturnPrimal, /*LastFirst=*/false, [&] {
    SmallVector<Value *, 8> Operands = A.operands(R);
    Value *Result = nullptr;
    if (lacksResult(R, T) && !T.Augmented)
      Result = A.callPrimal(*R.Primal);
    A.inTeam(R, true);
    if (T.Augmented) {
      Value *Kept = A.call(*T.Augmented, A.withoutTangents(Operands), T.Kept);
      if (R.ReturnPrimal)
        Result = A.field(T.Kept, Kept, T.Tape ? 1 : 0);
      A.addTape(Operands, *T.Forward, T.Tape, Kept);
    }
    Value *Place = A.call(*T.Forward, Operands, T.Returned);
    A.inTeam(R, false);
    return resultsOf(R, T, A, Place, Result);
  });
}

} // namespace

void declareGiven(Derivative &D, Module &M) {
  Function &F = *D.Req.Primal;
  declareDerivative(D, F, F, M);
  if (D.Req.Kind.isForward())
    return;
  const given::Gradient G = cantFail(given::gradientOf(F));
  SmallVector<Type *, 2> Fields;
  if (G.Tape)
    Fields.push_back(Lanes(D.Req.Width).dualType(G.Tape));
  if (tellsReturn(G))
    Fields.push_back(Type::getInt8Ty(M.getContext()));
  D.TapeType->setBody(Fields);
}

/// The derivatives cannot serve, which matters where a call gets there.
static void emitStops(const Derivative &D, StringRef Why) {
  for (Function *F : {D.Augmented, D.Reverse, D.ReverseKeepTape, D.Forward}) {
    if (!F)
      continue;
    IRBuilder<> B(BasicBlock::Create(F->getContext(), "", F));
    emitRuntimeStop(B, ("the functions of a table that is the shadow of a "
                        "pointer to a function cannot serve: " +
                        Why)
                           .str());
    B.CreateUnreachable();
  }
}

void emitGiven(const Derivative &D) {
  const Function &F = *D.Req.Primal;
  if (std::optional<GivenFault> Fault = whyNotFromTable(D.Req))
    return emitStops(D, Fault->Why);
  if (D.Req.Kind.isForward()) {
    const given::Tangent T = cantFail(given::tangentOf(F));
    if (D.Replay) {
      emitRecord(D, T);
      emitReplayOf(D, T);
    }
    return emitTangent(D, T);
  }
  const given::Gradient G = cantFail(given::gradientOf(F));
  emitAugmented(D, G);
  emitReverse(D, G, *D.Reverse);
  if (D.ReverseKeepTape) // of what has no tape
    emitReverse(D, G, *D.ReverseKeepTape);
}

} // namespace adze

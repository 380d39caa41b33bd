// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomMachine.h"

namespace analysis_random {

RunValue Machine::get(Frame &F, const Value *V) {
  RunValue R;
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    R.Number = C->getSExtValue();
  } else if (isa<GlobalVariable>(V)) {
    R.Points = global(V->getName());
  } else if (!isa<Constant>(V)) {
    R = F.Values[V];
  }
  R.SelfShadowed |= !F.shadow(V);
  return R;
}

/// Whoever asks for the shadow of a global gets one, made of zeros, and of the
/// shadows of globals.
int Machine::global(StringRef Name) {
  int &Object = Globals[Name.str()];
  if (!Object) {
    Object = newMemory(true) + 1;
    if (Name == "kept")
      Memories[Object - 1].Slots[0].Points = global("state");
  }
  return Object - 1;
}

void Machine::load(Frame &F, const LoadInst &I) {
  RunValue P = get(F, I.getPointerOperand()), R;
  Slot *Place = slot(P, false);
  if (!Place)
    return;
  Slot &S = *Place;
  if (F.Outermost)
    S.ReadBy.push_back(&I);
  if (I.getType()->isPointerTy()) {
    R.Points = S.Points;
    R.SelfShadowed = P.SelfShadowed || S.SelfShadowed;
    if (F.shadow(&I) && !P.SelfShadowed && !S.ShadowValid)
      problem("no valid shadow to load", &I);
  } else {
    R.Event = event({S.Event}, &I, F.A);
    if (F.active(&I) && !P.SelfShadowed && !S.TangentValid)
      problem("no valid tangent to load", &I, S.By);
    if (F.A && P.SelfShadowed)
      readSelfShadowed(S.Event, R.Event, &I);
  }
  F.Values[&I] = R;
}

void Machine::store(Frame &F, const StoreInst &I) {
  RunValue P = get(F, I.getPointerOperand()), V = get(F, I.getValueOperand());
  Slot *Place = slot(P, true);
  if (!Place)
    return;
  Slot &S = *Place;
  bool Handled = F.A && F.shadow(I.getPointerOperand());
  if (Handled && !F.A->Activity->isActiveInstruction(&I))
    problem("store to memory with shadow does not take part", &I);
  overwrite(S);
  if (I.getValueOperand()->getType()->isPointerTy()) {
    S.Points = V.Points;
    S.SelfShadowed = V.SelfShadowed;
    S.ShadowValid = Handled && !P.SelfShadowed;
    return;
  }
  S.Event = event({V.Event}, &I, F.A);
  S.TangentValid = Handled && !P.SelfShadowed;
  S.By = &I;
}

void Machine::copy(Frame &F, const MemCpyInst &I) {
  RunValue To = get(F, I.getRawDest()), From = get(F, I.getRawSource());
  if (!slot(To, true) || !slot(From, false))
    return;
  bool Handled = F.shadow(I.getRawDest());
  Handled &= !To.SelfShadowed;
  int64_t Count = cast<ConstantInt>(I.getLength())->getSExtValue() / 8;
  // Copying memory onto itself is allowed, and nothing happens.
  if (To.Points == From.Points)
    Count = 0;
  for (int64_t K = 0; K < Count; ++K) {
    Slot &Source = Memories[From.Points].Slots[K];
    if (F.Outermost)
      Source.ReadBy.push_back(&I);
    Slot &S = Memories[To.Points].Slots[K];
    overwrite(S);
    S.Points = Source.Points;
    S.By = &I;
    S.Event = event({Source.Event}, &I, F.A);
    S.SelfShadowed = From.SelfShadowed || Source.SelfShadowed;
    S.ShadowValid = Handled && (From.SelfShadowed || Source.ShadowValid);
    // Without a shadow of the source the copy's tangent is zero.
    S.TangentValid = Handled && (From.SelfShadowed || Source.TangentValid);
    if (F.A && From.SelfShadowed)
      readSelfShadowed(Source.Event, S.Event, &I);
  }
}

void Machine::call(Frame &F, const CallInst &I) {
  Function &Callee = *I.getCalledFunction();
  RunValue R;
  if (Callee.getName() == "malloc") {
    R.Points = newMemory(F.shadow(&I));
    F.Values[&I] = R;
    return;
  }
  const Answers *A = nullptr;
  if (F.A && F.A->Activity->isActiveInstruction(&I)) {
    CallActivity Activity =
        activityOfCall(*F.A->Activity, I, DerivativeKind::Fused);
    Request Q;
    Q.Primal = &Callee;
    Q.Args = Activity.Args;
    Q.ArgumentFlags = Activity.ArgumentFlags;
    Q.Ret = Activity.Ret;
    A = &analyze(Q);
  }
  std::vector<RunValue> Args;
  for (const Value *V : I.args()) {
    RunValue Arg = get(F, V);
    checkShadow(F, V, Arg);
    Args.push_back(Arg);
  }
  R = run(Callee, Args, A, false);
  if (!I.getType()->isPointerTy())
    R.Event = event({R.Event}, &I, F.A);
  F.Values[&I] = R;
}

void Machine::step(Frame &F, const Instruction &I) {
  RunValue R;
  if (auto *L = dyn_cast<LoadInst>(&I))
    return load(F, *L);
  if (auto *S = dyn_cast<StoreInst>(&I))
    return store(F, *S);
  if (auto *C = dyn_cast<MemCpyInst>(&I))
    return copy(F, *C);
  if (auto *C = dyn_cast<CallInst>(&I))
    return call(F, *C);
  if (isa<AllocaInst>(I)) {
    R.Points = newMemory(F.shadow(&I));
  } else if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
    R = get(F, G->getPointerOperand());
    R.Offset += get(F, G->getOperand(1)).Number *
                (G->getSourceElementType()->isDoubleTy() ? 8 : 1);
  } else if (auto *S = dyn_cast<SelectInst>(&I)) {
    R = get(F, get(F, S->getCondition()).Number ? S->getTrueValue()
                                                : S->getFalseValue());
  } else if (auto *C = dyn_cast<ICmpInst>(&I)) {
    int64_t X = get(F, C->getOperand(0)).Number,
            Y = get(F, C->getOperand(1)).Number;
    R.Number = C->getPredicate() == CmpInst::ICMP_EQ ? X == Y : X < Y;
  } else if (I.getOpcode() == Instruction::And) {
    R.Number = get(F, I.getOperand(0)).Number & get(F, I.getOperand(1)).Number;
  } else if (I.getOpcode() == Instruction::Add) {
    R.Number = get(F, I.getOperand(0)).Number + get(F, I.getOperand(1)).Number;
  } else if (auto *Insert = dyn_cast<InsertValueInst>(&I)) {
    // One value holds both members.
    R = get(F, Insert->getAggregateOperand());
    RunValue Member = get(F, Insert->getInsertedValueOperand());
    if (Insert->getIndices()[0] == 0)
      R.Event = event({Member.Event}, &I, F.A);
    else
      R = RunValue{0, event({R.Event}, &I, F.A), Member.Points, Member.Offset,
                   Member.SelfShadowed};
  } else if (auto *Extract = dyn_cast<ExtractValueInst>(&I)) {
    R = get(F, Extract->getAggregateOperand());
    if (Extract->getIndices()[0] == 0)
      R = RunValue{0, event({R.Event}, &I, F.A)};
    else
      R.Event = 0;
  } else if (I.getOpcode() == Instruction::FMul) {
    R.Event =
        event({get(F, I.getOperand(0)).Event, get(F, I.getOperand(1)).Event},
              &I, F.A);
  }
  F.Values[&I] = R;
}

RunValue Machine::run(Function &Fn, ArrayRef<RunValue> Args, const Answers *A,
                      bool Outermost) {
  Frame F{{}, A, Outermost};
  for (Argument &Arg : Fn.args()) {
    RunValue V = Args[Arg.getArgNo()];
    if (Arg.getType()->isDoubleTy())
      V.Event = event({V.Event}, &Arg, A);
    F.Values[&Arg] = V;
    checkShadow(F, &Arg, V);
  }
  const BasicBlock *B = &Fn.getEntryBlock(), *From = nullptr;
  while (!Undefined && ++Steps < 20000) {
    std::map<const Value *, RunValue> Phis;
    for (const PHINode &P : B->phis()) {
      RunValue V = get(F, P.getIncomingValueForBlock(From));
      if (P.getType()->isDoubleTy())
        V.Event = event({V.Event}, &P, A);
      Phis[&P] = V;
    }
    for (auto &[P, V] : Phis)
      F.Values[P] = V;
    for (const Instruction &I : *B) {
      if (!isa<PHINode>(I) && !I.isTerminator())
        step(F, I);
      if (Undefined)
        return RunValue();
      if (I.getType()->isPointerTy())
        checkShadow(F, &I, F.Values[&I]);
    }
    if (auto *R = dyn_cast<ReturnInst>(B->getTerminator())) {
      const Value *V = R->getReturnValue();
      if (A && retHasShadow(A->R.Ret) && !F.shadow(V))
        problem("returned pointer has no shadow", R);
      return get(F, V);
    }
    auto *Br = cast<BranchInst>(B->getTerminator());
    From = B;
    B = Br->isUnconditional() || get(F, Br->getCondition()).Number
            ? Br->getSuccessor(0)
            : Br->getSuccessor(1);
  }
  return RunValue();
}

/// Everything that is active must have been called so.
void Machine::finish(unsigned Result, bool ResultActive,
                     ArrayRef<int> Outputs) {
  if (ResultActive)
    Events[Result].Useful = true;
  for (int O : Outputs)
    for (const Slot &S : Memories[O].Slots)
      Events[S.Event].Useful = true;
  for (size_t I = 1; I < Events.size(); ++I)
    for (unsigned From : Events[I].From)
      Events[I].Varied |= Events[From].Varied;
  for (size_t I = Events.size(); I-- > 1;)
    for (unsigned From : Events[I].From)
      Events[From].Useful |= Events[I].Useful;
  for (const SelfShadowedRead &R : SelfShadowedReads)
    if (Events[R.From].Varied && Events[R.To].Useful)
      problem("active float read where it has no derivative", R.By);
  for (const Event &E : Events) {
    if (!E.By || !E.Varied || !E.Useful)
      continue;
    if (!E.Info) {
      problem("active in a call that does not take part", E.By);
      continue;
    }
    if (auto *S = dyn_cast<StoreInst>(E.By)) {
      if (!E.Info->hasShadow(S->getPointerOperand()))
        problem("active float stored without shadow", S);
    } else if (auto *C = dyn_cast<MemCpyInst>(E.By)) {
      if (!E.Info->hasShadow(C->getRawDest()))
        problem("active float copied without shadow", C);
    } else if (!E.Info->isActiveValue(E.By)) {
      problem("active float called inactive", E.By);
    }
  }
}

} // namespace analysis_random

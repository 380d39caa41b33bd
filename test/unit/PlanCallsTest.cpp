// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How calls are planned, and what a wrong plan is found out by.
#include "PlanFixture.h"

using namespace adze;
using namespace llvm;

namespace {

const CallPlan *callPlan(const Planned &P, StringRef Name) {
  auto It = P.plan().Calls.find(cast<CallBase>(P.value(Name)));
  return It == P.plan().Calls.end() ? nullptr : &It->second;
}

const char *Reader = "define double @g(ptr noalias %p, double %a) noinline {\n"
                     "  %v = load double, ptr %p\n"
                     "  %w = fmul double %v, %a\n"
                     "  ret double %w\n"
                     "}\n";

TEST(PlanCalls, CalleeThatOnlyReadsRunsAtReverseTime) {
  Planned P(std::string(Reader) + "define double @f(ptr %x, double %y) {\n"
                                  "  %r = call double @g(ptr %x, double %y)\n"
                                  "  ret double %r\n"
                                  "}\n");
  const CallPlan *C = callPlan(P, "r");
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Strategy, CallStrategy::AtReverse);
  EXPECT_EQ(C->Callee->Req.Kind, DerivativeKind::Fused);
  EXPECT_FALSE(C->Callee->Req.ReturnPrimal);
  EXPECT_TRUE(C->NeedsPrimal[0] && C->NeedsPrimal[1] && C->NeedsShadow[0]);
}

TEST(PlanCalls, OverwrittenInputsAskForASplit) {
  Planned P(std::string(Reader) + "define double @f(ptr %x, double %y) {\n"
                                  "  %r = call double @g(ptr %x, double %y)\n"
                                  "  store double %r, ptr %x\n"
                                  "  ret double %r\n"
                                  "}\n");
  const CallPlan *C = callPlan(P, "r");
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Strategy, CallStrategy::Split) << P.text();
  EXPECT_TRUE(C->Callee->Req.ReturnPrimal);
  EXPECT_TRUE(C->Callee->Req.MayBeOverwritten.Arguments[0]);
  EXPECT_TRUE(C->HasTape);
  EXPECT_FALSE(C->TapeByPointer);
  EXPECT_EQ(P.slot("r", Part::Tape)->Element, C->Callee->TapeType);
  // The value read is on the sub-tape; its address is needed for the shadow.
  EXPECT_FALSE(C->NeedsPrimal[0]);
  EXPECT_TRUE(C->NeedsShadow[0]);
}

TEST(PlanCalls, CalleeThatWritesIsSplit) {
  Planned P("define void @g(ptr noalias %p, double %a) noinline {\n"
            "  %v = fmul double %a, 2.0\n"
            "  store double %v, ptr %p\n"
            "  ret void\n"
            "}\n"
            "define double @f(ptr %x, double %y) {\n"
            "  call void @g(ptr %x, double %y)\n"
            "  %r = load double, ptr %x\n"
            "  ret double %r\n"
            "}\n");
  ASSERT_EQ(P.plan().Calls.size(), 1u);
  const CallPlan &C = P.plan().Calls.begin()->second;
  EXPECT_EQ(C.Strategy, CallStrategy::Split);
  EXPECT_FALSE(C.Callee->Req.ReturnPrimal);
  // Nothing to keep: the partial is a constant.
  EXPECT_FALSE(C.HasTape) << P.text();
}

TEST(PlanCalls, RecursionReachesTheTapeByPointer) {
  Planned P("define double @f(double %x, i64 %n) {\n"
            "entry:\n"
            "  %stop = icmp eq i64 %n, 0\n"
            "  br i1 %stop, label %done, label %more\n"
            "more:\n"
            "  %n.1 = sub i64 %n, 1\n"
            "  %r = call double @f(double %x, i64 %n.1)\n"
            "  %s = fmul double %r, %x\n"
            "  br label %done\n"
            "done:\n"
            "  %out = phi double [ 1.0, %entry ], [ %s, %more ]\n"
            "  ret double %out\n"
            "}\n",
            DerivativeKind::Split);
  // The marker's request is not the one that repeats itself: its tape holds
  // that of the first inner call, which reaches all others by pointer.
  const CallPlan *C = callPlan(P, "r");
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Strategy, CallStrategy::Split);
  EXPECT_FALSE(C->TapeByPointer) << P.text();
  const Plan *Inner = P.planOf(*C->Callee);
  ASSERT_TRUE(Inner);
  const CallPlan &Again = Inner->Calls.begin()->second;
  EXPECT_EQ(Again.Callee, C->Callee);
  EXPECT_TRUE(Again.TapeByPointer);
  const Decision *D = Inner->find(Inner->Calls.begin()->first, Part::Tape);
  ASSERT_TRUE(D);
  EXPECT_TRUE(Inner->Slots[D->Slot].Element->isPointerTy());
}

TEST(PlanCalls, ForwardAsksForForward) {
  Planned P(std::string(Reader) + "define double @f(ptr %x, double %y) {\n"
                                  "  %r = call double @g(ptr %x, double %y)\n"
                                  "  ret double %r\n"
                                  "}\n",
            DerivativeKind::Forward);
  const CallPlan *C = callPlan(P, "r");
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Strategy, CallStrategy::AtOnce);
  EXPECT_EQ(C->Callee->Req.Kind, DerivativeKind::Forward);
  EXPECT_TRUE(C->Callee->Req.ReturnPrimal);
  EXPECT_TRUE(P.plan().Decisions.empty());
}

TEST(PlanCalls, ProblemsAreAllReported) {
  Planned P("declare double @one(double)\n"
            "declare double @two(double)\n"
            "define double @f(double %x, ptr %const.h) {\n"
            "  %a = call double @one(double %x)\n"
            "  %b = call double @two(double %a)\n"
            "  %c = call double %const.h(double %b)\n"
            "  ret double %c\n"
            "}\n");
  EXPECT_TRUE(P.failed());
  P.Diags.flush();
  StringRef Reports = P.Reports;
  EXPECT_TRUE(Reports.contains("'one', 'two'")) << P.Reports;
  EXPECT_TRUE(Reports.contains("function pointer")) << P.Reports;
}

//----------------------------------------------------------------------------
// The verifier
//----------------------------------------------------------------------------

const char *Overwriting = "define double @f(ptr %x, i64 %n) {\n"
                          "entry:\n"
                          "  br label %loop\n"
                          "loop:\n"
                          "  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]\n"
                          "  %s = phi double [ 1.0, %entry ], [ %t, %loop ]\n"
                          "  %p = getelementptr double, ptr %x, i64 %i\n"
                          "  %v = load double, ptr %p\n"
                          "  store double %s, ptr %p\n"
                          "  %t = fmul double %s, %v\n"
                          "  %i.next = add nuw nsw i64 %i, 1\n"
                          "  %more = icmp slt i64 %i.next, %n\n"
                          "  br i1 %more, label %loop, label %done\n"
                          "done:\n"
                          "  ret double %t\n"
                          "}\n";

TEST(PlanVerifier, FindsANeedThatIsNotMet) {
  Planned P(Overwriting);
  ASSERT_FALSE(P.failed());
  P.plan().Decisions.erase({P.value("v"), unsigned(Part::Primal)});
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsAMissingOperand) {
  Planned P(Overwriting);
  ASSERT_EQ(P.source("p", Part::Shadow), "recompute") << P.text();
  P.plan().Decisions.erase({P.value("x"), unsigned(Part::Shadow)});
  P.plan().ReverseReadsShadow[0] = false;
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsAValueThatCannotBeRecomputed) {
  Planned P(Overwriting);
  P.plan().Decisions[{P.value("v"), unsigned(Part::Primal)}].From =
      Source::Recompute;
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsAnAddressInACopyThatIsNotMade) {
  Planned P("define double @f(ptr noalias %u, ptr noalias %y, i64 %n) {\n"
            "entry:\n"
            "  br label %loop\n"
            "loop:\n"
            "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
            "  %next = add nuw nsw i64 %i, 1\n"
            "  %p = getelementptr inbounds double, ptr %u, i64 %i\n"
            "  %q = getelementptr inbounds double, ptr %u, i64 %next\n"
            "  %v = load double, ptr %p\n"
            "  %w = load double, ptr %q\n"
            "  %m = fmul double %v, %w\n"
            "  %o = getelementptr inbounds double, ptr %y, i64 %i\n"
            "  store double %m, ptr %o\n"
            "  %c = icmp ult i64 %next, %n\n"
            "  br i1 %c, label %loop, label %done\n"
            "done:\n"
            "  store double 0.0, ptr %u\n"
            "  %r = load double, ptr %y\n"
            "  ret double %r\n"
            "}\n");
  ASSERT_FALSE(P.failed());
  ASSERT_EQ(P.facts().P->Snapshots.size(), 1u) << P.text();
  const Value *Copy = P.facts().P->Snapshots.front().first;
  ASSERT_EQ(toString(verifyPlan(P.plan())), "");
  const Value *Within = *Copy->user_begin();
  P.plan().Decisions[{Within, unsigned(Part::Primal)}] = {Source::Cache, 0};
  EXPECT_TRUE(StringRef(toString(verifyPlan(P.plan())))
                  .ends_with("kept, an address in a copy"));
}

/// A loop of \p Body over i, which continues at block \p After.
std::string loopOf(const std::string &Name, const std::string &Body,
                   const std::string &Before, const std::string &After) {
  return Name + ":\n  %i." + Name + " = phi i64 [ 0, %" + Before +
         " ], [ %next." + Name + ", %" + Name + " ]\n  %at." + Name +
         " = getelementptr double, ptr %u, i64 %i." + Name + "\n  %v." + Name +
         " = load double, ptr %at." + Name + "\n" + Body + "  %next." + Name +
         " = add nuw nsw i64 %i." + Name + ", 1\n  %more." + Name +
         " = icmp ult i64 %next." + Name + ", %n\n  br i1 %more." + Name +
         ", label %" + Name + ", label %" + After + "\n" + After + ":\n";
}

/// Two nests of f read u, and so does g; then u is overwritten.
std::string readersOfOneCopy() {
  auto product = [](const std::string &Name, const std::string &Sum) {
    return "  %to." + Name + " = getelementptr double, ptr %o, i64 %i." + Name +
           "\n  %old." + Name + " = load double, ptr %to." + Name + "\n  %m." +
           Name + " = fmul double %v." + Name + ", %v." + Name + "\n  %s." +
           Name + " = f" + Sum + " double %m." + Name + ", %old." + Name +
           "\n  store double %s." + Name + ", ptr %to." + Name + "\n";
  };
  return "define void @g(ptr noalias %u, ptr noalias %o, i64 %n) noinline {\n"
         "entry:\n  br label %a\n" +
         loopOf("a", product("a", "add"), "entry", "end") +
         "  ret void\n}\n"
         "define double @f(ptr noalias %u, ptr noalias %o, i64 %n) {\n"
         "entry:\n"
         "  call void @g(ptr %u, ptr %o, i64 %n)\n  br label %a\n" +
         loopOf("a", product("a", "add"), "entry", "b.head") +
         "  br label %b\n" +
         loopOf("b", product("b", "sub"), "b.head", "c.head") +
         "  br label %c\n" +
         loopOf("c", "  store double 0.0, ptr %at.c\n", "c.head", "end") +
         "  %r = load double, ptr %o\n  ret double %r\n}\n";
}

TEST(PlanCalls, ReverseHalfReadsTheCopyOfTheCaller) {
  Planned P(readersOfOneCopy());
  ASSERT_FALSE(P.failed());
  ASSERT_EQ(P.plan().Calls.size(), 1u) << P.text();
  const CallPlan &C = P.plan().Calls.front().second;
  EXPECT_EQ(C.Callee->Req.Copied, (SmallVector<unsigned, 2>{0})) << P.text();
  ASSERT_EQ(C.Copies.size(), 1u);
  ASSERT_TRUE(C.Copies[0]);
  EXPECT_TRUE(P.plan().find(C.Copies[0], Part::Primal));
  EXPECT_FALSE(C.HasTape);
  EXPECT_EQ(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsACopyThatIsNotThatOfTheArgument) {
  Planned P(readersOfOneCopy());
  ASSERT_FALSE(P.failed());
  ASSERT_EQ(P.facts().P->CallCopies.size(), 1u) << P.text();
  P.plan().Calls.front().second.Copies[0] =
      P.facts().P->CallCopies.front().second.Copy;
  EXPECT_TRUE(StringRef(toString(verifyPlan(P.plan())))
                  .ends_with("is no copy for this call"));
}

TEST(PlanVerifier, FindsAValueThatIsNotAvailable) {
  Planned P(Overwriting);
  P.plan().Decisions[{P.value("v"), unsigned(Part::Primal)}] = {
      Source::Available, NoSlot};
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsASlotThatLaterIterationsOverwrite) {
  Planned P(Overwriting);
  Decision &D = P.plan().Decisions[{P.value("v"), unsigned(Part::Primal)}];
  Slot S;
  S.Holds = {P.value("v"), Part::Primal};
  S.Element = Type::getDoubleTy(P.Context);
  P.plan().Slots.push_back(S);
  D.Slot = P.plan().Slots.size() - 1;
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsASlotThatHoldsSomethingElse) {
  Planned P(Overwriting);
  Decision &V = P.plan().Decisions[{P.value("v"), unsigned(Part::Primal)}];
  Decision &S = P.plan().Decisions[{P.value("s"), unsigned(Part::Primal)}];
  std::swap(V.Slot, S.Slot);
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsExtentsThatAreNotKnown) {
  Planned P(Overwriting);
  const Slot *S = P.slot("v");
  ASSERT_EQ(S->Size, Sizing::OnEntry) << P.text();
  auto *L = const_cast<LoopRecord *>(S->Dims[0]);
  Value *Last = L->LastIteration;
  L->LastIteration = nullptr;
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
  L->LastIteration = Last;
  EXPECT_EQ(toString(verifyPlan(P.plan())), "");
}

TEST(PlanVerifier, FindsArgumentsThatAreReadUnsaid) {
  Planned P(Overwriting);
  P.plan().ReverseReadsShadow[0] = !P.plan().ReverseReadsShadow[0];
  EXPECT_NE(toString(verifyPlan(P.plan())), "");
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What plans decide, and where they put what they keep.
#include "PlanFixture.h"

using namespace adze;
using namespace llvm;

namespace {

/// s = sum over i < n of body(i); \p Body defines %t from %p = &x[i] and stands
/// in a loop with counter %i.
std::string loopOver(const std::string &Trips, const std::string &Body,
                     const std::string &After = "") {
  return R"(
declare double @exp(double)
declare double @sqrt(double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define double @f(ptr noalias %x, ptr noalias %y, i64 %n, i64 %m) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %head, label %done
head:
  br label %loop
loop:
  %i = phi i64 [ 0, %head ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %head ], [ %s.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
)" + Body +
         R"(
  %s.next = fadd double %s, %t
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, )" +
         Trips + R"(
  br i1 %more, label %loop, label %leave
leave:
  %out = phi double [ %s.next, %loop ]
)" + After +
         R"(
  br label %done
done:
  %r = phi double [ 0.0, %entry ], [ %out, %leave ]
  ret double %r
}
)";
}

TEST(Plan, StraightLineProductKeepsNothing) {
  Planned P("define double @f(double %x, double %y) {\n"
            "  %r = fmul double %x, %y\n"
            "  ret double %r\n"
            "}\n");
  EXPECT_EQ(P.source("x"), "available");
  EXPECT_EQ(P.source("y"), "available");
  EXPECT_EQ(P.source("r"), "none");
  EXPECT_TRUE(P.plan().Slots.empty());
  EXPECT_TRUE(P.plan().ReverseReadsPrimal[0]);
}

TEST(Plan, SumReadsNothing) {
  Planned P("define double @f(double %x, double %y) {\n"
            "  %r = fadd double %x, %y\n"
            "  ret double %r\n"
            "}\n");
  EXPECT_TRUE(P.plan().Decisions.empty());
  EXPECT_FALSE(P.plan().ReverseReadsPrimal[0]);
}

TEST(Plan, LoadThatSurvivesIsLoadedAgain) {
  Planned P(loopOver("%n", "%v = load double, ptr %p\n"
                           "%t = fmul double %v, %v\n"));
  EXPECT_EQ(P.source("v"), "recompute") << P.text();
  EXPECT_EQ(P.source("p"), "recompute");
  EXPECT_EQ(P.source("p", Part::Shadow), "recompute");
  EXPECT_EQ(P.source("x"), "available");
}

TEST(Plan, OverwrittenLoadIsKeptInOneArray) {
  Planned P(loopOver("%n", "%v = load double, ptr %p\n"
                           "store double 0.0, ptr %p\n"
                           "%t = fmul double %v, %v\n"));
  EXPECT_EQ(P.source("v"), "keep") << P.text();
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Size, Sizing::OnEntry);
  EXPECT_EQ(S->Dims.size(), 1u);
  const Slot &Base = P.plan().Slots[S->Base];
  EXPECT_EQ(Base.Size, Sizing::Scalar);
  EXPECT_TRUE(Base.Element->isPointerTy());
}

TEST(Plan, ConstantCountsLieInTheTape) {
  Planned P(loopOver("100", "%v = load double, ptr %p\n"
                            "store double 0.0, ptr %p\n"
                            "%t = fmul double %v, %v\n"));
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Size, Sizing::Static) << P.text();
  EXPECT_EQ(S->Extents, (SmallVector<uint64_t, 3>{100}));
  EXPECT_EQ(S->Base, NoSlot);
}

TEST(Plan, BigConstantCountsDoNot) {
  Planned P(loopOver("100000", "%v = load double, ptr %p\n"
                               "store double 0.0, ptr %p\n"
                               "%t = fmul double %v, %v\n"));
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Size, Sizing::OnEntry) << P.text();
}

TEST(Plan, CheapArithmeticIsRecomputedAndExpIsKept) {
  Planned P(loopOver("%n", "%v = load double, ptr %p\n"
                           "%a = fmul double %v, 2.0\n"
                           "%e = call double @exp(double %a)\n"
                           "%t = fmul double %e, %a\n"));
  EXPECT_EQ(P.source("v"), "recompute") << P.text();
  EXPECT_EQ(P.source("a"), "recompute");
  EXPECT_EQ(P.source("e"), "keep");
}

TEST(Plan, SquareRootIsRecomputed) {
  Planned P(loopOver("%n", "%v = load double, ptr %p\n"
                           "%t = call double @sqrt(double %v)\n"));
  EXPECT_EQ(P.source("t"), "recompute") << P.text();
}

TEST(Plan, TopLevelOfFusedIsKeptInRegisters) {
  const char *Text = "define double @f(double %x, double %y) {\n"
                     "  %a = fdiv double %x, %y\n"
                     "  %b = fmul double %a, %x\n"
                     "  %r = fmul double %b, %a\n"
                     "  ret double %r\n"
                     "}\n";
  Planned Fused(Text);
  EXPECT_EQ(Fused.source("a"), "keep") << Fused.text();
  EXPECT_EQ(Fused.source("b"), "keep");
  EXPECT_EQ(Fused.slot("a")->Size, Sizing::Scalar);
  Planned Split(Text, DerivativeKind::Split);
  EXPECT_EQ(Split.source("a"), "recompute") << Split.text();
  EXPECT_EQ(Split.source("b"), "recompute");
}

/// for i < n: for j < \p Inner: t *= x[i * m + j]; x[..] = 0
std::string nest(const std::string &Inner, const std::string &Setup = "") {
  return R"(
define double @f(ptr noalias %x, ptr noalias %c, i64 %n, i64 %m) {
entry:
  %any = icmp sgt i64 %n, 0
  %any.inner = icmp sgt i64 %m, 0
  %both = and i1 %any, %any.inner
  br i1 %both, label %outer, label %done
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi double [ 1.0, %entry ], [ %s.out, %outer.latch ]
  %row = mul i64 %i, %m
)" + Setup +
         R"(
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %t = phi double [ %s, %outer ], [ %t.next, %inner ]
  %at = add i64 %row, %j
  %p = getelementptr double, ptr %x, i64 %at
  %v = load double, ptr %p
  store double 0.0, ptr %p
  %t.next = fmul double %t, %v
  %j.next = add nuw nsw i64 %j, 1
  %more.j = icmp slt i64 %j.next, )" +
         Inner + R"(
  br i1 %more.j, label %inner, label %outer.latch
outer.latch:
  %s.out = phi double [ %t.next, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %more.i = icmp slt i64 %i.next, %n
  br i1 %more.i, label %outer, label %done
done:
  %r = phi double [ 0.0, %entry ], [ %s.out, %outer.latch ]
  ret double %r
}
)";
}

TEST(Plan, RectangularNestIsOneArray) {
  Planned P(nest("%m"));
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Size, Sizing::OnEntry) << P.text();
  ASSERT_EQ(S->Dims.size(), 2u);
  EXPECT_EQ(S->Dims[0]->Parent, nullptr);
  EXPECT_EQ(S->Dims[1]->Parent, S->Dims[0]);
  EXPECT_EQ(P.plan().Slots[S->Base].Size, Sizing::Scalar);
  const Value *Stride = S->Dims[1]->LastIteration;
  EXPECT_TRUE(isa<Constant>(Stride) || P.plan().find(Stride, Part::Primal))
      << P.text();
}

TEST(Plan, TriangularNestIsAnArrayOfArrays) {
  Planned P(nest("%bound", "%bound = add nuw nsw i64 %i, 1\n"));
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Size, Sizing::OnEntry) << P.text();
  EXPECT_EQ(S->Dims.size(), 1u);
  const Slot &Rows = P.plan().Slots[S->Base];
  EXPECT_EQ(Rows.Size, Sizing::OnEntry);
  EXPECT_EQ(Rows.Dims.size(), 1u);
  EXPECT_EQ(Rows.Dims[0], S->Dims[0]->Parent);
  EXPECT_EQ(P.plan().Slots[Rows.Base].Size, Sizing::Scalar);
}

TEST(Plan, CountThatInnerLoopsLoadIsASegmentOfItsOwn) {
  Planned P(nest("%bound", "%q = getelementptr i64, ptr %c, i64 %i\n"
                           "%bound = load i64, ptr %q\n"));
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Dims.size(), 1u) << P.text();
}

TEST(Plan, LoopOfUnknownCountGrows) {
  Planned P("define double @f(double %x, double %eps) {\n"
            "entry:\n"
            "  br label %loop\n"
            "loop:\n"
            "  %v = phi double [ %x, %entry ], [ %w, %loop ]\n"
            "  %w = fmul double %v, %v\n"
            "  %more = fcmp ogt double %w, %eps\n"
            "  br i1 %more, label %loop, label %done\n"
            "done:\n"
            "  %r = phi double [ %w, %loop ]\n"
            "  ret double %r\n"
            "}\n");
  const Slot *S = P.slot("v");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Size, Sizing::Growing) << P.text();
  EXPECT_EQ(S->Dims.size(), 1u);
  EXPECT_EQ(P.plan().Slots[S->Base].Size, Sizing::Scalar);
}

TEST(Plan, WhatGrowsInOneLoopLiesInRecords) {
  Planned P("define double @f(double %x, float %y, double %eps) {\n"
            "entry:\n"
            "  br label %loop\n"
            "loop:\n"
            "  %u = phi float [ %y, %entry ], [ %t, %loop ]\n"
            "  %v = phi double [ %x, %entry ], [ %w, %loop ]\n"
            "  %t = fmul float %u, %u\n"
            "  %e = fpext float %t to double\n"
            "  %s = fmul double %v, %v\n"
            "  %w = fmul double %s, %e\n"
            "  %more = fcmp ogt double %w, %eps\n"
            "  br i1 %more, label %loop, label %done\n"
            "done:\n"
            "  %r = phi double [ %w, %loop ]\n"
            "  ret double %r\n"
            "}\n");
  const Slot *U = P.slot("t"), *V = P.slot("v");
  ASSERT_TRUE(U && V) << P.text();
  EXPECT_EQ(U->Base, V->Base);
  EXPECT_EQ(V->Offset, 0u);
  EXPECT_EQ(U->Offset, 8u);
  EXPECT_EQ(U->Record, 16u);
  EXPECT_EQ(V->Record, 16u);
}

TEST(Plan, BranchesAreChosenByTheirCondition) {
  Planned P("define double @f(double %x, double %y) {\n"
            "entry:\n"
            "  %c = fcmp ogt double %x, %y\n"
            "  br i1 %c, label %then, label %else\n"
            "then:\n"
            "  %a = fmul double %x, %x\n"
            "  br label %join\n"
            "else:\n"
            "  %b = fdiv double %x, %y\n"
            "  br label %join\n"
            "join:\n"
            "  %r = phi double [ %a, %then ], [ %b, %else ]\n"
            "  %s = fmul double %r, %r\n"
            "  ret double %s\n"
            "}\n");
  EXPECT_EQ(P.source("c"), "keep") << P.text();
  EXPECT_EQ(P.slot("c")->Element, Type::getInt8Ty(P.Context));
  EXPECT_EQ(P.source("r"), "keep");
}

TEST(Plan, PhiOfValuesAtHandIsASelect) {
  Planned P("declare void @puts(ptr)\n"
            "@text = constant [2 x i8] zeroinitializer\n"
            "define double @f(double %x, double %y) {\n"
            "entry:\n"
            "  %c = fcmp ogt double %x, %y\n"
            "  br i1 %c, label %then, label %join\n"
            "then:\n"
            "  call void @puts(ptr @text)\n"
            "  br label %join\n"
            "join:\n"
            "  %r = phi double [ %x, %then ], [ %y, %entry ]\n"
            "  %s = fmul double %r, %r\n"
            "  ret double %s\n"
            "}\n",
            DerivativeKind::Split);
  EXPECT_EQ(P.source("r"), "recompute") << P.text();
  const Decision *Choice = P.plan().find(P.value("r"), Part::Primal);
  ASSERT_TRUE(Choice && Choice->Index);
  EXPECT_EQ(Choice->Reads.size(), 3u);
  EXPECT_EQ(Choice->Instead, P.value("x"));
  EXPECT_EQ(Choice->Otherwise, P.value("y"));
  EXPECT_NE(P.text().find("recompute as %c ? %x : %y\n"), std::string::npos)
      << P.text();
}

TEST(Plan, VariablesOfTheFrameLieOnTheTape) {
  Planned P("define double @f(double %x, i64 %k) {\n"
            "  %a = alloca [4 x double]\n"
            "  %p = getelementptr [4 x double], ptr %a, i64 0, i64 %k\n"
            "  store double %x, ptr %p\n"
            "  %v = load double, ptr %a\n"
            "  %r = fmul double %v, %v\n"
            "  ret double %r\n"
            "}\n",
            DerivativeKind::Split);
  const Slot *S = P.slot("a", Part::Shadow);
  ASSERT_TRUE(S);
  EXPECT_TRUE(S->IsStorage) << P.text();
  EXPECT_EQ(S->Element, ArrayType::get(Type::getDoubleTy(P.Context), 4));
  EXPECT_TRUE(P.slot("a")->IsStorage);
  EXPECT_EQ(P.source("v"), "recompute");
}

/// Each iteration over i fills scratch and reads it in another order; %held is
/// a pointer to it that stands outside of the loop.
const char Iterations[] = R"(
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
define double @f(ptr noalias %x, i64 %n) {
entry:
  %c = alloca [64 x double]
  %held = getelementptr inbounds [64 x double], ptr %c, i64 0, i64 3
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %outer.latch ]
  call void @llvm.lifetime.start.p0(i64 512, ptr %c)
  br label %fill
fill:
  %j = phi i64 [ 0, %outer ], [ %j.next, %fill ]
  %at = add i64 %i, %j
  %p = getelementptr double, ptr %x, i64 %at
  %v = load double, ptr %p
  %q = fmul double %v, %v
  %cell = getelementptr inbounds [64 x double], ptr %c, i64 0, i64 %j
  store double %q, ptr %cell
  %j.next = add nuw nsw i64 %j, 1
  %more.j = icmp slt i64 %j.next, 64
  br i1 %more.j, label %fill, label %between
between:
  %h = load double, ptr %held
  br label %read
read:
  %k = phi i64 [ 0, %between ], [ %k.next, %read ]
  %t = phi double [ 1.0, %between ], [ %t.next, %read ]
  %t.2 = phi double [ 0.5, %between ], [ %t.2.next, %read ]
  %t.3 = phi double [ 0.25, %between ], [ %t.3.next, %read ]
  %times = mul i64 %k, 5
  %where = and i64 %times, 63
  %other = getelementptr inbounds [64 x double], ptr %c, i64 0, i64 %where
  %w = load double, ptr %other
  %u = fmul double %w, %h
  %t.next = fmul double %t, %t.2
  %t.3.next = fmul double %t.3, %t
  %t.2.next = fmul double %t.3, %u
  %k.next = add nuw nsw i64 %k, 1
  %more.k = icmp slt i64 %k.next, 64
  br i1 %more.k, label %read, label %outer.latch
outer.latch:
  %t.out = phi double [ %t.next, %read ]
  call void @llvm.lifetime.end.p0(i64 512, ptr %c)
  %s.next = fadd double %s, %t.out
  %i.next = add nuw nsw i64 %i, 1
  %more.i = icmp slt i64 %i.next, %n
  br i1 %more.i, label %outer, label %done
done:
  %r = phi double [ %s.next, %outer.latch ]
  ret double %r
}
)";

TEST(Plan, IterationsWithScratchRunAgain) {
  Planned P(Iterations);
  ASSERT_EQ(P.plan().Reruns.size(), 1u) << P.text();
  const Rerun &Again = P.plan().Reruns.front().second;
  EXPECT_EQ(Again.L->Parent, nullptr);
  ASSERT_EQ(Again.Scratch.size(), 1u);
  EXPECT_EQ(Again.Scratch.front(), P.value("c"));
  // An address in the copy must be computed anew, wherever the primal does.
  EXPECT_TRUE(Again.Code.contains(cast<Instruction>(P.value("held"))));
  const Slot *S = P.slot("t");
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Rerun, Again.L) << P.text();
  EXPECT_EQ(S->Dims.size(), 1u);
  // The sum over i is no part of it.
  EXPECT_FALSE(Again.Code.contains(cast<Instruction>(P.value("s.next"))));
  cantFail(verifyPlan(P.plan()));
}

TEST(Plan, VerifierSeesWhatRunsAgainInPartOnly) {
  for (const char *Name : {"q", "cell", "held", "more.j", "t.next"}) {
    Planned P(Iterations);
    P.plan().Reruns.front().second.Code.erase(cast<Instruction>(P.value(Name)));
    EXPECT_TRUE(errorToBool(verifyPlan(P.plan()))) << Name;
  }
  Planned P(Iterations);
  P.plan().Reruns.front().second.Scratch.clear();
  EXPECT_TRUE(errorToBool(verifyPlan(P.plan())));
}

/// Iterations with %d in place of %c, and what stands in memory that is
/// overwritten, %old, in an element of %c that no other iteration writes;
/// loaded in \p InFront of the first use of %held, or in the loop that fills
/// scratch.
std::string withStateInScratch(bool InFront) {
  std::string Text = Iterations;
  const std::string Stored =
      "  %old = load double, ptr %state\n"
      "  %new = fadd double %old, 1.0\n"
      "  store double %new, ptr %state\n"
      "  %to = getelementptr inbounds [64 x double], ptr %c, i64 0, i64 %i\n"
      "  store double %old, ptr %to\n";
  const std::string Use = "  %h = load double, ptr %held\n";
  Text.replace(
      Text.find(Use), Use.size(),
      (InFront ? Stored : "") +
          "  %own = getelementptr inbounds [64 x double], ptr %c, i64 0, "
          "i64 %i\n"
          "  %h = load double, ptr %own\n");
  if (!InFront)
    Text.insert(Text.find("  %q = fmul"), Stored);
  const std::string Fill = "  %cell = getelementptr inbounds [64 x double], "
                           "ptr %";
  Text.replace(Text.find(Fill) + Fill.size(), 1, "d");
  const std::string Read = "ptr %c, i64 0, i64 %where";
  Text.replace(Text.find(Read), Read.size(), "ptr %d, i64 0, i64 %where");
  const std::string Variable = "  %c = alloca [64 x double]\n";
  Text.insert(Text.find(Variable), "  %d = alloca [64 x double]\n");
  const std::string Begin = "  call void @llvm.lifetime.start.p0(i64 512, "
                            "ptr %c)\n";
  Text.insert(Text.find(Begin), "  call void @llvm.lifetime.start.p0(i64 512, "
                                "ptr %d)\n");
  const std::string Arguments = "ptr noalias %x, i64 %n";
  Text.replace(Text.find(Arguments), Arguments.size(),
               "ptr noalias %x, ptr noalias %state, i64 %n");
  return Text;
}

TEST(Plan, ScratchOfWhichAWriterCannotRunIsNotReadAgain) {
  Planned P(withStateInScratch(/*InFront=*/false));
  ASSERT_EQ(P.plan().Reruns.size(), 1u) << P.text();
  cantFail(verifyPlan(P.plan()));
  for (const auto &[L, Again] : P.plan().Reruns)
    for (const char *Name : {"h", "old"})
      EXPECT_FALSE(Again.Code.contains(cast<Instruction>(P.value(Name))))
          << P.text();
}

TEST(Plan, IterationsBeginWithWhatTheyComputeOnce) {
  Planned P(withStateInScratch(/*InFront=*/true));
  ASSERT_EQ(P.plan().Reruns.size(), 1u) << P.text();
  cantFail(verifyPlan(P.plan()));
  const Rerun &Again = P.plan().Reruns.front().second;
  EXPECT_FALSE(Again.Code.contains(cast<Instruction>(P.value("old"))));
  EXPECT_TRUE(P.plan().find(P.value("old"), Part::Primal)) << P.text();
  EXPECT_TRUE(Again.Code.contains(cast<Instruction>(P.value("h"))));
  P.plan().Decisions.erase({P.value("old"), unsigned(Part::Primal)});
  EXPECT_TRUE(errorToBool(verifyPlan(P.plan())));
}

/// Iterations with the test in front of the body of the loop that fills
/// scratch, and the body as the first or the second successor of its header.
std::string withTestInFront(bool BodyFirst) {
  std::string Text = Iterations;
  const std::string Begin = "  %at = add i64 %i, %j\n";
  const std::string Successors =
      BodyFirst ? "label %body, label %between" : "label %between, label %body";
  Text.insert(Text.find(Begin),
              std::string("  %more.j = icmp ") + (BodyFirst ? "slt" : "sge") +
                  " i64 %j, 64\n  br i1 %more.j, " + Successors + "\nbody:\n");
  const std::string End = "  %more.j = icmp slt i64 %j.next, 64\n"
                          "  br i1 %more.j, label %fill, label %between\n";
  Text.replace(Text.find(End), End.size(), "  br label %fill\n");
  const std::string Counter = "[ %j.next, %fill ]";
  return Text.replace(Text.find(Counter), Counter.size(), "[ %j.next, %body ]");
}

TEST(Plan, WhatLoopsHaveFilledRunsAgainWhereverTheirTestStands) {
  for (bool BodyFirst : {true, false}) {
    Planned P(withTestInFront(BodyFirst));
    ASSERT_EQ(P.plan().Reruns.size(), 1u) << P.text();
    cantFail(verifyPlan(P.plan()));
    const Rerun &Again = P.plan().Reruns.front().second;
    EXPECT_TRUE(Again.Code.contains(cast<Instruction>(P.value("h"))));
    EXPECT_TRUE(Again.Code.contains(cast<Instruction>(P.value("q"))))
        << BodyFirst << P.text();
  }
}

/// Iterations without the marker of the scope, the first element to be filled
/// being \p First.
std::string withoutScope(const char *First) {
  std::string Text = Iterations;
  const std::string Begin = "  call void @llvm.lifetime.start.p0(i64 512, "
                            "ptr %c)\n";
  Text.erase(Text.find(Begin), Begin.size());
  const std::string Counter = "%j = phi i64 [ 0";
  return Text.replace(Text.find(Counter), Counter.size(),
                      std::string("%j = phi i64 [ ") + First);
}

TEST(Plan, IterationsThatFillTheirScratchRunAgain) {
  Planned P(withoutScope("0"));
  ASSERT_EQ(P.plan().Reruns.size(), 1u) << P.text();
  EXPECT_EQ(P.plan().Reruns.front().second.Scratch.front(), P.value("c"));
  cantFail(verifyPlan(P.plan()));
}

TEST(Plan, NothingRunsAgainWhereScratchHandsOn) {
  Planned P(withoutScope("1"));
  EXPECT_TRUE(P.plan().Reruns.empty()) << P.text();
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions to Loops/LoopMemory.h about small functions.
#include "Loops/LoopMemory.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace adze;
using namespace llvm;

namespace {

/// A function @f, and what is known of it.
struct Program {
  explicit Program(StringRef Text) {
    SMDiagnostic Error;
    Parsed = parseAssemblyString(Text, Error, Context);
    if (!Parsed) {
      Error.print("LoopMemoryTest", errs());
      return;
    }
    P.F = P.Source = Parsed->getFunction("f");
    P.DT = std::make_unique<DominatorTree>(*P.F);
    P.LI = std::make_unique<LoopInfo>(*P.DT);
    M = std::make_unique<LoopMemory>(P, /*Budget=*/1000);
    for (Loop *L : P.LI->getLoopsInPreorder())
      record(*L);
  }

  /// What Prepare would record of \p L, if its count is a constant.
  void record(Loop &L) {
    auto R = std::make_unique<LoopRecord>();
    R->L = &L;
    R->ExitingBlock = L.getExitingBlock();
    R->ExitBlock = L.getExitBlock();
    if (auto *Last = dyn_cast<SCEVConstant>(M->SE.getBackedgeTakenCount(&L)))
      R->LastIteration = Last->getValue();
    P.LoopOf[&L] = R.get();
    P.Loops.push_back(std::move(R));
  }

  Value *value(StringRef Name) {
    return P.F->getValueSymbolTable()->lookup(Name);
  }
  LoadInst &load(StringRef Name) { return *cast<LoadInst>(value(Name)); }
  BasicBlock *block(StringRef Name) { return cast<BasicBlock>(value(Name)); }
  Loop &loop(StringRef Header) { return *P.LI->getLoopFor(block(Header)); }
  /// The store in the block \p Name.
  Instruction &store(StringRef Name) {
    for (Instruction &I : *block(Name))
      if (isa<StoreInst>(I))
        return I;
    llvm::report_fatal_error("no store");
  }
  bool mayMeet(Instruction &A, Instruction &B, Times T) {
    return M->Alias.mayAlias(MemoryLocation::get(&A), MemoryLocation::get(&B),
                             T);
  }

  LLVMContext Context;
  std::unique_ptr<Module> Parsed;
  Primal P;
  std::unique_ptr<LoopMemory> M;
};

/// for (i = 0; i < n; i++) { load %a[2 * i]; store %a[n + i]; load %a[0] }
constexpr const char *OneLoop = R"(
define void @f(ptr %a, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %end
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %twice = shl nuw nsw i64 %i, 1
  %p = getelementptr inbounds double, ptr %a, i64 %twice
  %even = load double, ptr %p
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  %low = load double, ptr %pi
  %high = add nuw nsw i64 %i, %n
  %q = getelementptr inbounds double, ptr %a, i64 %high
  store double %even, ptr %q
  %first = load double, ptr %a
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  br label %end
end:
  ret void
}
)";

TEST(LoopMemory, AccessesMoveInALoop) {
  Program T(OneLoop);
  ScalarEvolution &SE = T.M->SE;
  Loop &L = T.loop("loop");
  std::optional<LoopAccess> Even = accessOf(T.load("even"), SE);
  ASSERT_TRUE(Even);
  EXPECT_EQ(Even->Size, 8u);
  ASSERT_TRUE(constantStepIn(Even->Address, L, SE));
  EXPECT_EQ(constantStepIn(Even->Address, L, SE)->getAPInt(), 16);
  EXPECT_TRUE(isElsewhereEachTime(*Even, L, SE));
  std::optional<LoopAccess> First = accessOf(T.load("first"), SE);
  ASSERT_TRUE(First);
  EXPECT_FALSE(advanceIn(First->Address, L));
  EXPECT_FALSE(isElsewhereEachTime(*First, L, SE));
  EXPECT_FALSE(accessOf(*cast<Instruction>(T.value("p")), SE));
}

TEST(LoopMemory, RangesOfOneBlockAreToldApart) {
  Program T(OneLoop);
  Loop *L = &T.loop("loop");
  AccessRanges &Ranges = T.M->Ranges;
  EXPECT_TRUE(Ranges.areDisjoint(T.load("low"), L, T.store("loop"), L));
  EXPECT_TRUE(Ranges.areDisjoint(T.store("loop"), L, T.load("low"), L));
  EXPECT_FALSE(Ranges.areDisjoint(T.load("even"), L, T.store("loop"), L));
  EXPECT_FALSE(Ranges.areDisjoint(T.load("low"), L, T.load("first"), L));
}

/// Two buffers that the outer loop swaps.
constexpr const char *Swapped = R"(
define void @f(i64 %n) {
entry:
  %a = alloca [64 x double]
  %b = alloca [64 x double]
  br label %outer
outer:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  %from = phi ptr [ %a, %entry ], [ %to, %latch ]
  %to = phi ptr [ %b, %entry ], [ %from, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %next, %inner ]
  %p = getelementptr double, ptr %from, i64 %i
  %x = load double, ptr %p
  %q = getelementptr double, ptr %to, i64 %i
  store double %x, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, 64
  br i1 %again, label %inner, label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %more = icmp slt i64 %t.next, %n
  br i1 %more, label %outer, label %exit
exit:
  ret void
}
)";

TEST(LoopMemory, OrderCounts) {
  Program T(OneLoop);
  // a[2 * i] is written in an iteration before the one that reads it.
  EXPECT_TRUE(T.M->Order.neverAfter(&T.load("even"), &T.store("loop")));
  EXPECT_TRUE(T.M->Order.neverAfter(&T.load("low"), &T.store("loop")));
  Program S(Swapped);
  EXPECT_FALSE(S.M->Order.neverAfter(&S.load("x"), &S.store("inner")));
}

/// for (i = a; i < *end; i++) { a[0] is read, then written }
constexpr const char *UnknownEnd = R"(
define void @f(ptr %buffer, ptr noalias %end, i64 %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %a, %entry ], [ %next, %loop ]
  %x = load double, ptr %buffer
  store double 1.0, ptr %buffer
  %next = add nsw i64 %i, 1
  %n = load volatile i64, ptr %end
  %again = icmp slt i64 %i, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
)";

TEST(LoopMemory, ACountOfWhichNothingIsKnownIsNoBound) {
  Program T(UnknownEnd);
  EXPECT_FALSE(T.M->Order.neverAfter(&T.load("x"), &T.store("loop")));
}

TEST(LoopMemory, BuffersThatALoopSwapsMeetInItAlone) {
  Program T(Swapped);
  LoadInst &X = T.load("x");
  Instruction &Store = T.store("inner");
  EXPECT_FALSE(T.mayMeet(X, Store, Times::same()));
  EXPECT_FALSE(T.mayMeet(X, Store, Times::in(T.loop("inner"))));
  EXPECT_TRUE(T.mayMeet(X, Store, Times::in(T.loop("outer"))));
  EXPECT_TRUE(T.mayMeet(X, Store, Times::any()));
  EXPECT_FALSE(T.M->Writers.mayWrite(T.loop("inner"), X));
  EXPECT_FALSE(T.M->Writers.mayWriteFirst(T.loop("inner"), X));
  EXPECT_TRUE(T.M->Writers.mayWrite(T.loop("outer"), X));
}

/// Promises of restrict, made in front of the inner loop.
constexpr const char *Restrict = R"(
define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  br label %outer
outer:
  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %next, %inner ]
  %p = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %p, !alias.scope !2
  %q = getelementptr double, ptr %b, i64 %i
  store double %x, ptr %q, !noalias !2
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %inner, label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %more = icmp slt i64 %t.next, %n
  br i1 %more, label %outer, label %exit
exit:
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
)";

TEST(LoopMemory, PromisesHoldBehindTheirPlace) {
  Program T(Restrict);
  LoadInst &X = T.load("x");
  Instruction &Store = T.store("inner");
  EXPECT_FALSE(T.mayMeet(X, Store, Times::same()));
  EXPECT_FALSE(T.mayMeet(Store, X, Times::in(T.loop("inner"))));
  EXPECT_TRUE(T.mayMeet(Store, X, Times::in(T.loop("outer"))));
  EXPECT_TRUE(T.mayMeet(Store, X, Times::any()));
}

/// An access in the loop that is of two scopes: one is declared in front of it,
/// the other one, of a function that was inlined, in it.
constexpr const char *RestrictTwice = R"(
define void @f(ptr %a, ptr %b, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %p, !alias.scope !6, !noalias !7
  %y = load double, ptr %p, !alias.scope !5, !noalias !5
  %q = getelementptr inbounds double, ptr %b, i64 %i
  store double %x, ptr %q, !noalias !6
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3}
!4 = distinct !{!4, !3}
!5 = !{!4}
!6 = !{!1, !4}
!7 = !{}
)";

TEST(LoopMemory, APromiseHoldsBesideOneThatDoesNot) {
  Program T(RestrictTwice);
  Instruction &Store = T.store("loop");
  const Times Any = Times::in(T.loop("loop"));
  EXPECT_FALSE(T.mayMeet(T.load("x"), Store, Any));
  EXPECT_TRUE(T.mayMeet(T.load("y"), Store, Any));
  EXPECT_FALSE(T.mayMeet(T.load("y"), Store, Times::same()));
}

/// Pointers to blocks that are made together, or none of them is.
constexpr const char *Blocks = R"(
declare noalias ptr @malloc(i64)
define void @f(ptr %a, i64 %n) {
entry:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %front, label %make
make:
  %block = call ptr @malloc(i64 64)
  %other = call ptr @malloc(i64 64)
  br label %front
front:
  %k = phi ptr [ %block, %make ], [ null, %entry ]
  %l = phi ptr [ %other, %make ], [ null, %entry ]
  %both = phi ptr [ %block, %make ], [ %a, %entry ]
  %given = phi ptr [ %a, %make ], [ null, %entry ]
  br label %loop
loop:
  %i = phi i64 [ 0, %front ], [ %next, %loop ]
  %kp = getelementptr inbounds double, ptr %k, i64 %i
  store double 1.0, ptr %kp
  %lp = getelementptr inbounds double, ptr %l, i64 %i
  %of.l = load double, ptr %lp
  %bp = getelementptr inbounds double, ptr %both, i64 %i
  %of.both = load double, ptr %bp
  %gp = getelementptr inbounds double, ptr %given, i64 %i
  %of.given = load double, ptr %gp
  %kq = getelementptr inbounds double, ptr %k, i64 0
  %of.k = load double, ptr %kq
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
)";

TEST(LoopMemory, BlocksThatMayBeNoneAreApart) {
  Program T(Blocks);
  Instruction &Store = T.store("loop");
  for (Times When : {Times::same(), Times::in(T.loop("loop"))}) {
    EXPECT_FALSE(T.mayMeet(T.load("of.l"), Store, When));
    EXPECT_FALSE(T.mayMeet(T.load("of.given"), Store, When));
    EXPECT_TRUE(T.mayMeet(T.load("of.both"), Store, When));
    EXPECT_TRUE(T.mayMeet(T.load("of.k"), Store, When));
  }
  // Where null is an address like others, both may be that.
  T.P.F->addFnAttr(Attribute::NullPointerIsValid);
  EXPECT_TRUE(T.mayMeet(T.load("of.l"), Store, Times::in(T.loop("loop"))));
}

TEST(LoopMemory, BlocksBetweenTwoPlaces) {
  Program T(Swapped);
  auto between = [&](StringRef From, StringRef To) {
    std::string Names;
    for (BasicBlock *B : Reachability::between(T.block(From), T.block(To)))
      Names += B->getName().str() + " ";
    return Names;
  };
  EXPECT_EQ(between("outer", "latch"), "latch inner ");
  EXPECT_EQ(between("entry", "outer"), "outer latch inner ");
  EXPECT_EQ(between("outer", "outer"), "");
  EXPECT_TRUE(T.M->Reach.after(&T.store("inner"), &T.load("x")));
  EXPECT_FALSE(T.M->Reach.afterAvoiding(&T.store("inner"), &T.load("x"),
                                        T.block("inner")));
}

TEST(LoopMemory, BlocksThatAreExecutedTogether) {
  Program T(Swapped);
  const Execution &Runs = T.M->Runs;
  const Loop *Outer = &T.loop("outer");
  EXPECT_TRUE(Runs.isAlwaysReached(T.block("outer"), T.block("latch"), Outer));
  // Nobody knows whether the outer loop ends.
  EXPECT_FALSE(
      Runs.isAlwaysReached(T.block("entry"), T.block("exit"), nullptr));
  Guards If;
  EXPECT_TRUE(
      Runs.isExecutedWith(T.block("latch"), T.block("outer"), Outer, If));
  EXPECT_TRUE(If.empty());
  Program G(OneLoop);
  EXPECT_FALSE(
      G.M->Runs.isAlwaysReached(G.block("entry"), G.block("before"), nullptr));
  EXPECT_TRUE(G.M->Runs.isExecutedWith(G.block("entry"), G.block("before"),
                                       nullptr, If));
  ASSERT_EQ(If.size(), 1u);
  EXPECT_EQ(If[0].first, G.value("some"));
  EXPECT_TRUE(If[0].second);
}

TEST(LoopMemory, WhatANestAccessesIsKnownBefore) {
  Program T(Swapped);
  AffineAccesses &Affine = T.M->Affine;
  std::optional<AffineAccess> X = Affine.find(T.load("x"), nullptr);
  ASSERT_TRUE(X);
  EXPECT_EQ(X->Nest, &T.loop("inner"));
  ASSERT_EQ(X->Advances.size(), 1u);
  EXPECT_EQ(Affine.constant(X->Advances[0].Step), 8);
  std::optional<ByteRange> R = Affine.rangeOf(*X, T.value("from"));
  ASSERT_TRUE(R);
  EXPECT_EQ(Affine.constant(R->Begin), 0);
  EXPECT_EQ(Affine.constant(R->End), 512);
  EXPECT_TRUE(R->If.empty());
  EXPECT_EQ(arrayBehind(T.value("p")), T.value("from"));
}

TEST(LoopMemory, BehindTheBudgetAllMayBe) {
  Program T(Swapped);
  LoopAlias Alias(T.P, /*Budget=*/1);
  MemoryLocation A = MemoryLocation::get(&T.load("x"));
  MemoryLocation B = MemoryLocation::get(&T.store("inner"));
  EXPECT_FALSE(Alias.mayAlias(A, B, Times::same()));
  EXPECT_TRUE(Alias.mayAlias(A, B, Times::same()));
}

} // namespace

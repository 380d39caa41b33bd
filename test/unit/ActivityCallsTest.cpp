// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity analysis across calls: summaries of callees, their contexts, and
// what they do to memory.
#include "ActivityFixture.h"

using namespace activity_test;

namespace {

// A callee without active inputs returns a constant aggregate.
TEST(Activity, ConstantAggregateOfCallee) {
  Activity A("define {double, double} @unit() {\n"
             "  ret {double, double} {double 0.0, double 1.0}\n}\n"
             "define double @f(double %x) {\n"
             "  %s = call {double, double} @unit()\n"
             "  %k = extractvalue {double, double} %s, 1\n"
             "  %r = fmul double %x, %k\n"
             "  ret double %r\n}\n",
             {Out});
  EXPECT_FALSE(A.active("s"));
  EXPECT_FALSE(A.takesPart("s"));
}

const char *Accessor = "define ptr @at(ptr %v, i64 %i) {\n"
                       "  %d = getelementptr i8, ptr %v, i64 8\n"
                       "  %p = load ptr, ptr %d\n"
                       "  %q = getelementptr double, ptr %p, i64 %i\n"
                       "  ret ptr %q\n}\n";

// A const accessor used on an active and on a constant container.
TEST(Activity, AccessorPerContext) {
  Activity A(std::string(Accessor) + "define double @f(ptr %x, ptr %c) {\n"
                                     "  %p = call ptr @at(ptr %x, i64 1)\n"
                                     "  %q = call ptr @at(ptr %c, i64 1)\n"
                                     "  %a = load double, ptr %p\n"
                                     "  %b = load double, ptr %q\n"
                                     "  %r = fmul double %a, %b\n"
                                     "  ret double %r\n}\n",
             {Dup, Const});
  EXPECT_EQ(A.errors(), 0u);
  EXPECT_TRUE(A.shadow("p"));
  EXPECT_FALSE(A.shadow("q"));
  EXPECT_TRUE(A.active("a"));
  EXPECT_FALSE(A.active("b"));
  EXPECT_EQ(A.call("p").Args, (Kinds{Dup, Const}));
  EXPECT_EQ(A.call("p").Ret, RetActivity::Dup);
  EXPECT_EQ(A.call("q").Args, (Kinds{Const, Const}));
  EXPECT_EQ(A.call("q").Ret, RetActivity::Const);
}

TEST(Activity, AccessorInsideActiveFunction) {
  Activity A(std::string(Accessor) + "define ptr @f(ptr %x) {\n"
                                     "  %p = call ptr @at(ptr %x, i64 1)\n"
                                     "  ret ptr %p\n}\n",
             {Dup}, RetActivity::Dup);
  EXPECT_TRUE(A.shadow("p"));
}

TEST(Activity, CalleeWritesThroughItsArgument) {
  Activity A("define void @square(double %x, ptr %out) {\n"
             "  %s = fmul double %x, %x\n"
             "  store double %s, ptr %out\n"
             "  ret void\n}\n"
             "define double @f(double %x) {\n"
             "  %t = alloca double\n"
             "  call void @square(double %x, ptr %t)\n"
             "  %v = load double, ptr %t\n"
             "  ret double %v\n}\n",
             {Out});
  EXPECT_TRUE(A.active("v"));
  EXPECT_TRUE(A.active("x"));
  EXPECT_TRUE(A.shadow("t"));
}

TEST(Activity, CalleeThatOnlyPrintsIsInactive) {
  Activity A("@fmt = constant [3 x i8] c\"%g\\00\"\n"
             "define void @show(double %x) {\n"
             "  %n = call i32 (ptr, ...) @printf(ptr @fmt, double %x)\n"
             "  ret void\n}\n"
             "define double @f(double %x) {\n"
             "  call void @show(double %x)\n"
             "  %s = call double @sin(double %x)\n"
             "  ret double %s\n}\n",
             {Out});
  EXPECT_TRUE(A.takesPart("s"));
  for (const Instruction &I : instructions(*A.M->getFunction("f")))
    if (I.getType()->isVoidTy() && isa<CallBase>(I)) {
      EXPECT_FALSE(A.Info->isActiveInstruction(&I) &&
                   A.Info->isActiveValue(I.getOperand(0)) == false);
    }
}

TEST(Activity, RecursionOverConstantData) {
  Activity A("define double @walk(ptr %tree, double %x, i64 %n) {\nentry:\n"
             "  %t = icmp eq i64 %n, 0\n"
             "  br i1 %t, label %leaf, label %inner\nleaf:\n"
             "  ret double %x\ninner:\n"
             "  %w = load double, ptr %tree\n"
             "  %y = fmul double %x, %w\n"
             "  %next = getelementptr i8, ptr %tree, i64 8\n"
             "  %m = sub i64 %n, 1\n"
             "  %r = call double @walk(ptr %next, double %y, i64 %m)\n"
             "  ret double %r\n}\n"
             "define double @f(ptr %tree, double %x, i64 %n) {\n"
             "  %r = call double @walk(ptr %tree, double %x, i64 %n)\n"
             "  ret double %r\n}\n",
             {Const, Out, Const});
  EXPECT_EQ(A.errors(), 0u) << A.Messages;
  EXPECT_EQ(A.call("r").Args, (Kinds{Const, Out, Const}));
  EXPECT_EQ(A.call("r").Ret, RetActivity::Active);
}

TEST(Activity, MutualRecursionThatFillsMemory) {
  Activity A("define void @even(ptr %p, double %x, i64 %n) {\nentry:\n"
             "  %t = icmp eq i64 %n, 0\n"
             "  br i1 %t, label %leaf, label %inner\nleaf:\n"
             "  store double %x, ptr %p\n  ret void\ninner:\n"
             "  %m = sub i64 %n, 1\n"
             "  call void @odd(ptr %p, double %x, i64 %m)\n"
             "  ret void\n}\n"
             "define void @odd(ptr %p, double %x, i64 %n) {\n"
             "  %m = sub i64 %n, 1\n"
             "  call void @even(ptr %p, double %x, i64 %m)\n"
             "  ret void\n}\n"
             "define double @f(double %x, i64 %n) {\n"
             "  %t = alloca double\n"
             "  call void @odd(ptr %t, double %x, i64 %n)\n"
             "  %v = load double, ptr %t\n"
             "  ret double %v\n}\n",
             {Out, Const});
  EXPECT_TRUE(A.active("x"));
  EXPECT_TRUE(A.active("v"));
}

// A callee allocates, the caller fills and reads.
TEST(Activity, MemoryMadeByCallee) {
  Activity A("define ptr @make(i64 %n) {\n"
             "  %p = call noalias ptr @malloc(i64 %n)\n"
             "  ret ptr %p\n}\n"
             "define double @f(double %x) {\n"
             "  %p = call ptr @make(i64 8)\n"
             "  %q = call ptr @make(i64 8)\n"
             "  store double %x, ptr %p\n"
             "  store double 1.0, ptr %q\n"
             "  %a = load double, ptr %p\n"
             "  %b = load double, ptr %q\n"
             "  %r = fmul double %a, %b\n"
             "  call void @free(ptr %p)\n"
             "  ret double %r\n}\n",
             {Out});
  EXPECT_TRUE(A.shadow("p"));
  EXPECT_FALSE(A.shadow("q"));
  EXPECT_EQ(A.call("p").Ret, RetActivity::Dup);
  EXPECT_FALSE(A.active("b"));
}

// What a callee stores into memory it is given reaches the caller.
TEST(Activity, CalleeStoresPointers) {
  Activity A("define void @keep(ptr %cell, ptr %p) {\n"
             "  store ptr %p, ptr %cell\n  ret void\n}\n"
             "define double @f(ptr %x) {\n"
             "  %c = alloca ptr\n"
             "  call void @keep(ptr %c, ptr %x)\n"
             "  %p = load ptr, ptr %c\n"
             "  %v = load double, ptr %p\n"
             "  ret double %v\n}\n",
             {Dup});
  EXPECT_TRUE(A.shadow("c"));
  EXPECT_TRUE(A.shadow("p"));
  EXPECT_TRUE(A.active("v"));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity analysis of one function: what is active and what has a shadow.
// Each test breaks or keeps one fact.
#include "ActivityFixture.h"

using namespace activity_test;

namespace {

TEST(Activity, VariedAndUseful) {
  Activity A("define double @f(double %x, double %c) {\n"
             "  %a = fmul double %x, %c\n"
             "  %dead = fadd double %a, 1.0\n"
             "  %k = fmul double %c, %c\n"
             "  %t = fcmp olt double %a, 0.0\n"
             "  %i = fptosi double %x to i64\n"
             "  %b = sitofp i64 %i to double\n"
             "  %s = select i1 %t, double %k, double %b\n"
             "  %r = fadd double %a, %s\n"
             "  ret double %r\n}\n",
             {Out, Const});
  for (const char *Name : {"x", "a", "r"})
    EXPECT_TRUE(A.active(Name)) << Name;
  for (const char *Name : {"c", "dead", "k", "t", "i", "b", "s"})
    EXPECT_FALSE(A.active(Name)) << Name;
  EXPECT_FALSE(A.takesPart("dead"));
}

// x >= 0 ? x : 0 once gave a gradient of zero.
TEST(Activity, PhiWithConstantEdge) {
  Activity A("define double @f(double %x) {\nentry:\n"
             "  %t = fcmp oge double %x, 0.0\n"
             "  br i1 %t, label %join, label %no\nno:\n  br label %join\n"
             "join:\n  %p = phi double [ %x, %entry ], [ 0.0, %no ]\n"
             "  ret double %p\n}\n",
             {Out});
  EXPECT_TRUE(A.active("p"));
}

TEST(Activity, LoopsReachAFixpoint) {
  Activity A("define double @f(double %x, i64 %n) {\nentry:\n"
             "  br label %body\nbody:\n"
             "  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n"
             "  %a = phi double [ 1.0, %entry ], [ %b, %body ]\n"
             "  %b = phi double [ 2.0, %entry ], [ %c, %body ]\n"
             "  %c = phi double [ 3.0, %entry ], [ %d, %body ]\n"
             "  %d = fmul double %c, %x\n"
             "  %next = add i64 %i, 1\n"
             "  %more = icmp ult i64 %next, %n\n"
             "  br i1 %more, label %body, label %exit\nexit:\n"
             "  ret double %a\n}\n",
             {Out, Const});
  for (const char *Name : {"a", "b", "c", "d"})
    EXPECT_TRUE(A.active(Name)) << Name;
  EXPECT_FALSE(A.active("i"));
}

TEST(Activity, ThroughLocalMemoryByField) {
  Activity A("define double @f(double %x) {\n"
             "  %s = alloca [4 x double]\n"
             "  %p1 = getelementptr i8, ptr %s, i64 8\n"
             "  %p2 = getelementptr i8, ptr %s, i64 16\n"
             "  store double %x, ptr %s\n"
             "  store double 2.0, ptr %p1\n"
             "  store double %x, ptr %p2\n"
             "  %a = load double, ptr %s\n"
             "  %b = load double, ptr %p1\n"
             "  %r = fmul double %a, %b\n"
             "  ret double %r\n}\n",
             {Out});
  EXPECT_TRUE(A.active("a"));
  EXPECT_FALSE(A.active("b"));
  EXPECT_TRUE(A.shadow("s"));
}

TEST(Activity, LocalMemoryThatIsNeverReadIsInactive) {
  Activity A("define double @f(double %x) {\n"
             "  %s = alloca double\n"
             "  store double %x, ptr %s\n"
             "  ret double %x\n}\n",
             {Out});
  EXPECT_FALSE(A.shadow("s"));
}

// Copied to a local array that is indexed at run time.
TEST(Activity, ArrayIndexedAtRunTime) {
  Activity A("define double @f(double %x, double %y, i64 %i) {\n"
             "  %s = alloca [2 x double]\n"
             "  %p1 = getelementptr i8, ptr %s, i64 8\n"
             "  store double %x, ptr %s\n"
             "  store double %y, ptr %p1\n"
             "  %q = getelementptr double, ptr %s, i64 %i\n"
             "  %v = load double, ptr %q\n"
             "  ret double %v\n}\n",
             {Const, Out, Const});
  EXPECT_TRUE(A.active("v"));
  EXPECT_TRUE(A.active("y"));
  EXPECT_FALSE(A.active("x"));
}

TEST(Activity, ReadsOfDuplicatedArguments) {
  Activity A("define double @f(ptr %x, ptr %c) {\n"
             "  %p = load ptr, ptr %x\n"
             "  %v = load double, ptr %p\n"
             "  %k = load double, ptr %c\n"
             "  %r = fmul double %v, %k\n"
             "  ret double %r\n}\n",
             {Dup, Const});
  EXPECT_TRUE(A.shadow("x"));
  EXPECT_TRUE(A.shadow("p"));
  EXPECT_TRUE(A.active("v"));
  EXPECT_FALSE(A.shadow("c"));
  EXPECT_FALSE(A.active("k"));
}

// z[i] = x[i] * y[i], x const, z overwritten later.
TEST(Activity, WritesToDuplicatedArguments) {
  Activity A("define void @f(ptr %x, ptr %y, ptr %z) {\n"
             "  %a = load double, ptr %x\n"
             "  %b = load double, ptr %y\n"
             "  %m = fmul double %a, %b\n"
             "  store double %m, ptr %z\n"
             "  store double 0.0, ptr %z\n"
             "  ret void\n}\n",
             {Const, Dup, Dup}, RetActivity::Const);
  EXPECT_FALSE(A.active("a"));
  EXPECT_TRUE(A.active("b"));
  EXPECT_TRUE(A.active("m"));
  unsigned Stores = 0;
  for (const Instruction &I : instructions(*A.M->getFunction("f")))
    if (isa<StoreInst>(I)) {
      EXPECT_TRUE(A.Info->isActiveInstruction(&I));
      ++Stores;
    }
  EXPECT_EQ(Stores, 2u);
}

TEST(Activity, IndicesReadFromDuplicatedMemoryAreNumbers) {
  Activity A("define double @f(ptr %x, ptr %n) {\n"
             "  %i = load i32, ptr %n, !tbaa !1\n"
             "  %j = sext i32 %i to i64\n"
             "  %q = getelementptr double, ptr %x, i64 %j\n"
             "  %v = load double, ptr %q\n"
             "  ret double %v\n}\n"
             "!0 = !{!\"int\", !2}\n!1 = !{!0, !0, i64 0}\n"
             "!2 = !{!\"omnipotent char\", !3}\n!3 = !{!\"C\"}\n",
             {Dup, Dup});
  EXPECT_FALSE(A.active("i"));
  EXPECT_FALSE(A.active("j"));
  EXPECT_TRUE(A.active("v"));
}

// Float bits that travel as integers.
TEST(Activity, BitsKeepActivity) {
  Activity A("define double @f(double %x) {\n"
             "  %s = alloca double\n"
             "  store double %x, ptr %s\n"
             "  %i = load i64, ptr %s\n"
             "  %h = lshr i64 %i, 1\n"
             "  %k = sub i64 6910469410427058089, %h\n"
             "  %y = bitcast i64 %k to double\n"
             "  ret double %y\n}\n",
             {Out});
  for (const char *Name : {"x", "i", "h", "k", "y"})
    EXPECT_TRUE(A.active(Name)) << Name;
}

TEST(Activity, PointerPairOnTheHeap) {
  Activity A("define double @f(ptr %x, ptr %y) {\n"
             "  %h = call noalias ptr @malloc(i64 16)\n"
             "  %h1 = getelementptr i8, ptr %h, i64 8\n"
             "  store ptr %x, ptr %h\n"
             "  store ptr %y, ptr %h1\n"
             "  %p = load ptr, ptr %h\n"
             "  %q = load ptr, ptr %h1\n"
             "  %a = load double, ptr %p\n"
             "  %b = load double, ptr %q\n"
             "  %r = fmul double %a, %b\n"
             "  ret double %r\n}\n",
             {Dup, Const});
  EXPECT_EQ(A.errors(), 0u);
  EXPECT_TRUE(A.shadow("h"));
  EXPECT_TRUE(A.shadow("p"));
  EXPECT_FALSE(A.shadow("q"));
  EXPECT_TRUE(A.active("a"));
  EXPECT_FALSE(A.active("b"));
}

TEST(Activity, StructuresInRegistersByField) {
  Activity A("define {ptr, double} @make(ptr %p) {\n"
             "  %a = insertvalue {ptr, double} poison, ptr %p, 0\n"
             "  %b = insertvalue {ptr, double} %a, double 1.0, 1\n"
             "  ret {ptr, double} %b\n}\n"
             "define double @f(ptr %x) {\n"
             "  %s = call {ptr, double} @make(ptr %x)\n"
             "  %p = extractvalue {ptr, double} %s, 0\n"
             "  %k = extractvalue {ptr, double} %s, 1\n"
             "  %v = load double, ptr %p\n"
             "  %r = fmul double %v, %k\n"
             "  ret double %r\n}\n",
             {Dup});
  EXPECT_TRUE(A.shadow("s"));
  EXPECT_TRUE(A.shadow("p"));
  EXPECT_FALSE(A.active("s"));
  EXPECT_FALSE(A.active("k"));
  EXPECT_EQ(A.call("s").Ret, RetActivity::Dup);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity analysis where it must refuse, or be careful: memory declared
// inactive, merged pointers, globals, unknown code, large inputs.
#include "ActivityFixture.h"

using namespace activity_test;

namespace {

// Active values that pass through a buffer which the caller marked const.
TEST(Activity, ScratchBufferMarkedConst) {
  std::string Text = "define double @f(double %x, ptr %s) {\n"
                     "  store double %x, ptr %s\n"
                     "  %v = load double, ptr %s\n"
                     "  ret double %v\n}\n";
  Activity A(Text, {Out, Const});
  EXPECT_EQ(A.errors(), 1u);
  EXPECT_NE(A.Messages.find("declared inactive"), std::string::npos)
      << A.Messages;
  EXPECT_EQ(Activity(Text, {Out, Dup}).errors(), 0u);
}

TEST(Activity, ScratchBufferFilledByCallee) {
  Activity A("define void @fill(ptr %s, double %x) {\n"
             "  store double %x, ptr %s\n  ret void\n}\n"
             "define double @read(ptr %s) {\n"
             "  %v = load double, ptr %s\n  ret double %v\n}\n"
             "define double @f(double %x, ptr %s) {\n"
             "  call void @fill(ptr %s, double %x)\n"
             "  %v = call double @read(ptr %s)\n"
             "  ret double %v\n}\n",
             {Out, Const});
  EXPECT_EQ(A.errors(), 1u);
}

TEST(Activity, ScratchBufferCopiedAsBlock) {
  Activity A("define double @f(double %x, ptr %s) {\n"
             "  %t = alloca double\n"
             "  store double %x, ptr %s\n"
             "  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 8, "
             "i1 false)\n"
             "  %v = load double, ptr %t\n"
             "  ret double %v\n}\n",
             {Out, Const});
  EXPECT_EQ(A.errors(), 1u);
}

// Written but not read again: the gradient is right without a shadow.
TEST(Activity, ConstOutputIsAllowed) {
  Activity A("define double @f(double %x, ptr %log) {\n"
             "  store double %x, ptr %log\n"
             "  ret double %x\n}\n",
             {Out, Const});
  EXPECT_EQ(A.errors(), 0u);
}

TEST(Activity, PointerWithShadowInConstMemory) {
  Activity A("define double @f(ptr %x, ptr %c) {\n"
             "  store ptr %x, ptr %c\n"
             "  %p = load ptr, ptr %c\n"
             "  %v = load double, ptr %p\n"
             "  ret double %v\n}\n",
             {Dup, Const});
  EXPECT_EQ(A.errors(), 1u);
}

// One pointer into active and inactive memory.
TEST(Activity, MergedPointers) {
  std::string Head = "@table = constant [2 x double] [double 1.0, double 2.0]\n"
                     "define double @f(ptr %x, ptr %c, i1 %t) {\n"
                     "  %l = alloca double\n"
                     "  store double 1.0, ptr %l\n";
  std::string Tail = "  %v = load double, ptr %p\n  ret double %v\n}\n";
  auto With = [&](const std::string &Other) {
    return Head + "  %p = select i1 %t, ptr %x, ptr " + Other + "\n" + Tail;
  };
  Activity Argument(With("%c"), {Dup, Const, Const});
  EXPECT_EQ(Argument.errors(), 0u);
  EXPECT_TRUE(Argument.shadow("p"));
  EXPECT_TRUE(Argument.plain("p"));
  EXPECT_FALSE(Argument.plain("x"));
  EXPECT_FALSE(Argument.shadow("c"));
  Activity Local(With("%l"), {Dup, Const, Const});
  EXPECT_EQ(Local.errors(), 0u);
  EXPECT_TRUE(Local.shadow("l"));
  EXPECT_FALSE(Local.plain("p"));
  EXPECT_TRUE(Local.active("v"));
  Activity Null(With("null"), {Dup, Const, Const});
  EXPECT_EQ(Null.errors(), 0u);
  EXPECT_TRUE(Null.shadow("p"));
  EXPECT_FALSE(Null.plain("p"));
  Activity Constant(With("@table"), {Dup, Const, Const});
  EXPECT_EQ(Constant.errors(), 0u);
  EXPECT_TRUE(Constant.shadow("table"));
}

// Merged, but nobody needs the shadow.
TEST(Activity, MergedPointersToNumbers) {
  Activity A("define double @f(ptr %x, ptr %c, i1 %t, double %y) {\n"
             "  %p = select i1 %t, ptr %x, ptr %c\n"
             "  %i = load i32, ptr %p, !tbaa !1\n"
             "  %d = sitofp i32 %i to double\n"
             "  %r = fmul double %d, %y\n"
             "  ret double %r\n}\n"
             "!0 = !{!\"int\", !2}\n!1 = !{!0, !0, i64 0}\n"
             "!2 = !{!\"omnipotent char\", !3}\n!3 = !{!\"C\"}\n",
             {Dup, Const, Const, Out});
  EXPECT_EQ(A.errors(), 0u) << A.Messages;
  EXPECT_FALSE(A.shadow("p"));
}

TEST(Activity, CalleeMergesItsArguments) {
  std::string Text = "define ptr @pick(i1 %t, ptr %a, ptr %b) {\n"
                     "  %p = select i1 %t, ptr %a, ptr %b\n"
                     "  ret ptr %p\n}\n"
                     "define double @f(ptr %x, ptr %c, i1 %t) {\n"
                     "  %l = alloca double\n"
                     "  store double 1.0, ptr %l\n"
                     "  %p = call ptr @pick(i1 %t, ptr %x, ptr OTHER)\n"
                     "  %v = load double, ptr %p\n"
                     "  ret double %v\n}\n";
  auto With = [&](const char *Other) {
    std::string T = Text;
    return T.replace(T.find("OTHER"), 5, Other);
  };
  Activity Constant(With("%c"), {Dup, Const, Const});
  EXPECT_EQ(Constant.errors(), 0u);
  EXPECT_EQ(Constant.call("p").Args, (Kinds{Const, Dup, Const}));
  EXPECT_EQ(Constant.call("p").Ret, RetActivity::Dup);
  EXPECT_TRUE(Constant.call("p").ArgumentFlags.empty());
  EXPECT_TRUE(Constant.plain("p"));
  // One may be made for local memory; none is needed.
  Activity Local(With("%l"), {Dup, Const, Const});
  EXPECT_EQ(Local.errors(), 0u);
  EXPECT_TRUE(Local.shadow("p"));
}

// A structure of both is handed on: what is found in it may be self-shadowed.
TEST(Activity, CalleeFollowsPointersOfBothKinds) {
  Activity A("define double @sum(ptr %s) {\n"
             "  %a = load ptr, ptr %s\n"
             "  %q = getelementptr i8, ptr %s, i64 8\n"
             "  %b = load ptr, ptr %q\n"
             "  %u = load double, ptr %a\n"
             "  %v = load double, ptr %b\n"
             "  %r = fmul double %u, %v\n"
             "  ret double %r\n}\n"
             "define double @f(ptr %x, ptr %c) {\n"
             "  %s = alloca [2 x ptr]\n"
             "  store ptr %x, ptr %s\n"
             "  %q = getelementptr i8, ptr %s, i64 8\n"
             "  store ptr %c, ptr %q\n"
             "  %r = call double @sum(ptr %s)\n"
             "  ret double %r\n}\n",
             {Dup, Const});
  EXPECT_EQ(A.errors(), 0u) << A.Messages;
  EXPECT_EQ(A.call("r").Args, (Kinds{Dup}));
  ASSERT_EQ(A.call("r").ArgumentFlags.size(), 1u);
  EXPECT_EQ(A.call("r").ArgumentFlags[0] &
                (MayBeSelfShadowed | MayHoldSelfShadowed),
            MayHoldSelfShadowed);
}

TEST(Activity, GlobalsWrittenByOneCalleeAndReadByAnother) {
  Activity A("@g = internal global double 0.0\n"
             "@k = internal global double 3.0\n"
             "define void @set(double %x) {\n"
             "  store double %x, ptr @g\n  ret void\n}\n"
             "define double @read() {\n"
             "  %v = load double, ptr @g\n"
             "  %w = load double, ptr @k\n"
             "  %r = fmul double %v, %w\n  ret double %r\n}\n"
             "define double @f(double %x) {\n"
             "  call void @set(double %x)\n"
             "  %v = call double @read()\n"
             "  %w = load double, ptr @k\n"
             "  %r = fmul double %v, %w\n  ret double %r\n}\n"
             "define void @init(double %x) {\n"
             "  store double %x, ptr @k\n  ret void\n}\n",
             {Out});
  EXPECT_TRUE(A.shadow("g"));
  EXPECT_FALSE(A.shadow("k"));
  EXPECT_TRUE(A.active("v"));
  EXPECT_FALSE(A.active("w"));
  EXPECT_TRUE(A.active("x"));
}

// A constant that overwrites active memory overwrites its shadow.
TEST(Activity, CalleeResetsGlobal) {
  Activity A("@g = internal global double 0.0\n"
             "define void @reset() {\n"
             "  store double 0.0, ptr @g\n  ret void\n}\n"
             "define i64 @wrap() {\n"
             "  call void @reset()\n  ret i64 0\n}\n"
             "define double @f(double %x) {\n"
             "  store double %x, ptr @g\n"
             "  %i = call i64 @wrap()\n"
             "  %v = load double, ptr @g\n"
             "  ret double %v\n}\n",
             {Out});
  EXPECT_TRUE(A.takesPart("i"));
}

// Also where the callee finds the memory's address in a table of which it is
// told nothing else.
TEST(Activity, CalleeResetsMemoryBehindTable) {
  Activity A("define void @reset(ptr %table) {\n"
             "  %p = load ptr, ptr %table\n"
             "  store double 0.0, ptr %p\n  ret void\n}\n"
             "define double @f(double %x) {\n"
             "  %l = alloca double\n"
             "  %t = alloca ptr\n"
             "  store double %x, ptr %l\n"
             "  store ptr %l, ptr %t\n"
             "  call void @reset(ptr %t)\n"
             "  %v = load double, ptr %l\n"
             "  ret double %v\n}\n",
             {Out});
  EXPECT_TRUE(A.shadow("l"));
  EXPECT_TRUE(A.shadow("t"));
}

TEST(Activity, GlobalOfAnotherFile) {
  EXPECT_EQ(Activity("@e = external global double\n"
                     "define double @f(double %x) {\n"
                     "  %k = load double, ptr @e\n"
                     "  %r = fmul double %x, %k\n  ret double %r\n}\n",
                     {Out})
                .errors(),
            0u);
  EXPECT_EQ(Activity("@e = external global double\n"
                     "define double @f(double %x) {\n"
                     "  store double %x, ptr @e\n"
                     "  %k = load double, ptr @e\n"
                     "  ret double %k\n}\n",
                     {Out})
                .errors(),
            1u);
}

// A call into the unknown takes part exactly if something active goes in.
TEST(Activity, UnknownCallees) {
  std::string Text = "define double @f(double %x, double %c) {\n"
                     "  %u = call double @unknown(double OPERAND)\n"
                     "  %r = fmul double %x, %u\n"
                     "  ret double %r\n}\n";
  auto With = [&](const char *Operand) {
    std::string T = Text;
    return T.replace(T.find("OPERAND"), 7, Operand);
  };
  Activity Active(With("%x"), {Out, Const});
  EXPECT_TRUE(Active.takesPart("u"));
  Activity Inactive(With("%c"), {Out, Const});
  EXPECT_FALSE(Inactive.takesPart("u"));
  EXPECT_FALSE(Inactive.active("u"));
}

// What an unknown function keeps, another one may give back.
TEST(Activity, UnknownCalleesKeepPointers) {
  Activity A("declare i64 @keep(ptr)\n"
             "define double @f(double %x) {\n"
             "  %l = alloca double\n"
             "  store double 0.0, ptr %l\n"
             "  %k = call i64 @keep(ptr %l)\n"
             "  %p = call ptr @get()\n"
             "  store double %x, ptr %p\n"
             "  %v = load double, ptr %l\n"
             "  ret double %v\n}\n",
             {Out});
  EXPECT_TRUE(A.active("v"));
  EXPECT_TRUE(A.errors() > 0 || A.takesPart("k"));
}

// An address that was computed as a number may be any.
TEST(Activity, PointersMadeOfNumbers) {
  std::string Text = "define double @f(double %x, double %d) {\n"
                     "  %n = fptosi double %d to i64\n"
                     "  %p = inttoptr i64 %n to ptr\n"
                     "  %v = load double, ptr %p\n"
                     "  %r = fmul double %x, RESULT\n"
                     "  ret double %r\n}\n";
  auto With = [&](const char *Result) {
    std::string T = Text;
    return T.replace(T.find("RESULT"), 6, Result);
  };
  EXPECT_EQ(Activity(With("%v"), {Out, Const}).errors(), 1u);
  EXPECT_EQ(Activity(With("2.0"), {Out, Const}).errors(), 0u);
}

// A library function that fills memory must not do so behind our back.
TEST(Activity, LibraryOverwritesActiveMemory) {
  Activity A("declare i64 @fread(ptr, i64, i64, ptr)\n"
             "define double @f(ptr %x, ptr %file) {\n"
             "  %n = call i64 @fread(ptr %x, i64 8, i64 1, ptr %file)\n"
             "  %v = load double, ptr %x\n"
             "  ret double %v\n}\n",
             {Dup, Const});
  EXPECT_TRUE(A.takesPart("n"));
}

// Type punning through the caller's memory: types contradict each other, but
// the float bits must not be lost.
TEST(Activity, FloatReadAsNumberFromCaller) {
  Activity A("define double @f(ptr %x) {\n"
             "  %a = load double, ptr %x, !tbaa !1\n"
             "  %i = load i64, ptr %x, !tbaa !5\n"
             "  %k = sub i64 6910469410427058089, %i\n"
             "  %y = bitcast i64 %k to double\n"
             "  ret double %y\n}\n"
             "!0 = !{!\"double\", !2}\n!1 = !{!0, !0, i64 0}\n"
             "!2 = !{!\"omnipotent char\", !3}\n!3 = !{!\"C\"}\n"
             "!4 = !{!\"long\", !2}\n!5 = !{!4, !4, i64 0}\n",
             {Dup});
  EXPECT_TRUE(A.active("y"));
}

TEST(Activity, ForwardModeDuplicatesFloats) {
  Activity A("define double @g(double %x, ptr %p) {\n"
             "  %v = load double, ptr %p\n"
             "  %r = fmul double %x, %v\n  ret double %r\n}\n"
             "define double @f(double %x, ptr %p) {\n"
             "  %r = call double @g(double %x, ptr %p)\n"
             "  ret double %r\n}\n",
             {Dup, Dup}, RetActivity::Active, DerivativeKind::Forward);
  EXPECT_TRUE(A.active("x"));
  EXPECT_EQ(A.call("r").Args, (Kinds{Dup, Dup}));
  EXPECT_EQ(A.call("r").Ret, RetActivity::Active);
}

TEST(Activity, PrintsEveryInstruction) {
  Activity A("define double @f(double %x, ptr %p) {\n"
             "  %a = fmul double %x, 2.0\n"
             "  store double %a, ptr %p\n"
             "  ret double %a\n}\n",
             {Out, Dup});
  std::string Text = A.text();
  EXPECT_NE(Text.find("double %x  -> active"), std::string::npos) << Text;
  EXPECT_NE(Text.find("ptr %p  -> shadow"), std::string::npos) << Text;
  EXPECT_NE(Text.find("store double %a, ptr %p, align 8  -> takes part"),
            std::string::npos)
      << Text;
}

// Chains that are exponential for a naive search.
TEST(Activity, DiamondsOfPointers) {
  std::string Body = "define double @f(ptr %x, ptr %y, i1 %t) {\n"
                     "  %p0 = select i1 %t, ptr %x, ptr %y\n";
  for (int I = 1; I <= 60; ++I) {
    std::string N = std::to_string(I), O = std::to_string(I - 1);
    Body += "  %a" + N + " = getelementptr i8, ptr %p" + O + ", i64 8\n" +
            "  %b" + N + " = getelementptr i8, ptr %p" + O + ", i64 16\n" +
            "  %p" + N + " = select i1 %t, ptr %a" + N + ", ptr %b" + N + "\n";
  }
  Activity A(Body + "  %v = load double, ptr %p60\n  ret double %v\n}\n",
             {Dup, Dup, Const});
  EXPECT_TRUE(A.active("v"));
}

TEST(Activity, DiamondsOfCalls) {
  std::string Text = "define double @g0(double %x) {\n  ret double %x\n}\n";
  for (int I = 1; I <= 60; ++I) {
    std::string N = std::to_string(I), O = std::to_string(I - 1);
    Text += "define double @g" + N + "(double %x) {\n" +
            "  %a = call double @g" + O + "(double %x)\n" +
            "  %b = call double @g" + O + "(double %a)\n" +
            "  ret double %b\n}\n";
  }
  Activity A(Text + "define double @f(double %x) {\n"
                    "  %r = call double @g60(double %x)\n"
                    "  ret double %r\n}\n",
             {Out});
  EXPECT_TRUE(A.active("x"));
  EXPECT_TRUE(A.active("r"));
}

} // namespace

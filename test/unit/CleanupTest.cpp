// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Cleanup promises of a derivative: slots become registers, shadows that
// nothing reads go with their allocation, helpers are inlined, statements that
// only held for the primal are gone.
#include "adze/Cleanup.h"
#include "Managers.h"
#include "adze/OwnFunction.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace adze;

namespace {

class Cleanup : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  Managers Of;

  Function &parse(const char *Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
    for (Function &F : *M)
      if (F.getName().starts_with("adze."))
        markOwn(F);
    return *M->getFunction("adze.reverse.f");
  }
  template <typename T> unsigned count(Function &F) {
    return count_if(instructions(F), [](Instruction &I) { return isa<T>(I); });
  }
};

TEST_F(Cleanup, RemovesSlotsAndDeadShadows) {
  Function &F = parse(R"(
declare noalias ptr @calloc(i64, i64) allockind("alloc,zeroed") allocsize(0,1) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
define double @adze.reverse.f(ptr %p, i64 %n, double %seed) {
entry:
  %slot = alloca double
  store double 0.0, ptr %slot
  %shadow = call noalias ptr @calloc(i64 %n, i64 8)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = load double, ptr %slot
  %b = fadd double %a, %seed
  store double %b, ptr %slot
  %at = getelementptr double, ptr %shadow, i64 %i
  store double %b, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  call void @free(ptr %shadow)
  %r = load double, ptr %slot
  ret double %r
})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_EQ(count<AllocaInst>(F), 0u);
  EXPECT_EQ(count<CallInst>(F), 0u);
  EXPECT_EQ(count<StoreInst>(F), 0u);
  EXPECT_EQ(count<LoadInst>(F), 0u);
}

TEST_F(Cleanup, KeepsShadowsThatAreRead) {
  Function &F = parse(R"(
declare noalias ptr @calloc(i64, i64) allockind("alloc,zeroed") allocsize(0,1) "alloc-family"="malloc"
declare void @free(ptr allocptr) allockind("free") "alloc-family"="malloc"
declare void @observe(ptr)
define void @adze.reverse.f(i64 %n, double %seed) {
  %shadow = call noalias ptr @calloc(i64 %n, i64 8)
  store double %seed, ptr %shadow
  call void @observe(ptr %shadow)
  call void @free(ptr %shadow)
  ret void
})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_EQ(count<CallInst>(F), 3u);
  EXPECT_EQ(count<StoreInst>(F), 1u);
}

TEST_F(Cleanup, RemovesLoopsThatOnlyRecompute) {
  Function &F = parse(R"(
define double @adze.reverse.f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %v = phi double [ %x, %entry ], [ %w, %loop ]
  %w = fmul double %v, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %unused = phi double [ %w, %loop ]
  ret double %x
})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_EQ(F.size(), 1u);
  EXPECT_EQ(F.getInstructionCount(), 1u);
}

TEST_F(Cleanup, InlinesHelpersAndDropsThem) {
  Function &F = parse(R"(
define internal double @adze.helper.a(double %x) alwaysinline {
  %r = call double @adze.helper.b(double %x)
  ret double %r
}
define internal double @adze.helper.b(double %x) alwaysinline {
  %r = fmul double %x, 3.0
  ret double %r
}
define double @adze.reverse.f(double %x) {
  %r = call double @adze.helper.a(double %x)
  ret double %r
})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_EQ(count<CallInst>(F), 0u);
  EXPECT_TRUE(eraseUnused(*M, Of.FAM));
  EXPECT_EQ(M->size(), 1u);
}

TEST_F(Cleanup, SeparatesVersionsThatMeet) {
  Function &F = parse(R"(
define double @adze.reverse.f(ptr noalias %p, i1 %apart) {
  %q = getelementptr double, ptr %p, i64 1
  br i1 %apart, label %fast, label %general, !adze.derived-versions !0
fast:
  %a = load double, ptr %p
  br label %return
general:
  %b = load double, ptr %q
  store double %b, ptr %p
  br label %return
return:
  %r = phi double [ %a, %fast ], [ %b, %general ]
  ret double %r
}
!0 = !{i32 1})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_EQ(count<StoreInst>(F), 0u);
  Function *General = M->getFunction("adze.reverse.f.any");
  ASSERT_TRUE(General);
  EXPECT_EQ(count<StoreInst>(*General), 1u);
  EXPECT_FALSE(General->getArg(0)->hasAttribute(Attribute::NoAlias));
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

TEST_F(Cleanup, DropsAVersionThatNeverRuns) {
  Function &F = parse(R"(
define double @adze.reverse.f(ptr %p) {
  br i1 true, label %fast, label %general, !adze.derived-versions !0
fast:
  %a = load double, ptr %p
  ret double %a
general:
  ret double 0.0
}
!0 = !{i32 1})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_EQ(count<CallInst>(F), 0u);
  EXPECT_EQ(count<LoadInst>(F), 1u);
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

TEST_F(Cleanup, EndsOnHelpersThatReachThemselves) {
  Function &F = parse(R"(
define internal double @adze.helper.a(double %x) alwaysinline {
  %r = call double @adze.helper.a(double %x)
  ret double %r
}
define double @adze.reverse.f(double %x) {
  %r = call double @adze.helper.a(double %x)
  ret double %r
})");
  EXPECT_FALSE(errorToBool(simplifyDerivative(F, Of.FAM, /*IsLast=*/true)));
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

TEST_F(Cleanup, StripsWhatHeldForThePrimal) {
  Function &F = parse(R"(
define internal noalias nonnull ptr @adze.augmented.g(ptr readonly nocapture noalias align 8 %p) memory(read) {
  ret ptr %p
}
define void @adze.reverse.f(ptr readonly nocapture noalias align 8 %p, double %x) memory(argmem: read) nofree nosync willreturn norecurse nounwind {
  %r = call nonnull ptr @adze.augmented.g(ptr readonly %p) memory(none) nounwind
  %s = call double @llvm.sin.f64(double %x)
  ret void
}
declare double @llvm.sin.f64(double))");
  repairAttributes(F);
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
        Attribute::WillReturn, Attribute::NoRecurse})
    EXPECT_FALSE(F.hasFnAttribute(Kind))
        << Attribute::getNameFromAttrKind(Kind).str();
  EXPECT_FALSE(F.hasParamAttribute(0, Attribute::ReadOnly));
  EXPECT_FALSE(F.hasParamAttribute(0, Attribute::NoCapture));
  // What is said of the pointer itself still holds.
  EXPECT_TRUE(F.hasParamAttribute(0, Attribute::NoAlias));
  EXPECT_TRUE(F.hasParamAttribute(0, Attribute::Alignment));
  EXPECT_TRUE(F.hasFnAttribute(Attribute::NoUnwind));

  auto &Call = cast<CallInst>(F.getEntryBlock().front());
  EXPECT_FALSE(Call.getAttributes().hasFnAttr(Attribute::Memory));
  EXPECT_FALSE(Call.getAttributes().hasParamAttr(0, Attribute::ReadOnly));
  EXPECT_FALSE(Call.getAttributes().hasRetAttr(Attribute::NonNull));
  // Calls of other functions are none of our business.
  Function *Sin = M->getFunction("llvm.sin.f64");
  EXPECT_TRUE(Sin->doesNotAccessMemory());
}

TEST_F(Cleanup, InfersWhatCannotThrow) {
  parse(R"(
define internal void @adze.leaf(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define internal void @adze.loop.a(ptr %p) {
  call void @adze.leaf(ptr %p)
  call void @adze.loop.b(ptr %p)
  ret void
}
define internal void @adze.loop.b(ptr %p) {
  call void @quiet()
  call void @adze.loop.a(ptr %p)
  ret void
}
define internal void @adze.throws(ptr %p) {
  call void @adze.leaf(ptr %p)
  call void @unknown()
  ret void
}
define internal void @adze.throws.below(ptr %p) {
  call void @adze.throws.cycle(ptr %p)
  ret void
}
define internal void @adze.throws.cycle(ptr %p) {
  call void @adze.throws.below(ptr %p)
  call void @adze.throws(ptr %p)
  ret void
}
define internal void @adze.indirect(ptr %p) {
  call void %p()
  ret void
}
define void @adze.reverse.f(ptr %p) {
  call void @adze.loop.a(ptr %p)
  call void @adze.throws.below(ptr %p)
  call void @adze.indirect(ptr %p)
  ret void
}
define void @user(ptr %p) {
  ret void
}
declare void @quiet() nounwind
declare void @unknown())");
  inferAttributes(*M, Of.MAM);
  auto quiet = [&](StringRef Name) {
    return M->getFunction(Name)->doesNotThrow();
  };
  EXPECT_TRUE(quiet("adze.leaf"));
  EXPECT_TRUE(quiet("adze.loop.a"));
  EXPECT_TRUE(quiet("adze.loop.b"));
  EXPECT_FALSE(quiet("adze.throws"));
  EXPECT_FALSE(quiet("adze.throws.below"));
  EXPECT_FALSE(quiet("adze.throws.cycle"));
  EXPECT_FALSE(quiet("adze.indirect"));
  // Functions of the program are none of our business.
  EXPECT_FALSE(quiet("user"));
}

TEST_F(Cleanup, ErasesCyclesAndKeepsWhatIsUsed) {
  parse(R"(
@adze.table = internal constant [2 x ptr] [ptr @adze.kept, ptr null]
@adze.dead = internal constant [2 x ptr] [ptr @adze.one, ptr @adze.two]
define internal void @adze.one() {
  call void @adze.two()
  ret void
}
define internal void @adze.two() {
  call void @adze.one()
  %p = load ptr, ptr getelementptr (ptr, ptr @adze.dead, i64 1)
  ret void
}
define internal void @adze.kept() {
  call void @adze.below()
  ret void
}
define internal void @adze.below() {
  ret void
}
define internal void @mine() {
  ret void
}
define void @adze.reverse.f() {
  ret void
}
define ptr @user() {
  ret ptr getelementptr (ptr, ptr @adze.table, i64 1)
})");
  EXPECT_TRUE(eraseUnused(*M, Of.FAM));
  EXPECT_FALSE(verifyModule(*M, &errs()));
  for (const char *Gone : {"adze.one", "adze.two", "adze.dead"})
    EXPECT_EQ(M->getNamedValue(Gone), nullptr) << Gone;
  for (const char *Kept : {"adze.table", "adze.kept", "adze.below", "mine",
                           "adze.reverse.f", "user"})
    EXPECT_NE(M->getNamedValue(Kept), nullptr) << Kept;
  EXPECT_FALSE(eraseUnused(*M, Of.FAM));
}

} // namespace

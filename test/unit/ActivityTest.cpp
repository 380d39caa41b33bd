// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity analysis on small functions: what is active, what has a shadow, and
// what is refused. Each test breaks or keeps one fact.
#include "adze/Analyses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <map>

using namespace adze;
using namespace llvm;

namespace {

const ArgActivity Const = ArgActivity::Const;
const ArgActivity Dup = ArgActivity::Dup;
const ArgActivity Out = ArgActivity::Out;

const char *Prelude = "declare ptr @malloc(i64)\n"
                      "declare void @free(ptr)\n"
                      "declare double @sin(double)\n"
                      "declare i32 @printf(ptr, ...)\n"
                      "declare double @unknown(double)\n"
                      "declare ptr @get()\n"
                      "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                      "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n";

/// Parses a module and analyzes its function f.
class Activity {
public:
  Activity(const std::string &Text, ArrayRef<ArgActivity> Args,
           RetActivity Ret = RetActivity::Active,
           DerivativeKind Kind = DerivativeKind::Fused)
      : Kind(Kind) {
    Context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *Info, void *This) {
          std::string Message;
          raw_string_ostream OS(Message);
          DiagnosticPrinterRawOStream Printer(OS);
          Info->print(Printer);
          static_cast<Activity *>(This)->Messages += OS.str() + "\n";
        },
        this);
    SMDiagnostic Error;
    M = parseAssemblyString(Prelude + Text, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << ": "
                    << Error.getLineContents().str();
      return;
    }
    Request R;
    R.Primal = M->getFunction("f");
    R.Kind = Kind;
    R.Args.assign(Args.begin(), Args.end());
    R.Ret = Ret;
    auto Callees = [this](Function &F) { return primal(F); };
    const Primal &P = *primal(*R.Primal);
    Types = analyzeTypes(P, {}, Callees);
    Info = analyzeActivity(P, R, *Types, Callees, Diags, Origin());
  }

  const Primal *primal(Function &F) {
    if (F.isDeclaration())
      return nullptr;
    std::unique_ptr<Primal> &P = Primals[F.getName().str()];
    if (!P) {
      P = std::make_unique<Primal>();
      P->F = P->Source = &F;
      P->DT = std::make_unique<DominatorTree>(F);
      P->LI = std::make_unique<LoopInfo>(*P->DT);
    }
    return P.get();
  }

  const Value *named(StringRef Name) const {
    const Function &F = *M->getFunction("f");
    if (const Value *V = F.getValueSymbolTable()->lookup(Name))
      return V;
    if (const Value *V = M->getNamedGlobal(Name))
      return V;
    ADD_FAILURE() << "no value " << Name.str();
    return nullptr;
  }
  bool active(StringRef Name) const { return Info->isActiveValue(named(Name)); }
  bool shadow(StringRef Name) const { return Info->hasShadow(named(Name)); }
  bool takesPart(StringRef Name) const {
    return Info->isActiveInstruction(cast<Instruction>(named(Name)));
  }
  CallActivity call(StringRef Name) const {
    return activityOfCall(*Info, *Types, *cast<Instruction>(named(Name)), Kind);
  }
  unsigned errors() const { return Diags.errors(); }
  std::string text() const {
    std::string Text;
    raw_string_ostream OS(Text);
    Info->print(OS);
    return OS.str();
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::map<std::string, std::unique_ptr<Primal>> Primals;
  std::string Messages;
  Diagnostics Diags;
  std::unique_ptr<TypeInfo> Types;
  std::unique_ptr<ActivityInfo> Info;
  DerivativeKind Kind;
};

using Kinds = SmallVector<ArgActivity, 8>;

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
  EXPECT_EQ(Argument.errors(), 1u);
  Activity Local(With("%l"), {Dup, Const, Const});
  EXPECT_EQ(Local.errors(), 0u);
  EXPECT_TRUE(Local.shadow("l"));
  EXPECT_TRUE(Local.active("v"));
  Activity Null(With("null"), {Dup, Const, Const});
  EXPECT_EQ(Null.errors(), 0u);
  EXPECT_TRUE(Null.shadow("p"));
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
  EXPECT_EQ(Activity(With("%c"), {Dup, Const, Const}).errors(), 1u);
  Activity Local(With("%l"), {Dup, Const, Const});
  EXPECT_EQ(Local.errors(), 0u);
  EXPECT_TRUE(Local.shadow("l"));
  EXPECT_EQ(Local.call("p").Args, (Kinds{Const, Dup, Dup}));
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

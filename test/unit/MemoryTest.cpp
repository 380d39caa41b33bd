// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overwrite analysis on small functions: each test names the one fact that
// makes a read survive or not.
#include "adze/Analyses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace adze;
using namespace llvm;

namespace {

const char *Prelude = "declare ptr @malloc(i64)\n"
                      "declare void @free(ptr)\n"
                      "declare i32 @puts(ptr)\n"
                      "declare void @opaque()\n"
                      "declare void @llvm.lifetime.end.p0(i64, ptr)\n"
                      "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
                      "\n";

/// Parses a module and analyzes its function f.
class Memory {
public:
  explicit Memory(const std::string &Text, std::vector<bool> Caller = {},
                  const ReleaseFilter &Stays = nullptr) {
    SMDiagnostic Error;
    M = parseAssemblyString(Prelude + Text, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << ": "
                    << Error.getLineContents().str();
      return;
    }
    P.F = P.Source = M->getFunction("f");
    P.DT = std::make_unique<DominatorTree>(*P.F);
    P.LI = std::make_unique<LoopInfo>(*P.DT);
    Request R;
    R.Primal = P.F;
    for (bool B : Caller)
      R.MayBeOverwritten.Arguments.push_back(B);
    if (Caller.size() < P.F->arg_size())
      R.MayBeOverwritten.Arguments.resize(P.F->arg_size(), false);
    Info = analyzeMemory(P, R, Stays);
  }

  const Instruction *named(StringRef Name) const {
    for (const Instruction &I : instructions(*P.F))
      if (I.getName() == Name)
        return &I;
    ADD_FAILURE() << "no instruction " << Name.str();
    return nullptr;
  }
  bool overwritten(StringRef Name) const {
    return Info->mayBeOverwritten(named(Name));
  }
  const Instruction *by(StringRef Name) const {
    return Info->overwriter(named(Name));
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  Primal P;
  std::unique_ptr<MemoryInfo> Info;
};

/// A loop over i in [0, n) around \p Body, which may use %i.
std::string loop(const std::string &Arguments, const std::string &Body,
                 const std::string &Entry = "") {
  return "define void @f(" + Arguments + ", i64 %n) {\nentry:\n" + Entry +
         "  br label %body\nbody:\n"
         "  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n" +
         Body +
         "  %next = add nuw nsw i64 %i, 1\n"
         "  %more = icmp ult i64 %next, %n\n"
         "  br i1 %more, label %body, label %exit\nexit:\n  ret void\n}\n";
}

TEST(Memory, StoreAfterLoadOverwrites) {
  Memory A("define double @f(ptr %p) {\n"
           "  %v = load double, ptr %p\n"
           "  store double 0.0, ptr %p\n"
           "  %w = load double, ptr %p\n"
           "  ret double %v\n}\n");
  EXPECT_TRUE(A.overwritten("v"));
  ASSERT_TRUE(A.by("v"));
  EXPECT_TRUE(isa<StoreInst>(A.by("v")));
  EXPECT_FALSE(A.overwritten("w"));
  EXPECT_EQ(A.by("w"), nullptr);
}

TEST(Memory, OtherFieldSurvives) {
  Memory A("define double @f(ptr %p) {\n"
           "  %v = load double, ptr %p\n"
           "  %q = getelementptr i8, ptr %p, i64 8\n"
           "  store double 0.0, ptr %q\n"
           "  ret double %v\n}\n");
  EXPECT_FALSE(A.overwritten("v"));
}

TEST(Memory, ArgumentsMayAliasUnlessTheySayNot) {
  std::string Body = "  %a = getelementptr double, ptr %x, i64 %i\n"
                     "  %v = load double, ptr %a\n"
                     "  %b = getelementptr double, ptr %y, i64 %i\n"
                     "  store double %v, ptr %b\n";
  EXPECT_TRUE(Memory(loop("ptr %x, ptr %y", Body)).overwritten("v"));
  EXPECT_FALSE(
      Memory(loop("ptr noalias %x, ptr noalias %y", Body)).overwritten("v"));
}

TEST(Memory, LoadAheadOfStoreInLoop) {
  // load x[i+1], store x[i]: iteration i+1 overwrites what i has read.
  std::string Ahead = "  %j = add nuw nsw i64 %i, 1\n"
                      "  %a = getelementptr inbounds double, ptr %x, i64 %j\n"
                      "  %v = load double, ptr %a\n"
                      "  %b = getelementptr inbounds double, ptr %x, i64 %i\n"
                      "  store double %v, ptr %b\n";
  EXPECT_TRUE(Memory(loop("ptr %x", Ahead)).overwritten("v"));
}

TEST(Memory, WriterBeforeReaderCountsInLoopsOnly) {
  std::string Pair = "  store double 1.0, ptr %x\n"
                     "  %v = load double, ptr %x\n";
  EXPECT_TRUE(Memory(loop("ptr %x", Pair)).overwritten("v"));
  EXPECT_FALSE(Memory("define void @f(ptr %x) {\n" + Pair + "  ret void\n}\n")
                   .overwritten("v"));
}

TEST(Memory, SwappedBuffersOverwriteEachOther) {
  Memory A("define void @f(ptr noalias %x, ptr noalias %y, i64 %n) {\n"
           "entry:\n  br label %body\nbody:\n"
           "  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n"
           "  %a = phi ptr [ %x, %entry ], [ %b, %body ]\n"
           "  %b = phi ptr [ %y, %entry ], [ %a, %body ]\n"
           "  %v = load double, ptr %a\n"
           "  store double %v, ptr %b\n"
           "  %next = add nuw nsw i64 %i, 1\n"
           "  %more = icmp ult i64 %next, %n\n"
           "  br i1 %more, label %body, label %exit\nexit:\n  ret void\n}\n");
  EXPECT_TRUE(A.overwritten("v"));
}

// What a loop leaves in a pointer is not what it held in other iterations.
TEST(Memory, StoreThroughLastPointerOfLoop) {
  Memory A("define void @f(ptr %x, i64 %n) {\nentry:\n  br label %body\nbody:\n"
           "  %i = phi i64 [ 0, %entry ], [ %next, %body ]\n"
           "  %p = phi ptr [ %x, %entry ], [ %q, %body ]\n"
           "  %v = load double, ptr %p\n"
           "  %q = getelementptr inbounds double, ptr %p, i64 1\n"
           "  %next = add nuw nsw i64 %i, 1\n"
           "  %more = icmp ult i64 %next, %n\n"
           "  br i1 %more, label %body, label %exit\nexit:\n"
           "  %last = phi ptr [ %p, %body ]\n"
           "  %back = getelementptr inbounds double, ptr %last, i64 -1\n"
           "  store double 0.0, ptr %back\n"
           "  ret void\n}\n");
  EXPECT_TRUE(A.overwritten("v"));
}

TEST(Memory, AllocationOfEachIterationIsItsOwn) {
  std::string Body = "  %t = call noalias ptr @malloc(i64 16)\n"
                     "  store double 1.0, ptr %t\n"
                     "  %v = load double, ptr %t\n";
  EXPECT_FALSE(Memory(loop("ptr %x", Body)).overwritten("v"));
  EXPECT_TRUE(Memory(loop("ptr %x", Body + "  store double 2.0, ptr %t\n"))
                  .overwritten("v"));
}

TEST(Memory, FreeOverwritesUnlessPutOff) {
  std::string Text = "define double @f(i64 %n) {\n"
                     "  %t = call noalias ptr @malloc(i64 16)\n"
                     "  store double 1.0, ptr %t\n"
                     "  %v = load double, ptr %t\n"
                     "  call void @free(ptr %t)\n"
                     "  ret double %v\n}\n";
  EXPECT_TRUE(Memory(Text).overwritten("v"));
  EXPECT_FALSE(Memory(Text, {}, [](const Instruction &) {
                 return true;
               }).overwritten("v"));
}

TEST(Memory, LifetimeMarkersAndPrintingDoNotOverwrite) {
  Memory A("define double @f(ptr %p) {\n"
           "  %t = alloca double\n"
           "  %u = load double, ptr %p\n"
           "  store double %u, ptr %t\n"
           "  %v = load double, ptr %t\n"
           "  call void @llvm.lifetime.end.p0(i64 8, ptr %t)\n"
           "  call i32 @puts(ptr null)\n"
           "  ret double %v\n}\n");
  EXPECT_FALSE(A.overwritten("v"));
  EXPECT_FALSE(A.overwritten("u"));
}

TEST(Memory, UnknownCallOverwritesWhatItCanReach) {
  Memory A("define double @f(ptr %p) {\n"
           "  %t = alloca double\n"
           "  store double 1.0, ptr %t\n"
           "  %v = load double, ptr %t\n"
           "  %u = load double, ptr %p\n"
           "  call void @opaque()\n"
           "  ret double %v\n}\n");
  EXPECT_FALSE(A.overwritten("v"));
  EXPECT_TRUE(A.overwritten("u"));
}

TEST(Memory, CallsDoNotOverwriteWhatTheyOnlyRead) {
  Memory A("declare void @send(ptr nocapture readonly, ptr nocapture) "
           "memory(argmem: readwrite)\n"
           "define double @f(ptr noalias %p, ptr noalias %q, i64 %n) {\n"
           "entry:\n  br label %loop\n"
           "loop:\n"
           "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
           "  %at = getelementptr double, ptr %p, i64 %i\n"
           "  %to = getelementptr double, ptr %q, i64 %i\n"
           "  %v = load double, ptr %at\n"
           "  %w = load double, ptr %to\n"
           "  call void @send(ptr %p, ptr %q)\n"
           "  %next = add i64 %i, 1\n"
           "  %more = icmp ult i64 %next, %n\n"
           "  br i1 %more, label %loop, label %done\n"
           "done:\n  ret double %v\n}\n");
  EXPECT_FALSE(A.overwritten("v"));
  EXPECT_TRUE(A.overwritten("w"));
}

TEST(Memory, CalleesAreLookedInto) {
  std::string Callees = "define void @writes(ptr %a, ptr %b) {\n"
                        "  store double 0.0, ptr %b\n  ret void\n}\n"
                        "define void @wraps(ptr %a, ptr %b) {\n"
                        "  %t = alloca double\n"
                        "  store double 0.0, ptr %t\n"
                        "  call void @writes(ptr %b, ptr %a)\n  ret void\n}\n";
  Memory A(Callees + "define double @f(ptr noalias %p, ptr noalias %q) {\n"
                     "  %v = load double, ptr %p\n"
                     "  %w = load double, ptr %q\n"
                     "  call void @wraps(ptr %p, ptr %q)\n"
                     "  ret double %v\n}\n");
  EXPECT_TRUE(A.overwritten("v"));
  EXPECT_FALSE(A.overwritten("w"));
}

TEST(Memory, CallerOverwritesByArgument) {
  std::string Text = "@g = global double 0.0\n"
                     "@c = constant double 1.0\n"
                     "define double @f(ptr %p, ptr %q) {\n"
                     "  %t = alloca double\n"
                     "  store double 1.0, ptr %t\n"
                     "  %a = load double, ptr %p\n"
                     "  %b = load double, ptr %q\n"
                     "  %r = load ptr, ptr %q\n"
                     "  %d = load double, ptr %r\n"
                     "  %g0 = load double, ptr @g\n"
                     "  %c0 = load double, ptr @c\n"
                     "  %t0 = load double, ptr %t\n"
                     "  ret double %a\n}\n";
  Memory Quiet(Text, {false, false});
  for (const char *Name : {"a", "b", "r", "d", "g0", "c0", "t0"})
    EXPECT_FALSE(Quiet.overwritten(Name)) << Name;
  Memory First(Text, {true, false});
  for (const char *Name : {"a", "d", "g0"})
    EXPECT_TRUE(First.overwritten(Name)) << Name;
  for (const char *Name : {"b", "r", "c0", "t0"})
    EXPECT_FALSE(First.overwritten(Name)) << Name;
  EXPECT_EQ(First.by("a"), nullptr);
  // The element beyond the arguments speaks for all other memory.
  Memory Others(Text, {false, false, true});
  EXPECT_FALSE(Others.overwritten("a"));
  EXPECT_TRUE(Others.overwritten("g0"));
}

TEST(Memory, OverlappingMoveOverwritesItsSource) {
  Memory A("define void @f(ptr %p) {\n"
           "  %q = getelementptr i8, ptr %p, i64 8\n"
           "  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 32, "
           "i1 false)\n"
           "  %r = getelementptr i8, ptr %p, i64 64\n"
           "  call void @llvm.memmove.p0.p0.i64(ptr %r, ptr %q, i64 32, "
           "i1 false)\n"
           "  ret void\n}\n");
  std::vector<bool> Overwritten;
  for (const Instruction &I : instructions(*A.P.F))
    if (isa<CallBase>(I))
      Overwritten.push_back(A.Info->mayBeOverwritten(&I));
  EXPECT_EQ(Overwritten, (std::vector<bool>{true, false}));
}

TEST(Memory, PromiseForCallees) {
  Memory A("define double @g(ptr %a, ptr %b) {\n"
           "  %v = load double, ptr %a\n"
           "  store double %v, ptr %b\n"
           "  ret double %v\n}\n"
           "define double @f(ptr noalias %p, ptr noalias %q) {\n"
           "  %v = call double @g(ptr %p, ptr %q)\n"
           "  store double 0.0, ptr %q\n"
           "  ret double %v\n}\n");
  CallerWrites After = A.Info->overwrittenAfter(*cast<CallBase>(A.named("v")));
  ASSERT_EQ(After.Arguments.size(), 2u);
  EXPECT_FALSE(After.Arguments[0]);
  EXPECT_TRUE(After.Arguments[1]);
}

/// While f runs nobody writes there; afterwards the caller may.
TEST(Memory, CallerOverwritesWhatIsReadonlyAndNoalias) {
  std::string Text = "define double @f(ptr noalias readonly %p) {\n"
                     "  %v = load double, ptr %p\n"
                     "  ret double %v\n}\n";
  EXPECT_FALSE(Memory(Text, {false}).overwritten("v"));
  EXPECT_TRUE(Memory(Text, {true}).overwritten("v"));
}

TEST(Memory, SteadyUntilALoopWrites) {
  std::string Text = loop("ptr noalias %x, ptr noalias %y",
                          "  %v = load double, ptr %x\n"
                          "  %w = load double, ptr %y\n"
                          "  store double %v, ptr %y\n",
                          "  store double 0.0, ptr %x\n");
  Memory A(Text, {true, true});
  EXPECT_TRUE(A.overwritten("v"));
  ASSERT_TRUE(A.Info->invariantIn(A.named("v")));
  EXPECT_EQ(A.Info->invariantIn(A.named("v"))->getHeader()->getName(), "body");
  EXPECT_EQ(A.Info->invariantIn(A.named("w")), nullptr);
}

TEST(Memory, StoredStaysUnlessOverwritten) {
  Memory A("define void @f(ptr noalias %p, ptr noalias %q) {\n"
           "  store double 1.0, ptr %p\n"
           "  store double 2.0, ptr %q\n"
           "  store double 3.0, ptr %p\n"
           "  ret void\n}\n",
           {false, false});
  auto It = A.P.F->getEntryBlock().begin();
  EXPECT_FALSE(A.Info->storeSurvives(cast<StoreInst>(&*It++)));
  EXPECT_TRUE(A.Info->storeSurvives(cast<StoreInst>(&*It++)));
  EXPECT_TRUE(A.Info->storeSurvives(cast<StoreInst>(&*It)));
}

// A store in a loop overwrites what it stored, unless its address advances by
// its size or more.
TEST(Memory, StoreInALoopMustAdvance) {
  auto stays = [](const char *Address) {
    Memory A(loop("ptr %p", std::string("  %a = ") + Address +
                                "\n  store double 1.0, ptr %a\n"));
    return A.Info->storeSurvives(cast<StoreInst>(A.named("a")->getNextNode()));
  };
  EXPECT_TRUE(stays("getelementptr double, ptr %p, i64 %i"));
  EXPECT_FALSE(stays("getelementptr float, ptr %p, i64 %i"));
  EXPECT_FALSE(stays("getelementptr double, ptr %p, i64 3"));
}

TEST(Memory, VolatileReadsAreNeverRepeated) {
  Memory A("define double @f(ptr %p) {\n"
           "  %v = load volatile double, ptr %p\n"
           "  %w = load double, ptr %p\n"
           "  ret double %v\n}\n");
  EXPECT_TRUE(A.overwritten("v"));
  EXPECT_FALSE(A.overwritten("w"));
}

// Ten thousand reads and writes of one array must take no time to speak of,
// and stay exact: only the last element is written after its read.
TEST(Memory, ManyAccessesOfOneArray) {
  std::string Body;
  const int N = 10000;
  for (int I = 0; I < N; ++I) {
    std::string S = std::to_string(I), O = std::to_string(8 * I);
    Body += "  %p" + S + " = getelementptr i8, ptr %p, i64 " + O + "\n";
    if (I + 1 < N)
      Body += "  store double 1.0, ptr %p" + S + "\n";
    Body += "  %v" + S + " = load double, ptr %p" + S + "\n";
  }
  Body += "  store double 1.0, ptr %p" + std::to_string(N - 1) + "\n";
  Memory A("define void @f(ptr %p) {\n" + Body + "  ret void\n}\n");
  EXPECT_FALSE(A.overwritten("v0"));
  EXPECT_FALSE(A.overwritten("v5000"));
  EXPECT_TRUE(A.overwritten("v9999"));
}

} // namespace

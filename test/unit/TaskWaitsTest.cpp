// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the reverse halves of tasks are waited for (Cleanup/PlaceWaits.cpp),
// one condition after the other.
#include "Cleanup/LowerTaskCalls.h"
#include "adze/AliasScopes.h"
#include "adze/Tasks.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace adze;

namespace {

/// In code: S a spawn of which the order is strict, B one that is beside, P one
/// in the primal's order, J a join, M the mirror of a wait, W a wait; other
/// lines as they are.
class TaskWaits : public testing::Test {
protected:
  /// The lines of the function's body, and what stands in front of each
  /// afterwards: "w" where there is a new wait.
  std::string place(StringRef Body) {
    std::string Text = R"(
      declare void @half()
      declare void @adze.task.begin(ptr, ...)
      declare void @adze.task.join()
      declare void @adze.task.wait()
      declare void @adze.task.wait.back()
      declare void @unknown()
      declare ptr @adze.tape.shrink(ptr, i64, i64, i1)
      declare void @adze.tape.free(ptr)
      declare void @keep(ptr)
      define void @f(ptr %p, ptr %q, i1 %c) {
)";
    SmallVector<StringRef, 16> Lines;
    Body.split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines)
      Text += codeOf(Line.trim()) + "\n";
    Text += "}\nattributes #0 = { \"adze.spawn\"=\"2:1\" }\n"
            "attributes #1 = { \"adze.spawn\"=\"2:2\" }\n"
            "attributes #2 = { \"adze.spawn\"=\"1:0\" }\n";
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, C);
    EXPECT_TRUE(M) << Error.getMessage().str() << Error.getLineContents().str();
    if (!M)
      return "";
    Function &F = *M->getFunction("f");
    SmallPtrSet<const Instruction *, 4> Old;
    for (Instruction &I : instructions(F)) {
      Old.insert(&I);
      if (I.hasMetadata("tape")) {
        I.setMetadata("tape", nullptr);
        tagAccess(I, MemoryKind::Tape);
      }
    }
    placeWaits(F);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    std::string Result;
    for (const Instruction &I : instructions(F)) {
      if (!Old.contains(&I)) {
        if (tasks::isWait(I))
          Result += 'w';
        continue;
      }
      Result += '.';
    }
    return Result;
  }

private:
  static std::string codeOf(StringRef Line) {
    if (Line == "S" || Line == "B" || Line == "P")
      return ("call void (ptr, ...) @adze.task.begin(ptr @half) #" +
              Twine(Line == "S"   ? 0
                    : Line == "B" ? 1
                                  : 2))
          .str();
    if (Line == "J")
      return "call void @adze.task.join()";
    if (Line == "M")
      return "call void @adze.task.wait.back()";
    if (Line == "W")
      return "call void @adze.task.wait()";
    return Line.str();
  }

  LLVMContext C;
  std::unique_ptr<Module> M;
};

TEST_F(TaskWaits, FunctionsWaitBeforeTheyReturn) {
  EXPECT_EQ(place("S\nret void"), ".w.");
  EXPECT_EQ(place("B\nret void"), ".w.");
  EXPECT_EQ(place("S\nW\nret void"), "...");
  EXPECT_EQ(place("P\nret void"), "..");
}

TEST_F(TaskWaits, SpawnsFollowEachOther) {
  EXPECT_EQ(place("S\nS\nB\nret void"), "...w.");
}

TEST_F(TaskWaits, ButNotBehindTheMirrorOfAWait) {
  EXPECT_EQ(place("S\nM\nS\nret void"), ".w..w.");
  EXPECT_EQ(place("M\nS\nret void"), "..w.");
  EXPECT_EQ(place("B\nJ\nM\nB\nret void"), "..w..w.");
}

TEST_F(TaskWaits, SumsWait) {
  EXPECT_EQ(place("S\n%v = load double, ptr %p\nret void"), ".w..");
  EXPECT_EQ(place("S\nstore double 0.0, ptr %p\nret void"), ".w..");
  EXPECT_EQ(place("S\nstore ptr %q, ptr %p\nret void"), ".w..");
  EXPECT_EQ(place("S\natomicrmw fadd ptr %p, double 1.0 monotonic\nret void"),
            ".w..");
  EXPECT_EQ(place("S\ncall void @unknown()\nret void"), ".w..");
  EXPECT_EQ(place("S\ncall void @adze.tape.free(ptr %p)\nret void"), ".w..");
}

TEST_F(TaskWaits, PointersAndTheTapeDoNot) {
  EXPECT_EQ(place("S\n%v = load ptr, ptr %p\nret void"), "..w.");
  EXPECT_EQ(place("S\n%v = load volatile ptr, ptr %p\nret void"), ".w..");
  EXPECT_EQ(place("S\n%v = load i64, ptr %p, !tape !{}\nret void"), "..w.");
  EXPECT_EQ(place("S\n%v = load i64, ptr %p\nret void"), ".w..");
  EXPECT_EQ(place("S\n%v = call ptr @adze.tape.shrink(ptr %p, i64 0, i64 8, "
                  "i1 false)\nret void"),
            "..w.");
}

TEST_F(TaskWaits, VariablesOfWhichNobodyKnowsDoNot) {
  EXPECT_EQ(place("%a = alloca double\nS\n%v = load double, ptr %a\n"
                  "store double 1.0, ptr %a\nret void"),
            "....w.");
  EXPECT_EQ(place("%a = alloca double\ncall void @keep(ptr %a)\nS\n"
                  "%v = load double, ptr %a\nret void"),
            "...w..");
}

TEST_F(TaskWaits, WhatIsBesideGoesOnUpToTheJoin) {
  EXPECT_EQ(place("B\n%v = load double, ptr %p\ncall void @unknown()\nJ\n"
                  "ret void"),
            "....w.");
  EXPECT_EQ(place("B\n%v = load double, ptr %p\nJ\nstore double 0.0, ptr %p\n"
                  "ret void"),
            "...w..");
  EXPECT_EQ(place("B\nS\n%v = load double, ptr %p\nJ\nret void"), "..w...");
}

TEST_F(TaskWaits, LoopsSpawnAllOfTheirs) {
  EXPECT_EQ(place("br label %l\nl:\nS\nbr i1 %c, label %l, label %e\ne:\n"
                  "%v = load double, ptr %p\nret void"),
            "...w..");
  EXPECT_EQ(place("br label %l\nl:\nS\n%v = load double, ptr %p\n"
                  "br i1 %c, label %l, label %e\ne:\nret void"),
            "..w...");
  EXPECT_EQ(place("br label %l\nl:\n%v = load double, ptr %p\nS\n"
                  "br i1 %c, label %l, label %e\ne:\nret void"),
            ".w...w.");
}

TEST_F(TaskWaits, BranchesWaitWhereOneHasSpawned) {
  EXPECT_EQ(place("br i1 %c, label %a, label %e\na:\nS\nbr label %e\ne:\n"
                  "store double 0.0, ptr %p\nret void"),
            "...w..");
}

} // namespace

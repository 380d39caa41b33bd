// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an iteration has written of what it reads: a program that covers it, and
// for each thing that this takes one in which just that is missing.
#include "Loops/Coverage.h"
#include "adze/Prepare.h"

#include "Loops/LoopMemory.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace adze;
using namespace llvm;

namespace {

/// The pointer %k has one block behind it, or none; a loop over steps fills it
/// in one nest and reads it in another. What is in brackets can be replaced.
constexpr const char *Vectors = R"(
declare noalias ptr @malloc(i64)
define void @f(ptr noalias %s, i32 %few, i64 %m, i64 %steps) {
entry:
  %n = zext i32 %few to i64
  %empty = icmp eq i64 %n, 0
  %other = icmp eq i64 %m, 0
  br i1 %empty, label %front, label %make
make:
  %bytes = shl nuw i64 %n, 3
  %block = call ptr @malloc(i64 %bytes)
  br label %front
front:
  %k = phi ptr [ %block, %make ], [ null, %entry ]
  br label %outer
outer:
  %t = phi i64 [ 0, %front ], [ %t.next, %latch ]
  br i1 [[fill-guard]], label %latch.or.read, label %fill.front
fill.front:
  br label %fill
fill:
  %i = phi i64 [ [[fill-from]], %fill.front ], [ %i.next, %fill ]
  %p = getelementptr inbounds double, ptr %k, i64 %i
  store double 1.0, ptr %p
  %i.next = add nuw nsw i64 %i, [[fill-step]]
  %i.more = icmp ult i64 %i.next, [[fill-to]]
  br i1 %i.more, label %fill, label %latch.or.read
latch.or.read:
  br i1 [[read-guard]], label %latch, label %read.front
read.front:
  br label %read
read:
  %j = phi i64 [ 0, %read.front ], [ %j.next, %read ]
  %q = getelementptr inbounds double, ptr %k, i64 %j
  %x = load double, ptr %q
  store double %x, ptr %s
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %read, label %latch
latch:
  %t.next = add nuw nsw i64 %t, 1
  %t.more = icmp slt i64 %t.next, %steps
  br i1 %t.more, label %outer, label %exit
exit:
  ret void
}
)";

struct Change {
  StringRef What, By;
};

std::string textOf(ArrayRef<Change> Changes) {
  std::string Text = Vectors;
  auto replace = [&](StringRef What, StringRef By) {
    const std::string Name = ("[[" + What + "]]").str();
    for (size_t At; (At = Text.find(Name)) != std::string::npos;)
      Text.replace(At, Name.size(), By.str());
  };
  for (const Change &C : Changes)
    replace(C.What, C.By);
  replace("fill-guard", "%empty");
  replace("read-guard", "%empty");
  replace("fill-from", "0");
  replace("fill-to", "%n");
  replace("fill-step", "1");
  return Text;
}

/// Each iteration of the loop over steps has written what it reads behind %k.
bool isCovered(ArrayRef<Change> Changes) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M =
      parseAssemblyString(textOf(Changes), Error, Context);
  if (!M) {
    Error.print("CoverageTest", errs());
    ADD_FAILURE();
    return false;
  }
  Diagnostics Diags;
  std::unique_ptr<Primal> P =
      preparePrimal(*M->getFunction("f"), Diags, Origin());
  if (!P) {
    ADD_FAILURE() << "not prepared";
    return false;
  }
  const Value *Pointer = nullptr;
  SmallVector<const Instruction *, 2> Readers, Writers;
  const Loop *Outer = P->Loops.front()->L;
  for (Instruction &I : instructions(*P->F)) {
    if (isa<PHINode>(I) && I.getName() == "k")
      Pointer = &I;
    if (isa<LoadInst>(I))
      Readers.push_back(&I);
    if (auto *Store = dyn_cast<StoreInst>(&I);
        Store && isa<ConstantFP>(Store->getValueOperand()))
      Writers.push_back(&I);
  }
  EXPECT_TRUE(Pointer);
  EXPECT_EQ(Readers.size(), 1u);
  EXPECT_EQ(Writers.size(), 1u);
  return Pointer &&
         readBeforeWritten(*Pointer, /*Bytes=*/0, *Outer, Readers, Writers, *P,
                           loopMemoryOf(*P, /*Budget=*/1000))
             .empty();
}

TEST(Coverage, ANestThatStandsOnTheSameConditionIsThere) {
  EXPECT_TRUE(isCovered({}));
}

TEST(Coverage, MoreMayBeWritten) {
  EXPECT_TRUE(isCovered({{"fill-guard", "false"}, {"fill-to", "%n"}}));
}

TEST(Coverage, AllOfItMustBeWritten) {
  EXPECT_FALSE(isCovered({{"fill-to", "%m"}}));
  EXPECT_FALSE(isCovered({{"fill-from", "1"}}));
  EXPECT_FALSE(isCovered({{"fill-step", "2"}}));
}

TEST(Coverage, TheReaderMustStandOnTheSameCondition) {
  EXPECT_FALSE(isCovered({{"read-guard", "false"}}));
  EXPECT_FALSE(isCovered({{"fill-guard", "%other"}, {"read-guard", "%empty"}}));
}

} // namespace

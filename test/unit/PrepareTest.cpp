// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier of the canonical form finds every single thing that is broken
// in a primal that was canonical; the store makes each primal once.
#include "adze/Prepare.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace adze;

namespace {

const char *Source = R"(
@table = global [8 x double] zeroinitializer
declare ptr @realloc(ptr, i64)
declare i32 @__gxx_personality_v0(...)
define double @f(double %x, i64 %n) {
entry:
  %kept = alloca [4 x double], align 8
  call void @use(ptr %kept)
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ %x, %entry ], [ %u, %latch ]
  %c = fcmp ogt double %s, 1.0
  br i1 %c, label %then, label %join
then:
  call void @use(ptr %kept)
  br label %join
join:
  %m = phi double [ %s, %outer ], [ 2.0, %then ]
  br label %inner
inner:
  %j = phi i64 [ 0, %join ], [ %j.next, %next ]
  %t = phi double [ %m, %join ], [ %t.next, %next ]
  %t.next = fmul double %t, %x
  %big = fcmp ogt double %t.next, 1.0e3
  br i1 %big, label %found, label %next
next:
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %u = phi double [ %t.next, %next ]
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %i.next, 5
  br i1 %again, label %outer, label %exit
found:
  call void @use(ptr %kept)
  br label %exit
exit:
  %r = phi double [ %t, %found ], [ %u, %latch ]
  switch i64 %n, label %last [ i64 3, label %other
                               i64 5, label %end
                               i64 7, label %end ]
last:
  store double %r, ptr @table
  br label %end
other:
  call void @use(ptr %kept)
  br label %end
end:
  ret double %r
}
define void @use(ptr %p) noinline {
  store double 1.0, ptr %p
  ret void
}
define double @coroutine() presplitcoroutine {
  ret double 0.0
}
define void @asmgoto() {
  callbr void asm "", "!i"() to label %a [label %b]
a:
  ret void
b:
  ret void
}
)";

struct Silent : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

class Canonical : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  Diagnostics Diags;
  std::unique_ptr<Primal> P;

  void SetUp() override {
    Context.setDiagnosticHandler(std::make_unique<Silent>());
    SMDiagnostic Error;
    M = parseAssemblyString(Source, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str();
    P = preparePrimal(*M->getFunction("f"), Diags, Origin());
    ASSERT_TRUE(P);
    ASSERT_FALSE(errorToBool(verifyCanonical(*P)));
  }

  void expectViolation(StringRef Part) {
    std::string Found = toString(verifyCanonical(*P));
    EXPECT_TRUE(StringRef(Found).contains(Part))
        << "expected: " << Part.str() << "\nfound: " << Found;
  }
  BasicBlock *block(StringRef Name) {
    for (BasicBlock &B : *P->F)
      if (B.getName() == Name)
        return &B;
    ADD_FAILURE() << "no block " << Name.str();
    return nullptr;
  }
  Instruction *value(StringRef Name) {
    for (Instruction &I : instructions(*P->F))
      if (I.getName() == Name)
        return &I;
    ADD_FAILURE() << "no value " << Name.str();
    return nullptr;
  }
  LoopRecord &inner() { return *P->Loops[1]; }
};

TEST_F(Canonical, RecordsNest) {
  ASSERT_EQ(P->Loops.size(), 2u);
  const LoopRecord &Outer = *P->Loops[0];
  EXPECT_EQ(Outer.Parent, nullptr);
  EXPECT_EQ(inner().Parent, &Outer);
  EXPECT_EQ(P->loopOf(block("next")), &inner());
  EXPECT_EQ(P->loopOf(block("join")), &Outer);
  EXPECT_EQ(P->loopOf(&P->F->getEntryBlock()), nullptr);
  // Both loops are left in two ways.
  EXPECT_EQ(Outer.ExitBlock, nullptr);
  EXPECT_EQ(Outer.LastIteration, nullptr);
  ASSERT_TRUE(isa<ConstantInt>(Outer.Bound));
  EXPECT_EQ(cast<ConstantInt>(Outer.Bound)->getZExtValue(), 4u);
  // The bound of the inner loop is there before the outer one begins.
  ASSERT_TRUE(inner().Bound);
  EXPECT_TRUE(
      P->DT->dominates(inner().Bound, P->F->getEntryBlock().getTerminator()));
}

TEST_F(Canonical, NamesEdges) {
  // One branch decides: its condition is the index, true is 1.
  const Primal::Entry &Join = P->EnteredFrom[block("join")];
  EXPECT_EQ(Join.Index, value("c"));
  ASSERT_EQ(Join.Preds.size(), 2u);
  EXPECT_EQ(Join.Preds[0], block("outer"));
  EXPECT_EQ(Join.Preds[1], block("then"));
  // A switch: an index of its own.
  EXPECT_TRUE(isa<PHINode>(P->EnteredFrom[block("end")].Index));
  EXPECT_EQ(P->EnteredFrom[block("end")].Preds.size(), 4u);
  // The way out of both loops knows both counters, innermost first.
  const auto &Exits = P->ExitCounters[block("found")];
  ASSERT_EQ(Exits.size(), 2u);
  EXPECT_EQ(Exits[0].Loop, &inner());
  EXPECT_EQ(Exits[1].Loop, P->Loops[0].get());
  EXPECT_EQ(P->ExitCounters[block("latch")].size(), 1u);
}

TEST_F(Canonical, FindsAttributes) {
  P->F->addFnAttr(Attribute::NoInline);
  P->F->addFnAttr(Attribute::OptimizeNone);
  expectViolation("optnone");
}
TEST_F(Canonical, FindsLinkage) {
  P->F->setLinkage(GlobalValue::ExternalLinkage);
  expectViolation("not internal");
}
TEST_F(Canonical, FindsPersonality) {
  P->F->setPersonalityFn(M->getFunction("__gxx_personality_v0"));
  expectViolation("personality");
}
TEST_F(Canonical, FindsUnreachableBlock) {
  new UnreachableInst(Context, BasicBlock::Create(Context, "dead", P->F));
  expectViolation("unreachable block");
  P->F->back().eraseFromParent();
  P->DT->changeImmediateDominator(block("found"), &P->F->getEntryBlock());
  expectViolation("dominator tree is out of date");
}
TEST_F(Canonical, FindsDoubleEdge) {
  auto *Switch = cast<SwitchInst>(block("exit")->getTerminator());
  BasicBlock *Split = Switch->getSuccessor(3);
  ASSERT_NE(Split, block("end"));
  Switch->setSuccessor(3, block("other"));
  Split->getTerminator()->eraseFromParent();
  block("end")->removePredecessor(Split);
  Split->eraseFromParent();
  P->DT->recalculate(*P->F);
  expectViolation("two edges to one successor");
}
TEST_F(Canonical, FindsSecondReturn) {
  Instruction *End = block("other")->getTerminator();
  block("end")->removePredecessor(block("other"));
  ReturnInst::Create(Context, ConstantFP::get(Type::getDoubleTy(Context), 0),
                     End->getIterator());
  End->eraseFromParent();
  P->DT->recalculate(*P->F);
  expectViolation("more than one block returns");
}
TEST_F(Canonical, FindsForgottenBlock) {
  P->Returning.remove(block("found"));
  expectViolation("can return but is not recorded");
}
TEST_F(Canonical, FindsPromotableAlloca) {
  IRBuilder<> B(&*P->F->getEntryBlock().begin());
  AllocaInst *Slot = B.CreateAlloca(B.getDoubleTy());
  B.CreateLoad(B.getDoubleTy(), Slot);
  expectViolation("promotable alloca");
}
TEST_F(Canonical, FindsLateAlloca) {
  IRBuilder<> B(block("exit")->getTerminator());
  B.CreateAlloca(B.getDoubleTy());
  expectViolation("static alloca outside of the entry block");
}
TEST_F(Canonical, FindsConstantExpression) {
  IRBuilder<> B(block("exit")->getTerminator());
  GlobalVariable *Table = M->getGlobalVariable("table");
  Constant *Element = ConstantExpr::getInBoundsGetElementPtr(
      B.getDoubleTy(), Table, ArrayRef<Constant *>{B.getInt64(3)});
  B.CreateLoad(B.getDoubleTy(), Element);
  expectViolation("constant expression");
}
TEST_F(Canonical, FindsReallocation) {
  IRBuilder<> B(block("exit")->getTerminator());
  B.CreateCall(M->getFunction("realloc"),
               {ConstantPointerNull::get(B.getPtrTy()), B.getInt64(8)});
  expectViolation("reallocation");
}
TEST_F(Canonical, FindsLifetime) {
  IRBuilder<> B(block("exit")->getTerminator());
  B.CreateLifetimeStart(value("kept"));
  expectViolation("intrinsic that is to be lowered");
}
TEST_F(Canonical, FindsWrappingCounter) {
  cast<Instruction>(
      inner().Counter->getIncomingValueForBlock(inner().L->getLoopLatch()))
      ->setHasNoSignedWrap(false);
  expectViolation("counter may wrap");
}
TEST_F(Canonical, FindsOddCounter) {
  inner().Counter->setIncomingValueForBlock(
      inner().L->getLoopPreheader(),
      ConstantInt::get(inner().Counter->getType(), 1));
  expectViolation("counter does not run 0, 1, 2, ...");
}
TEST_F(Canonical, FindsMissingCounter) {
  inner().Counter = P->Loops[0]->Counter;
  expectViolation("without a 64-bit counter");
}
TEST_F(Canonical, FindsLateCount) {
  inner().Bound = inner().Counter;
  expectViolation("count is not there on entry");
}
TEST_F(Canonical, FindsWrongExit) {
  inner().ExitBlock = block("latch");
  inner().ExitingBlock = block("next");
  expectViolation("wrong exit");
}
TEST_F(Canonical, FindsWrongParent) {
  inner().Parent = nullptr;
  expectViolation("wrong record");
}
TEST_F(Canonical, FindsMissingLCSSA) {
  auto *U = cast<PHINode>(value("u"));
  U->replaceAllUsesWith(U->getIncomingValue(0));
  expectViolation("leaves the loop without a phi");
}
TEST_F(Canonical, FindsMissingEntry) {
  P->EnteredFrom.erase(block("end"));
  expectViolation("merge block without entry");
}
TEST_F(Canonical, FindsWrongPredecessors) {
  P->EnteredFrom[block("join")].Preds[0] = block("then");
  expectViolation("entry names wrong predecessors");
}
TEST_F(Canonical, FindsWrongIndex) {
  auto &Preds = P->EnteredFrom[block("end")].Preds;
  std::swap(Preds[0], Preds[1]);
  expectViolation("entry with a wrong index");
}
TEST_F(Canonical, FindsIndexThatIsNotThere) {
  P->EnteredFrom[block("join")].Index = value("big");
  expectViolation("entry without an index");
}
TEST_F(Canonical, FindsMissingExit) {
  P->ExitCounters.erase(block("found"));
  expectViolation("exit block without counter");
}
TEST_F(Canonical, FindsForgottenOuterExit) {
  P->ExitCounters[block("found")].pop_back();
  expectViolation("exit block with wrong counters");
}
TEST_F(Canonical, FindsSwappedExits) {
  auto &Exits = P->ExitCounters[block("found")];
  std::swap(Exits[0], Exits[1]);
  expectViolation("exit block with wrong counters");
}

TEST_F(Canonical, LeavesTheSourceAlone) {
  SMDiagnostic Error;
  std::unique_ptr<Module> Fresh = parseAssemblyString(Source, Error, Context);
  auto Text = [](Module &In) {
    std::string S;
    raw_string_ostream OS(S);
    In.getFunction("f")->print(OS);
    return S;
  };
  EXPECT_EQ(Text(*M), Text(*Fresh));
  EXPECT_TRUE(P->F->use_empty());
}

TEST_F(Canonical, RefusesWithAReport) {
  EXPECT_EQ(preparePrimal(*M->getFunction("coroutine"), Diags, Origin()),
            nullptr);
  EXPECT_EQ(Diags.errors(), 1u);
  EXPECT_EQ(preparePrimal(*M->getFunction("asmgoto"), Diags, Origin()),
            nullptr);
  EXPECT_EQ(Diags.errors(), 2u);
}

TEST_F(Canonical, StoreMakesEachOnce) {
  size_t Before = M->size();
  PrimalStore Store(Diags);
  Function &Use = *M->getFunction("use");
  const Primal *First = Store.get(Use, Origin());
  ASSERT_TRUE(First);
  EXPECT_EQ(Store.get(Use, Origin()), First);
  EXPECT_EQ(M->size(), Before + 1);
  EXPECT_EQ(Store.ofClone(*First->F), First);
  EXPECT_EQ(Store.ofClone(Use), nullptr);
  EXPECT_EQ(Store.get(*M->getFunction("realloc"), Origin()), nullptr);
  // A refusal is reported once, however often it is asked for.
  unsigned Errors = Diags.errors();
  EXPECT_EQ(Store.get(*M->getFunction("asmgoto"), Origin()), nullptr);
  EXPECT_EQ(Store.get(*M->getFunction("asmgoto"), Origin()), nullptr);
  EXPECT_EQ(Diags.errors(), Errors + 1);
  Store.eraseClones();
  EXPECT_EQ(M->size(), Before);
  EXPECT_FALSE(verifyModule(*M, &errs()));
}

} // namespace

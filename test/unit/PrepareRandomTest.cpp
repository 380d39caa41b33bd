// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs are brought to canonical form and run: the clone must return
// what its source returns, and what the record says of each block's entry and
// of each loop's counts must be what happens.
#include "Managers.h"
#include "adze/Prepare.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace adze;

namespace {

/// Writes a function i64 f(i64 x) whose variables live in memory, as -O0 does.
class RandomProgram {
public:
  RandomProgram(Module &M, unsigned Seed) : Random(Seed), B(M.getContext()) {
    I64 = B.getInt64Ty();
    F = Function::Create(FunctionType::get(I64, {I64}, false),
                         Function::ExternalLinkage, "f", M);
    B.SetInsertPoint(newBlock());
    Acc = B.CreateAlloca(I64);
    Fuel = B.CreateAlloca(I64);
    B.CreateStore(F->getArg(0), Acc);
    B.CreateStore(B.getInt64(300), Fuel);
    Empty = newBlock();
    IRBuilder<>(Empty).CreateRet(IRBuilder<>(Empty).CreateLoad(I64, Acc));
  }

  /// Blocks with arbitrary edges: irreducible cycles, blocks never reached,
  /// blocks never left, several returns, one successor named twice.
  Function *anyGraph() {
    unsigned Count = 3 + pick(9);
    SmallVector<BasicBlock *, 12> Blocks;
    for (unsigned I = 0; I != Count; ++I)
      Blocks.push_back(newBlock());
    B.CreateBr(Blocks[0]);
    for (unsigned I = 0; I != Count; ++I) {
      B.SetInsertPoint(Blocks[I]);
      step(I + 1);
      auto Edge = [&] {
        unsigned To = pick(Count);
        return To > I ? Blocks[To] : refuel(Blocks[To]);
      };
      switch (pick(10)) {
      case 0:
        B.CreateRet(B.CreateLoad(I64, Acc));
        break;
      case 1:
        B.CreateBr(Edge());
        break;
      case 2: {
        BasicBlock *To = Edge();
        B.CreateCondBr(bit(), To, To);
        break;
      }
      case 3:
        many(Edge);
        break;
      case 4: // a way that is never taken and never ends
        B.CreateCondBr(B.CreateICmpEQ(F->getArg(0), B.getInt64(1 << 30)),
                       pick(2) ? Blocks[I] : trap(), Edge());
        break;
      default:
        B.CreateCondBr(bit(), Edge(), Edge());
      }
    }
    return F;
  }

  /// Nested counted loops with bounds of every kind, left early or not.
  Function *nest() {
    SmallVector<Value *, 4> Bounds{
        B.CreateAnd(F->getArg(0), 7), B.getInt64(pick(5)),
        B.CreateSub(B.CreateAnd(F->getArg(0), 7), B.getInt64(3))};
    statements(0, nullptr, nullptr, Bounds);
    B.CreateRet(B.CreateLoad(I64, Acc));
    return F;
  }

  /// A loop whose test stands on each of several ways, which leave it to
  /// different places or not, as jump threading makes of one.
  Function *manyTests() {
    SmallVector<Value *, 4> Bounds{B.CreateAnd(F->getArg(0), 3),
                                   B.getInt64(pick(3))};
    Value *Most = pick(2) ? cast<Value>(B.getInt64(1 + pick(5)))
                          : B.CreateAdd(Bounds[0], B.getInt64(1));
    Value *Slot = new AllocaInst(I64, 0, "", F->getEntryBlock().begin());
    B.CreateStore(B.getInt64(0), Slot);
    BasicBlock *Head = newBlock(), *End = newBlock();
    B.CreateBr(Head);
    B.SetInsertPoint(Head);
    step(3);
    SmallVector<BasicBlock *, 3> Ways{newBlock(), newBlock()};
    B.CreateCondBr(anyBit(), Ways[0], Ways[1]);
    if (pick(2)) {
      B.SetInsertPoint(Ways.pop_back_val());
      Ways.append({newBlock(), newBlock()});
      B.CreateCondBr(anyBit(), Ways[1], Ways[2]);
    }
    const bool OneExit = pick(3) == 0;
    for (auto [No, Way] : enumerate(Ways)) {
      BasicBlock *Test = newBlock(), *Exit = newBlock();
      B.SetInsertPoint(Way);
      statements(3, pick(3) ? nullptr : End, Test, Bounds);
      B.CreateBr(Test);
      B.SetInsertPoint(Test);
      Value *Next = B.CreateAdd(B.CreateLoad(I64, Slot), B.getInt64(1));
      B.CreateStore(Next, Slot);
      Value *Limit = pick(8) ? Most : B.CreateAdd(Most, B.getInt64(1));
      B.CreateCondBr(B.CreateICmpSGE(Next, Limit), Exit, Head);
      B.SetInsertPoint(Exit);
      if (!OneExit)
        step(10 + No);
      B.CreateBr(End);
    }
    B.SetInsertPoint(End);
    B.CreateRet(B.CreateLoad(I64, Acc));
    return F;
  }

private:
  std::mt19937 Random;
  IRBuilder<> B;
  Function *F;
  Type *I64;
  Value *Acc, *Fuel;
  BasicBlock *Empty;

  unsigned pick(unsigned Below) { return Random() % Below; }
  BasicBlock *newBlock() { return BasicBlock::Create(B.getContext(), "", F); }
  void step(uint64_t With, Value *And = nullptr) {
    Value *V = B.CreateMul(B.CreateLoad(I64, Acc), B.getInt64(31));
    V = B.CreateAdd(V, B.getInt64(With));
    if (And)
      V = B.CreateXor(V, And);
    B.CreateStore(V, Acc);
  }
  Value *bit() {
    Value *V = B.CreateLShr(B.CreateLoad(I64, Acc), pick(5));
    return B.CreateTrunc(V, B.getInt1Ty());
  }
  Value *anyBit() {
    return pick(2) ? bit()
                   : B.CreateTrunc(B.CreateLShr(F->getArg(0), pick(3)),
                                   B.getInt1Ty());
  }
  BasicBlock *trap() {
    BasicBlock *T = newBlock();
    new UnreachableInst(B.getContext(), T);
    return T;
  }
  /// A block on the way to \p To that goes there 300 times at most.
  BasicBlock *refuel(BasicBlock *To) {
    BasicBlock *Check = newBlock();
    IRBuilder<> C(Check);
    Value *Left = C.CreateSub(C.CreateLoad(I64, Fuel), C.getInt64(1));
    C.CreateStore(Left, Fuel);
    C.CreateCondBr(C.CreateICmpSLE(Left, C.getInt64(0)), Empty, To);
    return Check;
  }
  template <typename EdgeFn> void many(EdgeFn Edge) {
    SmallVector<BasicBlock *, 3> To{Edge(), Edge(), Edge()};
    SwitchInst *S =
        B.CreateSwitch(B.CreateAnd(B.CreateLoad(I64, Acc), 7), To[0]);
    for (unsigned I = 0; I != 7; ++I)
      S->addCase(B.getInt64(I), To[pick(3)]);
  }

  void statements(unsigned Depth, BasicBlock *Break, BasicBlock *Continue,
                  SmallVector<Value *, 4> &Bounds) {
    for (unsigned I = 0, E = 1 + pick(3); I != E; ++I) {
      switch (pick(Depth > 2 ? 4 : 7)) {
      case 0:
        step(I, Bounds[pick(Bounds.size())]);
        break;
      case 1: {
        BasicBlock *Then = newBlock(), *Else = newBlock(), *End = newBlock();
        B.CreateCondBr(bit(), Then, pick(2) ? Else : End);
        for (BasicBlock *Side : {Then, Else}) {
          B.SetInsertPoint(Side);
          step(Depth + 3);
          B.CreateBr(End);
        }
        B.SetInsertPoint(End);
        break;
      }
      case 2:
      case 3: {
        if (!Break || pick(3))
          break;
        BasicBlock *Leave = newBlock(), *Stay = newBlock();
        B.CreateCondBr(B.CreateAnd(bit(), bit()), Leave, Stay);
        B.SetInsertPoint(Leave);
        unsigned How = pick(5);
        if (How == 0)
          B.CreateRet(B.CreateLoad(I64, Acc));
        else
          B.CreateBr(How < 3 ? Break : Continue);
        B.SetInsertPoint(Stay);
        break;
      }
      default:
        loop(Depth, Bounds);
      }
    }
  }

  /// for (i = first; i < bound; i += by), tested before or after the body.
  void loop(unsigned Depth, SmallVector<Value *, 4> &Bounds) {
    Type *Ty = pick(2) ? I64 : B.getInt32Ty();
    Value *Bound = B.CreateTrunc(Bounds[pick(Bounds.size())], Ty);
    int64_t By = 1 + pick(3);
    bool Down = pick(3) == 0, After = pick(3) == 0;
    Value *First = ConstantInt::get(Ty, pick(3));
    Value *Slot = new AllocaInst(Ty, 0, "", F->getEntryBlock().begin());
    B.CreateStore(Down ? Bound : First, Slot);
    // A variable whose step grows: the sum of the loop variable.
    Value *Sum = new AllocaInst(Ty, 0, "", F->getEntryBlock().begin());
    B.CreateStore(First, Sum);
    BasicBlock *Test = newBlock(), *Body = newBlock(), *Next = newBlock(),
               *End = newBlock();
    B.CreateBr(After ? Body : Test);
    B.SetInsertPoint(Test);
    Value *Now = B.CreateLoad(Ty, Slot);
    B.CreateCondBr(Down ? B.CreateICmpSGE(Now, First)
                        : B.CreateICmpSLT(Now, Bound),
                   Body, End);
    B.SetInsertPoint(Body);
    Value *Wide = B.CreateSExt(B.CreateLoad(Ty, Slot), I64);
    step(7, Wide);
    Value *Grown = B.CreateLoad(Ty, Sum);
    step(5, B.CreateSExt(Grown, I64));
    B.CreateStore(B.CreateAdd(Grown, B.CreateLoad(Ty, Slot)), Sum);
    SmallVector<Value *, 4> Inner = Bounds;
    Inner.push_back(Wide);
    statements(Depth + 1, End, Next, Inner);
    B.CreateBr(Next);
    B.SetInsertPoint(Next);
    Value *Stepped = B.CreateNSWAdd(B.CreateLoad(Ty, Slot),
                                    ConstantInt::get(Ty, Down ? -By : By));
    B.CreateStore(Stepped, Slot);
    B.CreateBr(Test);
    B.SetInsertPoint(End);
  }
};

/// Adds code to the clone that counts, in the global @wrong, whatever differs
/// from the record. Only adds values and stores: the record stays true.
class Instrumentation {
public:
  Instrumentation(const Primal &P)
      : P(P), I64(Type::getInt64Ty(P.F->getContext())) {
    Module &M = *P.F->getParent();
    Wrong = new GlobalVariable(M, I64, false, GlobalValue::ExternalLinkage,
                               ConstantInt::get(I64, 0), "wrong");
  }

  void run() {
    for (const auto &R : P.Loops)
      checkLoop(*R);
    for (const auto &[Block, Entry] : P.EnteredFrom)
      checkEntry(Block, Entry);
    for (const auto &[Block, Exits] : P.ExitCounters)
      for (const LoopExit &E : Exits)
        checkExit(Block, E);
  }

private:
  const Primal &P;
  Type *I64;
  GlobalVariable *Wrong;
  DenseMap<const LoopRecord *, Value *> Current;

  void countIf(IRBuilder<> &B, Value *Bad) {
    Value *Sum = B.CreateAdd(B.CreateLoad(I64, Wrong), B.CreateZExt(Bad, I64));
    B.CreateStore(Sum, Wrong);
  }

  void checkLoop(const LoopRecord &R) {
    BasicBlock *Header = R.L->getHeader();
    Value *Slot = new AllocaInst(I64, 0, "", P.F->getEntryBlock().begin());
    Current[&R] = Slot;
    // An independent count of iterations.
    IRBuilder<> Before(R.L->getLoopPreheader()->getTerminator());
    Before.CreateStore(Before.getInt64(-1), Slot);
    IRBuilder<> B(Header->getTerminator());
    Value *Now = B.CreateAdd(B.CreateLoad(I64, Slot), B.getInt64(1));
    B.CreateStore(Now, Slot);
    countIf(B, B.CreateICmpNE(Now, R.Counter));
    if (R.Bound)
      countIf(B, B.CreateICmpUGT(R.Counter, R.Bound));
  }

  void checkEntry(BasicBlock *Block, const Primal::Entry &Entry) {
    auto *Ty = cast<IntegerType>(Entry.Index->getType());
    PHINode *From = PHINode::Create(Ty, Entry.Preds.size(), "", Block->begin());
    for (auto [I, Pred] : enumerate(Entry.Preds))
      From->addIncoming(ConstantInt::get(Ty, I), Pred);
    IRBuilder<> B(Block->getTerminator());
    countIf(B, B.CreateICmpNE(From, Entry.Index));
  }

  void checkExit(BasicBlock *Block, const LoopExit &E) {
    IRBuilder<> B(Block->getTerminator());
    Value *Last = B.CreateLoad(I64, Current.lookup(E.Loop));
    countIf(B, B.CreateICmpNE(Last, E.Counter));
    if (E.Loop->ExitBlock == Block && E.Loop->LastIteration)
      countIf(B, B.CreateICmpNE(Last, E.Loop->LastIteration));
  }
};

void optimize(Module &M) {
  Managers Of;
  Of.PB
      .buildModuleSimplificationPipeline(OptimizationLevel::O2,
                                         ThinOrFullLTOPhase::None)
      .run(M, Of.MAM);
}

enum class Shape { AnyGraph, Nest, ManyTests };

Function *make(Shape What, RandomProgram &Program) {
  switch (What) {
  case Shape::AnyGraph:
    return Program.anyGraph();
  case Shape::Nest:
    return Program.nest();
  case Shape::ManyTests:
    return Program.manyTests();
  }
  llvm_unreachable("a shape");
}

/// \p Joined counts the programs of which tests were made one.
void runOne(Shape What, unsigned Seed, bool Optimized, unsigned &Joined) {
  SCOPED_TRACE("seed " + std::to_string(Seed));
  auto Context = std::make_unique<LLVMContext>();
  auto M = std::make_unique<Module>("random", *Context);
  RandomProgram Program(*M, Seed);
  Function *F = make(What, Program);
  ASSERT_FALSE(verifyModule(*M, &errs()));
  auto JIT = cantFail(orc::LLJITBuilder().create());
  M->setDataLayout(JIT->getDataLayout());
  if (Optimized)
    optimize(*M);

  Diagnostics Diags;
  {
    std::unique_ptr<Primal> P = preparePrimal(*F, Diags, Origin());
    ASSERT_TRUE(P);
    ASSERT_FALSE(errorToBool(verifyCanonical(*P)));
    Joined += any_of(*P->F, [](const BasicBlock &B) {
      return B.getName().starts_with("adze.exit");
    });
    Instrumentation(*P).run();
    P->F->setLinkage(GlobalValue::ExternalLinkage);
    ASSERT_FALSE(verifyModule(*M, &errs()));
  }
  cantFail(JIT->addIRModule({std::move(M), std::move(Context)}));
  using Fn = int64_t (*)(int64_t);
  auto Source = cantFail(JIT->lookup("f")).toPtr<Fn>();
  auto Clone = cantFail(JIT->lookup("adze.primal.f")).toPtr<Fn>();
  auto *Wrong = cantFail(JIT->lookup("wrong")).toPtr<int64_t *>();
  for (int64_t X : {0, 1, 2, 5, 7, 12, 1000003, -9}) {
    EXPECT_EQ(Source(X), Clone(X)) << "argument " << X;
    EXPECT_EQ(*Wrong, 0) << "argument " << X;
    *Wrong = 0;
  }
}

/// Of how many tests were made one.
unsigned runMany(Shape What, unsigned Programs) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  unsigned Joined = 0;
  for (unsigned Seed = 1; Seed <= Programs; ++Seed) {
    runOne(What, Seed, Seed % 2, Joined);
    if (testing::Test::HasFailure())
      break;
  }
  return Joined;
}

TEST(PrepareRandom, AnyGraph) { runMany(Shape::AnyGraph, 60); }
TEST(PrepareRandom, LoopNests) { runMany(Shape::Nest, 60); }
TEST(PrepareRandom, ManyTests) {
  EXPECT_GT(runMany(Shape::ManyTests, 200), 40u);
}

} // namespace

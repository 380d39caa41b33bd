// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test of a loop where the optimizer has made several of one.
//
//   for (t = 0; t < 20; t++) {          head:  .. br n > 0, nest, skip
//     ..                                nest:  .. t1 = t + 1
//     if (n > 0)                               br t1 == 20, left, head
//       for (i < n) ..                  skip:  t2 = t + 1
//   }                                          br t2 == 20, none, head
//   for (i < n) ..
//
// Jump threading tests in two blocks whether there is another iteration, for
// the loop behind can then do without a condition of its own. But such a loop
// has two exits, and no last block: nobody knows how often each of them is
// reached, nor that all iterations are alike. So the blocks that end in the
// same test branch to one block that makes it, and what decided between them
// decides behind the loop where it is left to.
#include "Prepare/Stages.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

using namespace llvm;

namespace adze {
namespace {

/// Operations that a test is made of.
constexpr unsigned MaxDepth = 4;
/// Exits of one loop, and loops of a function that are changed.
constexpr size_t MaxExits = 8;
constexpr unsigned MaxLoops = 64;
/// Branches on one condition.
constexpr unsigned MaxAsked = 32;

/// A branch by which a loop may be left.
struct Exit {
  BasicBlock *From;
  unsigned Side; // the successor outside
  BasicBlock *To;

  BranchInst &branch() const {
    return *cast<BranchInst>(From->getTerminator());
  }
  Value *test() const { return branch().getCondition(); }
};

/// What is computed once more where the same was computed on several paths.
bool mayBeMadeAgain(const Instruction &I) {
  return I.getType()->isIntOrPtrTy() &&
         isa<BinaryOperator, CastInst, CmpInst, GetElementPtrInst, SelectInst,
             MinMaxIntrinsic>(I);
}

/// \p A and \p B are computed in the same way of the same values.
bool areSame(const Value *A, const Value *B, unsigned Depth = MaxDepth) {
  if (A == B)
    return true;
  auto *I = dyn_cast<Instruction>(A), *J = dyn_cast<Instruction>(B);
  return Depth && I && J && mayBeMadeAgain(*I) && I->isSameOperationAs(J) &&
         all_of(zip(I->operands(), J->operands()), [&](const auto &Pair) {
           return areSame(std::get<0>(Pair), std::get<1>(Pair), Depth - 1);
         });
}

class TestJoin {
public:
  TestJoin(Loop &L, const DominatorTree &DT, const LoopInfo &LI)
      : L(L), DT(DT), LI(LI), Latch(L.getLoopLatch()) {}

  /// Several blocks end in the test by which the next iteration begins.
  bool hasSeveral();
  /// Whether there were several tests, which are one now.
  bool run();

private:
  /// A value for each exit; null where nobody asks for it.
  using Values = SmallVector<Value *, 4>;

  bool findExits();
  bool mayBePassed() const;
  const BasicBlock *above(ArrayRef<Exit> Of) const;
  bool isAtHand(const Value *V) const;
  bool canMake(ArrayRef<Value *> Of, unsigned Depth = MaxDepth) const;
  Value *made(ArrayRef<Value *> Of, unsigned Depth = MaxDepth);
  Value *joined(ArrayRef<Value *> Of, Type *Ty);
  bool parted(ArrayRef<Exit> Of, SmallVectorImpl<Exit> &True,
              SmallVectorImpl<Exit> &False) const;
  bool canTell(ArrayRef<Exit> Of) const;
  void detach();
  void passOn();
  BasicBlock *leaveTo(ArrayRef<Exit> Of);

  Loop &L;
  const DominatorTree &DT;
  const LoopInfo &LI;
  BasicBlock *Latch;
  SmallVector<Exit, 4> Exits;
  const BasicBlock *Above = nullptr; // dominates all of them
  BasicBlock *Join = nullptr;
  /// The phis behind the loop, and what they were when it was left.
  SmallVector<std::pair<PHINode *, Values>, 4> Left;
};

/// The exits that end in the test by which the next iteration begins. Else none
/// of the latch: false.
bool TestJoin::findExits() {
  auto *End = Latch ? dyn_cast<BranchInst>(Latch->getTerminator()) : nullptr;
  if (!End)
    return false;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  if (Exiting.size() < 2 || Exiting.size() > MaxExits)
    return false;
  for (BasicBlock *From : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch || LI.getLoopFor(From) != &L)
      continue;
    const unsigned Side = L.contains(Branch->getSuccessor(0)) ? 1 : 0;
    const BasicBlock *Inside = Branch->getSuccessor(1 - Side);
    if (!L.contains(Inside) || (End->isUnconditional() && Inside != Latch))
      continue;
    Exit Each{From, Side, Branch->getSuccessor(Side)};
    if (From == Latch)
      Exits.insert(Exits.begin(), Each);
    else
      Exits.push_back(Each);
  }
  if (Exits.empty())
    return false;
  const Exit First = Exits.front();
  erase_if(Exits, [&](const Exit &Each) {
    return Each.Side != First.Side || !areSame(Each.test(), First.test());
  });
  if (End->isConditional())
    return First.From == Latch;
  return all_of(predecessors(Latch), [&](const BasicBlock *From) {
    return any_of(Exits, [&](const Exit &Each) { return Each.From == From; });
  });
}

/// The latch, if it stands behind all tests, may be executed in front of it.
bool TestJoin::mayBePassed() const {
  if (cast<BranchInst>(Latch->getTerminator())->isConditional())
    return true;
  return all_of(*Latch, [](const Instruction &I) {
    return isa<PHINode>(I) || I.isTerminator() ||
           (mayBeMadeAgain(I) && isSafeToSpeculativelyExecute(&I));
  });
}

const BasicBlock *TestJoin::above(ArrayRef<Exit> Of) const {
  const BasicBlock *Result = Of.front().From;
  for (const Exit &Each : Of)
    Result = DT.findNearestCommonDominator(Result, Each.From);
  return Result;
}

bool TestJoin::isAtHand(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || DT.dominates(I, Above->getTerminator());
}

/// The operand \p No of each of \p Of.
static SmallVector<Value *, 4> operandsOf(ArrayRef<Value *> Of, unsigned No) {
  SmallVector<Value *, 4> Result;
  for (Value *V : Of)
    Result.push_back(V ? cast<Instruction>(V)->getOperand(No) : nullptr);
  return Result;
}

/// One value can be all of \p Of.
bool TestJoin::canMake(ArrayRef<Value *> Of, unsigned Depth) const {
  Value *First = *find_if(Of, [](Value *V) { return V; });
  auto isFirst = [&](Value *V) { return !V || V == First; };
  if (all_of(Of, isFirst) && isAtHand(First))
    return true;
  auto *I = dyn_cast<Instruction>(First);
  if (!Depth || !I || !mayBeMadeAgain(*I) ||
      (is_contained(Of, nullptr) &&
       (isa<FCmpInst>(I) || !isSafeToSpeculativelyExecute(I))) ||
      any_of(Of, [&](Value *V) { return V && !areSame(V, First, Depth); }))
    return false;
  return all_of(seq(0U, I->getNumOperands()), [&](unsigned No) {
    return canMake(operandsOf(Of, No), Depth - 1);
  });
}

Value *TestJoin::made(ArrayRef<Value *> Of, unsigned Depth) {
  Value *First = *find_if(Of, [](Value *V) { return V; });
  if (all_of(Of, [&](Value *V) { return !V || V == First; }) && isAtHand(First))
    return First;
  Instruction *New = cast<Instruction>(First)->clone();
  for (unsigned No = 0; No < New->getNumOperands(); ++No)
    New->setOperand(No, made(operandsOf(Of, No), Depth - 1));
  // It promises no more than each of them.
  for (Value *V : Of)
    if (V)
      New->andIRFlags(V);
    else
      New->dropPoisonGeneratingFlags();
  New->insertBefore(Join->getTerminator());
  return New;
}

/// \p Of in the block of the one test; anything where nobody asks.
Value *TestJoin::joined(ArrayRef<Value *> Of, Type *Ty) {
  if (canMake(Of))
    return made(Of);
  for (PHINode &Phi : Join->phis())
    if (Phi.getType() == Ty && all_of(zip(Of, Exits), [&](const auto &Pair) {
          auto [V, Each] = Pair;
          return !V || Phi.getIncomingValueForBlock(Each.From) == V;
        }))
      return &Phi;
  Value *Anything =
      Ty->isTargetExtTy() ? PoisonValue::get(Ty) : Constant::getNullValue(Ty);
  PHINode *Phi =
      PHINode::Create(Ty, Exits.size(), "adze.joined", Join->begin());
  for (auto [V, Each] : zip(Of, Exits))
    Phi->addIncoming(V ? V : Anything, Each.From);
  return Phi;
}

/// The branch at which the ways to \p Of part; false if there is none, or it
/// does not decide alone.
bool TestJoin::parted(ArrayRef<Exit> Of, SmallVectorImpl<Exit> &True,
                      SmallVectorImpl<Exit> &False) const {
  const BasicBlock *Fork = above(Of);
  auto *Branch = dyn_cast<BranchInst>(Fork->getTerminator());
  if (!Branch || !Branch->isConditional() || LI.getLoopFor(Fork) != &L)
    return false;
  for (const Exit &Each : Of) {
    auto leadsBy = [&](unsigned Side) {
      return DT.dominates(BasicBlockEdge(Fork, Branch->getSuccessor(Side)),
                          Each.From);
    };
    if (leadsBy(0))
      True.push_back(Each);
    else if (leadsBy(1))
      False.push_back(Each);
    else
      return false;
  }
  return !True.empty() && !False.empty();
}

/// It can be said behind the loop by which of \p Of it would have been left.
bool TestJoin::canTell(ArrayRef<Exit> Of) const {
  if (all_of(Of, [&](const Exit &Each) { return Each.To == Of.front().To; }))
    return true;
  SmallVector<Exit, 4> True, False;
  return parted(Of, True, False) && canTell(True) && canTell(False);
}

/// The exits lead to one block, that of the test.
void TestJoin::detach() {
  for (size_t No = 0; No < Exits.size(); ++No)
    for (PHINode &Phi : Exits[No].To->phis()) {
      auto *Entry =
          find_if(Left, [&](const auto &Each) { return Each.first == &Phi; });
      if (Entry == Left.end())
        Entry = Left.insert(Entry, {&Phi, Values(Exits.size(), nullptr)});
      Entry->second[No] = Phi.removeIncomingValue(Exits[No].From,
                                                  /*DeletePHIIfEmpty=*/false);
    }
  auto *End = cast<BranchInst>(Latch->getTerminator());
  if (End->isUnconditional()) {
    Join = Latch;
    for (const Exit &Each : Exits) {
      BranchInst *Only = BranchInst::Create(Join, Each.branch().getIterator());
      Only->setDebugLoc(Each.branch().getDebugLoc());
      Each.branch().eraseFromParent();
    }
    return;
  }
  Join = Latch->splitBasicBlock(End, "adze.latch");
  for (const Exit &Each : drop_begin(Exits))
    Each.branch().setSuccessor(Each.Side, Join);
}

/// The header goes on with what the latch handed to it.
void TestJoin::passOn() {
  for (PHINode &Phi : L.getHeader()->phis()) {
    Values Next(Exits.size(), nullptr);
    Next.front() = Phi.getIncomingValueForBlock(Join);
    Phi.setIncomingValueForBlock(Join, joined(Next, Phi.getType()));
  }
}

/// A block, outside, that leads to where the loop is left by one of \p Of.
BasicBlock *TestJoin::leaveTo(ArrayRef<Exit> Of) {
  BasicBlock *To = Of.front().To;
  BasicBlock *Result =
      BasicBlock::Create(To->getContext(), "adze.exit", To->getParent(), To);
  IRBuilder<> B(Result);
  if (all_of(Of, [&](const Exit &Each) { return Each.To == To; })) {
    B.CreateBr(To);
    for (const auto &[Phi, Of] : Left)
      if (Phi->getParent() == To)
        Phi->addIncoming(joined(Of, Phi->getType()), Result);
    return Result;
  }
  SmallVector<Exit, 4> True, False;
  parted(Of, True, False);
  Value *Condition =
      cast<BranchInst>(above(Of)->getTerminator())->getCondition();
  Values Decided;
  for (const Exit &Each : Exits)
    Decided.push_back(
        any_of(Of, [&](const Exit &Other) { return Other.From == Each.From; })
            ? Condition
            : nullptr);
  Value *Which = joined(Decided, Condition->getType());
  BasicBlock *IfTrue = leaveTo(True), *IfFalse = leaveTo(False);
  B.CreateCondBr(Which, IfTrue, IfFalse);
  return Result;
}

bool TestJoin::hasSeveral() {
  return findExits() && Exits.size() > 1 && mayBePassed();
}

bool TestJoin::run() {
  if (!hasSeveral() || !canTell(Exits))
    return false;
  Above = above(Exits);
  Values Tests;
  for (const Exit &Each : Exits)
    Tests.push_back(Each.test());
  if (!canMake(Tests))
    return false;
  const DebugLoc Loc = Exits.front().branch().getDebugLoc();
  MDNode *OfLoop = L.getLoopID();
  MDNode *Weights = Exits.front().branch().getMetadata(LLVMContext::MD_prof);
  const unsigned Side = Exits.front().Side;
  detach();
  Value *Test = made(Tests);
  BasicBlock *Header = L.getHeader(), *Leave = leaveTo(Exits);
  if (Join != Latch)
    passOn();
  BranchInst *End = Side == 0 ? BranchInst::Create(Leave, Header, Test)
                              : BranchInst::Create(Header, Leave, Test);
  End->setDebugLoc(Loc);
  End->setMetadata(LLVMContext::MD_loop, OfLoop);
  End->setMetadata(LLVMContext::MD_prof, Weights);
  ReplaceInstWithInst(Join->getTerminator(), End);
  SmallVector<WeakTrackingVH, 4> Old(Tests.begin(), Tests.end());
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Old);
  return true;
}

/// The way that a branch on \p Condition at the end of \p B takes, since one
/// that \p B is behind has taken it; none if nobody knows.
std::optional<bool> isKnownAt(const BasicBlock &B, const Value &Condition,
                              const DominatorTree &DT) {
  unsigned Asked = 0;
  for (const User *U : Condition.users()) {
    auto *Branch = dyn_cast<BranchInst>(U);
    if (!Branch || Branch->getParent() == &B)
      continue;
    if (++Asked > MaxAsked)
      break;
    for (unsigned Side : {0U, 1U})
      if (DT.dominates({Branch->getParent(), Branch->getSuccessor(Side)}, &B))
        return Side == 0;
  }
  return std::nullopt;
}

/// Branches within loops whose way is known give way to that. What decides
/// between tests is seen then.
bool foldKnown(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  SmallVector<std::pair<BranchInst *, bool>, 8> Known;
  for (BasicBlock &B : F) {
    const Loop *In = LI.getLoopFor(&B);
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!In || In->isLoopExiting(&B) || !Branch || !Branch->isConditional() ||
        isa<Constant>(Branch->getCondition()))
      continue;
    if (std::optional<bool> Is = isKnownAt(B, *Branch->getCondition(), DT))
      Known.push_back({Branch, *Is});
  }
  for (auto [Branch, Is] : Known)
    Branch->setCondition(ConstantInt::getBool(F.getContext(), Is));
  return !Known.empty();
}

} // namespace

void joinTests(Function &F, FunctionAnalysisManager &FAM) {
  auto any = [&](function_ref<bool(TestJoin &&)> Is) {
    const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
    const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    return any_of(LI.getLoopsInPreorder(),
                  [&](Loop *L) { return Is(TestJoin(*L, DT, LI)); });
  };
  if (!any([](TestJoin &&Each) { return Each.hasSeveral(); }))
    return;
  if (foldKnown(F, FAM))
    shapeControl(F, FAM);
  for (unsigned Joined = 0;
       Joined < MaxLoops && any([](TestJoin &&Each) { return Each.run(); });
       ++Joined) {
    joinEqualPhis(F);
    shapeControl(F, FAM);
  }
}

} // namespace adze

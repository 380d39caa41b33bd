// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters and counts of loops.
//
// Every loop gets the i64 counter 0, 1, 2, ... How often a loop runs comes from
// ScalarEvolution, as code that stands as far out of the loop nest as its
// operands allow: there one block of memory can be made for the whole nest.
#include "Prepare/Stages.h"
#include "adze/Primal.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {
namespace {

/// Counts whose expression is larger than this are not computed on entry.
constexpr unsigned MaxCountSize = 96;
/// Parts of one branch condition that are looked at.
constexpr size_t MaxConditions = 8;
/// The width of the largest constant count that is noted.
constexpr unsigned MaxConstantBits = 62;
/// No loop goes that far, at one iteration in a nanosecond.
constexpr uint64_t MostIterations = uint64_t(1) << 56;

class LoopCounting {
public:
  LoopCounting(Primal &P, FunctionAnalysisManager &FAM)
      : P(P), I64(Type::getInt64Ty(P.F->getContext())),
        SE(*P.F, FAM.getResult<TargetLibraryAnalysis>(*P.F),
           FAM.getResult<AssumptionAnalysis>(*P.F), *P.DT, *P.LI),
        Expander(SE, P.F->getDataLayout(), "adze.count") {}

  void run();

private:
  Primal &P;
  Type *I64;
  ScalarEvolution SE;
  SCEVExpander Expander;
  std::unique_ptr<PostDominatorTree> PDT; // where it is asked for

  /// Conditions, and what they are.
  struct Guards {
    SmallVector<std::pair<Value *, bool>, 4> Known;
    bool AreAll = true; // of those that decide alone
    bool Meet = false;  // ways meet before the loop, and not all lead there
  };

  void addCounter(LoopRecord &R);
  void findCounts(LoopRecord &R);
  Value *expandCount(const SCEV *Count, const LoopRecord &R, bool Reaches);
  Loop *outermostInvariant(const SCEV *Count, Loop *L);
  bool isKnownAt(Value *Condition, Loop *Outer, Instruction *At);
  Value *conditionAt(Value *Condition, Instruction *At);
  bool isAlwaysReached(const BasicBlock &B, const BasicBlock &From);
  Guards guardsOf(Loop *L, Loop *Outer, Instruction *At);
  Value *expanded(const Guards &G, Instruction *At);
  Value *expanded(const SCEV *Count, Instruction *At);
  Value *countedHere(const SCEV *Count, Loop &L);
};

/// Whether \p Phi is 0, 1, 2, ... in \p L.
bool isCounter(PHINode &Phi, const Loop &L) {
  using namespace PatternMatch;
  return match(Phi.getIncomingValueForBlock(L.getLoopPreheader()), m_Zero()) &&
         match(Phi.getIncomingValueForBlock(L.getLoopLatch()),
               m_c_Add(m_Specific(&Phi), m_One()));
}

/// No loop runs 2^63 times, so the counter does not wrap.
void markNoWrap(const LoopRecord &R) {
  auto *Next = cast<Instruction>(
      R.Counter->getIncomingValueForBlock(R.L->getLoopLatch()));
  Next->setHasNoUnsignedWrap();
  Next->setHasNoSignedWrap();
}

void LoopCounting::addCounter(LoopRecord &R) {
  BasicBlock *Header = R.L->getHeader(), *Latch = R.L->getLoopLatch();
  for (PHINode &Phi : Header->phis()) {
    if (Phi.getType() != I64 || !isCounter(Phi, *R.L))
      continue;
    R.Counter = &Phi;
    if (&Phi != &Header->front())
      Phi.moveBefore(*Header, Header->begin());
    break;
  }
  if (!R.Counter) {
    R.Counter = PHINode::Create(I64, 2, "adze.counter", Header->begin());
    Instruction *Next =
        BinaryOperator::CreateAdd(R.Counter, ConstantInt::get(I64, 1),
                                  "adze.next", Latch->getTerminator());
    R.Counter->addIncoming(ConstantInt::get(I64, 0), R.L->getLoopPreheader());
    R.Counter->addIncoming(Next, Latch);
  }
  markNoWrap(R);
}

/// The outermost loop around \p L (or \p L) on entry of which \p Count can be
/// computed; null if not even on entry of \p L.
Loop *LoopCounting::outermostInvariant(const SCEV *Count, Loop *L) {
  Loop *Best = nullptr;
  for (; L && SE.isLoopInvariant(Count, L); L = L->getParentLoop()) {
    Instruction *At = L->getLoopPreheader()->getTerminator();
    if (!Expander.isSafeToExpandAt(Count, At))
      break;
    Best = L;
  }
  return Best;
}

/// Whether \p Condition can be a value at \p At, on entry of \p Outer.
bool LoopCounting::isKnownAt(Value *Condition, Loop *Outer, Instruction *At) {
  if (P.DT->dominates(Condition, At))
    return true;
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare && SE.isSCEVable(Compare->getOperand(0)->getType()) &&
         all_of(Compare->operands(), [&](Value *Op) {
           const SCEV *S = SE.getSCEV(Op);
           return SE.isLoopInvariant(S, Outer) &&
                  Expander.isSafeToExpandAt(S, At);
         });
}

Value *LoopCounting::conditionAt(Value *Condition, Instruction *At) {
  if (P.DT->dominates(Condition, At))
    return Condition;
  auto *Compare = cast<ICmpInst>(Condition);
  Value *Sides[2];
  for (unsigned I : {0u, 1u})
    Sides[I] = Expander.expandCodeFor(SE.getSCEV(Compare->getOperand(I)),
                                      Compare->getOperand(I)->getType(), At);
  return IRBuilder<>(At).CreateICmp(Compare->getPredicate(), Sides[0], Sides[1],
                                    "adze.guard");
}

/// What follows each by itself from \p Condition being \p IsTrue, the operands
/// of conjunctions and of negated disjunctions; one may be poison where those
/// before it are not so.
SmallVector<std::pair<Value *, bool>, 4> partsOf(Value *Condition,
                                                 bool IsTrue) {
  using namespace PatternMatch;
  SmallVector<std::pair<Value *, bool>, 4> Parts = {{Condition, IsTrue}};
  for (size_t Next = 0; Next < Parts.size();) {
    auto [Whole, Is] = Parts[Next];
    Value *A, *B;
    if (Parts.size() < MaxConditions &&
        (Is ? match(Whole, m_LogicalAnd(m_Value(A), m_Value(B)))
            : match(Whole, m_LogicalOr(m_Value(A), m_Value(B))))) {
      Parts[Next] = {A, Is};
      Parts.insert(Parts.begin() + Next + 1, {B, Is});
    } else {
      ++Next;
    }
  }
  return Parts;
}

bool LoopCounting::isAlwaysReached(const BasicBlock &B,
                                   const BasicBlock &From) {
  if (!PDT)
    PDT = std::make_unique<PostDominatorTree>(*P.F);
  return PDT->dominates(&B, &From);
}

/// The branch conditions under which \p L is reached from the preheader of
/// \p Outer, those that are known at \p At there, inner to outer.
LoopCounting::Guards LoopCounting::guardsOf(Loop *L, Loop *Outer,
                                            Instruction *At) {
  Guards Found;
  BasicBlock *Target = L->getLoopPreheader(), *Stop = At->getParent();
  for (DomTreeNode *N = P.DT->getNode(Target); N->getBlock() != Stop;) {
    const BasicBlock &Below = *N->getBlock();
    N = N->getIDom();
    auto *Br = dyn_cast<BranchInst>(N->getBlock()->getTerminator());
    // What is behind a loop or a choice on the way is reached in any case.
    if (N->getBlock() == Stop || (Br && Br->isUnconditional()) ||
        isAlwaysReached(Below, *N->getBlock()))
      continue;
    bool Decides = false;
    for (unsigned Side = 0; Br && Side < 2; ++Side) {
      BasicBlockEdge Edge(N->getBlock(), Br->getSuccessor(Side));
      if (!P.DT->dominates(Edge, Target))
        continue;
      Decides = true;
      auto Parts = partsOf(Br->getCondition(), Side == 0);
      for (auto Part : reverse(Parts)) {
        bool Known = isKnownAt(Part.first, Outer, At);
        Found.AreAll &= Known;
        if (Known)
          Found.Known.push_back(Part);
      }
    }
    Found.AreAll &= Br != nullptr;
    Found.Meet |= !Decides;
  }
  return Found;
}

/// The conjunction of \p G at \p At; null if there is none.
Value *LoopCounting::expanded(const Guards &G, Instruction *At) {
  Value *All = nullptr;
  for (auto [Condition, IsTrue] : G.Known) {
    Value *Guard = conditionAt(Condition, At);
    IRBuilder<> B(At);
    if (!IsTrue)
      Guard = B.CreateNot(Guard, "adze.guard");
    All = All ? B.CreateLogicalAnd(Guard, All, "adze.guard") : Guard;
  }
  return All;
}

/// Counts that are not negative on entry of a loop, so that they are not so
/// elsewhere either: max(count, 0). In each number without sign, too: there
/// one that has wrapped around is huge.
class AtLeastZero : public SCEVRewriteVisitor<AtLeastZero> {
public:
  AtLeastZero(ScalarEvolution &SE, const Loop *L)
      : SCEVRewriteVisitor(SE), L(L) {}

  /// Some number without sign may be anything, for all that is known.
  bool MayBeHuge = false;

  const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
    const SCEV *Top = E->getLHS();
    MayBeHuge |= !SE.isKnownNonNegative(SE.applyLoopGuards(Top, L));
    return SE.getUDivExpr(atLeastZero(visit(Top)), E->getRHS());
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    return SE.getZeroExtendExpr(unwrapped(E->getOperand()), E->getType());
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) {
    // What has wrapped around in 64 bits is negative for those who size memory.
    if (SE.getTypeSizeInBits(E->getType()) == 64)
      return SCEVRewriteVisitor::visitUMaxExpr(E);
    SmallVector<const SCEV *, 4> Operands;
    for (const SCEV *Op : E->operands())
      Operands.push_back(unwrapped(Op));
    return SE.getUMaxExpr(Operands);
  }
  const SCEV *atLeastZero(const SCEV *S) {
    return SE.isKnownNonNegative(S) ||
                   !SE.isKnownNonNegative(SE.applyLoopGuards(S, L))
               ? S
               : SE.getSMaxExpr(S, SE.getZero(S->getType()));
  }

private:
  /// \p S, computed such that it wraps around nowhere.
  const SCEV *unwrapped(const SCEV *S) {
    auto *Computed = dyn_cast<SCEVNAryExpr>(S);
    // A narrow number is not huge, whatever it is.
    bool MayWrap = isa<SCEVAddExpr, SCEVMulExpr, SCEVAddRecExpr, SCEVSMinExpr,
                       SCEVSMaxExpr, SCEVSignExtendExpr>(S) &&
                   !(Computed && Computed->hasNoUnsignedWrap()) &&
                   SE.getTypeSizeInBits(S->getType()) > 16;
    if (!MayWrap)
      return visit(S);
    // X - c where X >= c on entry: max(X, c) - c.
    auto *Sum = dyn_cast<SCEVAddExpr>(S);
    auto *Least = Sum ? dyn_cast<SCEVConstant>(Sum->getOperand(0)) : nullptr;
    if (Least) {
      const SCEV *C = SE.getNegativeSCEV(Least), *X = SE.getAddExpr(S, C);
      if (SE.isKnownPredicate(ICmpInst::ICMP_UGE, SE.applyLoopGuards(X, L), C))
        return SE.getMinusSCEV(SE.getUMaxExpr(visit(X), C), C);
    }
    MayBeHuge |= !SE.isKnownNonNegative(SE.applyLoopGuards(S, L));
    return atLeastZero(visit(S));
  }

  const Loop *L;
};

Value *LoopCounting::expanded(const SCEV *Count, Instruction *At) {
  return Expander.expandCodeFor(SE.getTruncateOrZeroExtend(Count, I64), I64,
                                At);
}

/// Code for \p Count on entry of \p L itself, as a value that exists only
/// there, wherever its parts are computed: what is known there of the count
/// does not hold further out.
Value *LoopCounting::countedHere(const SCEV *Count, Loop &L) {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  return IRBuilder<>(At).CreateFreeze(expanded(Count, At), "adze.last");
}

/// Code for \p Count on entry of the outermost loop possible. There the loop
/// of \p R may turn out not to be entered: then \p Count means nothing, and
/// 0, or at least a number that is not negative, takes its place where the
/// conditions on the way allow to say so. A loop that \p Reaches its count is
/// never entered if that is huge.
Value *LoopCounting::expandCount(const SCEV *Count, const LoopRecord &R,
                                 bool Reaches) {
  if (isa<SCEVCouldNotCompute>(Count) ||
      Count->getExpressionSize() > MaxCountSize ||
      SE.getTypeSizeInBits(Count->getType()) > 64)
    return nullptr;
  Loop *Outer = outermostInvariant(Count, R.L);
  if (!Outer)
    return nullptr;
  Instruction *At = Outer->getLoopPreheader()->getTerminator();
  if (auto *Fixed = dyn_cast<SCEVConstant>(Count);
      Fixed && Reaches && Fixed->getAPInt().ugt(MostIterations))
    return ConstantInt::get(I64, 0);
  if (Outer == R.L || isa<SCEVConstant>(Count))
    return expanded(Count, At);

  Guards G = guardsOf(R.L, Outer, At);
  if (!G.AreAll || G.Meet) {
    AtLeastZero Rewriter(SE, R.L);
    const SCEV *Least = Rewriter.visit(SE.getTruncateOrZeroExtend(Count, I64));
    if (Rewriter.MayBeHuge)
      return countedHere(Count, *R.L);
    Count = G.AreAll ? Least : Rewriter.atLeastZero(Least);
  }
  if (!Expander.isSafeToExpandAt(Count, At))
    return nullptr;
  Value *Guard = expanded(G, At), *Wide = expanded(Count, At);
  if (!Guard)
    return Wide;
  return IRBuilder<>(At).CreateSelect(Guard, Wide, ConstantInt::get(I64, 0),
                                      "adze.last");
}

void LoopCounting::findCounts(LoopRecord &R) {
  // An exit inside a deeper loop is not taken once an iteration.
  if (R.ExitingBlock && P.LI->getLoopFor(R.ExitingBlock) == R.L)
    R.LastIteration = expandCount(SE.getExitCount(R.L, R.ExitingBlock), R,
                                  /*Reaches=*/true);
  R.Bound = R.LastIteration;
  if (!R.Bound)
    R.Bound = expandCount(SE.getSymbolicMaxBackedgeTakenCount(R.L), R,
                          /*Reaches=*/false);
  if (auto *Most =
          dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(R.L));
      Most && Most->getAPInt().getActiveBits() <= MaxConstantBits)
    R.MostIterations = Most->getAPInt().getZExtValue() + 1;
}

void LoopCounting::run() {
  // Counters come first: they are what expanded code of an inner loop that
  // depends on the outer iteration is made of.
  for (auto &R : P.Loops)
    addCounter(*R);
  for (auto &R : P.Loops)
    findCounts(*R);
  rewriteInductions(P, SE, Expander);
  // Expanded code that uses a value elsewhere takes the flags off it that need
  // not hold there. Of a counter they hold everywhere.
  for (auto &R : P.Loops)
    markNoWrap(*R);
}

} // namespace

void countLoops(Primal &P, FunctionAnalysisManager &FAM) {
  LoopCounting(P, FAM).run();
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of 64 bits that are still compared, and multiplied, as the 32 bits
// that they have in the source:
//
//   for (i = k; i < n; i++)      i = phi i64 ..
//     a[i + j * n] ..            mul nuw nsw i32 (trunc j), n
//                                icmp slt i32 (trunc i + 1), n
//
// LLVM widens a counter and some of its uses, not all. The number of iterations
// is then one of truncations and extensions, with which nobody can compute:
// whether one row is behind another, how long an array on the tape is. Where
// no truncation takes anything away, comparisons and sums are done in 64 bits.
// So are n + 1 and the like, of which only the instruction says that they do
// not wrap.
//
// A comparison on the way around a loop, of a number that advances by one: if
// its first value is one of 32 bits, so are the others, for
//
//   x(k + 1) = x(k) + 1 <= n     where x(k) < n, and n is one of 32 bits,
//
// or the loop would have been left; likewise downwards, and for x != n where
// the first one is not beyond n. For other truncations the greatest value of a
// counter is that of its last iteration, if it does not wrap.
//
// Where the inner loop of a triangle is always entered, as i = k < n above, but
// nobody says so in front of it, its number of iterations is max(n, k + 1) - k.
// It is n - k if the loop is left where i is n.
#include "Prepare/Stages.h"
#include "adze/Teams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {
namespace {

/// Operations between an extension and what is truncated.
constexpr unsigned MaxDepth = 6;
/// Loops that a number varies in.
constexpr unsigned MaxLoops = 8;

/// The first one of the iterations that a thread has of a loop.
bool isOfThread(const SCEV *First) {
  return SCEVExprContains(First, [](const SCEV *Part) {
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return Leaf && teams::isLowerBound(Leaf->getValue());
  });
}

class Widening {
public:
  Widening(Function &F, FunctionAnalysisManager &FAM)
      : F(F), LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)) {}

  bool widenExits();
  bool widenExtensions();

private:
  bool isWithin(const SCEV *S, const Loop *At, unsigned Bits, bool Signed,
                bool Upper, unsigned Depth = 0);
  bool fits(const SCEV *S, const Loop *At, unsigned Bits, bool Signed);
  const SCEV *lastOf(const SCEVAddRecExpr &Counter);
  bool isGuarded(const Loop &L, ICmpInst::Predicate Is, const SCEV *A,
                 const SCEV *B);
  const SCEV *extension(Value &V, Type *Ty, bool Signed);
  bool isNotBeyond(const SCEV *First, const SCEV *Step, const SCEV *Last,
                   bool Signed, const Loop &L);
  bool staysNarrow(ICmpInst::Predicate Goes, const SCEV *X, Value *Bound,
                   const Loop &L);
  bool beginsBefore(const SCEV *X, const SCEV *Bound, const Loop &L);
  bool countsUpTo(ICmpInst::Predicate Goes, const SCEV *X, const SCEV *Bound,
                  const Loop &L);
  bool isNonNegative(Value &V, const Loop &L);
  bool widenExit(Loop &L, BranchInst &Exit);
  Value *extended(Value *V, Type *Ty, bool Signed, Instruction *At);
  bool canWiden(Value *V, bool Signed, const Instruction *At,
                unsigned Depth = 0);
  Value *wide(Value *V, Type *Ty, bool Signed, IRBuilder<> &At);

  Function &F;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
};

/// The greatest (\p Upper) or least value of \p S in the loop \p At is one of
/// \p Bits bits.
bool Widening::isWithin(const SCEV *S, const Loop *At, unsigned Bits,
                        bool Signed, bool Upper, unsigned Depth) {
  const unsigned Width = SE.getTypeSizeInBits(S->getType());
  if (Width <= Bits || Depth > MaxLoops)
    return false;
  const APInt Least =
      Signed ? APInt::getSignedMinValue(Bits).sext(Width) : APInt(Width, 0);
  const APInt Greatest = Signed ? APInt::getSignedMaxValue(Bits).sext(Width)
                                : APInt::getMaxValue(Bits).zext(Width);
  auto isInRange = [&](const SCEV *Of) {
    const ConstantRange Range = SE.getSignedRange(Of);
    return Upper ? Range.getSignedMax().sle(Greatest)
                 : Range.getSignedMin().sge(Least);
  };
  if (isInRange(S) || (At && isInRange(SE.applyLoopGuards(S, At))))
    return true;
  auto *Advance = dyn_cast<SCEVAddRecExpr>(S);
  if (!Advance || !Advance->isAffine() || !Advance->hasNoSignedWrap())
    return false;
  const Loop *L = Advance->getLoop();
  const SCEV *Step = Advance->getStepRecurrence(SE);
  const bool Rises = SE.isKnownNonNegative(Step);
  if (!Rises && !SE.isKnownNonPositive(Step))
    return false;
  if (Rises != Upper)
    return isWithin(Advance->getStart(), L, Bits, Signed, Upper, Depth + 1);
  const SCEV *Last = lastOf(*Advance);
  return Last && isWithin(Last, L, Bits, Signed, Upper, Depth + 1);
}

/// The value in the last iteration; null if nobody knows which one that is.
const SCEV *Widening::lastOf(const SCEVAddRecExpr &Counter) {
  const SCEV *Count = SE.getBackedgeTakenCount(Counter.getLoop());
  Type *Ty = Counter.getType();
  if (isa<SCEVCouldNotCompute>(Count) ||
      SE.getTypeSizeInBits(Count->getType()) > SE.getTypeSizeInBits(Ty))
    return nullptr;
  return Counter.evaluateAtIteration(SE.getNoopOrZeroExtend(Count, Ty), SE);
}

bool Widening::fits(const SCEV *S, const Loop *At, unsigned Bits, bool Signed) {
  return isWithin(S, At, Bits, Signed, /*Upper=*/true) &&
         isWithin(S, At, Bits, Signed, /*Upper=*/false);
}

/// \p V, as many bits as \p Ty has: also of n + 1, of which only the
/// instruction says that it does not wrap.
const SCEV *Widening::extension(Value &V, Type *Ty, bool Signed) {
  auto extend = [&](Value *Of) {
    const SCEV *S = SE.getSCEV(Of);
    return Signed ? SE.getSignExtendExpr(S, Ty) : SE.getZeroExtendExpr(S, Ty);
  };
  auto *Sum = dyn_cast<BinaryOperator>(&V);
  const bool IsSum =
      Sum && Sum->getOpcode() == Instruction::Add &&
      (Signed ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap());
  return IsSum ? SE.getAddExpr(extend(Sum->getOperand(0)),
                               extend(Sum->getOperand(1)))
               : extend(&V);
}

/// \p First, a number in front of \p L that is \p Step from the one before, is
/// not beyond \p Last.
bool Widening::isNotBeyond(const SCEV *First, const SCEV *Step,
                           const SCEV *Last, bool Signed, const Loop &L) {
  const bool Rises = Step->isOne();
  ICmpInst::Predicate Before = Rises ? ICmpInst::ICMP_ULT : ICmpInst::ICMP_UGT;
  if (Signed)
    Before = ICmpInst::getSignedPredicate(Before);
  return isGuarded(L, ICmpInst::getNonStrictPredicate(Before), First, Last) ||
         isGuarded(L, Before, SE.getMinusSCEV(First, Step), Last);
}

/// Where \p L is entered, \p Is holds of two numbers in front of it. In front
/// of L are the loops, and the branches that come together, before it: what
/// holds where one of these is reached, too, holds in the same iteration of the
/// loop around.
bool Widening::isGuarded(const Loop &L, ICmpInst::Predicate Is, const SCEV *A,
                         const SCEV *B) {
  if (SE.isLoopEntryGuardedByCond(&L, Is, A, B))
    return true;
  const Loop *Around = L.getParentLoop();
  const DomTreeNode *At = DT.getNode(L.getHeader());
  for (unsigned I = 0; I < MaxDepth && At->getIDom(); ++I) {
    At = At->getIDom();
    const BasicBlock *Block = At->getBlock();
    for (; Around && !Around->contains(Block); Around = Around->getParentLoop())
      if (!SE.isLoopInvariant(A, Around) || !SE.isLoopInvariant(B, Around))
        return false;
    if (SE.isBasicBlockEntryGuardedByCond(Block, Is, A, B))
      return true;
  }
  return false;
}

/// \p X, which decides that \p L goes on where \p Goes holds of it and
/// \p Bound, is one of so many bits in each iteration.
bool Widening::staysNarrow(ICmpInst::Predicate Goes, const SCEV *X,
                           Value *Bound, const Loop &L) {
  auto *Advance = dyn_cast<SCEVAddRecExpr>(X);
  if (!Advance || !Advance->isAffine() || Advance->getLoop() != &L)
    return false;
  const SCEV *First = Advance->getStart(),
             *Step = Advance->getStepRecurrence(SE);
  const bool Rises = Step->isOne();
  if (!Rises && !Step->isAllOnesValue())
    return false;
  const unsigned Bits = Bound->getType()->getIntegerBitWidth();
  const bool Signed = !ICmpInst::isUnsigned(Goes);
  const bool IsNotBeyond = isNotBeyond(
      First, Step, extension(*Bound, X->getType(), Signed), Signed, L);
  // Of the side where the bound is, that is enough. (The iterations of a thread
  // are known by the narrow numbers that the runtime gave.)
  const bool IsNarrow = IsNotBeyond && !isOfThread(First);
  if (!isWithin(First, &L, Bits, Signed, /*Upper=*/!Rises) ||
      (!IsNarrow && !isWithin(First, &L, Bits, Signed, /*Upper=*/Rises)))
    return false;
  switch (Goes) {
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_ULT:
    return Rises;
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_UGT:
    return !Rises;
  case ICmpInst::ICMP_NE:
    return IsNarrow;
  default:
    return false;
  }
}

/// \p X, a number in front of \p L, is less than \p Bound, by the greatest
/// value that it has in the loops around.
bool Widening::beginsBefore(const SCEV *X, const SCEV *Bound, const Loop &L) {
  for (unsigned Depth = 0; Depth < MaxLoops; ++Depth) {
    if (SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SLT, X, Bound))
      return true;
    // What does not wrap is less than what is so little more.
    if (auto *More = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Bound, X));
        More && Depth > 0 && More->getAPInt().isStrictlyPositive() &&
        More->getAPInt().getActiveBits() < 16)
      return true;
    auto *Advance = dyn_cast<SCEVAddRecExpr>(X);
    if (!Advance || !Advance->isAffine() || !Advance->hasNoSignedWrap() ||
        !SE.isKnownNonNegative(Advance->getStepRecurrence(SE)) ||
        !SE.isLoopInvariant(Bound, Advance->getLoop()) ||
        !(X = lastOf(*Advance)))
      return false;
  }
  return false;
}

/// In \p L, which goes on where \p Goes holds of \p X and \p Bound, \p X
/// advances by one and is not beyond \p Bound at first; nobody has seen it.
bool Widening::countsUpTo(ICmpInst::Predicate Goes, const SCEV *X,
                          const SCEV *Bound, const Loop &L) {
  auto *Advance = dyn_cast<SCEVAddRecExpr>(X);
  if (Goes != ICmpInst::ICMP_SLT || !Advance || !Advance->isAffine() ||
      Advance->getLoop() != &L || !Advance->getStepRecurrence(SE)->isOne())
    return false;
  const SCEV *Before =
      SE.getMinusSCEV(Advance->getStart(), SE.getOne(Advance->getType()));
  return beginsBefore(Before, Bound, L) &&
         SCEVExprContains(SE.getBackedgeTakenCount(&L), [](const SCEV *Part) {
           return isa<SCEVSMaxExpr>(Part);
         });
}

/// The extension of \p V for \p At, in front of the loops in which it does not
/// vary.
Value *Widening::extended(Value *V, Type *Ty, bool Signed, Instruction *At) {
  for (const Loop *L = LI.getLoopFor(At->getParent());
       L && L->getLoopPreheader() && L->isLoopInvariant(V);
       L = L->getParentLoop())
    At = L->getLoopPreheader()->getTerminator();
  IRBuilder<> Builder(At);
  return Signed ? Builder.CreateSExt(V, Ty) : Builder.CreateZExt(V, Ty);
}

/// \p V, which does not vary in \p L, is not negative where that is entered.
bool Widening::isNonNegative(Value &V, const Loop &L) {
  const SCEV *S = SE.getSCEV(&V), *Zero = SE.getZero(V.getType());
  for (const Loop *In = &L; In && In->isLoopInvariant(&V);
       In = In->getParentLoop())
    if (SE.isLoopEntryGuardedByCond(In, ICmpInst::ICMP_SGE, S, Zero))
      return true;
  return SE.isKnownNonNegative(S);
}

bool Widening::widenExit(Loop &L, BranchInst &Exit) {
  auto *Compare = dyn_cast<ICmpInst>(Exit.getCondition());
  Value *X = nullptr;
  if (!Compare || !L.contains(Compare) ||
      L.contains(Exit.getSuccessor(0)) == L.contains(Exit.getSuccessor(1)))
    return false;
  Value *Narrow = Compare->getOperand(0), *Bound = Compare->getOperand(1);
  ICmpInst::Predicate Is = Compare->getPredicate();
  if (L.isLoopInvariant(Narrow)) {
    std::swap(Narrow, Bound);
    Is = ICmpInst::getSwappedPredicate(Is);
  }
  if (!L.isLoopInvariant(Bound) || !SE.isSCEVable(Narrow->getType()))
    return false;
  ICmpInst::Predicate Goes =
      L.contains(Exit.getSuccessor(0)) ? Is : ICmpInst::getInversePredicate(Is);
  bool Changed = false;
  if (match(Narrow, m_Trunc(m_Value(X))) &&
      staysNarrow(Goes, SE.getSCEV(X), Bound, L)) {
    // One form for one number: what is not negative is extended by zeros.
    const bool Signed = !ICmpInst::isUnsigned(Is) && !isNonNegative(*Bound, L);
    Bound = extended(Bound, X->getType(), Signed, Compare);
    Narrow = X;
    Changed = true;
  }
  if (countsUpTo(Goes, SE.getSCEV(Narrow), SE.getSCEV(Bound), L)) {
    Is = Is == Goes ? ICmpInst::ICMP_NE : ICmpInst::ICMP_EQ;
    Changed = true;
  }
  if (!Changed)
    return false;
  Value *New = IRBuilder<>(Compare).CreateICmp(Is, Narrow, Bound);
  New->takeName(Compare);
  Compare->replaceAllUsesWith(New);
  RecursivelyDeleteTriviallyDeadInstructions(Compare);
  SE.forgetTopmostLoop(&L);
  return true;
}

/// From the outermost loops inwards: what is known of a counter tells where the
/// next one begins.
bool Widening::widenExits() {
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    for (BasicBlock *B : Exiting)
      if (auto *Exit = dyn_cast<BranchInst>(B->getTerminator());
          Exit && Exit->isConditional() && L->getLoopPreheader() &&
          L->getLoopLatch() && DT.dominates(B, L->getLoopLatch()))
        Changed |= widenExit(*L, *Exit);
  }
  return Changed;
}

/// Some of what \p V is computed of was cut off a wider number, or is n + 1.
bool hasWider(const Value *V, unsigned Depth = 0) {
  const APInt *More = nullptr;
  if (match(V, m_Trunc(m_Value())) ||
      (match(V, m_Add(m_Value(), m_APInt(More))) && More->isStrictlyPositive()))
    return true;
  auto *Op = dyn_cast<BinaryOperator>(V);
  return Op && Depth < MaxDepth &&
         (hasWider(Op->getOperand(0), Depth + 1) ||
          hasWider(Op->getOperand(1), Depth + 1));
}

/// The extension of \p V at \p At can be computed without truncations: no
/// operation wraps, and none of them takes anything away.
bool Widening::canWiden(Value *V, bool Signed, const Instruction *At,
                        unsigned Depth) {
  Value *X = nullptr;
  if (match(V, m_Trunc(m_Value(X))))
    return X->getType()->isIntegerTy(64) &&
           fits(SE.getSCEV(X), LI.getLoopFor(At->getParent()),
                V->getType()->getIntegerBitWidth(), Signed);
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || !hasWider(Op))
    return true;
  const unsigned Code = Op->getOpcode();
  return Depth < MaxDepth &&
         (Code == Instruction::Add || Code == Instruction::Sub ||
          Code == Instruction::Mul) &&
         (Signed ? Op->hasNoSignedWrap() : Op->hasNoUnsignedWrap()) &&
         canWiden(Op->getOperand(0), Signed, At, Depth + 1) &&
         canWiden(Op->getOperand(1), Signed, At, Depth + 1);
}

Value *Widening::wide(Value *V, Type *Ty, bool Signed, IRBuilder<> &At) {
  Value *X = nullptr;
  if (match(V, m_Trunc(m_Value(X))))
    return X;
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op || !hasWider(Op))
    return extended(V, Ty, Signed, &*At.GetInsertPoint());
  Value *A = wide(Op->getOperand(0), Ty, Signed, At);
  Value *B = wide(Op->getOperand(1), Ty, Signed, At);
  Value *New = At.CreateBinOp(Op->getOpcode(), A, B);
  // The result is an extension of a narrow number, so nothing is lost.
  if (auto *I = dyn_cast<BinaryOperator>(New))
    I->setHasNoSignedWrap();
  return New;
}

bool Widening::widenExtensions() {
  bool Changed = false;
  SmallVector<Instruction *, 16> Extensions;
  for (Instruction &I : instructions(F))
    if (isa<SExtInst, ZExtInst>(I) && I.getType()->isIntegerTy(64) &&
        isa<BinaryOperator>(I.getOperand(0)) && hasWider(I.getOperand(0)))
      Extensions.push_back(&I);
  for (Instruction *I : Extensions) {
    bool Signed = isa<SExtInst>(I);
    if (!canWiden(I->getOperand(0), Signed, I)) {
      // Of a number that is not negative both extensions are one.
      Signed = true;
      if (isa<SExtInst>(I) || !I->hasNonNeg() ||
          !canWiden(I->getOperand(0), Signed, I))
        continue;
    }
    IRBuilder<> At(I);
    I->replaceAllUsesWith(wide(I->getOperand(0), I->getType(), Signed, At));
    RecursivelyDeleteTriviallyDeadInstructions(I);
    Changed = true;
  }
  return Changed;
}

} // namespace

void widenCounters(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed;
  {
    Widening W(F, FAM);
    Changed = W.widenExits();
    Changed |= W.widenExtensions();
  }
  if (!Changed)
    return;
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  FAM.invalidate(F, Kept);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chunks of a thread, as compilers write them:
//
//   lower, upper, stride = ..                      // of the runtime
//   upper = min(upper, last)
//   while (lower <= upper) {
//     for (i = lower; i <= upper; ++i) ..
//     lower += stride;
//     upper = min(upper + stride, last);
//   }
//
// In iteration k of the outer loop the lower bound is lower + k stride. The
// upper one is not more than upper + k stride: that holds in iteration 0, and
// goes on from each to the next.
#include "Loops/ChunkBounds.h"
#include "adze/Teams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

const SCEV *withoutCasts(const SCEV *S) {
  while (auto *Cast = dyn_cast<SCEVCastExpr>(S))
    S = Cast->getOperand();
  return S;
}

static const Value *valueOf(const SCEV *S) {
  auto *Leaf = dyn_cast<SCEVUnknown>(withoutCasts(S));
  return Leaf ? Leaf->getValue() : nullptr;
}

static bool isStride(const Value &V) {
  const Value *Of = &V;
  while (isa<FreezeInst, SExtInst, ZExtInst, TruncInst>(Of))
    Of = cast<Instruction>(Of)->getOperand(0);
  return teams::isStride(Of);
}

bool isStride(const SCEV *S) {
  const Value *V = valueOf(S);
  return V && isStride(*V);
}

const Value *lowerBoundIn(const SCEV *S, const Loop *&Chunks) {
  Chunks = nullptr;
  S = withoutCasts(S);
  if (auto *Advance = dyn_cast<SCEVAddRecExpr>(S);
      Advance && Advance->isAffine() && isStride(Advance->getOperand(1))) {
    S = Advance->getStart();
    Chunks = Advance->getLoop();
  }
  const Value *V = valueOf(S);
  return V && teams::isLowerBound(V) ? V : nullptr;
}

namespace {

constexpr unsigned MaxDepth = 8;

bool splitLess(Value *V, Value *&A, Value *&B) {
  return match(V, m_SMin(m_Value(A), m_Value(B))) ||
         match(V, m_UMin(m_Value(A), m_Value(B)));
}

/// \p V is not more than the upper bound that is the result; null if nothing is
/// known.
const Value *upperBoundOver(Value *V, unsigned Depth = 0) {
  if (teams::isUpperBound(V))
    return V;
  Value *A = nullptr, *B = nullptr;
  if (Depth == MaxDepth || !splitLess(V, A, B))
    return nullptr;
  const Value *Bound = upperBoundOver(A, Depth + 1);
  return Bound ? Bound : upperBoundOver(B, Depth + 1);
}

/// \p V is not more than \p Phi, or than the sum of that and a stride.
bool isAtMost(Value *V, const PHINode &Phi, bool Advanced, unsigned Depth = 0) {
  Value *A = nullptr, *B = nullptr;
  if (V == &Phi)
    return !Advanced;
  if (Depth == MaxDepth)
    return false;
  if (splitLess(V, A, B))
    return isAtMost(A, Phi, Advanced, Depth + 1) ||
           isAtMost(B, Phi, Advanced, Depth + 1);
  if (!Advanced || !match(V, m_Add(m_Value(A), m_Value(B))))
    return false;
  return (isStride(*A) && isAtMost(B, Phi, false, Depth + 1)) ||
         (isStride(*B) && isAtMost(A, Phi, false, Depth + 1));
}

/// What \p Phi, of the loop \p Chunks, is not more than in iteration 0, if it
/// advances as upper bounds do; else null.
const Value *upperBoundOfChunks(const PHINode &Phi, const Loop &Chunks) {
  const BasicBlock *Before = Chunks.getLoopPreheader(),
                   *Latch = Chunks.getLoopLatch();
  if (Phi.getParent() != Chunks.getHeader() || !Before || !Latch ||
      !isAtMost(Phi.getIncomingValueForBlock(Latch), Phi, /*Advanced=*/true))
    return nullptr;
  return upperBoundOver(Phi.getIncomingValueForBlock(Before));
}

/// 1 if \p S is a stride, -1 if it is one less than zero, else 0.
int64_t signOfStride(const SCEV *S) {
  S = withoutCasts(S);
  if (isStride(S))
    return 1;
  auto *Product = dyn_cast<SCEVMulExpr>(S);
  return Product && Product->getNumOperands() == 2 &&
                 Product->getOperand(0)->isAllOnesValue() &&
                 isStride(Product->getOperand(1))
             ? -1
             : 0;
}

} // namespace

void BoundsDistance::add(const SCEV *S, int64_t Times) {
  S = withoutCasts(S);
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    Fits &= C->getAPInt().getSignificantBits() <= 32;
    if (Fits)
      Rest += Times * C->getAPInt().getSExtValue();
  } else if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    for (const SCEV *Op : Sum->operands())
      add(Op, Times);
  } else if (auto *Product = dyn_cast<SCEVMulExpr>(S)) {
    auto *Minus = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (Product->getNumOperands() == 2 && Minus &&
        Minus->getAPInt().isAllOnes())
      add(Product->getOperand(1), -Times);
    else
      Fits = false;
  } else if (auto *Choice = dyn_cast<SCEVMinMaxExpr>(S)) {
    addChoice(*Choice, Times);
  } else if (auto *Advance = dyn_cast<SCEVAddRecExpr>(S)) {
    addAdvance(*Advance, Times);
  } else {
    addLeaf(S, Times);
  }
}

void BoundsDistance::addLeaf(const SCEV *S, int64_t Times) {
  const Value *V = valueOf(S);
  auto *Phi = V ? dyn_cast<PHINode>(V) : nullptr;
  if (V && Times == 1 && !Upper && !UpperPhi && teams::isUpperBound(V))
    Upper = V;
  else if (Phi && Times == 1 && !Upper && !UpperPhi)
    UpperPhi = Phi;
  else if (V && Times == -1 && !Lower && teams::isLowerBound(V))
    Lower = V;
  else
    Fits = false;
}

/// Lower bounds alone: upper ones end at the last iteration of all.
void BoundsDistance::addAdvance(const SCEVAddRecExpr &S, int64_t Times) {
  const bool HadUpper = Upper || UpperPhi, HadLower = Lower;
  if (Chunks || HadLower || !S.isAffine() ||
      signOfStride(S.getOperand(1)) * Times != -1) {
    Fits = false;
    return;
  }
  add(S.getStart(), Times);
  Fits &= Lower && HadUpper == (Upper || UpperPhi);
  Chunks = S.getLoop();
}

/// The least of some numbers is not more than one of them. The greatest of
/// both bounds is the upper one, or the loop would not be entered.
void BoundsDistance::addChoice(const SCEVMinMaxExpr &Choice, int64_t Times) {
  const bool IsLeast = isa<SCEVSMinExpr, SCEVUMinExpr>(&Choice);
  const Value *OtherBound = nullptr;
  const Loop *OtherChunks = nullptr;
  if (!IsLeast && Choice.getNumOperands() == 2)
    for (const SCEV *Op : Choice.operands())
      if (const Loop *In = nullptr; const Value *V = lowerBoundIn(Op, In)) {
        OtherBound = V;
        OtherChunks = In;
      }
  if (Times != 1 || Upper || UpperPhi || !(IsLeast || OtherBound)) {
    Fits = false;
    return;
  }
  for (const SCEV *Op : Choice.operands()) {
    BoundsDistance D;
    D.add(Op, 1);
    if (!D.Fits || !(D.Upper || D.UpperPhi) || D.Lower || D.Least)
      continue;
    Upper = D.Upper;
    UpperPhi = D.UpperPhi;
    Rest += D.Rest;
    Least = OtherBound;
    LeastChunks = OtherChunks;
    return;
  }
  Fits = false;
}

bool BoundsDistance::isRight() {
  if (UpperPhi)
    Upper = Chunks ? upperBoundOfChunks(*UpperPhi, *Chunks) : nullptr;
  return Fits && Lower && Upper && Rest <= 0 && !UpperPhi == !Chunks &&
         (!Least || (Least == Lower && LeastChunks == Chunks));
}

namespace {

/// A number of the type of addresses, of an iteration that counts in another.
class InAddress {
public:
  InAddress(const SCEV *Lower, ScalarEvolution &SE) : Lower(Lower), SE(SE) {}

  const SCEV *narrow() const {
    auto *Cast = dyn_cast<SCEVIntegralCastExpr>(Lower);
    return Cast ? Cast->getOperand() : Lower;
  }
  const SCEV *of(const SCEV *S) const {
    if (isa<SCEVSignExtendExpr>(Lower))
      return SE.getSignExtendExpr(S, Lower->getType());
    return isa<SCEVZeroExtendExpr>(Lower)
               ? SE.getZeroExtendExpr(S, Lower->getType())
               : S;
  }
  /// The order of the iterations, \p First to \p Last of this thread in front
  /// of \p L, is that of the numbers.
  bool keepsOrder(const Loop &L, const SCEV *FirstOfAll,
                  const SCEV *Last) const {
    auto isGuarded = [&](ICmpInst::Predicate Is) {
      return SE.isLoopEntryGuardedByCond(&L, Is, narrow(), Last);
    };
    if (isa<SCEVZeroExtendExpr>(Lower))
      return isGuarded(ICmpInst::ICMP_ULE) ||
             (isGuarded(ICmpInst::ICMP_SLE) &&
              SE.isKnownNonNegative(FirstOfAll));
    // Of numbers that are not cast, nobody can count to the greatest ones.
    return isGuarded(ICmpInst::ICMP_SLE) ||
           (Lower == narrow() && isGuarded(ICmpInst::ICMP_ULE));
  }

private:
  const SCEV *Lower;
  ScalarEvolution &SE;
};

/// The lower bound \p Bound in \p S, as it is cast there once at most; null if
/// it is not there so.
const SCEV *lowerBoundAsIn(const SCEV *S, const Value &Bound,
                           const Loop *Chunks) {
  const SCEV *Found = nullptr;
  SCEVExprContains(S, [&](const SCEV *Part) {
    const Loop *In = nullptr;
    auto *Cast = dyn_cast<SCEVIntegralCastExpr>(Part);
    if (isa<SCEVIntegralCastExpr>(Cast ? Cast->getOperand() : Part) ||
        isa<SCEVTruncateExpr>(Part) || lowerBoundIn(Part, In) != &Bound ||
        In != Chunks)
      return false;
    Found = Part;
    return true;
  });
  return Found;
}

} // namespace

std::optional<SharedIterations>
sharedIterations(const Loop &L, const SCEV *Start, ScalarEvolution &SE) {
  const SCEV *Count = withoutCasts(SE.getBackedgeTakenCount(&L));
  BoundsDistance D;
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  D.add(Count, 1);
  if (!D.isRight())
    return std::nullopt;
  const Value *First = teams::limitOf(*D.Lower),
              *Last = teams::limitOf(*D.Upper);
  const SCEV *Lower = lowerBoundAsIn(Start, *D.Lower, D.Chunks);
  if (!First || !Last || !Lower)
    return std::nullopt;
  const InAddress Address(Lower, SE);
  const SCEV *FirstOfAll = SE.getSCEV(const_cast<Value *>(First)),
             *LastOfAll = SE.getSCEV(const_cast<Value *>(Last)),
             *Upper = SE.getSCEV(const_cast<Value *>(D.Upper));
  if (FirstOfAll->getType() != Address.narrow()->getType() ||
      Count->getType() != FirstOfAll->getType() ||
      !Address.keepsOrder(L, FirstOfAll,
                          SE.getAddExpr(Address.narrow(), Count)))
    return std::nullopt;
  const SCEV *Own[] = {Upper, SE.getSMinExpr(Upper, LastOfAll),
                       SE.getUMinExpr(Upper, LastOfAll)};
  const bool IsWhole = !D.Chunks && any_of(Own, [&](const SCEV *To) {
    return Count == SE.getMinusSCEV(To, Address.narrow());
  });
  return SharedIterations{
      Lower,  Address.of(FirstOfAll), Address.of(LastOfAll), D.Lower, D.Upper,
      IsWhole};
}

bool saysThatThreadHasAny(const SharedIterations &Iterations,
                          const Value &Condition, bool Is) {
  auto *Compare = dyn_cast<ICmpInst>(&Condition);
  if (!Compare)
    return false;
  ICmpInst::Predicate Holds =
      Is ? Compare->getPredicate() : Compare->getInversePredicate();
  Value *From = Compare->getOperand(0), *To = Compare->getOperand(1);
  if (ICmpInst::isGE(Holds)) {
    Holds = ICmpInst::getSwappedPredicate(Holds);
    std::swap(From, To);
  }
  const Value *Upper = Iterations.UpperBound, *Last = teams::limitOf(*Upper);
  auto isEnd = [&](Value *V) {
    return V == Upper ||
           match(V, m_c_SMin(m_Specific(Upper), m_Specific(Last))) ||
           match(V, m_c_UMin(m_Specific(Upper), m_Specific(Last)));
  };
  return ICmpInst::isLE(Holds) && From == Iterations.LowerBound && isEnd(To);
}

} // namespace adze

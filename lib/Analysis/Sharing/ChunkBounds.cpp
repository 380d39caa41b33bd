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
#include "Analysis/Sharing/ChunkBounds.h"
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

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of a loop as functions of its counter.
//
// A variable that advances by a fixed step s is start + s i in iteration i. One
// whose step itself advances by a fixed t, as the first element of a column of
// a packed triangular matrix does, is start + s i + t i (i - 1) / 2. Computed
// that way from the counter, neither is on the tape: a reverse pass that runs
// the counter down has both.
//
// All this is arithmetic modulo 2^width, in which halves do not exist. Where t
// is known to be 2 h, as for the address of anything but bytes, the last two
// terms are i ((s - h) + h i), a polynomial that later passes understand.
// Elsewhere i (i - 1) / 2 is the product of its even factor's half and its odd
// factor: (i >> 1) ((i - 1) | 1), which is exact.
#include "Prepare/Stages.h"
#include "adze/Primal.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {
namespace {

/// Steps whose expression is larger than this are not computed on entry.
constexpr unsigned MaxStepSize = 96;

/// A variable of a loop, start + Step i, and where it has a second step either
/// + Half i i or + Second i (i - 1) / 2. The handles follow what is itself a
/// variable of an outer loop and is rewritten before.
struct Induction {
  PHINode *Phi = nullptr;
  LoopRecord *Loop = nullptr;
  WeakTrackingVH Step, Half, Second;
  bool NoSignedWrap = false, NoUnsignedWrap = false;
};

class InductionRewriting {
public:
  InductionRewriting(Primal &P, ScalarEvolution &SE, SCEVExpander &Expander)
      : P(P), SE(SE), Expander(Expander) {}

  void find(LoopRecord &R);
  void rewriteAll();

private:
  Primal &P;
  ScalarEvolution &SE;
  SCEVExpander &Expander;
  std::vector<Induction> Found;
  /// What advanced the variables. It goes last: steps may stand in there.
  SmallVector<WeakTrackingVH, 16> Advances;

  bool isExpandable(const SCEVAddRecExpr *Rec, Instruction *At);
  Instruction *entryWith(const Value *V, const Loop *L);
  Value *expand(const SCEV *S, const Loop *L);
  Value *stepLessHalf(const Induction &V);
  void rewrite(const Induction &V);
};

/// h with 2 h = \p S modulo 2^width, or null if none is seen.
const SCEV *halfOf(const SCEV *S, ScalarEvolution &SE) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt()[0] ? nullptr : SE.getConstant(C->getAPInt().ashr(1));
  auto *Product = dyn_cast<SCEVMulExpr>(S);
  auto *Factor =
      Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!Factor || Factor->getAPInt()[0])
    return nullptr;
  SmallVector<const SCEV *, 4> Operands(Product->operands());
  Operands[0] = SE.getConstant(Factor->getAPInt().ashr(1));
  return SE.getMulExpr(Operands);
}

bool InductionRewriting::isExpandable(const SCEVAddRecExpr *Rec,
                                      Instruction *At) {
  return all_of(drop_begin(Rec->operands()), [&](const SCEV *S) {
    return S->getExpressionSize() <= MaxStepSize &&
           Expander.isSafeToExpandAt(S, At);
  });
}

/// The end of the outermost preheader around \p L in which \p V is there. What
/// does not vary in a loop nest is best made before it: it may be on the tape,
/// once.
Instruction *InductionRewriting::entryWith(const Value *V, const Loop *L) {
  Instruction *At = L->getLoopPreheader()->getTerminator();
  while ((L = L->getParentLoop())) {
    Instruction *Outer = L->getLoopPreheader()->getTerminator();
    if (!P.DT->dominates(V, Outer))
      break;
    At = Outer;
  }
  return At;
}

/// \p S as a value on entry of \p L, one and the same wherever it is used. A
/// step that is poison does no harm to the first iteration of the program, but
/// 0 times poison is poison: hence the freeze.
Value *InductionRewriting::expand(const SCEV *S, const Loop *L) {
  Instruction *At = L->getLoopPreheader()->getTerminator();
  Value *V = Expander.expandCodeFor(S, nullptr, At);
  if (isGuaranteedNotToBeUndefOrPoison(V, nullptr, At, P.DT.get()))
    return V;
  return IRBuilder<>(entryWith(V, L)).CreateFreeze(V, "adze.step");
}

/// Step - Half: the factor of i once i (i - 1) is multiplied out.
Value *InductionRewriting::stepLessHalf(const Induction &V) {
  const Loop *L = V.Loop->L;
  Instruction *At = entryWith(V.Step, L), *Late = entryWith(V.Half, L);
  if (P.DT->dominates(At, Late))
    At = Late;
  return IRBuilder<>(At).CreateSub(V.Step, V.Half);
}

void InductionRewriting::find(LoopRecord &R) {
  Instruction *At = R.L->getLoopPreheader()->getTerminator();
  for (PHINode &Phi : R.L->getHeader()->phis()) {
    if (&Phi == R.Counter || !SE.isSCEVable(Phi.getType()))
      continue;
    auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Rec || Rec->getLoop() != R.L || Rec->getNumOperands() > 3 ||
        !isExpandable(Rec, At))
      continue;
    Induction V;
    V.Phi = &Phi;
    V.Loop = &R;
    V.Step = expand(Rec->getOperand(1), R.L);
    if (Rec->isAffine()) {
      V.NoSignedWrap = Rec->hasNoSignedWrap();
      V.NoUnsignedWrap = Rec->hasNoUnsignedWrap();
    } else if (const SCEV *Half = halfOf(Rec->getOperand(2), SE);
               Half && Expander.isSafeToExpandAt(Half, At)) {
      V.Half = expand(Half, R.L);
      V.Step = stepLessHalf(V);
    } else {
      V.Second = expand(Rec->getOperand(2), R.L);
    }
    Found.push_back(std::move(V));
  }
}

/// Step i of \p V, with the flags that it may have.
Value *linearOffset(IRBuilder<> &B, const Induction &V, bool NUW, bool NSW) {
  Value *Count = B.CreateZExtOrTrunc(V.Loop->Counter, V.Step->getType());
  if (auto *Cast = dyn_cast<TruncInst>(Count)) {
    Cast->setHasNoSignedWrap(NSW);
    Cast->setHasNoUnsignedWrap(NUW || NSW);
  }
  auto *Stride = dyn_cast<ConstantInt>(V.Step);
  return Stride && Stride->isOne()
             ? Count
             : B.CreateMul(Count, V.Step, "", NUW || NSW, NSW);
}

/// i (Step + Half i).
Value *evenOffset(IRBuilder<> &B, const Induction &V) {
  Value *Count = B.CreateZExtOrTrunc(V.Loop->Counter, V.Step->getType());
  return B.CreateMul(B.CreateAdd(V.Step, B.CreateMul(Count, V.Half)), Count);
}

/// Step i + Second (i >> 1) ((i - 1) | 1). The shift needs all of the counter:
/// narrow values are cut after it, and only wide ones extended before.
Value *triangularOffset(IRBuilder<> &B, const Induction &V) {
  Type *Ty = V.Step->getType();
  Value *Count = V.Loop->Counter;
  if (Ty->getIntegerBitWidth() > 64)
    Count = B.CreateZExt(Count, Ty);
  Type *Wide = Count->getType();
  Value *Even = B.CreateLShr(Count, 1);
  Value *Odd =
      B.CreateOr(B.CreateAdd(Count, ConstantInt::getAllOnesValue(Wide)),
                 ConstantInt::get(Wide, 1));
  Value *Pairs = B.CreateTrunc(B.CreateMul(Even, Odd), Ty);
  Value *Steps = B.CreateMul(B.CreateTrunc(Count, Ty), V.Step);
  return B.CreateAdd(Steps, B.CreateMul(Pairs, V.Second));
}

/// Replaces the variable. What is known of overflow carries over where the
/// product cannot leave the range of the sum: from a constant start that is
/// not negative, by a positive constant step. An address that is always
/// advanced inside of its object lies inside of it, and no object has more
/// bytes than a signed number counts.
void InductionRewriting::rewrite(const Induction &V) {
  PHINode *Phi = V.Phi;
  Loop &L = *V.Loop->L;
  Value *Start = Phi->getIncomingValueForBlock(L.getLoopPreheader());
  Value *Next = Phi->getIncomingValueForBlock(L.getLoopLatch());
  auto *First = dyn_cast<ConstantInt>(Start);
  auto *Stride = dyn_cast<ConstantInt>(V.Step);
  bool Upwards = First && Stride && !First->isNegative() &&
                 Stride->getValue().isStrictlyPositive();
  bool NSW = V.NoSignedWrap && Upwards, NUW = V.NoUnsignedWrap && Upwards;
  auto *Advance = dyn_cast<GetElementPtrInst>(Next);
  bool InBounds = Phi->getType()->isPointerTy() && Advance &&
                  Advance->isInBounds() && Advance->getPointerOperand() == Phi;
  if (InBounds && Stride && Stride->getValue().isStrictlyPositive())
    NSW = NUW = true;

  IRBuilder<> B(L.getHeader(), L.getHeader()->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Phi->getDebugLoc());
  Value *Offset = V.Half     ? evenOffset(B, V)
                  : V.Second ? triangularOffset(B, V)
                             : linearOffset(B, V, NUW, NSW);
  Value *Now;
  if (Phi->getType()->isPointerTy()) {
    Now = B.CreateGEP(B.getInt8Ty(), Start, Offset, "",
                      InBounds ? GEPNoWrapFlags::inBounds()
                               : GEPNoWrapFlags::none());
  } else if (First && First->isZero()) {
    Now = Offset;
  } else {
    Now = B.CreateAdd(Start, Offset, "", NUW || NSW, NSW);
  }
  if (isa<Instruction>(Now) && Now != V.Loop->Counter && !Now->hasName())
    Now->takeName(Phi);
  Phi->replaceAllUsesWith(Now);
  Phi->eraseFromParent();
  Advances.emplace_back(Next);
}

void InductionRewriting::rewriteAll() {
  // Variables may be counts, or operands of nothing but a variable that goes.
  std::vector<WeakTrackingVH> Counts;
  for (auto &R : P.Loops) {
    Counts.emplace_back(R->LastIteration);
    Counts.emplace_back(R->Bound);
  }
  for (const Induction &V : Found)
    rewrite(V);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Advances);
  for (auto [I, R] : enumerate(P.Loops)) {
    R->LastIteration = Counts[2 * I];
    R->Bound = Counts[2 * I + 1];
  }
}

} // namespace

void rewriteInductions(Primal &P, ScalarEvolution &SE, SCEVExpander &Expander) {
  InductionRewriting Rewriting(P, SE, Expander);
  for (auto &R : P.Loops)
    Rewriting.find(*R);
  Expander.clear();
  Rewriting.rewriteAll();
}

} // namespace adze

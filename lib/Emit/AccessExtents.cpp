// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessExtents.h"
#include "adze/KnownFunction.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

static bool goesOn(const Instruction &I) {
  if (isGuaranteedToTransferExecutionToSuccessor(&I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known &&
         (Known->Facts.By == Derivation::Partials || Known->isRemark());
}

AccessExtents::AccessExtents(Function &F, ScalarEvolution &SE, LoopInfo &LI,
                             DominatorTree &DT)
    : SE(SE), LI(LI), DT(DT), Expander(SE, F.getDataLayout(), "extent") {
  for (const Loop *L : LI.getLoopsInPreorder())
    if (all_of(L->blocks(), [](const BasicBlock *B) {
          return all_of(*B, [](const Instruction &I) {
            return I.isTerminator() ? !isa<CallBase>(I) : goesOn(I);
          });
        }))
      RunToTheirEnd.insert(L);
}

/// Also in that in which the loop is left.
bool AccessExtents::isInEachIteration(const BasicBlock &B,
                                      const Loop &L) const {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return L.getLoopLatch() && DT.dominates(&B, L.getLoopLatch()) &&
         all_of(Exiting,
                [&](const BasicBlock *E) { return DT.dominates(&B, E); });
}

/// \p A is known to be at most \p B, where \p L is entered.
bool AccessExtents::isAtMost(const SCEV *A, const SCEV *B,
                             const Loop &L) const {
  auto *Difference =
      dyn_cast<SCEVConstant>(SE.applyLoopGuards(SE.getMinusSCEV(B, A), &L));
  return Difference && !Difference->getAPInt().isNegative();
}

/// \p One is accessed in each iteration of \p L: all of these together.
std::optional<AccessExtents::Extent> AccessExtents::inLoop(const Extent &One,
                                                           const Loop &L) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count) ||
      SE.getTypeSizeInBits(Count->getType()) > 64 ||
      !SE.isLoopInvariant(One.Bytes, &L) || !SE.isLoopInvariant(One.Piece, &L))
    return std::nullopt;
  if (SE.isLoopInvariant(One.Base, &L))
    return One;
  auto *A = dyn_cast<SCEVAddRecExpr>(One.Base);
  if (!A || A->getLoop() != &L || !A->isAffine())
    return std::nullopt;
  const SCEV *Step = A->getStepRecurrence(SE);
  const bool Up = SE.isKnownNonNegative(Step);
  if (!Up && !SE.isKnownNegative(Step))
    return std::nullopt;
  const SCEV *Size = Up ? Step : SE.getNegativeSCEV(Step);
  Count = SE.getNoopOrZeroExtend(Count, Step->getType());
  const SCEV *Way = SE.getMulExpr(Count, Size);
  Extent All = One;
  All.Base = Up ? A->getStart()
                : SE.getAddExpr(A->getStart(), SE.getNegativeSCEV(Way));
  All.Bytes = SE.getAddExpr(Way, One.Bytes);
  if (isAtMost(Size, One.Piece, L)) {
    All.Piece = SE.getAddExpr(Way, One.Piece);
    if (One.Apart && isAtMost(One.Apart, All.Piece, L))
      All.Apart = nullptr;
  } else if (One.Apart) {
    return std::nullopt;
  } else {
    All.Apart = Size;
  }
  if (!All.Apart)
    All.Piece = All.Bytes;
  return All;
}

std::optional<AccessExtent>
AccessExtents::ofAccess(Instruction &I, Value *Address, Value *Bytes) {
  Instruction *At = &I, *Front = &I;
  const SCEV *Size = SE.getNoopOrZeroExtend(SE.getSCEV(Bytes),
                                            Type::getInt64Ty(I.getContext()));
  Extent Found = {SE.getSCEV(Address), Size, Size}, Now = Found;
  for (const Loop *L = LI.getLoopFor(I.getParent());
       L && L->getLoopPreheader() && RunToTheirEnd.contains(L) &&
       isInEachIteration(*Front->getParent(), *L);
       L = L->getParentLoop()) {
    std::optional<Extent> All = inLoop(Now, *L);
    if (!All)
      break;
    Now = *All;
    Front = L->getLoopPreheader()->getTerminator();
    if (Now.Apart)
      continue;
    if (!Expander.isSafeToExpandAt(Now.Base, Front) ||
        !Expander.isSafeToExpandAt(Now.Bytes, Front))
      break;
    Found = Now;
    At = Front;
  }
  if (!Asked.insert({At->getParent(), {Found.Base, Found.Bytes}}).second)
    return std::nullopt;
  if (At == &I)
    return AccessExtent{&I, Address, Bytes};
  return AccessExtent{
      At, Expander.expandCodeFor(Found.Base, Address->getType(), At),
      Expander.expandCodeFor(Found.Bytes, Type::getInt64Ty(I.getContext()),
                             At)};
}

} // namespace adze

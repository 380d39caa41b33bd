// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/LoopAccess.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

std::optional<LoopAccess> accessOf(const Instruction &I, ScalarEvolution &SE) {
  if (!isa<LoadInst, StoreInst>(I))
    return std::nullopt;
  auto *Own = const_cast<Instruction *>(&I);
  Value *Pointer = getLoadStorePointerOperand(Own);
  TypeSize Size =
      I.getModule()->getDataLayout().getTypeStoreSize(getLoadStoreType(Own));
  if (Size.isScalable())
    return std::nullopt;
  return LoopAccess{Own, SE.getSCEV(Pointer), Size.getFixedValue()};
}

const SCEVAddRecExpr *advanceIn(const SCEV *Address, const Loop &L) {
  auto *Advance = dyn_cast<SCEVAddRecExpr>(Address);
  return Advance && Advance->getLoop() == &L && Advance->isAffine() ? Advance
                                                                    : nullptr;
}

const SCEVConstant *constantStepIn(const SCEV *Address, const Loop &L,
                                   ScalarEvolution &SE) {
  const SCEVAddRecExpr *Advance = advanceIn(Address, L);
  return Advance ? dyn_cast<SCEVConstant>(Advance->getStepRecurrence(SE))
                 : nullptr;
}

std::optional<int64_t> distance(const SCEV *From, const SCEV *To,
                                ScalarEvolution &SE) {
  auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(To, From));
  // The negative of a distance is one, too.
  return D && D->getAPInt().getSignificantBits() < 64
             ? std::optional(D->getAPInt().getSExtValue())
             : std::nullopt;
}

bool isElsewhereEachTime(const LoopAccess &A, const Loop &L,
                         ScalarEvolution &SE) {
  const SCEVConstant *Step = constantStepIn(A.Address, L, SE);
  return Step && Step->getAPInt().abs().uge(A.Size);
}

const SCEV *endOf(const SCEV *From, const SCEV *Step, const SCEV *Count,
                  bool Least, ScalarEvolution &SE) {
  const SCEV *Span =
      SE.getMulExpr(Step, SE.getTruncateOrZeroExtend(Count, Step->getType()));
  bool Rises = SE.isKnownNonNegative(Step);
  if (Rises || SE.isKnownNegative(Step))
    return Rises == Least ? From : SE.getAddExpr(From, Span);
  const SCEV *Zero = SE.getZero(Step->getType());
  return SE.getAddExpr(From, Least ? SE.getSMinExpr(Zero, Span)
                                   : SE.getSMaxExpr(Zero, Span));
}

} // namespace adze

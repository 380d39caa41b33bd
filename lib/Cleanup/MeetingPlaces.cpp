// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MeetingPlaces.h"

#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Steps and distances beyond this are not compared: nothing overflows.
static constexpr int64_t MaxDistance = int64_t(1) << 40;

std::optional<SmallVector<MovingAccess, 16>> accessesOf(Loop &L, unsigned Max,
                                                        ScalarEvolution &SE) {
  SmallVector<MovingAccess, 16> Found;
  for (Instruction &I : *L.getHeader()) {
    if (isa<DbgInfoIntrinsic>(I))
      continue;
    auto *Store = dyn_cast<StoreInst>(&I);
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Store && !Load) {
      if (I.mayReadOrWriteMemory() ||
          !isGuaranteedToTransferExecutionToSuccessor(&I))
        return std::nullopt;
      continue;
    }
    std::optional<LoopAccess> A = accessOf(I, SE);
    if (!A || Found.size() == Max ||
        (Store ? !Store->isSimple() : !Load->isSimple()))
      return std::nullopt;
    MovingAccess M{*A, &L, nullptr, 0};
    if (SE.isLoopInvariant(A->Address, &L)) {
      M.Start = A->Address;
    } else if (const SCEVConstant *Step = constantStepIn(A->Address, L, SE)) {
      const APInt &By = Step->getAPInt();
      if (By.abs().ult(MaxDistance)) {
        M.Start = advanceIn(A->Address, L)->getStart();
        M.Step = By.getSExtValue();
      }
    }
    Found.push_back(M);
  }
  return Found;
}

MovingAccess turnedAround(const MovingAccess &A, ScalarEvolution &SE) {
  MovingAccess Turned = A;
  if (A.Start && A.Step != 0) {
    Type *Index = SE.getEffectiveSCEVType(A.Start->getType());
    const SCEV *Step = SE.getConstant(Index, uint64_t(A.Step), true);
    const SCEV *Back =
        SE.getTruncateOrZeroExtend(SE.getBackedgeTakenCount(A.L), Index);
    Turned.Start = SE.getAddExpr(A.Start, SE.getMulExpr(Step, Back));
    Turned.Step = -A.Step;
  }
  return Turned;
}

std::optional<int64_t> MeetingPlaces::between(const SCEV *From, const SCEV *To,
                                              ArrayRef<const Loop *> In) {
  if (From->getType() != To->getType())
    return std::nullopt;
  const SCEV *Apart = SE.getMinusSCEV(To, From);
  if (isa<SCEVCouldNotCompute>(Apart))
    return std::nullopt;
  auto *D = dyn_cast<SCEVConstant>(Apart);
  if (!D)
    D = dyn_cast<SCEVConstant>(underGuards(Apart, In, LI, SE));
  return D && D->getAPInt().abs().ult(MaxDistance)
             ? std::optional(D->getAPInt().getSExtValue())
             : std::nullopt;
}

bool MeetingPlaces::haveOtherObjects(const Instruction &A,
                                     const Instruction &B) {
  auto all = [](const Instruction &I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                            I.getAAMetadata());
  };
  return Alias.alias(all(A), all(B)) == AliasResult::NoAlias;
}

Meeting MeetingPlaces::find(const MovingAccess &X, const MovingAccess &Y) {
  // As far apart as they are, no step makes up for it: rows of one array.
  if (X.Start && Y.Start && X.Step == Y.Step && X.Step != 0) {
    const int64_t Width = std::abs(X.Step);
    std::optional<int64_t> D = between(X.Start, Y.Start, {X.L, Y.L});
    if (D && X.Size <= uint64_t(Width) && Y.Size <= uint64_t(Width)) {
      const int64_t Rest = (*D % Width + Width) % Width;
      if (Rest == 0)
        return {Meeting::Ahead, *D / X.Step};
      if (uint64_t(Rest) >= X.Size && uint64_t(Width - Rest) >= Y.Size)
        return {Meeting::Never};
    }
    if (D)
      return {Meeting::Unknown};
  }
  if (haveOtherObjects(*X.I, *Y.I) || Ranges.areDisjoint(*X.I, X.L, *Y.I, Y.L))
    return {Meeting::Never};
  return {Meeting::Unknown};
}

std::optional<LoopAccess> MeetingPlaces::ended(Instruction &Alone) {
  std::optional<LoopAccess> A = accessOf(Alone, SE);
  if (A)
    A->Address =
        SE.getSCEVAtScope(A->Address, LI.getLoopFor(Alone.getParent()));
  return A;
}

bool MeetingPlaces::areApartFrom(Instruction &Alone, const MovingAccess &X,
                                 int64_t First) {
  std::optional<LoopAccess> A = ended(Alone);
  if (A && X.Start && X.Step != 0)
    if (std::optional<int64_t> D = between(X.Start, A->Address, {X.L})) {
      const int64_t From = X.Step * First; // where X is in that iteration
      return X.Step > 0 ? *D + int64_t(A->Size) <= From
                        : *D >= From + int64_t(X.Size);
    }
  return haveOtherObjects(Alone, *X.I) ||
         (A && Ranges.areDisjoint(*A, nullptr, X, X.L));
}

bool MeetingPlaces::areApartUntil(Instruction &Alone, const MovingAccess &X,
                                  int64_t Count) {
  std::optional<LoopAccess> A = ended(Alone);
  if (A && X.Start && X.Step != 0) {
    // Where X is in its last iteration, and so in all.
    const SCEV *Last = turnedAround(X, SE).Start;
    if (std::optional<int64_t> D = between(Last, A->Address, {X.L})) {
      const int64_t To = -X.Step * Count;
      return X.Step > 0 ? *D >= To + int64_t(X.Size)
                        : *D + int64_t(A->Size) <= To;
    }
  }
  return haveOtherObjects(Alone, *X.I) ||
         (A && Ranges.areDisjoint(*A, nullptr, X, X.L));
}

bool MeetingPlaces::areApart(Instruction &A, Instruction &B,
                             const Loop &Beside) {
  if (haveOtherObjects(A, B))
    return true;
  std::optional<LoopAccess> X = ended(A), Y = ended(B);
  return X && Y && Ranges.areDisjoint(*X, &Beside, *Y, &Beside);
}

} // namespace adze

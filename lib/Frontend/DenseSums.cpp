// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/DenseViews.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace adze;

/// Whether \p I passes its operand \p Op on in a sum, as it is or as a part of
/// a vector.
static bool addsTo(const Instruction &I, unsigned Op) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    return Op == 2 && (Intrinsic->getIntrinsicID() == Intrinsic::fmuladd ||
                       Intrinsic->getIntrinsicID() == Intrinsic::fma);
  return I.getOpcode() == Instruction::FAdd ||
         (I.getOpcode() == Instruction::FSub && Op == 0) ||
         isa<PHINode, SelectInst, BitCastInst, FreezeInst, InsertElementInst,
             ExtractElementInst, ShuffleVectorInst>(I);
}

/// Whether \p V is a sum of \p Other, or in a loop of itself, and more.
static bool isSumOf(const Value *V, const Value *Other) {
  constexpr unsigned MaxValues = 2000;
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 32> List{V};
  while (!List.empty()) {
    auto *I = dyn_cast<Instruction>(List.pop_back_val());
    if (!I)
      continue;
    for (const Use &U : I->operands()) {
      if (!U->getType()->isFPOrFPVectorTy() || !addsTo(*I, U.getOperandNo()))
        continue;
      if ((U == Other && isa<Instruction>(Other)) || Seen.size() > MaxValues)
        return true;
      if (Seen.insert(U).second)
        List.push_back(U);
    }
  }
  return false;
}

namespace {

/// What is known of the places that stores go to.
class StorePlaces {
public:
  explicit StorePlaces(Function &F)
      : Info(Triple(F.getParent()->getTargetTriple())), TLI(Info, &F),
        Assumptions(F), Tree(F), Loops(Tree),
        SE(F, TLI, Assumptions, Tree, Loops) {}

  /// Whether \p A and \p B never go to one place, or only where one execution
  /// of both is the same.
  bool areApart(const DenseAccess &A, const DenseAccess &B) {
    const SCEV *First = SE.getSCEV(A.Distance), *Then = SE.getSCEV(B.Distance);
    auto *Between = dyn_cast<SCEVConstant>(SE.getMinusSCEV(First, Then));
    auto *Steps = dyn_cast<SCEVAddRecExpr>(First);
    if (!Between)
      return false;
    const APInt &Gap = Between->getAPInt();
    if (!Steps)
      return isa<SCEVConstant>(First) && !Gap.isZero();
    auto *Step = dyn_cast<SCEVConstant>(Steps->getStepRecurrence(SE));
    if (!Step || Step->getAPInt().isZero())
      return false;
    return Gap.isZero() ? A.Call == B.Call
                        : !Gap.srem(Step->getAPInt()).isZero();
  }

  /// Whether \p Load, \p Iterations before \p Store, is of the same place.
  bool areSame(const DenseAccess &Load, const DenseAccess &Store,
               unsigned Iterations) {
    const SCEV *First = SE.getSCEV(Load.Distance);
    const SCEV *Then = SE.getSCEV(Store.Distance);
    const SCEV *Between = SE.getMinusSCEV(First, Then);
    if (Between->isZero())
      return true;
    auto *Steps = dyn_cast<SCEVAddRecExpr>(First);
    return Iterations && Steps &&
           Between ==
               SE.getMulExpr(Steps->getStepRecurrence(SE),
                             SE.getConstant(Between->getType(), Iterations));
  }

private:
  TargetLibraryInfoImpl Info;
  TargetLibraryInfo TLI;
  AssumptionCache Assumptions;
  DominatorTree Tree;
  LoopInfo Loops;
  ScalarEvolution SE;
};

} // namespace

/// The first use of what is loaded that is no sum that goes to the same place.
static const Instruction *otherUse(const DenseAccess &Load,
                                   ArrayRef<DenseAccess> Stores,
                                   StorePlaces &Places) {
  SmallVector<std::pair<const Instruction *, unsigned>, 8> List{{Load.Call, 0}};
  SmallPtrSet<const Instruction *, 16> Seen{Load.Call};
  while (!List.empty()) {
    auto [V, Phis] = List.pop_back_val();
    for (const Use &U : V->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      auto *To = find_if(Stores, [&](const DenseAccess &S) {
        return S.Call == I && U.getOperandNo() == 0;
      });
      if (To != Stores.end()) {
        if (!Places.areSame(Load, *To, Phis))
          return I;
        continue;
      }
      if (!addsTo(*I, U.getOperandNo()))
        return I;
      if (Seen.insert(I).second)
        List.push_back({I, Phis + isa<PHINode>(I)});
    }
  }
  return nullptr;
}

const Instruction *adze::findLostSum(ArrayRef<DenseAccess> Loads,
                                     ArrayRef<DenseAccess> Stores) {
  if (Stores.empty())
    return nullptr;
  StorePlaces Places(*Stores.front().Call->getFunction());
  for (const DenseAccess &Load : Loads)
    if (const Instruction *I = otherUse(Load, Stores, Places))
      return I;
  for (const DenseAccess &S : Stores)
    for (const DenseAccess &Before : Stores)
      if (isSumOf(S.Call->getArgOperand(0), Before.Call->getArgOperand(0)) &&
          !Places.areApart(S, Before))
        return S.Call;
  return nullptr;
}

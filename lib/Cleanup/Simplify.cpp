// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AtomicSum.h"
#include "adze/Cleanup.h"
#include "adze/OwnFunction.h"
#include "adze/Request.h"
#include "adze/VerifyIR.h"
#include "adze/WordMoves.h"

#include "DirectionLoops.h"
#include "DistributeSums.h"
#include "EarlyValues.h"
#include "FoldLatches.h"
#include "FuseLoops.h"
#include "LoopOrder.h"
#include "NestOrder.h"
#include "OuterRecurrence.h"
#include "RolledLoops.h"
#include "RunningSums.h"
#include "SameAddresses.h"
#include "SeparateVersions.h"
#include "ShortLoops.h"
#include "SkipZeroLoops.h"
#include "TeamSums.h"
#include "WayFacts.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/MemCpyOptimizer.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

/// Inlines until no call of a helper is left, unless it has a derivative as it
/// is and \p F may be differentiated again. A helper that reaches itself would
/// never end: after so many rounds the calls stay calls.
static void inlineHelpers(Function &F, bool IsLast) {
  constexpr unsigned MaxRounds = 16;
  for (unsigned Round = 0; Round != MaxRounds; ++Round) {
    SmallVector<CallBase *, 8> Calls;
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (Callee && Callee != &F && !Callee->isDeclaration() &&
          Callee->hasFnAttribute(Attribute::AlwaysInline) && isOwn(*Callee) &&
          (IsLast || !isWordMove(*Callee)))
        Calls.push_back(Call);
    }
    if (Calls.empty())
      break;
    bool Inlined = false;
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      Inlined |= InlineFunction(*Call, Info).isSuccess();
    }
    if (!Inlined)
      break;
  }
}

/// Chains of blocks become one. The reverse pass has a block for each edge, and
/// many of them follow one another. To be done while slots are in memory: once
/// they are phis, merging the blocks that lead to a wide join takes LLVM time
/// in the square of their number for each phi there.
static void mergeChains(Function &F) {
  for (BasicBlock &B : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&B);
}

/// A phi of what several directions hand on becomes one phi for each.
static void splitPhi(PHINode &Phi) {
  auto *Ty = cast<ArrayType>(Phi.getType());
  const auto Count = unsigned(Ty->getNumElements());
  IRBuilder<> B(&Phi);
  SmallVector<PHINode *, 8> Each;
  for (unsigned K = 0; K != Count; ++K)
    Each.push_back(B.CreatePHI(Ty->getElementType(), Phi.getNumIncomingValues(),
                               Phi.getName()));
  B.SetInsertPoint(Phi.getParent(), Phi.getParent()->getFirstInsertionPt());
  Value *Packed = PoisonValue::get(Ty);
  for (unsigned K = 0; K != Count; ++K)
    Packed = B.CreateInsertValue(Packed, Each[K], K);
  Phi.replaceAllUsesWith(Packed);
  for (auto [From, V] : zip(Phi.blocks(), Phi.incoming_values())) {
    B.SetInsertPoint(From->getTerminator());
    for (unsigned K = 0; K != Count; ++K) {
      const int Known =
          Each[K]->getBasicBlockIndex(From); // a switch comes twice
      Each[K]->addIncoming(Known < 0 ? B.CreateExtractValue(V, K)
                                     : Each[K]->getIncomingValue(Known),
                           From);
    }
  }
  Phi.eraseFromParent();
}

/// LLVM's passes do little with arrays that are values.
static void splitArrays(Function &F) {
  for (BasicBlock &B : F)
    for (PHINode &Phi : make_early_inc_range(B.phis()))
      if (auto *Ty = dyn_cast<ArrayType>(Phi.getType());
          Ty && Ty->getNumElements() <= MaxWidth)
        splitPhi(Phi);
}

/// What can be seen without loops.
static void addEarlyPasses(FunctionPassManager &Passes) {
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
}

/// Adjoint slots of outer loops become phis of inner ones; loops that only
/// recomputed what nobody reads go; loops that clear memory become memset;
/// short loops of fixed count are unrolled, so that what they kept in arrays
/// can move to registers.
static void addLoopPasses(FunctionPassManager &Passes) {
  LICMOptions Licm;
  LoopPassManager First, Second;
  First.addPass(LoopRotatePass());
  First.addPass(LICMPass(Licm));
  Second.addPass(LoopIdiomRecognizePass());
  Second.addPass(IndVarSimplifyPass());
  Second.addPass(LoopDeletionPass());
  Second.addPass(LoopFullUnrollPass());
  Passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(First), /*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Second)));
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
}

/// Loops with one kind of sums alone (TeamSums.h).
static void addTeamPasses(FunctionPassManager &Passes) {
  Passes.addPass(CutTeamLoopsPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  Passes.addPass(UnswitchTeamSumsPass());
  Passes.addPass(SimplifyCFGPass());
}

/// Loads of what was stored before, stores that nothing reads, allocations
/// that only stores knew.
static void addLatePasses(FunctionPassManager &Passes, bool IsLast) {
  Passes.addPass(WayFactsPass());
  Passes.addPass(EarlyValuesPass());
  Passes.addPass(SameAddressesPass());
  // Before redundant loads go, for these would leave sums half in registers.
  Passes.addPass(RunningSumsPass());
  Passes.addPass(GVNPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(CorrelatedValuePropagationPass());
  Passes.addPass(ADCEPass());
  Passes.addPass(MemCpyOptPass());
  Passes.addPass(DSEPass());
  LoopPassManager Last;
  Last.addPass(LICMPass(LICMOptions()));
  Passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(Last), /*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  // A loop whose last reader went with a store above.
  LoopPassManager Dead;
  Dead.addPass(LoopDeletionPass());
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Dead)));
  Passes.addPass(RunningSumsPass());
  Passes.addPass(FoldLatchesPass());
  Passes.addPass(TurnNestsPass());
  Passes.addPass(DirectionLoopsPass());
  Passes.addPass(DistributeSumsPass());
  Passes.addPass(SkipZeroLoopsPass());
  Passes.addPass(CountUpPass());
  if (IsLast)
    Passes.addPass(FuseLoopsPass());
  Passes.addPass(FreezeOuterRecurrencePass());
  Passes.addPass(ShortLoopsPass());
  Passes.addPass(RolledLoopsPass());
}

/// The branch of a sum that is atomic under a condition alone.
static bool isSumUnlessAlone(const Instruction &I) {
  return I.hasMetadata(AloneMetadata);
}

/// Of what seldom runs: what makes it short, at little cost.
static Error simplifyGeneral(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager Passes;
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  LoopPassManager Loops;
  Loops.addPass(LICMPass(LICMOptions()));
  Loops.addPass(LoopDeletionPass());
  Passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(Loops), /*UseMemorySSA=*/true));
  Passes.addPass(ADCEPass());
  Passes.addPass(SimplifyCFGPass());
  FAM.invalidate(F, Passes.run(F, FAM));
  return verifyIR(F);
}

Error simplifyDerivative(Function &F, FunctionAnalysisManager &FAM,
                         bool IsLast) {
  inlineHelpers(F, IsLast);
  mergeChains(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, SROAPass(SROAOptions::ModifyCFG).run(F, FAM));
  splitArrays(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  if (Function *General = separateGeneral(F, FAM))
    if (Error Wrong = simplifyGeneral(*General, FAM))
      return Wrong;
  FunctionPassManager Passes;
  addEarlyPasses(Passes);
  addLoopPasses(Passes);
  if (any_of(instructions(F), isSumUnlessAlone))
    addTeamPasses(Passes);
  addLatePasses(Passes, IsLast);
  FAM.invalidate(F, Passes.run(F, FAM));
  return verifyIR(F);
}

} // namespace adze

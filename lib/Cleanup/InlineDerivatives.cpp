// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's inliner has run before there were derivatives. A call of a
// small one in a loop would keep the loop from being vectorized, and what is
// constant at the call, as the adjoint 1 of a gradient is, from being folded.
#include "adze/Cleanup.h"
#include "adze/DeviceTarget.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

static bool isLocalAndOwn(const Function &F) {
  return !F.isDeclaration() && F.hasLocalLinkage() && isOwn(F);
}

std::vector<Function *> calleesFirst(ArrayRef<Function *> Functions,
                                     Module &M) {
  SetVector<Function *> Wanted(Functions.begin(), Functions.end());
  CallGraph Calls(M);
  SmallPtrSet<CallGraphNode *, 8> Seen;
  std::vector<Function *> Order;
  for (Function *F : Functions)
    for (CallGraphNode *N : post_order_ext(Calls[F], Seen))
      if (Wanted.contains(N->getFunction()))
        Order.push_back(N->getFunction());
  return Order;
}

/// The address of what a kernel is given lies in global memory. A function does
/// not know that, and asks at each atomic operation.
static bool isWorkOfKernel(const CallBase &Call) {
  constexpr unsigned MostInstructions = 10000;
  Function &Callee = *Call.getCalledFunction();
  return isKernel(*Call.getFunction()) &&
         !Callee.hasFnAttribute(Attribute::NoInline) &&
         isInlineViable(Callee).isSuccess() &&
         Callee.getInstructionCount() <= MostInstructions;
}

/// As LLVM decides it, but for two things. Beside a loop of the callee a call
/// costs nothing, and nothing is found out about the loop by inlining, unless
/// it is how often it is run. And that the only call of a function takes its
/// copy away is a reason in loops alone, which may become vector code then:
/// elsewhere little is gained, as the derivative has been simplified already,
/// and its code would be once more.
static bool isWorthInlining(CallBase &Call, FunctionAnalysisManager &FAM) {
  Function &Callee = *Call.getCalledFunction();
  auto assumptionsOf = [&](Function &F) -> AssumptionCache & {
    return FAM.getResult<AssumptionAnalysis>(F);
  };
  auto libraryOf = [&](Function &F) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  };
  auto frequenciesOf = [&](Function &F) -> BlockFrequencyInfo & {
    return FAM.getResult<BlockFrequencyAnalysis>(F);
  };
  ProfileSummaryInfo *Profile =
      FAM.getResult<ModuleAnalysisManagerFunctionProxy>(Callee)
          .getCachedResult<ProfileSummaryAnalysis>(*Callee.getParent());
  // Calls in loops may cost more only at the highest level, which a gradient
  // deserves: it is several times as long as a primal worth inlining.
  InlineCost Cost =
      getInlineCost(Call, getInlineParams(/*OptLevel=*/3, /*SizeOptLevel=*/0),
                    FAM.getResult<TargetIRAnalysis>(Callee), assumptionsOf,
                    libraryOf, frequenciesOf, Profile);
  if (!Cost.isVariable())
    return Cost.isAlways();
  bool HasLoops = !FAM.getResult<LoopAnalysis>(Callee).empty();
  if (HasLoops &&
      none_of(Call.args(), [](const Use &A) { return isa<ConstantInt>(A); }))
    return false;
  bool IsInLoop = FAM.getResult<LoopAnalysis>(*Call.getFunction())
                      .getLoopFor(Call.getParent());
  int Bonus = IsInLoop && !HasLoops ? 0 : Cost.getStaticBonusApplied();
  return Cost.getCost() + Bonus < Cost.getThreshold();
}

bool inlineDerivatives(Function &F, FunctionAnalysisManager &FAM,
                       const SetVector<Function *> &Unfinished) {
  // What was known of the function is older than the calls in it.
  FAM.invalidate(F, PreservedAnalyses::none());
  // All is decided before frequencies of blocks change.
  SmallVector<CallBase *, 8> Calls;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Callee != &F && isLocalAndOwn(*Callee) &&
        !Unfinished.contains(Callee) &&
        (isWorkOfKernel(*Call) || isWorthInlining(*Call, FAM)))
      Calls.push_back(Call);
  }
  bool Inlined = false;
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    Inlined |=
        InlineFunction(*Call, Info, /*MergeAttributes=*/true).isSuccess();
  }
  if (Inlined)
    FAM.invalidate(F, PreservedAnalyses::none());
  return Inlined;
}

void inlineIntoProgram(Module &M, FunctionAnalysisManager &FAM) {
  SetVector<Function *> Callers;
  for (Function &F : M)
    if (isLocalAndOwn(F))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U))
          if (Call->getCalledFunction() == &F &&
              !isLocalAndOwn(*Call->getFunction()))
            Callers.insert(Call->getFunction());
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(InstCombinePass());
  LoopPassManager Loops;
  Loops.addPass(LICMPass(LICMOptions()));
  Passes.addPass(
      createFunctionToLoopPassAdaptor(std::move(Loops), /*UseMemorySSA=*/true));
  for (Function *F : Callers)
    if (inlineDerivatives(*F, FAM, {}))
      FAM.invalidate(*F, Passes.run(*F, FAM));
}

} // namespace adze

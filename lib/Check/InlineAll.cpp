// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "InlineAll.h"
#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

/// Functions that become larger than this are given up.
constexpr unsigned MaxInstructions = 50000;
/// Function pointers may become known when all else is inlined; so often.
constexpr unsigned MaxRounds = 8;

class Inliner {
public:
  Inliner(Function &F, FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}

  std::string run() {
    for (unsigned Round = 0; Round != MaxRounds && HasMore; ++Round) {
      HasMore = false;
      if (std::string Why = inlineOnce(); !Why.empty())
        return Why;
      if (catches())
        return "it catches exceptions";
      simplify();
    }
    return "";
  }

private:
  /// A call, and the number of the inlined one that brought it here.
  struct Item {
    CallBase *Call;
    int From;
  };

  static Function *bodyOf(const CallBase &Call) {
    Function *Callee = Call.getCalledFunction();
    if (!Callee || Callee->isDeclaration())
      return nullptr;
    const KnownFunction *Known = lookupKnown(Call);
    return !Known || Known->isDeclaredInactive() ? Callee : nullptr;
  }

  bool isRepeated(const Function *Callee, int From) const {
    for (; From >= 0; From = Inlined[From].second)
      if (Inlined[From].first == Callee)
        return true;
    return false;
  }

  std::string inlineOnce() {
    std::vector<Item> Work;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Work.push_back({Call, -1});
    while (!Work.empty()) {
      Item Next = Work.back();
      Work.pop_back();
      Function *Callee = bodyOf(*Next.Call);
      if (!Callee)
        continue;
      if (isRepeated(Callee, Next.From))
        return "'" + sourceName(*Callee) + "' calls itself";
      if (F.getInstructionCount() + Callee->getInstructionCount() >
          MaxInstructions)
        return "with all that it calls it is too large";
      InlineFunctionInfo Info;
      Info.UpdateProfile = false;
      InlineResult Result = isInlineViable(*Callee);
      if (Result.isSuccess())
        Result = InlineFunction(*Next.Call, Info);
      if (!Result.isSuccess())
        return "'" + sourceName(*Callee) +
               "' cannot be inlined: " + Result.getFailureReason();
      HasMore = true;
      Inlined.push_back({Callee, Next.From});
      for (CallBase *Call : Info.InlinedCallSites)
        Work.push_back({Call, int(Inlined.size()) - 1});
    }
    return "";
  }

  /// A handler from which the function goes on.
  bool catches() {
    SmallVector<BasicBlock *, 4> Returns;
    for (BasicBlock &B : F)
      if (isa<ReturnInst>(B.getTerminator()))
        Returns.push_back(&B);
    return any_of(F, [&](BasicBlock &B) {
      return B.isLandingPad() && any_of(Returns, [&](BasicBlock *Return) {
               return isPotentiallyReachable(&B, Return);
             });
    });
  }

  void simplify() {
    // What throws does not come to its end here.
    for (BasicBlock &B : F)
      if (auto *Invoke = dyn_cast<InvokeInst>(B.getTerminator()))
        changeToCall(Invoke);
    removeUnreachableBlocks(F);
    stripDebugInfo(F);
    FAM.invalidate(F, PreservedAnalyses::none());
    FunctionPassManager Passes;
    Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    Passes.addPass(SimplifyCFGPass());
    FAM.invalidate(F, Passes.run(F, FAM));
  }

  Function &F;
  FunctionAnalysisManager &FAM;
  bool HasMore = true;
  std::vector<std::pair<const Function *, int>> Inlined;
};

} // namespace

std::string inlineAll(Function &F, FunctionAnalysisManager &FAM) {
  return Inliner(F, FAM).run();
}

} // namespace adze

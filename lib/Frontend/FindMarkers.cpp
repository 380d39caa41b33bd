// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Marker.h"

#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace adze;

/// " (file:line)" of a variable's declaration, "" without debug information.
static std::string place(const GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *, 1> Infos;
  G.getDebugInfo(Infos);
  if (Infos.empty())
    return "";
  const DIGlobalVariable *Info = Infos.front()->getVariable();
  return (" (" + Info->getFilename() + ":" + Twine(Info->getLine()) + ")")
      .str();
}

static std::vector<CallBase *> callsOf(Module &M,
                                       function_ref<bool(MarkerKind)> IsAsked) {
  std::vector<CallBase *> Calls;
  if (!hasMarkers(M))
    return Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm())
        continue;
      const Function *Callee = functionBehind(Call->getCalledOperand());
      if (Callee && IsAsked(markerKind(*Callee)))
        Calls.push_back(Call);
    }
  return Calls;
}

std::vector<CallBase *> adze::findMarkers(Module &M) {
  return callsOf(M, [](MarkerKind Kind) {
    return Kind != MarkerKind::None && Kind != MarkerKind::CallInactive &&
           Kind != MarkerKind::Batch && Kind != MarkerKind::ErrorEstimate &&
           Kind != MarkerKind::Dense && !asksForPrecision(Kind) &&
           Kind != MarkerKind::Unsupported;
  });
}

std::vector<CallBase *> adze::findErrorEstimates(Module &M) {
  return callsOf(
      M, [](MarkerKind Kind) { return Kind == MarkerKind::ErrorEstimate; });
}

std::vector<CallBase *> adze::findDenseViews(Module &M) {
  return callsOf(M, [](MarkerKind Kind) { return Kind == MarkerKind::Dense; });
}

namespace {

/// What is still there of the markers when all calls have been replaced.
class LeftoverReporter {
public:
  LeftoverReporter(Module &M, Diagnostics &Diags) : M(M), Diags(Diags) {}

  void run() {
    if (!hasMarkers(M))
      return;
    for (Function &F : make_early_inc_range(M)) {
      MarkerKind Kind = markerKind(F);
      if (Kind == MarkerKind::None)
        continue;
      removeDeadSpills(F);
      for (User *U : SmallVector<User *, 8>(F.users()))
        reportUse(F, Kind, *U);
      if (F.use_empty())
        F.eraseFromParent();
      // ADZE_MARKER has the code generator say that the plugin was not there.
      // It was, and has said what is wrong.
      else if (Diags.errors() != 0)
        F.removeFnAttr("dontcall-error");
    }
    for (const GlobalVariable &G : M.globals())
      if (registrationKind(G) == Registration::Unsupported)
        Diags.report(Diag::UnsupportedRegistration,
                     origin(G.getName(), nullptr), nullptr,
                     {"'" + sourceName(G.getName()) + "'" + place(G)});
    removeHelpers();
  }

private:
  Origin origin(StringRef Callee, const Instruction *At) const {
    Origin From;
    From.Callee = Callee.str();
    if (At) {
      From.Place = sourcePlace(At);
      From.In = At->getFunction();
      From.Location = At->getDebugLoc().get();
    }
    if (From.In)
      From.Caller = From.In->getName().str();
    return From;
  }

  /// At -O0 the marker's address may have gone through a local variable, of
  /// which only the store is left.
  void removeDeadSpills(Function &Marker) {
    for (User *U : SmallVector<User *, 8>(Marker.users())) {
      auto *S = dyn_cast<StoreInst>(U);
      if (!S || S->getValueOperand() != &Marker)
        continue;
      auto *Variable = dyn_cast<AllocaInst>(S->getPointerOperand());
      if (!Variable)
        continue;
      bool Read = false;
      for (User *Other : SmallVector<User *, 8>(Variable->users())) {
        auto *I = cast<Instruction>(Other);
        if (isa<LoadInst>(I) && I->use_empty()) {
          I->eraseFromParent();
          continue;
        }
        auto *II = dyn_cast<IntrinsicInst>(I);
        Read |= I != S && !(II && II->isLifetimeStartOrEnd());
      }
      if (!Read)
        S->eraseFromParent();
    }
  }

  void reportUse(Function &Marker, MarkerKind Kind, User &U) {
    std::string Name = markerName(Marker).str();
    auto *At = dyn_cast<Instruction>(&U);
    auto *Call = dyn_cast<CallBase>(&U);
    bool Called = Call && Call->getCalledOperand() == &Marker;
    if (Called && Kind == MarkerKind::Unsupported) {
      Diags.report(Diag::UnsupportedMarker, origin(Name, At), At, {Name});
      return;
    }
    // The driver's business: refused when it was parsed, or to be replaced.
    if (Called || isKnownSpill(Marker, U))
      return;
    // A cast or alias says no more than its own uses do.
    if (!At && isa<Constant>(U) && !isa<GlobalValue>(U)) {
      for (User *Outer : U.users())
        if (auto *I = dyn_cast<Instruction>(Outer))
          return reportAddress(Name, I);
      if (U.use_empty())
        return;
    }
    reportAddress(Name, At);
  }

  /// A local variable through which findMarkers sees.
  static bool isKnownSpill(const Function &Marker, const User &U) {
    const auto *S = dyn_cast<StoreInst>(&U);
    if (!S || !isa<AllocaInst>(S->getPointerOperand()))
      return false;
    return all_of(S->getPointerOperand()->users(), [&](const User *Other) {
      return !isa<LoadInst>(Other) || lookThrough(Other) == &Marker;
    });
  }

  void reportAddress(const std::string &Name, const Instruction *At) {
    Diags.report(Diag::LeftoverMarker, origin(Name, At), At,
                 {Name, "its address is taken"});
  }

  void removeHelpers() {
    for (Function &F : make_early_inc_range(M))
      if (F.getName().starts_with(HelperPrefix) && isOwn(F) && F.use_empty())
        F.eraseFromParent();
  }

  Module &M;
  Diagnostics &Diags;
};

} // namespace

void adze::reportLeftovers(Module &M, Diagnostics &Diags) {
  Diags.attach(M.getContext());
  LeftoverReporter(M, Diags).run();
}

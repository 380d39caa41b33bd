// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Driver.h"
#include "CheckGradients.h"
#include "CheckShadows.h"
#include "DerivativeStore.h"
#include "MarkerTypes.h"
#include "Reproducer.h"
#include "SplitMarkers.h"
#include "adze/Annotations.h"
#include "adze/Cleanup.h"
#include "adze/Deferred.h"
#include "adze/Emit.h"
#include "adze/GuardedProduct.h"
#include "adze/Marker.h"
#include "adze/Options.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

std::vector<Marker> parseMarkers(ArrayRef<CallBase *> Calls,
                                 Diagnostics &Diags) {
  std::vector<Marker> Markers;
  for (CallBase *Call : Calls)
    if (std::optional<Marker> M = parseMarker(*Call, Diags))
      Markers.push_back(std::move(*M));
  return Markers;
}

void reportInvalid(StringRef Stage, const Function &F, StringRef Wrong,
                   ArrayRef<Marker> Markers, Diagnostics &Diags) {
  if (!Wrong.empty())
    Diags.report(Diag::Internal, *Markers.front().From, nullptr,
                 {(Stage + " of " + F.getName() + ": " + Wrong).str()});
}

/// What Adze emits, helpers and all, must be valid IR; if it is not, that is
/// our error.
void verifyAll(const Module &M, ArrayRef<Marker> Markers, Diagnostics &Diags) {
  for (const Function &F : M) {
    std::string Wrong;
    raw_string_ostream OS(Wrong);
    if (F.getName().starts_with("adze.") && verifyFunction(F, &OS))
      reportInvalid("emission", F, OS.str(), Markers, Diags);
  }
}

FunctionAnalysisManager &functionAnalyses(Module &M,
                                          ModuleAnalysisManager &AM) {
  return AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

void cleanUp(Module &M, const DerivativeStore &Store, ArrayRef<Marker> Markers,
             ModuleAnalysisManager &AM, Diagnostics &Diags) {
  FunctionAnalysisManager &FAM = functionAnalyses(M, AM);
  for (Function *F : Store.functions())
    repairAttributes(*F);
  inferAttributes(M, AM);
  // What is left to be differentiated may be these derivatives.
  bool IsLast = findMarkers(M).empty();
  std::vector<Function *> Order = calleesFirst(Store.functions(), M);
  SetVector<Function *> Unfinished(Order.begin(), Order.end());
  for (Function *F : Order) {
    if (IsLast)
      inlineDerivatives(*F, FAM, Unfinished);
    reportInvalid("cleanup", *F, simplifyDerivative(*F, FAM), Markers, Diags);
    Unfinished.remove(F);
  }
  if (IsLast)
    inlineIntoProgram(M, FAM);
  eraseUnused(M, FAM);
  inferAttributes(M, AM);
  if (!IsLast)
    return;
  for (Function &F : M)
    if (F.getName().starts_with("adze.") && !F.isDeclaration())
      reportInvalid("cleanup", F, shareGuards(F, FAM), Markers, Diags);
}

void eraseFunctions(ArrayRef<Function *> Functions) {
  for (Function *F : Functions)
    F->deleteBody();
  for (Function *F : Functions) {
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
}

/// The calls of \p D from outside the derivatives themselves.
void prepareOutsideCalls(const Derivative &D,
                         const SetVector<Function *> &Derivatives) {
  Function *F = D.Fused ? D.Fused : D.Forward;
  for (User *U : F->users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (!Derivatives.contains(Call->getFunction()))
        resetShadowsBefore(*Call);
}

/// What \p M asks for, in split mode if an option says so.
Request requestOf(const Marker &M) {
  bool Fused = M.Req.Kind == DerivativeKind::Fused;
  return Fused && Options::get().ForceSplit ? inTwoHalves(M.Req) : M.Req;
}

/// Differentiates the markers \p Calls of one round, of which the module has no
/// further if \p LastRound. False after an error.
bool runRound(Module &M, ArrayRef<CallBase *> Calls, ModuleAnalysisManager &AM,
              Diagnostics &Diags, Times &T, bool LastRound, Stage Last,
              raw_ostream &OS) {
  std::vector<Marker> Markers;
  {
    Times::Scope Time(T, "frontend");
    Markers = parseMarkers(Calls, Diags);
    // A half that could not be read has been reported.
    if (Markers.size() == Calls.size())
      matchSplitHalves(Markers, Diags);
  }
  if (Last == Stage::Frontend)
    for (const Marker &Marker : Markers)
      printMarker(Marker, OS);
  if (Markers.empty() || Last == Stage::Frontend)
    return Diags.errors() == 0;

  SmallVector<Function *, 8> Primals;
  for (const Marker &Marker : Markers)
    Primals.push_back(Marker.Req.Primal);
  keepShadowsIn(
      SmallVector<const Function *, 8>(Primals.begin(), Primals.end()), M);
  DerivativeStore Store(M, Diags, Last, T);
  Store.differentiates(Primals);
  if (Last >= Stage::Types) {
    Times::Scope Time(T, "types");
    takeTypesFromCallers(Markers, [&](Function &F, const Origin &From) {
      return Store.prepared(F, From);
    });
    shareTypes(Markers);
    shareTapes(Markers);
  }
  std::vector<std::pair<Marker *, const Derivative *>> Done;
  for (Marker &Marker : Markers)
    if (const Derivative *D = Store.request(requestOf(Marker), Marker.From))
      Done.push_back({&Marker, D});

  bool Emits = Last >= Stage::Emit && Diags.errors() == 0;
  if (Emits) {
    Store.tellPlans();
    Store.emitAll();
    if (LastRound)
      writeGuardedProducts(M);
    Times::Scope Time(T, "verify");
    verifyAll(M, Markers, Diags);
  }
  if (Last != Stage::Cleanup)
    Store.print(OS);
  std::optional<GradientChecks> Checks;
  if (Emits && Options::get().Check) {
    Checks.emplace(M, Calls, functionAnalyses(M, AM), Diags);
    for (auto [Marker, D] : Done)
      Checks->learn(*Marker, *Store.factsOf(*D));
  }
  Store.dropPrimals();
  std::vector<Function *> Functions = Store.functions();
  if (!Emits || Diags.errors() != 0) {
    eraseFunctions(Functions);
    return Diags.errors() == 0;
  }

  Times::Scope Time(T, "replace");
  SetVector<Function *> Derivatives(Functions.begin(), Functions.end());
  SetVector<const Derivative *> Outermost;
  SplitMarkers Halves(M, Diags);
  for (auto [Marker, D] : Done) {
    if (Options::get().CheckShadows)
      checkShadows(*Marker);
    Derivative Called = Checks ? Checks->checked(*Marker, *D) : *D;
    if (D->Req.Kind == DerivativeKind::Split) {
      Halves.add(*Marker, *D);
      continue;
    }
    replaceMarker(*Marker, Called, Diags);
    Outermost.insert(D);
  }
  Halves.replace();
  verifyAll(M, Markers, Diags);
  for (const Derivative *D : Outermost) {
    if (D->Fused)
      emptyDeferredList(*D->Fused);
    prepareOutsideCalls(*D, Derivatives);
    locateCallsOf(D->Fused ? *D->Fused : *D->Forward);
  }
  if (Last == Stage::Cleanup) {
    Times::Scope Time(T, "cleanup");
    cleanUp(M, Store, Markers, AM, Diags);
  }
  return Diags.errors() == 0;
}

} // namespace

bool runToStage(Module &M, ModuleAnalysisManager &AM, Stage Last,
                raw_ostream &OS) {
  Diagnostics Diags;
  Times T;
  adoptAnnotations(M, Diags);
  auto Rounds = markerRounds(findMarkers(M));
  for (unsigned I = 0; I < Rounds.size(); ++I) {
    Times::Scope Time(T, "other");
    // What an outer marker differentiates must be finished code.
    bool IsLast = I + 1 == Rounds.size();
    if (runRound(M, Rounds[I], AM, Diags, T, IsLast,
                 IsLast ? Last : Stage::Cleanup, OS))
      continue;
    // Markers around refused ones cannot be differentiated, but what is wrong
    // with the calls themselves is to be told as well.
    while (++I < Rounds.size())
      parseMarkers(Rounds[I], Diags);
  }
  // Reports still held back point at code that reportLeftovers() removes.
  Diags.flush();
  reportLeftovers(M, Diags);
  return Diags.errors() == 0;
}

bool differentiateModule(Module &M, ModuleAnalysisManager &AM) {
  bool HasMarkers = hasMarkers(M);
  Reproducer Saved(M);
  bool Fine = runToStage(M, AM, Stage::Cleanup, nulls());
  Saved.finish(Fine, AM);
  return HasMarkers || !Fine;
}

} // namespace adze

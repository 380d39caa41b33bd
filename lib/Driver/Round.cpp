// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Round.h"

#include "Check/CheckShadows.h"
#include "MarkerTypes.h"
#include "ScratchShadows.h"
#include "SplitMarkers.h"
#include "adze/Cleanup.h"
#include "adze/Deferred.h"
#include "adze/Emit.h"
#include "adze/Launches.h"
#include "adze/Mpi.h"
#include "adze/Options.h"
#include "adze/OwnFunction.h"
#include "adze/UnreadMemory.h"
#include "adze/VerifyIR.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

std::vector<Marker> parseMarkers(ArrayRef<CallBase *> Calls,
                                 Diagnostics &Diags) {
  std::vector<Marker> Markers;
  for (CallBase *Call : Calls)
    if (std::optional<Marker> M = parseMarker(*Call, Diags))
      Markers.push_back(std::move(*M));
  return Markers;
}

namespace {

/// What \p M asks for, in split mode if an option says so.
Request requestOf(const Marker &M) {
  bool Fused = M.Req.Kind == DerivativeKind::Fused;
  return Fused && Options::get().ForceSplit ? inTwoHalves(M.Req) : M.Req;
}

} // namespace

Round::Round(Run &R, ArrayRef<CallBase *> Calls, Stage Last)
    : R(R), Calls(Calls), Last(Last), Store(R.M, R.AM, R.Diags, Last, R.T) {}

FunctionAnalysisManager &Round::functionAnalyses() {
  return R.AM.getResult<FunctionAnalysisManagerModuleProxy>(R.M).getManager();
}

void Round::reportInvalid(const Twine &What, Error Wrong) {
  if (Wrong)
    R.Diags.report(Diag::Internal, *Markers.front().From, nullptr,
                   {What.str() + toString(std::move(Wrong))});
}

void Round::verifyAll(const SetVector<Function *> &Except) {
  for (Function &F : R.M)
    if (isOwn(F) && !Except.contains(&F))
      reportInvalid("emission of " + F.getName() + ": ", verifyIR(F));
}

bool Round::run() {
  mpi::giveDerivatives(R.M);
  parse();
  if (Markers.empty() || Last == Stage::Frontend)
    return isFine();
  SmallVector<const Function *, 8> Primals;
  for (const Marker &Marker : Markers)
    Primals.push_back(Marker.Req.Primal);
  keepShadowsIn(Primals, R.M);
  share();
  requestAll();
  if (!emit())
    return isFine();
  replace();
  if (Last == Stage::Cleanup)
    cleanUp();
  return isFine();
}

/// Between the halves the program may write memory of the device, and nobody
/// would know.
static void refuseSplitLaunches(ArrayRef<Marker> Markers, Diagnostics &Diags) {
  for (const Marker &M : Markers)
    if (M.Half != SplitHalf::None && launches::usesDevice(*M.Req.Primal))
      Diags.report(
          Diag::SplitUse, *M.From, M.Call,
          {M.From->Callee,
           "'" + sourceName(*M.Req.Primal) +
               "' launches kernels or copies memory of a device, which must "
               "stay as it is until the second half has read it again",
           "use __enzyme_autodiff, which makes both passes in one call"});
}

void Round::parse() {
  Times::Scope Time(R.T, "frontend");
  Markers = parseMarkers(Calls, R.Diags);
  // A half that could not be read has been reported.
  if (Markers.size() == Calls.size()) {
    shareForwardTapes(Markers);
    matchSplitHalves(Markers, R.Diags);
  }
  refuseSplitLaunches(Markers, R.Diags);
  if (Last == Stage::Frontend)
    for (const Marker &Marker : Markers)
      printMarker(Marker, R.OS);
}

void Round::share() {
  SmallVector<Function *, 8> Primals;
  for (const Marker &Marker : Markers)
    Primals.push_back(Marker.Req.Primal);
  // Other markers may differentiate what is made now.
  const bool IsLast = findMarkers(R.M).size() == Calls.size();
  Store.differentiates(Primals, IsLast ? TaskOrder::Beside : TaskOrder::AtOnce);
  if (Last < Stage::Types)
    return;
  Times::Scope Time(R.T, "types");
  takeTypesFromCallers(Markers, [&](Function &F, const Origin &From) {
    return Store.prepared(F, From);
  });
  shareTypes(Markers);
  shareTapes(Markers);
}

void Round::requestAll() {
  ScratchShadows Shadows(Store, functionAnalyses(), R.Diags);
  if (Last >= Stage::Activity)
    for (Marker &Marker : Markers)
      Shadows.give(Marker);
  // Derivatives of records take long to compile, too long for tests; and from a
  // tape nobody sees whether the primal is finite (-adze-trap-nan).
  const bool IsSimple =
      Options::get().ForceSplit && !Options::get().TrapNaN &&
      findMarkers(R.M).size() == Calls.size() &&
      none_of(R.M, [](const Function &F) { return isOwn(F); });
  for (Marker &Marker : Markers)
    if (const Derivative *D = Store.request(requestOf(Marker), Marker.From)) {
      Done.push_back({&Marker, D});
      const bool Forced = IsSimple && Store.canReplay(*D);
      if (D->Req.Kind.isForward() && (Marker.Half != SplitHalf::None || Forced))
        Store.replay(*D);
    }
}

bool Round::emit() {
  bool Emits = Last >= Stage::Emit && isFine();
  if (Emits) {
    Store.tellPlans();
    Store.emitAll();
    Times::Scope Time(R.T, "verify");
    verifyAll({});
  }
  if (Last != Stage::Cleanup)
    Store.print(R.OS);
  if (Emits && Options::get().Check) {
    Checks.emplace(R.M, Calls, functionAnalyses(), R.Diags);
    for (auto [Marker, D] : Done)
      Checks->learn(*Marker, *Store.factsOf(*D));
  }
  Store.dropPrimals();
  if (Emits && isFine())
    return true;
  Store.eraseFunctions();
  return false;
}

void Round::replace() {
  Times::Scope Time(R.T, "replace");
  std::vector<Function *> Functions = Store.functions();
  SetVector<Function *> Derivatives(Functions.begin(), Functions.end());
  SetVector<const Derivative *> Outermost;
  SplitMarkers Halves(R.M, R.Diags);
  for (auto [Marker, D] : Done) {
    if (Options::get().CheckShadows)
      checkShadows(*Marker);
    Derivative Called = Checks ? Checks->checked(*Marker, *D) : *D;
    if (D->Req.Kind.isSplit() || D->Replay) {
      Halves.add(*Marker, *D);
      continue;
    }
    replaceMarker(*Marker, Called, R.Diags);
    Outermost.insert(D);
  }
  Halves.replace();
  keepNoBlocks(R.M);
  verifyAll(/*Except=*/Derivatives); // which have been, and will be
  for (const Derivative *D : Outermost)
    finishOutermost(*D, Derivatives);
}

void Round::finishOutermost(const Derivative &D,
                            const SetVector<Function *> &Derivatives) {
  if (D.Fused)
    emptyDeferredList(*D.Fused);
  Function *F = D.Fused ? D.Fused : D.Forward;
  for (User *U : F->users())
    if (auto *Call = dyn_cast<CallBase>(U))
      if (!Derivatives.contains(Call->getFunction()))
        resetShadowsBefore(*Call);
  locateCallsOf(*F);
}

void Round::cleanUp() {
  Times::Scope Time(R.T, "cleanup");
  FunctionAnalysisManager &FAM = functionAnalyses();
  // What is left to be differentiated may be these derivatives.
  bool IsLast = findMarkers(R.M).empty();
  if (IsLast) {
    dropUnreadMemory(R.M, FAM);
    lowerTeams(R.M, FAM);
  } else {
    exposeTapes(R.M, FAM);
  }
  reportInvalid("", Store.simplify(R.AM, IsLast));
  if (IsLast) {
    exposeSumsToSanitizer(R.M, FAM);
    lowerLanes(R.M, FAM);
    inlineIntoProgram(R.M, FAM);
  }
  eraseUnused(R.M, FAM);
  inferAttributes(R.M, R.AM);
  if (!IsLast)
    return;
  reportInvalid("", vectorizeDirections(R.M, FAM));
  reportInvalid("", lowerProducts(R.M, FAM));
  replaceThreadLocals(R.M);
  leaveGeneralAsItIs(R.M);
}

} // namespace adze

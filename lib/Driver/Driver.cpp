// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Driver.h"
#include "DerivativeStore.h"
#include "adze/Cleanup.h"
#include "adze/Deferred.h"
#include "adze/Marker.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

/// The functions that markers call directly: what they defer ends with them.
using Roots = SetVector<Function *>;

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

/// The emitted functions must be valid IR; if one is not, that is our error.
void verifyAll(const DerivativeStore &Store, ArrayRef<Marker> Markers,
               Diagnostics &Diags) {
  for (Function *F : Store.functions()) {
    std::string Wrong;
    raw_string_ostream OS(Wrong);
    if (verifyFunction(*F, &OS))
      reportInvalid("emission", *F, OS.str(), Markers, Diags);
  }
}

void cleanUp(Module &M, const DerivativeStore &Store, ArrayRef<Marker> Markers,
             ModuleAnalysisManager &AM, Diagnostics &Diags) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function *F : Store.functions())
    repairAttributes(*F);
  for (Function *F : Store.functions())
    reportInvalid("cleanup", *F, simplifyDerivative(*F, FAM), Markers, Diags);
  eraseUnused(M, FAM);
}

void eraseFunctions(ArrayRef<Function *> Functions) {
  for (Function *F : Functions)
    F->deleteBody();
  for (Function *F : Functions) {
    F->replaceAllUsesWith(PoisonValue::get(F->getType()));
    F->eraseFromParent();
  }
}

} // namespace

bool runToStage(Module &M, ModuleAnalysisManager &AM, Stage Last,
                raw_ostream &OS) {
  std::vector<CallBase *> Calls = findMarkers(M);
  Diagnostics Diags;
  Times T;
  std::vector<Marker> Markers = parseMarkers(Calls, Diags);
  if (Last == Stage::Frontend)
    for (const Marker &Marker : Markers)
      printMarker(Marker, OS);
  if (Markers.empty() || Last == Stage::Frontend) {
    reportLeftovers(M, Diags);
    return Diags.errors() == 0;
  }

  DerivativeStore Store(M, Diags, Last, T);
  std::vector<std::pair<Marker *, const Derivative *>> Done;
  for (Marker &Marker : Markers)
    if (const Derivative *D = Store.request(Marker.Req, Marker.From))
      Done.push_back({&Marker, D});

  bool Emits = Last >= Stage::Emit && Diags.errors() == 0;
  if (Emits) {
    Store.emitAll();
    verifyAll(Store, Markers, Diags);
  }
  if (Last != Stage::Cleanup)
    Store.print(OS);
  Store.dropPrimals();
  if (!Emits || Diags.errors() != 0) {
    eraseFunctions(Store.functions());
    reportLeftovers(M, Diags);
    return Diags.errors() == 0;
  }

  Roots Outermost;
  for (auto [Marker, D] : Done) {
    replaceMarker(*Marker, *D, Diags);
    if (D->Fused)
      Outermost.insert(D->Fused);
  }
  for (Function *F : Outermost)
    emptyDeferredList(*F);
  reportLeftovers(M, Diags);
  if (Last == Stage::Cleanup) {
    Times::Scope Time(T, "cleanup");
    cleanUp(M, Store, Markers, AM, Diags);
  }
  return Diags.errors() == 0;
}

bool differentiateModule(Module &M, ModuleAnalysisManager &AM) {
  if (findMarkers(M).empty()) {
    Diagnostics Diags;
    reportLeftovers(M, Diags);
    return Diags.errors() != 0;
  }
  runToStage(M, AM, Stage::Cleanup, nulls());
  return true;
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Derive.h"
#include "DerivativeStore.h"
#include "adze/Annotations.h"
#include "adze/Cleanup.h"
#include "adze/Deferred.h"
#include "adze/Emit.h"
#include "adze/VerifyIR.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

std::shared_ptr<const Origin> originOf(const Request &R) {
  auto From = std::make_shared<Origin>();
  From->Callee = "derive";
  From->Caller = R.Primal->getName().str();
  From->In = R.Primal;
  return From;
}

/// One for each of \p Requests, or fewer after a report.
std::vector<Derivative> emit(DerivativeStore &Store, ArrayRef<Request> Requests,
                             Diagnostics &Diags) {
  const unsigned Errors = Diags.errors();
  std::vector<const Derivative *> Planned;
  for (const Request &R : Requests)
    if (const Derivative *D = Store.request(R, originOf(R)))
      Planned.push_back(D);
  if (Diags.errors() != Errors)
    return {};
  Store.emitAll();
  for (const Function *F : Store.functions())
    if (Error Wrong = verifyIR(*F))
      Diags.report(Diag::Internal, *originOf(Requests.front()), nullptr,
                   {toString(std::move(Wrong))});
  std::vector<Derivative> Made;
  if (Diags.errors() == Errors)
    for (const Derivative *D : Planned)
      Made.push_back(*D);
  return Made;
}

} // namespace

std::vector<Derivative> derive(Module &M, ModuleAnalysisManager &AM,
                               ArrayRef<Request> Requests, Diagnostics &Diags) {
  Diags.attach(M.getContext());
  adoptAnnotations(M, Diags);
  SmallVector<Function *, 4> Primals;
  for (const Request &R : Requests)
    Primals.push_back(R.Primal);
  keepShadowsIn(
      to_vector<4>(map_range(Primals, [](const Function *F) { return F; })), M);
  Times T;
  DerivativeStore Store(M, AM, Diags, Stage::Cleanup, T);
  Store.differentiates(Primals, TaskOrder::AtOnce);
  std::vector<Derivative> Made = emit(Store, Requests, Diags);
  Store.dropPrimals();
  if (Made.size() != Requests.size()) {
    Store.eraseFunctions();
    Diags.flush();
    return {};
  }
  for (const Derivative &D : Made)
    if (D.Fused)
      emptyDeferredList(*D.Fused);
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  lowerTeams(M, FAM);
  if (Error Wrong = Store.simplify(AM, /*IsLast=*/true))
    Diags.report(Diag::Internal, *originOf(Requests.front()), nullptr,
                 {toString(std::move(Wrong))});
  for (auto *Last : {vectorizeDirections, lowerProducts})
    if (Error Wrong = Last(M, FAM))
      Diags.report(Diag::Internal, *originOf(Requests.front()), nullptr,
                   {toString(std::move(Wrong))});
  return Made;
}

} // namespace adze

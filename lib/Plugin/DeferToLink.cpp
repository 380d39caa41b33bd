// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -flto, `f` in one file may call `g` in another. At compile time the
// gradient of `f` is then not to be had, in the link it is. Whether a missing
// body matters depends on activity, which only the pass itself can decide: so
// a module in which a marker reaches an unknown declaration is tried on a
// copy, and left alone if that fails for a missing body. All other modules pay
// only the walk along their calls.
//
// The module flag `ThinLTO` with the value 0 is how clang marks the compile
// step of a full LTO build. A thin link imports functions along calls, and a
// marker does not call its function, so nothing would be gained by waiting.
#include "Plugin/DeferToLink.h"

#include "adze/Diagnostics.h"
#include "adze/Driver.h"
#include "adze/ErrorRecorder.h"
#include "adze/KnownFunction.h"
#include "adze/Marker.h"
#include "adze/ReachableConstants.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

/// What the markers of \p M and their callers mention may be code without a
/// body of which nothing is known.
bool mayMissBody(Module &M) {
  // At -O0 the function may come from a variable: take all that the marker's
  // caller mentions.
  SetVector<const Function *> Callers, Markers;
  for (CallBase *Call : adze::findMarkers(M)) {
    Callers.insert(Call->getFunction());
    Markers.insert(Call->getCalledFunction());
  }
  return any_of(adze::reachableConstants(Callers.getArrayRef()),
                [&](const Constant *C) {
                  auto *F = dyn_cast<Function>(C);
                  return F && F->isDeclaration() && !F->isIntrinsic() &&
                         !Markers.contains(F) && !adze::lookupKnown(*F);
                });
}

/// The functions, quoted, that an error's text \p Error says have no body;
/// none if it says something else.
StringRef missingBodies(StringRef Error) {
  StringRef Text;
#define ADZE_DIAG(ID, SEVERITY, TEXT, CURE)                                    \
  if (adze::Diag::ID == adze::Diag::MissingBody)                               \
    Text = TEXT;
#include "adze/Diagnostics.def"
  auto [Before, Rest] = Text.split('{');
  size_t Begin = Error.find(Before);
  if (Begin == StringRef::npos)
    return "";
  StringRef Names = Error.drop_front(Begin + Before.size());
  size_t End = Names.find(Rest.split('}').second);
  return End == StringRef::npos ? "" : Names.take_front(End);
}

/// Differentiates a copy of \p M; the functions for the missing bodies of which
/// that fails, none if it does not.
std::string failsForMissingBody(const Module &M, ModuleAnalysisManager &MAM) {
  LLVMContext &Context = M.getContext();
  std::vector<std::string> Errors;
  std::unique_ptr<DiagnosticHandler> Users = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<adze::ErrorRecorder>(Errors));
  std::unique_ptr<Module> Copy = CloneModule(M);
  adze::runToStage(*Copy, MAM, adze::Stage::Cleanup, nulls());
  MAM.clear(*Copy, Copy->getName());
  Copy.reset();
  Context.setDiagnosticHandler(std::move(Users));
  for (const std::string &Error : Errors)
    if (StringRef Names = missingBodies(Error); !Names.empty())
      return Names.str();
  return "";
}

} // namespace

bool adze::goesIntoFullLink(const Module &M) {
  const auto *Flag =
      mdconst::extract_or_null<ConstantInt>(M.getModuleFlag("ThinLTO"));
  return Flag && Flag->isZero();
}

bool adze::deferToLink(Module &M, ModuleAnalysisManager &MAM) {
  if (!goesIntoFullLink(M))
    return false;
  if (!mayMissBody(M))
    return false;
  std::string Missing = failsForMissingBody(M, MAM);
  if (Missing.empty())
    return false;
  Diagnostics Diags;
  CallBase *First = findMarkers(M).front();
  Origin From;
  From.Place = sourcePlace(First);
  From.Callee = First->getCalledOperand()->getName().str();
  From.Caller = First->getFunction()->getName().str();
  From.In = First->getFunction();
  From.Location = First->getDebugLoc().get();
  Diags.report(Diag::LeftForLink, From, First, {Missing});
  return true;
}

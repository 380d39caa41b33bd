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

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

/// Collects the functions that \p F mentions: those it calls, and those it
/// passes on, which the callee may call.
void collectMentioned(Function &F, SetVector<Function *> &Found) {
  for (Instruction &I : instructions(F))
    for (Value *Operand : I.operands())
      if (auto *Mentioned = dyn_cast<Function>(Operand->stripPointerCasts()))
        Found.insert(Mentioned);
}

/// The first function without a body, and of which nothing is known, that a
/// marker of \p M reaches; null if there is none.
Function *firstMissingBody(Module &M) {
  SetVector<Function *> Reached;
  for (CallBase *Call : adze::findMarkers(M)) {
    // At -O0 the function may come from a variable: take all of the caller's.
    collectMentioned(*Call->getFunction(), Reached);
    Reached.remove(Call->getCalledFunction());
  }
  for (unsigned I = 0; I < Reached.size(); ++I) {
    Function *F = Reached[I];
    if (!F->isDeclaration())
      collectMentioned(*F, Reached);
    else if (!F->isIntrinsic() && !adze::lookupKnown(*F))
      return F;
  }
  return nullptr;
}

/// The part of a message's text that does not depend on its arguments.
StringRef fixedPartOfMissingBody() {
  StringRef Text;
#define ADZE_DIAG(ID, SEVERITY, TEXT, CURE)                                    \
  if (adze::Diag::ID == adze::Diag::MissingBody)                               \
    Text = TEXT;
#include "adze/Diagnostics.def"
  return Text.rsplit('}').second;
}

/// Differentiates a copy of \p M; true if that fails for a missing body.
bool failsForMissingBody(const Module &M, ModuleAnalysisManager &MAM) {
  LLVMContext &Context = M.getContext();
  std::vector<std::string> Errors;
  std::unique_ptr<DiagnosticHandler> Users = Context.getDiagnosticHandler();
  Context.setDiagnosticHandler(std::make_unique<adze::ErrorRecorder>(Errors));
  std::unique_ptr<Module> Copy = CloneModule(M);
  adze::runToStage(*Copy, MAM, adze::Stage::Cleanup, nulls());
  MAM.clear(*Copy, Copy->getName());
  Copy.reset();
  Context.setDiagnosticHandler(std::move(Users));
  StringRef Fixed = fixedPartOfMissingBody();
  return !Fixed.empty() && any_of(Errors, [&](const std::string &Text) {
    return StringRef(Text).contains(Fixed);
  });
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
  Function *Missing = firstMissingBody(M);
  if (!Missing || !failsForMissingBody(M, MAM))
    return false;
  Diagnostics Diags;
  CallBase *First = findMarkers(M).front();
  Origin From;
  From.Place = sourcePlace(First);
  From.Callee = First->getCalledOperand()->getName().str();
  From.Caller = First->getFunction()->getName().str();
  From.In = First->getFunction();
  From.Location = First->getDebugLoc().get();
  Diags.report(Diag::LeftForLink, From, First, {Missing->getName().str()});
  return true;
}

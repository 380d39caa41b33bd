// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __enzyme_error_estimate(f, x, ex, ..): forward mode of a copy of f whose
// tangents are bounds of rounding errors (ErrorBounds.h).
#include "adze/Precision.h"

#include "Frontend/MarkerCall.h"
#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "Precision/ErrorBounds.h"
#include "adze/Marker.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

/// A marker of forward mode, with the type of \p Marker.
static Function *forwardMarker(const Function &Marker) {
  return createOwn(Marker.getFunctionType(), GlobalValue::ExternalLinkage,
                   "__enzyme_fwddiff.error_estimate",
                   *const_cast<Function &>(Marker).getParent());
}

void adze::estimateErrors(Module &M, FunctionAnalysisManager &AM,
                          Diagnostics &Diags) {
  BoundedCopies Copies(M, AM);
  for (CallBase *Call : findErrorEstimates(M)) {
    const Function &Marker = *functionBehind(Call->getCalledOperand());
    auto refuse = [&](const Function &F, const Instruction *At,
                      const std::string &Why) {
      Diags.report(Diag::ErrorEstimate, *originOf(*Call, Marker), At,
                   {sourceName(F), Why});
    };
    if (Function *F = markedFunction(*Call)) {
      if (F->isDeclaration() || F->isVarArg()) {
        refuse(*F, Call, "its body is not visible");
        continue;
      }
      Function *Copy = Copies.copyFor(*F);
      if (!Copy) {
        refuse(*F, Copies.refusedAt(), Copies.reason());
        continue;
      }
      Call->setArgOperand(Call->paramHasAttr(0, Attribute::StructRet) ? 1 : 0,
                          Copy);
    }
    // Without a function, parseMarker() says what is wrong.
    Call->setCalledOperand(forwardMarker(Marker));
  }
}

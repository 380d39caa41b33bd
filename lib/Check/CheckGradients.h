// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -adze-check: programs compare each derivative with differences of the
// function, while they run. See docs/Checking.md, and ProbeRuntime.c for how.
#ifndef ADZE_CHECK_CHECKGRADIENTS_H
#define ADZE_CHECK_CHECKGRADIENTS_H

#include "ProbePrimal.h"
#include "adze/Facts.h"
#include "adze/Marker.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace adze {

class GradientChecks {
public:
  /// \p Calls are the markers that are replaced now.
  GradientChecks(llvm::Module &M, llvm::ArrayRef<llvm::CallBase *> Calls,
                 llvm::FunctionAnalysisManager &FAM, Diagnostics &Diags);

  /// What \p F says of the memory behind arguments is needed when it is gone.
  void learn(const Marker &Of, const Facts &F);

  /// The derivative \p D as \p Of is to call it: by a function that checks it.
  /// If that cannot be, \p D itself, and a warning says why.
  Derivative checked(const Marker &Of, const Derivative &D);

private:
  std::string whyNot(const Marker &Of, const Derivative &D) const;
  std::string whyNotMemory(const Marker &Of, const ProbePrimal &P) const;
  std::vector<BlockLayout> layoutsOf(const Marker &Of,
                                     const ProbePrimal &P) const;
  const ProbePrimal &primalOf(llvm::Function &F);
  Derivative checked(const Marker &Of, const Derivative &D,
                     const ProbePrimal &P) const;
  void tell(const Marker &Of, const ProbePrimal &P) const;

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  Diagnostics &Diags;
  /// Functions that may be differentiated later; nobody knows which if
  /// AnyLater.
  llvm::SetVector<const llvm::Constant *> Later;
  bool AnyLater = false;
  /// By argument: what it points to.
  llvm::DenseMap<const llvm::CallBase *, std::vector<TypeTree>> Types;
  llvm::DenseMap<const llvm::Function *, ProbePrimal> Primals;
};

} // namespace adze
#endif

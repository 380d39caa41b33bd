// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The markers of a module that are differentiated together: none of them asks
// for the derivative of a function that holds one of them.
#ifndef ADZE_DRIVER_ROUND_H
#define ADZE_DRIVER_ROUND_H

#include "Check/CheckGradients.h"
#include "DerivativeStore.h"
#include "Times.h"
#include "adze/Driver.h"
#include "adze/Marker.h"
#include <optional>

namespace adze {

/// What all rounds of one run over a module share.
struct Run {
  llvm::Module &M;
  llvm::ModuleAnalysisManager &AM;
  /// Gets the results of the stage that is asked for.
  llvm::raw_ostream &OS;
  Diagnostics Diags{nullptr};
  Times T{};
};

/// The markers among \p Calls that could be read; the others are reported.
std::vector<Marker> parseMarkers(llvm::ArrayRef<llvm::CallBase *> Calls,
                                 Diagnostics &Diags);

class Round {
public:
  /// \p Last: how far to go.
  Round(Run &R, llvm::ArrayRef<llvm::CallBase *> Calls, Stage Last);
  /// Takes the markers through all stages. False after an error.
  bool run();

private:
  void parse();
  /// Reads what markers and their callers say of types and tapes.
  void share();
  void requestAll();
  /// False if nothing was emitted, or it is wrong.
  bool emit();
  /// Puts calls of the derivatives in the markers' places.
  void replace();
  /// What goes around derivatives that the program calls.
  void finishOutermost(const Derivative &D,
                       const llvm::SetVector<llvm::Function *> &Derivatives);
  void cleanUp();
  /// What Adze emits, helpers and all, must be valid IR; if it is not, that is
  /// our error. \p Except has been looked at.
  void verifyAll(const llvm::SetVector<llvm::Function *> &Except);
  void reportInvalid(const llvm::Twine &What, llvm::Error Wrong);
  bool isFine() const { return R.Diags.errors() == 0; }
  llvm::FunctionAnalysisManager &functionAnalyses();

  Run &R;
  llvm::ArrayRef<llvm::CallBase *> Calls;
  Stage Last;
  std::vector<Marker> Markers;
  DerivativeStore Store;
  /// The markers with a derivative.
  std::vector<std::pair<Marker *, const Derivative *>> Done;
  std::optional<GradientChecks> Checks;
};

} // namespace adze
#endif

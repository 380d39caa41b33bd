// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Driver.h"
#include "Check/Reproducer.h"
#include "Round.h"
#include "adze/Annotations.h"
#include "adze/Cleanup.h"
#include "adze/Options.h"
#include "adze/Precision.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

bool runToStage(Module &M, ModuleAnalysisManager &AM, Stage Last,
                raw_ostream &OS) {
  Run R{M, AM, OS};
  adoptAnnotations(M, R.Diags);
  FunctionAnalysisManager &FAM =
      AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (narrowFunctions(M, R.Diags))
    FAM.clear();
  lowerBatches(M, &R.Diags);
  bindFunctions(M, FAM);
  estimateErrors(M, FAM, R.Diags);
  auto Rounds = markerRounds(findMarkers(M));
  for (unsigned I = 0; I < Rounds.size(); ++I) {
    Times::Scope Time(R.T, "other");
    // What an outer marker differentiates must be finished code.
    bool IsLast = I + 1 == Rounds.size();
    if (Round(R, Rounds[I], IsLast ? Last : Stage::Cleanup).run())
      continue;
    // Markers around refused ones cannot be differentiated, but what is wrong
    // with the calls themselves is to be told as well.
    while (++I < Rounds.size())
      parseMarkers(Rounds[I], R.Diags);
  }
  // Reports still held back point at code that reportLeftovers() removes.
  R.Diags.flush();
  if (Last == Stage::Cleanup && R.Diags.errors() == 0)
    lowerDenseViews(M, FAM, R.Diags);
  if (Last == Stage::Cleanup)
    inlineRoundings(M);
  lowerErrorBounds(M);
  reportLeftovers(M, R.Diags);
  const bool Fine = R.Diags.errors() == 0;
  // LLVM makes code of what is left, error or not.
  if (!Fine && Last == Stage::Cleanup)
    eraseUnused(M, FAM);
  return Fine;
}

bool differentiateModule(Module &M, ModuleAnalysisManager &AM) {
  bool HasMarkers = hasMarkers(M);
  auto differentiate = [](Module &M, ModuleAnalysisManager &AM) {
    return runToStage(M, AM, Stage::Cleanup, nulls());
  };
  Reproducer Saved(M);
  bool Fine = differentiate(M, AM);
  Saved.finish(Fine, AM, [&](Module &M, ModuleAnalysisManager &AM) {
    (void)differentiate(M, AM);
  });
  if (!Fine)
    stopIfErrorsAreDropped();
  return HasMarkers || !Fine || !Options::get().Truncate.empty();
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code that -adze-check puts around a derivative.
#ifndef ADZE_CHECK_EMITCHECK_H
#define ADZE_CHECK_EMITCHECK_H

#include "ProbePrimal.h"
#include "adze/Marker.h"
#include "adze/TypeInfo.h"

namespace adze {

/// One float of a value: where it is in it.
struct FloatLeaf {
  llvm::SmallVector<unsigned, 2> Path; // of structures and arrays
  int Lane = -1;                       // of a vector
};
/// All floats of \p Ty in order; false if there is something else in it.
bool findFloats(llvm::Type *Ty, const llvm::DataLayout &DL,
                llvm::SmallVectorImpl<FloatLeaf> &Out);

/// What is to be checked.
struct CheckedMarker {
  const Marker &Of;
  const Derivative &D;
  const ProbePrimal &P;
  /// By region: the numbers there. None where there is no shadow.
  const std::vector<BlockLayout> &Layouts;
};

/// A function that is called like the derivative, calls it, and checks it by
/// ProbeRuntime.c.
llvm::Function *emitChecked(const CheckedMarker &C);

} // namespace adze
#endif

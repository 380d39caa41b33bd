// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The marker's result: its members' places, and whether what the marker is
// declared to return can hold them.
#ifndef ADZE_LIB_FRONTEND_RESULTTYPE_H
#define ADZE_LIB_FRONTEND_RESULTTYPE_H

#include "Frontend/MarkerCall.h"
#include "adze/Marker.h"

namespace llvm {
class Constant;
}

namespace adze {

/// Fills in the offsets of \p M's results and the size of all; false after a
/// report that the marker's own type does not fit.
bool layOutResult(const MarkerCall &C, const Origin &From, Diagnostics &Diags,
                  Marker &M);

/// The result of the first half of split mode: the tape, the primal result and
/// its shadow, or as many of them as the marker's type has room for. A tape in
/// the caller's memory may be left out.
bool layOutAugmented(const MarkerCall &C, const Origin &From,
                     Diagnostics &Diags, Marker &M);

/// What the reverse pass starts from unless the user says: 1 for each float of
/// \p Ty.
llvm::Constant *seedOfReturn(llvm::Type *Ty);

/// Replaces \p M's call by one of \p Target itself.
llvm::CallBase *replaceByCall(Marker &M, llvm::Function &Target);

/// The one result is a scalar float, and so is the marker's type: converted.
bool isScalarConversion(const Marker &M, llvm::Type *MarkerType);

} // namespace adze

#endif

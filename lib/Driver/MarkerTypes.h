// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the functions that hold markers know of the arguments. A function that
// only moves bytes cannot tell what they are; who asks for its derivative has
// often filled the arrays. The rule is that of calls: only what the function
// asks for is told (argTypesOfCall).
#ifndef ADZE_DRIVER_MARKERTYPES_H
#define ADZE_DRIVER_MARKERTYPES_H

#include "adze/Analyses.h"
#include "adze/Marker.h"

namespace adze {

/// Fills Request::Types of those of \p Markers whose function asks for it.
/// \p Prepared gives the canonical primals of functions.
void takeTypesFromCallers(
    llvm::MutableArrayRef<Marker> Markers,
    llvm::function_ref<const Primal *(llvm::Function &, const Origin &)>
        Prepared);

} // namespace adze
#endif

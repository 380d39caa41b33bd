// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deallocations that the primal makes are put off in reverse mode (see
// lib/Rules/Ownership.h); the outermost derivative makes them at its end.
#ifndef ADZE_DEFERRED_H
#define ADZE_DEFERRED_H

namespace llvm {
class Function;
}

namespace adze {

/// Makes \p Outermost free, before it returns, what was put on the module's
/// list since it was entered. Nothing if the module defers no deallocation.
void emptyDeferredList(llvm::Function &Outermost);

} // namespace adze
#endif

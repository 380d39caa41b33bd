// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may access a variable of a block on a GPU (__shared__).
#ifndef ADZE_PLAN_BLOCKVARIABLES_H
#define ADZE_PLAN_BLOCKVARIABLES_H

#include "adze/Primal.h"

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace adze {

/// All accesses to \p G, a variable of a block, are made by its name: no other
/// pointer leads there.
bool isReachedByName(const llvm::GlobalVariable &G);

/// Nobody will read what \p P, or a derivative of it, leaves in \p G, but the
/// same function when it is called again: no function that is executed before
/// or after a derivative accesses it.
bool isOfFunctionAlone(const llvm::GlobalVariable &G, const Primal &P);

} // namespace adze
#endif

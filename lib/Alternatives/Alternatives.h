// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From where else the reverse pass could have what a load reads, offered to the
// plan, which may take it or leave it: what was stored there, or a copy. It is
// code beside the load that nothing in the primal uses (Primal::Equivalents,
// Primal::Snapshots). Instructions are added, none is changed: what the primal
// does, and its canonical form, stay what they are.
//
// What is an alternative for a whole region, which is kept or runs again,
// belongs here too.
#ifndef ADZE_LIB_ALTERNATIVES_ALTERNATIVES_H
#define ADZE_LIB_ALTERNATIVES_ALTERNATIVES_H

#include "adze/Primal.h"

namespace adze {

struct LoopMemory;

/// All that is known of, once \p P has its canonical form.
void offerAlternatives(Primal &P);

/// Fills \p P.Equivalents.
void offerStoredValues(Primal &P, LoopMemory &M);

/// Fills \p P.Snapshots, and adds to \p P.Equivalents.
void offerSnapshots(Primal &P, LoopMemory &M);

} // namespace adze
#endif

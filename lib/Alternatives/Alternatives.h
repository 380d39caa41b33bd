// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From where else the reverse pass could have what a load reads, offered to the
// plan, which may take it or leave it: what was stored there, or a copy.
//
// The code is made where it would stand, beside the load: so the engine that
// knows of loops and memory answers questions about it as about any other, and
// one alternative may be that of another. Instructions are added, none is
// changed. In the end all of it is taken out of the primal again, which is what
// it was before, and becomes data (adze/Alternatives.h).
//
// What is an alternative for a whole region, which is kept or runs again,
// belongs here too.
#ifndef ADZE_LIB_ALTERNATIVES_ALTERNATIVES_H
#define ADZE_LIB_ALTERNATIVES_ALTERNATIVES_H

#include "adze/Primal.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace adze {

struct LoopMemory;

/// All that is known of, once \p P has its canonical form.
void offerAlternatives(Primal &P);

/// What \p Offer adds to \p P becomes alternatives.
void offerNew(Primal &P, llvm::function_ref<void()> Offer);

/// Adds to \p P.Equivalents.
void offerStoredValues(Primal &P, LoopMemory &M);

/// For phis; adds to \p P.Equivalents.
void offerPathChoices(Primal &P);

/// Fills \p P.Snapshots and \p P.CallCopies, and adds to \p P.Equivalents.
void offerSnapshots(Primal &P, LoopMemory &M);

/// Fills \p P.WorkSpaces.
void offerWorkSpaces(Primal &P, LoopMemory &M);

/// Adds copies that callers may give to \p P.Snapshots and \p P.Equivalents.
void offerGivenCopies(Primal &P, LoopMemory &M);

} // namespace adze
#endif

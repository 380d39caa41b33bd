// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops do to memory, in one canonical primal: which accesses meet and
// when, who writes, in which order. All who ask this ask here, one after the
// other: what is offered in place of loads, and, for each request, the analysis
// of what is overwritten.
//
// While it is asked, instructions may be added to the primal, or taken out
// again, but none changes, so that what it remembers of the others stays true.
#ifndef ADZE_LIB_LOOPS_LOOPMEMORY_H
#define ADZE_LIB_LOOPS_LOOPMEMORY_H

#include "Loops/AccessOrder.h"
#include "Loops/AffineAccess.h"
#include "Loops/EntryGuards.h"
#include "Loops/LoopWriters.h"

namespace adze {

struct LoopMemory {
  /// \p Budget: questions to alias analysis.
  LoopMemory(const Primal &P, unsigned Budget)
      : DL(P.F->getDataLayout()), Alias(P, Budget),
        SE(*P.F, Alias.TLI, Alias.AC, *P.DT, *P.LI), Reach(*P.F), Guarded(SE),
        Order(P, SE, Reach), Ranges(SE, *P.LI, *P.DT),
        Writers(P, Alias, Ranges, Order), Runs(P), Affine(P, SE, Runs) {}

  const llvm::DataLayout &DL;
  LoopAlias Alias;            // may two accesses meet at all?
  llvm::ScalarEvolution SE;   // addresses, counts
  Reachability Reach;         // what is executed after what?
  GuardedExpressions Guarded; // what do conditions in front of loops say?
  AccessOrder Order;          // do they meet in this order?
  AccessRanges Ranges;        // from which byte to which does a loop access?
  LoopWriters Writers;        // who writes to it, in which loop?
  Execution Runs;             // which blocks are executed with which?
  AffineAccesses Affine;      // which accesses can be said in front of a nest?
};

/// That of \p P, made once and kept with it. Who asks has questions of its own,
/// \p Budget of them to alias analysis, however many were asked before.
LoopMemory &loopMemoryOf(const Primal &P, unsigned Budget);

} // namespace adze
#endif

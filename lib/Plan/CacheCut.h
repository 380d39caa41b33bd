// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recompute or keep: one minimum cut for all needs of a function.
//
// Each value that the reverse pass may read becomes a vertex of two nodes, In
// and Out. Say that a node is on the far side if it ends up with the sink:
//
//   Out near             the reverse pass does not read the value;
//   In near, Out far     it reads it from the tape:      pays keep(v);
//   In far, Out far      it computes it again:           pays recompute(v).
//
//   In -> Out, capacity keep(v);   source -> In, capacity recompute(v), without
//   bound where the value cannot be recomputed;   Out(operand) -> In(v) without
//   bound: whoever is recomputed reads its operands;   Out -> sink without
//   bound for each need.
//
// So a finite cut is a consistent choice and its value is what the choice
// costs. Among the cheapest choices the one nearest the sink is taken: it
// recomputes least.
//
// Prices, in about the time of one addition:
//   keep       a store, a load and the memory's first touch, by size; in the
//              top level of a fused derivative next to nothing, since the value
//              stays in a register;
//   recompute  nothing for addresses and casts, 1 for arithmetic, some for
//              divisions and loads, much for library functions;
//   each times the trip counts of the loops around the value, from the code,
//   from branch weights, or assumed: the emitter recomputes a value before the
//   reverse loops that it does not vary in.
#ifndef ADZE_PLAN_CACHECUT_H
#define ADZE_PLAN_CACHECUT_H

#include "Reruns.h"

namespace adze {

/// The needs of one plan, in the order in which they were found.
using NeedSet = llvm::SetVector<std::pair<const llvm::Value *, unsigned>>;

/// Numbers the arguments, then the instructions in reverse post-order, with the
/// alternatives at their places.
class ProgramOrder {
public:
  explicit ProgramOrder(const Primal &P);
  unsigned of(const llvm::Value *V) const { return Numbers.lookup(V); }
  unsigned size() const { return Numbers.size(); }

private:
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
};

struct Sources {
  std::vector<std::pair<PlanValue, Decision>> Decisions;
  uint64_t Price = 0; // of the cut
};

/// Where each need, and each value that a recomputed one reads, comes from, in
/// program order and without slots, if iterations of the loops of \p Reruns run
/// again. Empty if there are more than \p MaxValues values to decide on,
/// although there are needs.
Sources decideSources(const Facts &F, const NeedSet &Needs,
                      const ProgramOrder &Order, unsigned MaxValues,
                      llvm::ArrayRef<const RerunAnalysis *> Reruns);

} // namespace adze
#endif

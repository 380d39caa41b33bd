// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A derivative rule: needs, propagate and reverse of one instruction family,
// side by side. A rule whose math is scalar does not derive from this class:
// it is one row of partials (see Expr.h) run by ScalarRule.
#ifndef ADZE_RULE_H
#define ADZE_RULE_H

#include "adze/RuleContext.h"

namespace adze {

class Rule {
public:
  virtual ~Rule();
  /// What reverse() will read. Must ask for everything reverse() uses.
  virtual void needs(const llvm::Instruction &I, NeedsContext &C) const = 0;
  /// Sets the dual of \p I (if carried) and moves duals through memory.
  virtual void propagate(const llvm::Instruction &I,
                         ForwardSweepContext &C) const = 0;
  /// Takes the adjoint of \p I and adds to its operands' adjoints.
  virtual void reverse(const llvm::Instruction &I, ReverseContext &C) const = 0;
  /// True if propagate() emits the primal instruction \p I itself.
  virtual bool ownsPrimal(const llvm::Instruction &I) const;
};

/// The rule of an active instruction; null if there is none (the caller then
/// reports UnsupportedInstruction or MissingBody). Phis and terminators are
/// the emitters' own business.
const Rule *lookupRule(const llvm::Instruction &I, const Facts &F);

/// Instructions whose rule runs in reverse mode even when they are inactive,
/// because the reverse pass reads memory that they would end: allocations and
/// deallocations (which are put off) and allocas of run-time size (which are
/// made heap blocks); and because its threads meet where those of the primal
/// do.
bool needsRuleIfInactive(const llvm::Instruction &I);

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the reverse pass reads: the rules of the active instructions are run in
// a recording context, and control flow asks for what walks it backwards.
#ifndef ADZE_PLAN_NEEDS_H
#define ADZE_PLAN_NEEDS_H

#include "adze/Plan.h"

namespace adze {

/// Receives what visitNeeds finds.
struct NeedsVisitor {
  virtual ~NeedsVisitor();
  /// The reverse pass reads \p V when it comes to \p At.
  virtual void need(PlanValue V, const llvm::Instruction &At) = 0;
  /// No right code can be emitted for \p At, and \p Facts say why not.
  virtual void problem(const llvm::Instruction &At, Diag ID,
                       llvm::ArrayRef<std::string> Args,
                       llvm::ArrayRef<Witness> Facts = {}) = 0;
};

/// The blocks for which a derivative is emitted, in reverse post-order: those
/// from which the return can be reached, or all in forward mode.
std::vector<const llvm::BasicBlock *> blocksOf(const Facts &F);

/// \p Call, of no known function, has a derivative: it is active, or the
/// threads of a team may wait for each other in what it calls, which the
/// reverse pass mirrors.
bool isDerived(const llvm::CallBase &Call, const Facts &F);

/// The instructions of these blocks that must have a rule, with theirs, or null
/// where there is none.
RuleMap rulesOf(const Facts &F);

/// Runs Plan::Rules of \p P, which has its call plans.
void visitRuleNeeds(const Plan &P, NeedsVisitor &Visitor);
/// What the reverse pass reads to make copies of parts of shadows.
void visitReplicaNeeds(const Plan &P, NeedsVisitor &Visitor);
/// What the reverse pass reads to find its way.
void visitControlNeeds(const Facts &F, NeedsVisitor &Visitor);

} // namespace adze
#endif

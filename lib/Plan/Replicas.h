// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides of which parts of shadows each thread of a team has a copy.
#ifndef ADZE_PLAN_REPLICAS_H
#define ADZE_PLAN_REPLICAS_H

#include "adze/Plan.h"

namespace adze {

/// For the loads of \p F, a region, that threads make of the same places. What
/// is reversed has \p Rules.
std::vector<Replica> chooseReplicas(const Facts &F, const RuleMap &Rules);

} // namespace adze
#endif

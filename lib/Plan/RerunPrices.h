// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_PLAN_RERUNPRICES_H
#define ADZE_PLAN_RERUNPRICES_H

#include "adze/Plan.h"

namespace adze {

/// The price of running the code of \p Again, of plan \p P, once more in each
/// iteration, and of making its arrays, in the unit of Prices.h.
uint64_t priceOf(const Rerun &Again, const Plan &P);

/// About how many bytes the augmented half keeps, by the same estimates.
uint64_t bytesKept(const Plan &P);

} // namespace adze
#endif

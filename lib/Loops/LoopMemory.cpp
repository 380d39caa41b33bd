// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/LoopMemory.h"

namespace adze {

LoopMemory &loopMemoryOf(const Primal &P, unsigned Budget) {
  if (!P.KnownMemory)
    P.KnownMemory = std::make_shared<LoopMemory>(P, Budget);
  P.KnownMemory->Alias.refill(Budget);
  P.KnownMemory->Order.refill();
  P.KnownMemory->Ranges.refill();
  return *P.KnownMemory;
}

} // namespace adze

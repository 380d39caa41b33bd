// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a caller knows of the addresses that it gives to a callee (Request.h:
// ArgumentPairs). The callee may run in several threads, and its derivative
// adds to the shadows of what it reads alone. So two addresses are apart only
// if they lead into different objects, which is more than restrict says: two
// such arguments may lead to one object that nobody writes.
#ifndef ADZE_LIB_PLAN_ARGUMENTPAIRS_H
#define ADZE_LIB_PLAN_ARGUMENTPAIRS_H

#include "adze/Request.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace adze {

class Primal;

/// Of the operands of \p Call, in \p P under \p R.
ArgumentPairs pairsOf(const llvm::CallBase &Call, const Primal &P,
                      const Request &R);

} // namespace adze
#endif

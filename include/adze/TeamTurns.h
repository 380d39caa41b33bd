// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns: what the threads of a team do one after the other, by their numbers
// (Teams.h, Runtime/Teams.c). The parts of a reduction are combined in turns.
#ifndef ADZE_TEAMTURNS_H
#define ADZE_TEAMTURNS_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace adze::teams {

/// \p Call waits until it is the turn of this thread; not in a reverse pass.
bool isTurnBegin(const llvm::CallBase &Call);
/// It is over, and that of the next thread.
bool isTurnEnd(const llvm::CallBase &Call);

} // namespace adze::teams

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_LIB_CLEANUP_EMPTYTURNS_H
#define ADZE_LIB_CLEANUP_EMPTYTURNS_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// Removes the turns of threads (Runtime/Teams.c) from \p F in which a thread
/// neither reads nor writes memory: nobody sees in which order these are taken.
/// All threads come to a turn, or none, so that the others keep their numbers.
void dropEmptyTurns(llvm::Function &F);

} // namespace adze
#endif

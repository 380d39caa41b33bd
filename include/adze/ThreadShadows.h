// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of threads (thread_local, threadprivate) have shadows of threads.
#ifndef ADZE_THREADSHADOWS_H
#define ADZE_THREADSHADOWS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// void adze.reset.thread(): if the thread has not been in a region of this
/// derivative yet, zeroes the numbers in its shadows of all such variables that
/// \p M has by now. Null if there are none.
llvm::Function *threadResetFunction(llvm::Module &M);

/// Derivatives in \p M use variables of threads: a thread of a reverse pass
/// must be the one that had its number before.
bool usesThreadVariables(const llvm::Module &M);

} // namespace adze
#endif

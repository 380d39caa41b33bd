// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of TBB (the parallel algorithms of C++ are made of them), which
// derivatives run in one thread.
#ifndef ADZE_LIB_PLUGIN_SERIALTWINS_H
#define ADZE_LIB_PLUGIN_SERIALTWINS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// If \p Run is what tbb::parallel_for or tbb::parallel_reduce begins its tasks
/// with,
///
///   start_for<Range, Body, Partitioner>::run(range, body, partitioner, ...)
///
/// gives it a twin (SerialTwin, HeaderBodies.h) that does the work in one
/// piece:
///
///   if (!range.empty()) body(range);
///
/// which the library may do as well, where the partitioner promises no largest
/// piece, and the range is a blocked_range. To be called before optimization:
/// both functions called there are found by where they are called. Neither
/// changes its type before releaseTypes() (KeepClasses.h). True if it has a
/// twin.
bool giveSerialTwin(llvm::Function &Run);

bool isSerialTwin(const llvm::Function &F);

/// What has a twin in \p M is a function like others again.
bool releaseTwins(llvm::Module &M);

} // namespace adze

#endif

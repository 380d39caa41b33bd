// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that are not OpenMP's (pthread_create, std::thread): a derivative
// runs each where it is created, which is one of the orders in which the
// program may run (docs/Parallel.md).
#ifndef ADZE_SERIALTHREADS_H
#define ADZE_SERIALTHREADS_H

#include "adze/Runtime.h"

namespace adze {

/// What is left of the functions of thread libraries in canonical form begins
/// so (Known/Threads.def).
inline constexpr char ThreadFunctionPrefix[] = "adze.thread.";

/// Called where the code of a thread begins.
inline constexpr char ThreadBegin[] = "adze.thread.begin";

/// What is told of loops that wait for a lock (lib/Prepare/SpinLocks.cpp).
inline constexpr char SpinPrefix[] = "adze.thread.spin";

/// The bodies of these functions.
extern const RuntimeUnit ThreadsUnit;

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much heap memory a call takes at its peak, exactly: the program's own
// malloc counts what is live. Unlike the peak of a process it is the same in
// every run, so that a test can hold a limit.

#ifndef ADZE_BENCHMARKS_COMMON_HEAP_H
#define ADZE_BENCHMARKS_COMMON_HEAP_H

/// Counts from here on.
void bench_heap_start(void);

/// Stops counting. The most bytes that were live at once of those allocated
/// since the start; -1 where the system's allocator cannot be counted.
long bench_heap_peak(void);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs of a benchmark, and timing them against each other.

#ifndef ADZE_BENCHMARKS_COMMON_PROGRAMS_H
#define ADZE_BENCHMARKS_COMMON_PROGRAMS_H

#include "bench.h"

/// In the order in which a round times them.
enum {
  PRIMAL,
  HAND,
  GENERATED,
  FIRST_TOOL,
  DIFFERENCES = FIRST_TOOL + BENCH_NUM_TOOLS,
  NUM_PROGRAMS
};

/// Medians; NaN for a program that was not run.
typedef struct {
  double seconds[NUM_PROGRAMS];
  double over_primal[NUM_PROGRAMS], over_hand[NUM_PROGRAMS];
} timing_result;

size_t bench_num_inputs(const bench_problem *problem);

/// The parts of the derivative, and their number: the blocks of x where the
/// derivative is the gradient.
const bench_block *bench_parts(const bench_problem *problem, int *count);

/// An array that any program can write its derivative to.
double *bench_new_derivative(const bench_problem *problem);

/// A word, or null where the benchmark has no such program.
const char *bench_program_name(const bench_problem *problem, int program);

/// Null, or why a program is not run here.
const char *bench_reason_to_skip(const bench_problem *problem,
                                 const bench_options *options, int program);

void bench_call(const bench_problem *problem, int program, double *derivative);

timing_result bench_measure(const bench_problem *problem,
                            const bench_options *options);

#endif

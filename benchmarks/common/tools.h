// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of a benchmark by tools of operator overloading, for comparison:
// ADOL-C (a tape of operations, reverse mode), Sacado (reverse mode, or
// forward mode with a number of fixed width for Jacobians) and Eigen's
// AutoDiffScalar (forward mode).
//
// A benchmark NAME has them in NAME_tools.cpp, which holds the objective once
// more, as a template over the type of its numbers. The runner compiles the
// file once for each tool that it finds; what was not linked is a null pointer.

#ifndef ADZE_BENCHMARKS_COMMON_TOOLS_H
#define ADZE_BENCHMARKS_COMMON_TOOLS_H

#include <stdbool.h>

/// `constants` is what the benchmark's header says; `derivative` is written as
/// by the benchmark's other programs.
typedef void (*bench_tool_function)(const void *constants, const double *x,
                                    double *derivative);

typedef struct {
  const char *name;
  bench_tool_function function; ///< Null where it was not built.
  bool forward; ///< Calls the objective once for every few inputs.
} bench_tool;

enum { BENCH_NUM_TOOLS = 3 };

#define BENCH_DECLARE_TOOLS(NAME)                                              \
  extern __attribute__((weak)) void NAME##_adolc(                              \
      const void *constants, const double *x, double *derivative);             \
  extern __attribute__((weak)) void NAME##_sacado(                             \
      const void *constants, const double *x, double *derivative);             \
  extern __attribute__((weak)) void NAME##_eigen(                              \
      const void *constants, const double *x, double *derivative)

/// An initializer of bench_problem's tools.
#define BENCH_TOOLS(NAME)                                                      \
  {                                                                            \
    {"adolc", NAME##_adolc, false}, {"sacado", NAME##_sacado, false}, {        \
      "eigen", NAME##_eigen, true                                              \
    }                                                                          \
  }

#endif

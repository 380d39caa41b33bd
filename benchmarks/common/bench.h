// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every benchmark program shares: it describes its objective as a scalar
// function of one flat vector, and bench_run() checks the gradients and
// measures them.
//
// Theory. For f: R^n -> R the harness has three programs: the primal f, a
// hand-written adjoint, and the gradient the plugin generated. They are
// checked in two independent ways:
//
//   * generated against hand-written, component by component. The two do the
//     same arithmetic in another order, so they agree to rounding; the
//     programs fail above 1e-10.
//   * both against differences of f along random directions v,
//     (8 (f(x+hv) - f(x-hv)) - (f(x+2hv) - f(x-2hv))) / 12h, the central
//     formula with error O(h^4), which knows nothing of either adjoint.
//
// For comparison there may be derivatives by other tools (tools.h), checked
// against the hand-written one like the generated one, and the gradient by
// central differences, two calls of the primal for every input.
//
// Times are taken in rounds. A round times each program once, in an order
// that is reversed from one round to the next, and gives one ratio of each
// kind; the table shows the median over the rounds of the times and of the
// ratios. A ratio of times taken within milliseconds of each other is steady
// where the machine's speed is not.

#ifndef ADZE_BENCHMARKS_COMMON_BENCH_H
#define ADZE_BENCHMARKS_COMMON_BENCH_H

#include "tools.h"

#include <stdbool.h>
#include <stddef.h>

/// A named range of the flat input vector, such as the means of a mixture.
/// Differences are measured against the size of the gradient in the same
/// block, so that a wrong block of small derivatives cannot hide behind a
/// right one of large derivatives.
typedef struct {
  const char *name;
  size_t size;
} bench_block;

enum { BENCH_MAX_BLOCKS = 4 };

typedef double (*bench_primal)(void *data, const double *x);
typedef void (*bench_gradient)(void *data, const double *x, double *gradient);

/// One benchmark: an objective, the point at which it is differentiated, and
/// its gradients. The caller owns everything. A gradient function overwrites
/// `gradient`, which has as many entries as `x`.
///
/// A benchmark whose derivative is a Jacobian says so by `num_parts`. Its
/// gradient functions then write all parts, and its primal returns w . F(x) for
/// weights w that are random and fixed, so that w' J, which `contract` makes of
/// the parts, is the gradient that differences can check: an entry of the
/// Jacobian that is wrong or missing shows in it.
typedef struct {
  const char *name;
  const char *shape; ///< The sizes, for people.
  const char *input; ///< The file read, or "generated".
  int num_blocks;
  bench_block blocks[BENCH_MAX_BLOCKS]; ///< They make up `x`, in order.
  const double *x;
  void *data; ///< Handed to the functions below.
  bench_primal primal;
  bench_primal reference; ///< Null; or, if the programs are in single
                          ///< precision, the primal in double precision, of
                          ///< which differences are taken.
  bench_gradient hand;
  bench_gradient generated; ///< Null where it was not built.
  double step;              ///< Of differences; 0 for the usual one.
  int num_parts;            ///< 0 where the derivative is the gradient.
  bench_block parts[BENCH_MAX_BLOCKS];
  void (*contract)(void *data, const double *derivative, double *gradient);
  bench_tool tools[BENCH_NUM_TOOLS]; ///< For comparison; may be empty.
  const void *constants;             ///< Handed to the tools.
} bench_problem;

/// Flags that every benchmark program takes.
typedef struct {
  int runs;           ///< Rounds of timing; 0 checks and does not time.
  double min_seconds; ///< A timed sample repeats its program this long.
  bool key_values;    ///< Print `key value` lines for a script.
  const char *file;   ///< Input file; null generates data.
  unsigned long seed; ///< Of generated data and of random directions.
  bool tools;         ///< Measure other tools and central differences, too.
  const char *once;   ///< Call only this program, once, and print the peak of
                      ///< the memory; or null.
} bench_options;

/// An integer size a program takes as `--flag N`.
typedef struct {
  const char *flag;
  const char *help;
  int *value; ///< Holds the default; must stay at least 1.
} bench_size;

/// Reads the command line. Prints the usage and exits with status 2 on an
/// unknown or malformed argument, with 0 on --help.
bench_options bench_parse(int argc, char **argv, const char *about,
                          const bench_size *sizes, int num_sizes);

/// Checks the gradients, measures, prints. Returns the program's exit status:
/// 0, or 1 if a gradient is wrong.
int bench_run(const bench_problem *problem, const bench_options *options);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checking and timing of a benchmark: see bench.h.

#include "bench.h"
#include "heap.h"
#include "programs.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Above these a gradient is wrong. The first is rounding; the second is what
/// fourth-order differences of these objectives resolve, with a margin.
static const double generated_tolerance = 1e-10;
static const double differences_tolerance = 1e-6;

/// In single precision either may be off by rounding that many steps gather.
static const double single_tolerance = 1e-4;

/// Other tools take other orders of summation; where much cancels, as in the
/// derivative by the largest number of a log-sum-exp, that shows.
static const double tool_tolerance = 1e-8;

/// Central differences of second order, with one step for all inputs, resolve
/// no more.
static const double central_tolerance = 1e-3;

/// Largest difference of two gradients, and where it is.
typedef struct {
  double value;
  const char *block;
  size_t index;
} difference;

typedef struct {
  double objective, gradient_norm;
  /// From the hand-written derivative; that of differences from the gradient.
  difference from_hand[NUM_PROGRAMS];
  const char *skipped[NUM_PROGRAMS]; ///< Null for a program that was run.
  double hand_differences, generated_differences;
  int directions;
} check_result;

/// max |a_i - b_i| / max(|b_i|, r), where r is the root mean square of b over
/// the block: a component that cancels to almost nothing is measured against
/// its neighbours and not against its own rounding. NaN counts as infinite.
static difference compare(const bench_block *parts, int count, const double *a,
                          const double *b) {
  difference worst = {0.0, "", 0};
  for (int k = 0; k < count; k++) {
    size_t n = parts[k].size;
    double rms = bench_norm(b, n) / sqrt((double)n);
    for (size_t i = 0; i < n; i++) {
      double error = fabs(a[i] - b[i]);
      if (error == 0.0)
        continue;
      error /= fmax(fabs(b[i]), rms);
      if (isnan(error))
        error = INFINITY;
      if (error > worst.value)
        worst = (difference){error, parts[k].name, i};
    }
    a += n;
    b += n;
  }
  return worst;
}

/// f(x + h v)
static double shifted(const bench_problem *problem, double *point, double h,
                      const double *v, size_t n) {
  for (size_t i = 0; i < n; i++)
    point[i] = problem->x[i] + h * v[i];
  return (problem->reference ? problem->reference
                             : problem->primal)(problem->data, point);
}

/// Central difference of fourth order along v. The step balances rounding (an
/// objective of 1e6 has eight digits left in a difference) against h^4 times
/// the fifth derivative of 200 nonlinear steps. A direction has unit length, so
/// an objective of very many inputs, or of a small slope, needs a longer one.
static double slope(const bench_problem *problem, double *point,
                    const double *v, size_t n) {
  const double h = problem->step > 0.0 ? problem->step : 5e-4;
  double near =
      shifted(problem, point, h, v, n) - shifted(problem, point, -h, v, n);
  double far = shifted(problem, point, 2 * h, v, n) -
               shifted(problem, point, -2 * h, v, n);
  return (8.0 * near - far) / (12.0 * h);
}

/// Random directions of unit length: two in all inputs, then two in each
/// block alone.
static void random_direction(const bench_problem *problem, int index,
                             bench_random *random, double *v, size_t n) {
  int only = index / 2 - 1;
  for (int b = 0, i = 0; b < problem->num_blocks; b++)
    for (size_t j = 0; j < problem->blocks[b].size; j++, i++)
      v[i] = only < 0 || only == b ? bench_normal(random) : 0.0;
  double norm = bench_norm(v, n);
  for (size_t i = 0; i < n; i++)
    v[i] /= norm;
}

/// Error of a gradient along v against the slope measured there, relative to
/// the slope, or where that cancels to the size such a slope typically has:
/// the root mean square of the gradient in the inputs that v moves.
static double slope_error(const double *gradient, const double *v,
                          double measured, size_t n) {
  double square = 0.0;
  size_t moved = 0;
  for (size_t i = 0; i < n; i++) {
    if (v[i] == 0.0)
      continue;
    square += gradient[i] * gradient[i];
    moved++;
  }
  double typical = sqrt(square / (double)(moved ? moved : 1));
  double error = fabs(bench_dot(gradient, v, n) - measured);
  if (error == 0.0)
    return 0.0;
  error /= fmax(fabs(measured), typical);
  return isnan(error) ? INFINITY : error;
}

/// The gradient in a derivative: itself, or w' J in a new array.
static const double *gradient_of(const bench_problem *problem,
                                 const double *derivative) {
  if (!problem->contract || !derivative)
    return derivative;
  double *gradient = bench_alloc(bench_num_inputs(problem));
  problem->contract(problem->data, derivative, gradient);
  return gradient;
}

/// Every program against the one by hand.
static void check_programs(const bench_problem *problem,
                           const bench_options *options, const double *hand,
                           const double *hand_gradient, const double *generated,
                           check_result *result) {
  int count;
  const bench_block *parts = bench_parts(problem, &count);
  double *derivative = bench_new_derivative(problem);
  for (int p = GENERATED; p < NUM_PROGRAMS; p++) {
    result->skipped[p] = bench_reason_to_skip(problem, options, p);
    if (result->skipped[p])
      continue;
    if (p != GENERATED)
      bench_call(problem, p, derivative);
    result->from_hand[p] =
        p == DIFFERENCES
            ? compare(problem->blocks, problem->num_blocks, derivative,
                      hand_gradient)
            : compare(parts, count, p == GENERATED ? generated : derivative,
                      hand);
  }
  free(derivative);
}

static check_result check(const bench_problem *problem,
                          const bench_options *options, const double *hand,
                          const double *generated) {
  size_t n = bench_num_inputs(problem);
  int count;
  const bench_block *parts = bench_parts(problem, &count);
  check_result result = {0};
  result.objective = problem->primal(problem->data, problem->x);
  double square = 0.0;
  const double *at = hand;
  for (int k = 0; k < count; at += parts[k++].size)
    square += bench_dot(at, at, parts[k].size);
  result.gradient_norm = sqrt(square);

  const double *hand_gradient = gradient_of(problem, hand);
  const double *generated_gradient = gradient_of(problem, generated);
  check_programs(problem, options, hand, hand_gradient, generated, &result);
  double *v = bench_alloc(n);
  double *point = bench_alloc(n);
  bench_random random = {options->seed};
  result.directions = 2 + 2 * problem->num_blocks;
  for (int d = 0; d < result.directions; d++) {
    random_direction(problem, d, &random, v, n);
    double measured = slope(problem, point, v, n);
    result.hand_differences = fmax(result.hand_differences,
                                   slope_error(hand_gradient, v, measured, n));
    if (generated)
      result.generated_differences =
          fmax(result.generated_differences,
               slope_error(generated_gradient, v, measured, n));
  }
  if (problem->contract) {
    free((double *)hand_gradient);
    free((double *)generated_gradient);
  }
  free(point);
  free(v);
  return result;
}

static void print_key_values(const bench_problem *problem,
                             const check_result *c, const timing_result *t) {
  printf("name %s\nshape %s\ninput %s\ninputs %zu\n", problem->name,
         problem->shape, problem->input, bench_num_inputs(problem));
  printf("objective %.17g\ngradient_norm %.17g\n", c->objective,
         c->gradient_norm);
  printf("hand_differences %.3e\n", c->hand_differences);
  if (problem->generated)
    printf("generated_differences %.3e\n", c->generated_differences);
  for (int p = 0; p < NUM_PROGRAMS; p++) {
    const char *name = bench_program_name(problem, p);
    if (!name)
      continue;
    if (c->skipped[p]) {
      printf("%s_skipped %s\n", name, c->skipped[p]);
      continue;
    }
    if (p >= GENERATED)
      printf("%s_hand_difference %.3e\n", name, c->from_hand[p].value);
    if (t)
      printf("%s_seconds %.6e\n", name, t->seconds[p]);
    if (t && p != PRIMAL)
      printf("%s_over_primal %.4f\n", name, t->over_primal[p]);
    if (t && p > HAND)
      printf("%s_over_hand %.4f\n", name, t->over_hand[p]);
  }
}

static void print_table(const bench_problem *problem, const check_result *c,
                        const timing_result *t, int runs) {
  printf("%s: %s, %zu inputs, %s\n", problem->name, problem->shape,
         bench_num_inputs(problem), problem->input);
  printf("  %-44s %.15g\n", "objective", c->objective);
  printf("  %-44s %.15g\n", "norm of the gradient", c->gradient_norm);
  printf("  %-44s %.1e  (%d directions)\n",
         "hand-written against differences, largest", c->hand_differences,
         c->directions);
  if (problem->generated)
    printf("  %-44s %.1e\n", "generated against differences, largest",
           c->generated_differences);
  printf("  %-12s %12s %10s %10s %12s   (medians of up to %d)\n", "", "time",
         "/ primal", "/ hand", "off hand", runs);
  for (int p = 0; p < NUM_PROGRAMS; p++) {
    const char *name = bench_program_name(problem, p);
    if (!name)
      continue;
    printf("  %-12s", name);
    if (c->skipped[p]) {
      printf(" %s\n", c->skipped[p]);
      continue;
    }
    if (t)
      printf(" %9.3f ms %10.2f %10.2f", 1e3 * t->seconds[p], t->over_primal[p],
             t->over_hand[p]);
    if (p >= GENERATED)
      printf(" %12.1e", c->from_hand[p].value);
    printf("\n");
  }
}

/// Says on standard error that a figure is above its limit, or not a number.
static bool within(const bench_problem *problem, const char *what, double value,
                   double limit) {
  if (value < limit)
    return true;
  fprintf(stderr, "bench: %s: %s by %.1e\n", problem->name, what, value);
  return false;
}

/// Says on standard error what is wrong; returns the exit status.
static int judge(const bench_problem *problem, const check_result *c) {
  bool good = true;
  if (!isfinite(c->objective) || !isfinite(c->gradient_norm)) {
    fprintf(stderr, "bench: %s: objective or gradient is not finite\n",
            problem->name);
    good = false;
  }
  double exact = problem->reference ? single_tolerance : generated_tolerance;
  double differences =
      problem->reference ? single_tolerance : differences_tolerance;
  good &= within(problem, "the hand-written gradient differs from differences",
                 c->hand_differences, differences);
  good &= within(problem, "the generated gradient differs from differences",
                 c->generated_differences, differences);
  for (int p = GENERATED; p < NUM_PROGRAMS; p++) {
    const char *name = bench_program_name(problem, p);
    if (!name || c->skipped[p])
      continue;
    char what[160];
    snprintf(what, sizeof what,
             "the derivative %s differs from the hand-written one at %s[%zu]",
             name, c->from_hand[p].block, c->from_hand[p].index);
    good &= within(problem, what, c->from_hand[p].value,
                   p == DIFFERENCES  ? central_tolerance
                   : p >= FIRST_TOOL ? tool_tolerance
                                     : exact);
  }
  return good ? 0 : 1;
}

/// Calls one program once and prints the most memory the process has held, and
/// the most of the heap that the call has. The inputs are in the first, so a
/// difference to the primal's is what counts.
static int run_once(const bench_problem *problem,
                    const bench_options *options) {
  for (int p = 0; p < NUM_PROGRAMS; p++) {
    const char *name = bench_program_name(problem, p);
    if (!name || strcmp(name, options->once) != 0)
      continue;
    const char *reason = bench_reason_to_skip(problem, options, p);
    if (reason)
      bench_fail("%s: %s is skipped: %s", problem->name, name, reason);
    double *derivative = bench_new_derivative(problem);
    bench_heap_start();
    bench_call(problem, p, derivative);
    long heap = bench_heap_peak();
    free(derivative);
    printf("peak_kib %ld\nheap_bytes %ld\n", bench_peak_kib(), heap);
    return 0;
  }
  bench_fail("%s has no program %s", problem->name, options->once);
}

int bench_run(const bench_problem *problem, const bench_options *options) {
  if (options->once)
    return run_once(problem, options);
  double *hand = bench_new_derivative(problem);
  double *generated = problem->generated ? bench_new_derivative(problem) : NULL;
  timing_result timing;
  bool timed = options->runs > 0;
  if (timed)
    timing = bench_measure(problem, options);
  // Taken after all timed calls: a gradient that damages what it reads, or
  // depends on what an earlier call left behind, shows.
  problem->hand(problem->data, problem->x, hand);
  if (generated)
    problem->generated(problem->data, problem->x, generated);
  check_result checks = check(problem, options, hand, generated);
  if (options->key_values)
    print_key_values(problem, &checks, timed ? &timing : NULL);
  else
    print_table(problem, &checks, timed ? &timing : NULL, options->runs);
  free(generated);
  free(hand);
  return judge(problem, &checks);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checking and timing of a benchmark: see bench.h.

#include "bench.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// Above these a gradient is wrong. The first is rounding; the second is what
/// fourth-order differences of these objectives resolve, with a margin.
static const double generated_tolerance = 1e-10;
static const double differences_tolerance = 1e-6;

/// In single precision either may be off by rounding that many steps gather.
static const double single_tolerance = 1e-4;

/// Largest difference of two gradients, and where it is.
typedef struct {
  double value;
  const char *block;
  size_t index;
} difference;

typedef struct {
  double objective, gradient_norm;
  difference generated_hand;
  double hand_differences, generated_differences;
  int directions;
} check_result;

typedef struct {
  double primal, hand, generated; ///< Seconds, medians.
  double generated_primal, generated_hand, hand_primal;
} timing_result;

static size_t num_inputs(const bench_problem *problem) {
  size_t total = 0;
  for (int b = 0; b < problem->num_blocks; b++)
    total += problem->blocks[b].size;
  return total;
}

/// The parts of the derivative, and their number: the blocks of x where the
/// derivative is the gradient.
static const bench_block *parts_of(const bench_problem *problem, int *count) {
  *count = problem->num_parts ? problem->num_parts : problem->num_blocks;
  return problem->num_parts ? problem->parts : problem->blocks;
}

static size_t num_entries(const bench_problem *problem) {
  int count;
  const bench_block *parts = parts_of(problem, &count);
  size_t total = 0;
  for (int p = 0; p < count; p++)
    total += parts[p].size;
  return total;
}

/// max |a_i - b_i| / max(|b_i|, r), where r is the root mean square of b over
/// the block: a component that cancels to almost nothing is measured against
/// its neighbours and not against its own rounding. NaN counts as infinite.
static difference compare(const bench_problem *problem, const double *a,
                          const double *b) {
  difference worst = {0.0, "", 0};
  int count;
  const bench_block *parts = parts_of(problem, &count);
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
  double *gradient = bench_alloc(num_inputs(problem));
  problem->contract(problem->data, derivative, gradient);
  return gradient;
}

static check_result check(const bench_problem *problem, unsigned long seed,
                          const double *hand, const double *generated) {
  size_t n = num_inputs(problem);
  check_result result = {0};
  result.objective = problem->primal(problem->data, problem->x);
  result.gradient_norm = bench_norm(hand, num_entries(problem));
  if (generated)
    result.generated_hand = compare(problem, generated, hand);

  const double *hand_gradient = gradient_of(problem, hand);
  const double *generated_gradient = gradient_of(problem, generated);
  double *v = bench_alloc(n);
  double *point = bench_alloc(n);
  bench_random random = {seed};
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

enum { PRIMAL, HAND, GENERATED, NUM_PROGRAMS };

/// A value nobody reads, so that timed calls of the primal have a use.
static volatile double sink;

static void call(const bench_problem *problem, int program, double *gradient) {
  if (program == PRIMAL)
    sink = problem->primal(problem->data, problem->x);
  else if (program == HAND)
    problem->hand(problem->data, problem->x, gradient);
  else
    problem->generated(problem->data, problem->x, gradient);
}

static double time_calls(const bench_problem *problem, int program,
                         double *gradient, int repeats) {
  double start = bench_seconds();
  for (int i = 0; i < repeats; i++)
    call(problem, program, gradient);
  return (bench_seconds() - start) / repeats;
}

/// Calls that fill a sample; the ones made here also warm the caches.
static int calibrate(const bench_problem *problem, int program,
                     double *gradient, double min_seconds) {
  int repeats = 1;
  while (time_calls(problem, program, gradient, repeats) * repeats <
             min_seconds &&
         repeats < 1 << 20)
    repeats *= 2;
  return repeats;
}

static timing_result measure(const bench_problem *problem,
                             const bench_options *options, double *gradient) {
  size_t runs = (size_t)options->runs;
  int programs = problem->generated ? NUM_PROGRAMS : GENERATED;
  int repeats[NUM_PROGRAMS];
  double *times[NUM_PROGRAMS];
  for (int p = 0; p < programs; p++) {
    repeats[p] = calibrate(problem, p, gradient, options->min_seconds);
    times[p] = bench_alloc(runs);
  }
  for (size_t run = 0; run < runs; run++)
    for (int i = 0; i < programs; i++) {
      int p = run % 2 == 0 ? i : programs - 1 - i;
      times[p][run] = time_calls(problem, p, gradient, repeats[p]);
    }

  timing_result result = {NAN, NAN, NAN, NAN, NAN, NAN};
  double *ratios = bench_alloc(runs);
  const int pairs[3][2] = {
      {GENERATED, PRIMAL}, {GENERATED, HAND}, {HAND, PRIMAL}};
  double *medians[3] = {&result.generated_primal, &result.generated_hand,
                        &result.hand_primal};
  for (int k = 0; k < 3; k++) {
    if (pairs[k][0] >= programs)
      continue;
    for (size_t run = 0; run < runs; run++)
      ratios[run] = times[pairs[k][0]][run] / times[pairs[k][1]][run];
    *medians[k] = bench_median(ratios, runs);
  }
  result.primal = bench_median(times[PRIMAL], runs);
  result.hand = bench_median(times[HAND], runs);
  if (problem->generated)
    result.generated = bench_median(times[GENERATED], runs);
  free(ratios);
  for (int p = 0; p < programs; p++)
    free(times[p]);
  return result;
}

static void print_key_values(const bench_problem *problem,
                             const check_result *c, const timing_result *t) {
  printf("name %s\nshape %s\ninput %s\ninputs %zu\n", problem->name,
         problem->shape, problem->input, num_inputs(problem));
  printf("objective %.17g\ngradient_norm %.17g\n", c->objective,
         c->gradient_norm);
  printf("hand_differences %.3e\n", c->hand_differences);
  if (problem->generated)
    printf("generated_hand_difference %.3e\ngenerated_differences %.3e\n",
           c->generated_hand.value, c->generated_differences);
  if (!t)
    return;
  printf("primal_seconds %.6e\nhand_seconds %.6e\n", t->primal, t->hand);
  printf("hand_over_primal %.4f\n", t->hand_primal);
  if (problem->generated)
    printf("generated_seconds %.6e\ngenerated_over_primal %.4f\n"
           "generated_over_hand %.4f\n",
           t->generated, t->generated_primal, t->generated_hand);
}

static void print_table(const bench_problem *problem, const check_result *c,
                        const timing_result *t, int runs) {
  printf("%s: %s, %zu inputs, %s\n", problem->name, problem->shape,
         num_inputs(problem), problem->input);
  printf("  %-44s %.15g\n", "objective", c->objective);
  printf("  %-44s %.15g\n", "norm of the gradient", c->gradient_norm);
  if (problem->generated)
    printf("  %-44s %.1e\n", "generated against hand-written, largest",
           c->generated_hand.value);
  printf("  %-44s %.1e  (%d directions)\n",
         "hand-written against differences, largest", c->hand_differences,
         c->directions);
  if (problem->generated)
    printf("  %-44s %.1e\n", "generated against differences, largest",
           c->generated_differences);
  if (!t)
    return;
  printf("  %-26s %12s %10s %10s   (medians of %d)\n", "", "time", "/ primal",
         "/ hand", runs);
  printf("  %-26s %9.3f ms\n", "primal", 1e3 * t->primal);
  printf("  %-26s %9.3f ms %10.2f\n", "hand-written gradient", 1e3 * t->hand,
         t->hand_primal);
  if (problem->generated)
    printf("  %-26s %9.3f ms %10.2f %10.2f\n", "generated gradient",
           1e3 * t->generated, t->generated_primal, t->generated_hand);
}

/// Says on standard error what is wrong; returns the exit status.
static int judge(const bench_problem *problem, const check_result *c) {
  int status = 0;
  if (!isfinite(c->objective) || !isfinite(c->gradient_norm)) {
    fprintf(stderr, "bench: %s: objective or gradient is not finite\n",
            problem->name);
    status = 1;
  }
  double exact = problem->reference ? single_tolerance : generated_tolerance;
  double differences =
      problem->reference ? single_tolerance : differences_tolerance;
  if (!(c->hand_differences < differences)) {
    fprintf(stderr,
            "bench: %s: the hand-written gradient differs from differences "
            "by %.1e\n",
            problem->name, c->hand_differences);
    status = 1;
  }
  if (problem->generated && !(c->generated_hand.value < exact)) {
    fprintf(stderr,
            "bench: %s: the generated gradient differs from the hand-written "
            "one by %.1e, at %s[%zu]\n",
            problem->name, c->generated_hand.value, c->generated_hand.block,
            c->generated_hand.index);
    status = 1;
  }
  if (problem->generated && !(c->generated_differences < differences)) {
    fprintf(stderr,
            "bench: %s: the generated gradient differs from differences by "
            "%.1e\n",
            problem->name, c->generated_differences);
    status = 1;
  }
  return status;
}

/// Calls one program once and prints the most memory the process has held.
/// Its inputs are in it, so a difference to the primal's is what counts.
static int run_once(const bench_problem *problem, const char *name) {
  int program = name[0] == 'p' ? PRIMAL : name[0] == 'h' ? HAND : GENERATED;
  if (program == GENERATED && !problem->generated)
    bench_fail("%s was built without its generated gradient", problem->name);
  double *gradient = bench_alloc(num_entries(problem));
  call(problem, program, gradient);
  free(gradient);
  printf("peak_kib %ld\n", bench_peak_kib());
  return 0;
}

int bench_run(const bench_problem *problem, const bench_options *options) {
  if (options->once)
    return run_once(problem, options->once);
  size_t n = num_entries(problem);
  double *hand = bench_alloc(n);
  double *generated = problem->generated ? bench_alloc(n) : NULL;
  problem->hand(problem->data, problem->x, hand);
  if (generated)
    problem->generated(problem->data, problem->x, generated);

  timing_result timing;
  bool timed = options->runs > 0;
  if (timed) {
    double *gradient = bench_alloc(n);
    timing = measure(problem, options, gradient);
    free(gradient);
    // A gradient that damages what it reads, or depends on what an earlier
    // call left behind, shows when it is checked after many calls.
    if (generated)
      problem->generated(problem->data, problem->x, generated);
  }
  check_result checks = check(problem, options->seed, hand, generated);
  if (options->key_values)
    print_key_values(problem, &checks, timed ? &timing : NULL);
  else
    print_table(problem, &checks, timed ? &timing : NULL, options->runs);
  free(generated);
  free(hand);
  return judge(problem, &checks);
}

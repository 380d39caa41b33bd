// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "programs.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What need not be measured precisely may take about this long.
static const double seconds_of_a_tool = 4.0;

enum {
  /// Of forward mode and differences, which call the objective once for every
  /// few inputs.
  MAX_INPUTS = 2000,
  /// Fewest rounds in which a slow program takes part.
  MIN_ROUNDS = 3
};

size_t bench_num_inputs(const bench_problem *problem) {
  size_t total = 0;
  for (int b = 0; b < problem->num_blocks; b++)
    total += problem->blocks[b].size;
  return total;
}

const bench_block *bench_parts(const bench_problem *problem, int *count) {
  *count = problem->num_parts ? problem->num_parts : problem->num_blocks;
  return problem->num_parts ? problem->parts : problem->blocks;
}

double *bench_new_derivative(const bench_problem *problem) {
  int count;
  const bench_block *parts = bench_parts(problem, &count);
  size_t entries = 0, inputs = bench_num_inputs(problem);
  for (int p = 0; p < count; p++)
    entries += parts[p].size;
  return bench_alloc(entries > inputs ? entries : inputs);
}

static const bench_tool *tool_of(const bench_problem *problem, int program) {
  return program >= FIRST_TOOL && program < DIFFERENCES
             ? &problem->tools[program - FIRST_TOOL]
             : NULL;
}

const char *bench_program_name(const bench_problem *problem, int program) {
  static const char *const names[] = {"primal", "hand", "generated"};
  if (program == DIFFERENCES)
    return "differences";
  const bench_tool *tool = tool_of(problem, program);
  return tool ? tool->name : names[program];
}

const char *bench_reason_to_skip(const bench_problem *problem,
                                 const bench_options *options, int program) {
  if (program < FIRST_TOOL)
    return program == GENERATED && !problem->generated ? "not built" : NULL;
  if (!options->tools)
    return "not asked for";
  const bench_tool *tool = tool_of(problem, program);
  if (tool && !tool->function)
    return "not built";
  if (!tool && problem->reference)
    return "single precision";
  bool gradient_by_inputs = tool ? tool->forward && !problem->contract : true;
  return gradient_by_inputs && bench_num_inputs(problem) > MAX_INPUTS
             ? "too many inputs"
             : NULL;
}

static void central_differences(const bench_problem *problem,
                                double *gradient) {
  size_t n = bench_num_inputs(problem);
  double *point = bench_alloc(n);
  memcpy(point, problem->x, n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    double x = point[i], step = 1e-4 * fmax(1.0, fabs(x));
    point[i] = x + step;
    double above = problem->primal(problem->data, point);
    point[i] = x - step;
    double below = problem->primal(problem->data, point);
    point[i] = x;
    gradient[i] = (above - below) / (2.0 * step);
  }
  free(point);
}

/// A value nobody reads, so that timed calls of the primal have a use.
static volatile double sink;

void bench_call(const bench_problem *problem, int program, double *derivative) {
  if (program == PRIMAL)
    sink = problem->primal(problem->data, problem->x);
  else if (program == HAND)
    problem->hand(problem->data, problem->x, derivative);
  else if (program == GENERATED)
    problem->generated(problem->data, problem->x, derivative);
  else if (program == DIFFERENCES)
    central_differences(problem, derivative);
  else
    tool_of(problem, program)
        ->function(problem->constants, problem->x, derivative);
}

static double time_calls(const bench_problem *problem, int program,
                         double *derivative, int repeats) {
  double start = bench_seconds();
  for (int i = 0; i < repeats; i++)
    bench_call(problem, program, derivative);
  return (bench_seconds() - start) / repeats;
}

/// How one program takes part in the rounds.
typedef struct {
  int repeats; ///< Calls that fill a sample.
  int rounds;  ///< 0: none.
  double *times;
} schedule;

/// The calls made here also warm the caches.
static schedule calibrate(const bench_problem *problem,
                          const bench_options *options, int program,
                          double *derivative) {
  schedule s = {1, 0, NULL};
  if (bench_reason_to_skip(problem, options, program))
    return s;
  double seconds = time_calls(problem, program, derivative, 1);
  for (; seconds * s.repeats < options->min_seconds && s.repeats < 1 << 20;
       seconds = time_calls(problem, program, derivative, s.repeats))
    s.repeats *= 2;
  s.rounds = options->runs;
  double affordable = seconds_of_a_tool / (seconds * s.repeats);
  if (program >= FIRST_TOOL && affordable < s.rounds)
    s.rounds = affordable > MIN_ROUNDS ? (int)affordable
               : s.rounds < MIN_ROUNDS ? s.rounds
                                       : MIN_ROUNDS;
  s.times = bench_alloc((size_t)s.rounds);
  return s;
}

/// Median of a program's times in those of another, round by round.
static double ratio_of(schedule above, schedule below, double *scratch) {
  int rounds = above.rounds < below.rounds ? above.rounds : below.rounds;
  for (int i = 0; i < rounds; i++)
    scratch[i] = above.times[i] / below.times[i];
  return bench_median(scratch, (size_t)rounds);
}

timing_result bench_measure(const bench_problem *problem,
                            const bench_options *options) {
  double *derivative = bench_new_derivative(problem);
  schedule schedules[NUM_PROGRAMS];
  for (int p = 0; p < NUM_PROGRAMS; p++)
    schedules[p] = calibrate(problem, options, p, derivative);
  for (int run = 0; run < options->runs; run++)
    for (int i = 0; i < NUM_PROGRAMS; i++) {
      int p = run % 2 == 0 ? i : NUM_PROGRAMS - 1 - i;
      if (run < schedules[p].rounds)
        schedules[p].times[run] =
            time_calls(problem, p, derivative, schedules[p].repeats);
    }
  timing_result result;
  double *scratch = bench_alloc((size_t)options->runs);
  for (int p = 0; p < NUM_PROGRAMS; p++) {
    result.over_primal[p] = ratio_of(schedules[p], schedules[PRIMAL], scratch);
    result.over_hand[p] = ratio_of(schedules[p], schedules[HAND], scratch);
  }
  for (int p = 0; p < NUM_PROGRAMS; p++) {
    result.seconds[p] =
        bench_median(schedules[p].times, (size_t)schedules[p].rounds);
    free(schedules[p].times);
  }
  free(scratch);
  free(derivative);
  return result;
}

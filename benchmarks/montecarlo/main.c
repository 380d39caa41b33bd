// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of montecarlo.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "montecarlo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  montecarlo_option option;
  double *inputs; ///< market, vol, skew: the active inputs.
  double *normals;
} simulation;

static size_t num_steps(const simulation *s) { return (size_t)s->option.steps; }

static size_t num_inputs(const simulation *s) {
  return MONTECARLO_MARKET + 2 * num_steps(s);
}

/// Prices are in units of the strike.
static simulation generate_simulation(int paths, int steps,
                                      unsigned long seed) {
  simulation s = {{paths, steps, 1.0, 1.0, 0.02}, NULL, NULL};
  bench_random random = {seed};
  s.inputs = bench_alloc(num_inputs(&s));
  s.inputs[MONTECARLO_SPOT] = 1.05;
  s.inputs[MONTECARLO_RATE] = 0.03;
  double *vol = s.inputs + MONTECARLO_MARKET, *skew = vol + steps;
  for (int t = 0; t < steps; t++) {
    vol[t] = 0.2 + 0.1 * bench_uniform(&random);
    skew[t] = -0.1 * bench_uniform(&random);
  }
  size_t numbers = (size_t)paths * num_steps(&s);
  s.normals = bench_alloc(numbers);
  for (size_t i = 0; i < numbers; i++)
    s.normals[i] = bench_normal(&random);
  return s;
}

static double primal(void *data, const double *x) {
  simulation *s = data;
  const double *vol = x + MONTECARLO_MARKET;
  return montecarlo_primal(&s->option, x, vol, vol + num_steps(s), s->normals);
}

static void hand(void *data, const double *x, double *gradient) {
  simulation *s = data;
  size_t vol = MONTECARLO_MARKET, skew = vol + num_steps(s);
  memset(gradient, 0, num_inputs(s) * sizeof(double));
  montecarlo_hand(&s->option, x, gradient, x + vol, gradient + vol, x + skew,
                  gradient + skew, s->normals);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  simulation *s = data;
  size_t vol = MONTECARLO_MARKET, skew = vol + num_steps(s);
  memset(gradient, 0, num_inputs(s) * sizeof(double));
  montecarlo_generated(&s->option, x, gradient, x + vol, gradient + vol,
                       x + skew, gradient + skew, s->normals);
}
#endif

int main(int argc, char **argv) {
  int paths = 4000, steps = 64;
  const bench_size sizes[] = {{"--paths", "paths", &paths},
                              {"--steps", "steps in time", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Greeks of an Asian option by Monte Carlo.", sizes, 2);
  if (options.file)
    bench_fail("montecarlo reads no file: %s", options.file);
  simulation s = generate_simulation(paths, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%d paths, %d steps", paths, steps);
  bench_problem problem = {.name = "montecarlo",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 3,
                           .blocks = {{"market", MONTECARLO_MARKET},
                                      {"vol", num_steps(&s)},
                                      {"skew", num_steps(&s)}},
                           .x = s.inputs,
                           .data = &s,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  free(s.inputs);
  free(s.normals);
  return status;
}

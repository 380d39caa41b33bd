// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of ode.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "ode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, steps;
  double *x; ///< Rates, initial state: the active inputs.
  double *y; ///< Copy of the state that a call overwrites.
  double *work, *d_work;
} problem_data;

static problem_data generate(int n, int steps, unsigned long seed) {
  size_t size = (size_t)n;
  problem_data p = {n,
                    steps,
                    bench_alloc(2 * size),
                    bench_alloc(size),
                    bench_alloc(3 * size),
                    bench_alloc(3 * size)};
  bench_random random = {seed};
  for (size_t i = 0; i < size; i++) {
    p.x[i] = 0.5 + bench_uniform(&random);
    p.x[size + i] = bench_uniform(&random);
  }
  memset(p.work, 0, 3 * size * sizeof(double));
  memset(p.d_work, 0, 3 * size * sizeof(double));
  return p;
}

static double *fresh_y(problem_data *p, const double *x) {
  return memcpy(p->y, x + p->n, (size_t)p->n * sizeof(double));
}

static double primal(void *data, const double *x) {
  problem_data *p = data;
  return ode_primal(p->n, p->steps, x, fresh_y(p, x), p->work);
}

static void hand(void *data, const double *x, double *gradient) {
  problem_data *p = data;
  memset(gradient, 0, 2 * (size_t)p->n * sizeof(double));
  ode_hand(p->n, p->steps, x, gradient, fresh_y(p, x), gradient + p->n, p->work,
           p->d_work);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  problem_data *p = data;
  memset(gradient, 0, 2 * (size_t)p->n * sizeof(double));
  memset(p->d_work, 0, 3 * (size_t)p->n * sizeof(double));
  ode_generated(p->n, p->steps, x, gradient, fresh_y(p, x), gradient + p->n,
                p->work, p->d_work);
}
#endif

BENCH_DECLARE_TOOLS(ode);

int main(int argc, char **argv) {
  int n = 100000, steps = 10;
  const bench_size sizes[] = {{"--n", "equations", &n},
                              {"--steps", "steps of the integration", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of a Runge-Kutta integration.", sizes, 2);
  if (options.file)
    bench_fail("ode reads no file: %s", options.file);
  problem_data p = generate(n, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d, %d steps", n, steps);
  ode_sizes constants = {p.n, p.steps};
  bench_problem problem = {.name = "ode",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 2,
                           .blocks = {{"x", (size_t)n}, {"y", (size_t)n}},
                           .x = p.x,
                           .data = &p,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated,
                           .tools = BENCH_TOOLS(ode),
                           .constants = &constants,
                           .step = 0.05};
  int status = bench_run(&problem, &options);
  free(p.d_work);
  free(p.work);
  free(p.y);
  free(p.x);
  return status;
}

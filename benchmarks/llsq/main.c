// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of llsq.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "llsq.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, m;
  double *x;
} problem_data;

static problem_data generate(int n, int m, unsigned long seed) {
  problem_data p = {n, m, bench_alloc((size_t)m)};
  bench_random random = {seed};
  for (int j = 0; j < m; j++)
    p.x[j] = 2.0 * bench_uniform(&random) - 1.0;
  return p;
}

static double primal(void *data, const double *x) {
  problem_data *p = data;
  return llsq_primal(p->n, p->m, x);
}

static void hand(void *data, const double *x, double *gradient) {
  problem_data *p = data;
  memset(gradient, 0, (size_t)p->m * sizeof(double));
  llsq_hand(p->n, p->m, x, gradient);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  problem_data *p = data;
  memset(gradient, 0, (size_t)p->m * sizeof(double));
  llsq_generated(p->n, p->m, x, gradient);
}
#endif

BENCH_DECLARE_TOOLS(llsq);

int main(int argc, char **argv) {
  int n = 4000, m = 128;
  const bench_size sizes[] = {{"--n", "points", &n},
                              {"--m", "coefficients", &m}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of a polynomial least-squares fit.", sizes, 2);
  if (options.file)
    bench_fail("llsq reads no file: %s", options.file);
  if (n < 2)
    bench_fail("the interval needs at least 2 points");
  problem_data p = generate(n, m, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d m=%d", n, m);
  llsq_sizes constants = {p.n, p.m};
  bench_problem problem = {.name = "llsq",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 1,
                           .blocks = {{"x", (size_t)m}},
                           .x = p.x,
                           .data = &p,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated,
                           .tools = BENCH_TOOLS(llsq),
                           .constants = &constants};
  int status = bench_run(&problem, &options);
  free(p.x);
  return status;
}

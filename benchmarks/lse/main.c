// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of lse.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "lse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double *x;
} problem_data;

static problem_data generate(int n, unsigned long seed) {
  problem_data p = {n, bench_alloc((size_t)n)};
  bench_random random = {seed};
  for (int i = 0; i < n; i++)
    p.x[i] = 4.0 * bench_uniform(&random) - 2.0;
  return p;
}

static double primal(void *data, const double *x) {
  problem_data *p = data;
  return lse_primal(p->n, x);
}

static void hand(void *data, const double *x, double *gradient) {
  problem_data *p = data;
  memset(gradient, 0, (size_t)p->n * sizeof(double));
  lse_hand(p->n, x, gradient);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  problem_data *p = data;
  memset(gradient, 0, (size_t)p->n * sizeof(double));
  lse_generated(p->n, x, gradient);
}
#endif

BENCH_DECLARE_TOOLS(lse);

int main(int argc, char **argv) {
  int n = 100000;
  const bench_size sizes[] = {{"--n", "numbers", &n}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of the logarithm of a sum of exponentials.", sizes,
      1);
  if (options.file)
    bench_fail("lse reads no file: %s", options.file);
  problem_data p = generate(n, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d", n);
  bench_problem problem = {.name = "lse",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 1,
                           .blocks = {{"x", (size_t)n}},
                           .x = p.x,
                           .data = &p,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated,
                           .tools = BENCH_TOOLS(lse),
                           .constants = &p.n,
                           .step = 0.5};
  int status = bench_run(&problem, &options);
  free(p.x);
  return status;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of cholesky.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "cholesky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double *inputs;  ///< a, y: the active inputs.
  double *scratch; ///< Copies of both that a call overwrites.
} process;

static size_t matrix_size(const process *p) {
  return (size_t)p->n * (size_t)p->n;
}

static size_t num_inputs(const process *p) {
  return matrix_size(p) + (size_t)p->n;
}

/// Covariance of a process with an exponential kernel at random points, and
/// noise.
static process generate_process(int n, unsigned long seed) {
  process p = {n, NULL, NULL};
  bench_random random = {seed};
  p.inputs = bench_alloc(num_inputs(&p));
  p.scratch = bench_alloc(num_inputs(&p));
  double *points = bench_alloc((size_t)n);
  for (int i = 0; i < n; i++)
    points[i] = 10.0 * bench_uniform(&random);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      p.inputs[i * n + j] =
          exp(-fabs(points[i] - points[j])) + (i == j ? 0.5 : 0.0);
  for (int i = 0; i < n; i++)
    p.inputs[matrix_size(&p) + (size_t)i] = bench_normal(&random);
  free(points);
  return p;
}

static double *fresh_inputs(process *p, const double *x) {
  return memcpy(p->scratch, x, num_inputs(p) * sizeof(double));
}

static double primal(void *data, const double *x) {
  process *p = data;
  double *a = fresh_inputs(p, x);
  return cholesky_primal(p->n, a, a + matrix_size(p));
}

static void hand(void *data, const double *x, double *gradient) {
  process *p = data;
  size_t y = matrix_size(p);
  double *a = fresh_inputs(p, x);
  memset(gradient, 0, num_inputs(p) * sizeof(double));
  cholesky_hand(p->n, a, gradient, a + y, gradient + y);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  process *p = data;
  size_t y = matrix_size(p);
  double *a = fresh_inputs(p, x);
  memset(gradient, 0, num_inputs(p) * sizeof(double));
  cholesky_generated(p->n, a, gradient, a + y, gradient + y);
}
#endif

int main(int argc, char **argv) {
  int n = 192;
  const bench_size sizes[] = {{"--n", "rows of the matrix", &n}};
  bench_options options =
      bench_parse(argc, argv,
                  "Gradient of a Gaussian process's likelihood through a "
                  "Cholesky factorization.",
                  sizes, 1);
  if (options.file)
    bench_fail("cholesky reads no file: %s", options.file);
  process p = generate_process(n, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d", n);
  bench_problem problem = {.name = "cholesky",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 2,
                           .blocks = {{"a", matrix_size(&p)}, {"y", (size_t)n}},
                           .x = p.inputs,
                           .data = &p,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  free(p.inputs);
  free(p.scratch);
  return status;
}

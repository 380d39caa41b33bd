// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of normalize.h; its data are always generated. It fails
// also if the time of the gradient grows faster than n.

#include "../common/bench.h"
#include "../common/support.h"
#include "normalize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double *x, *target;
  double *y, *d_y; ///< Scratch; d_y is zero between calls.
} vectors;

static vectors generate_vectors(int n, unsigned long seed) {
  size_t size = (size_t)n;
  vectors v = {n, bench_alloc(size), bench_alloc(size), bench_alloc(size),
               bench_alloc(size)};
  bench_random random = {seed};
  double scale = 1.0 / sqrt((double)n); // norms of about 1
  for (size_t i = 0; i < size; i++) {
    v.x[i] = scale * bench_normal(&random);
    v.target[i] = scale * bench_normal(&random);
  }
  memset(v.d_y, 0, size * sizeof(double));
  return v;
}

static void free_vectors(vectors *v) {
  free(v->x);
  free(v->target);
  free(v->y);
  free(v->d_y);
}

static double primal(void *data, const double *x) {
  vectors *v = data;
  return normalize_primal(v->n, x, v->target, v->y);
}

static void hand(void *data, const double *x, double *gradient) {
  vectors *v = data;
  memset(gradient, 0, (size_t)v->n * sizeof(double));
  normalize_hand(v->n, x, gradient, v->target, v->y);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  vectors *v = data;
  memset(gradient, 0, (size_t)v->n * sizeof(double));
  normalize_generated(v->n, x, gradient, v->target, v->y, v->d_y);
}
#endif

/// Seconds of the fastest of several gradients of n numbers.
static double fastest(bench_gradient gradient_of, int n, unsigned long seed) {
  vectors v = generate_vectors(n, seed);
  double *gradient = bench_alloc((size_t)n);
  double best = 1e9;
  for (int i = 0; i < 7; i++) {
    double start = bench_seconds();
    gradient_of(&v, v.x, gradient);
    double seconds = bench_seconds() - start;
    best = seconds < best ? seconds : best;
  }
  free(gradient);
  free_vectors(&v);
  return best;
}

/// Sixteen times n takes 16 times as long if the gradient is O(n), and 256
/// times if it is O(n^2): the limit is far from both. All of it stays within
/// the second-level cache.
static int check_growth(bench_gradient gradient_of, unsigned long seed) {
  double growth =
      fastest(gradient_of, 16 * 1000, seed) / fastest(gradient_of, 1000, seed);
  if (growth < 64.0)
    return 0;
  fprintf(stderr, "bench: normalize: 16 times n takes %.0f times as long\n",
          growth);
  return 1;
}

int main(int argc, char **argv) {
  int n = 10000;
  const bench_size sizes[] = {{"--n", "length of the vector", &n}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of a normalization with the norm in the loop.",
      sizes, 1);
  if (options.file)
    bench_fail("normalize reads no file: %s", options.file);
  vectors v = generate_vectors(n, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d", n);
  bench_problem problem = {.name = "normalize",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 1,
                           .blocks = {{"x", (size_t)n}},
                           .x = v.x,
                           .data = &v,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  status |= check_growth(hand, options.seed);
  if (problem.generated)
    status |= check_growth(problem.generated, options.seed);
  free_vectors(&v);
  return status;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of kmeans.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "kmeans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, k, d;
  double *points, *centroids, *ones;
} clusters;

static size_t num_coordinates(const clusters *c) {
  return (size_t)c->k * (size_t)c->d;
}

/// Points around k centers, and centroids that are off the centers: clusters
/// are apart, so no point changes its centroid while differences are taken.
static clusters generate_clusters(int n, int k, int d, unsigned long seed) {
  clusters c = {n, k, d, NULL, NULL, NULL};
  bench_random random = {seed};
  size_t coordinates = num_coordinates(&c);
  c.points = bench_alloc((size_t)n * (size_t)d);
  c.centroids = bench_alloc(coordinates);
  c.ones = bench_alloc(coordinates);
  double *centers = bench_alloc(coordinates);
  for (size_t i = 0; i < coordinates; i++) {
    centers[i] = 8.0 * bench_uniform(&random);
    c.centroids[i] = centers[i] + 0.1 * bench_normal(&random);
    c.ones[i] = 1.0;
  }
  for (int i = 0; i < n; i++) {
    const double *center = centers + (size_t)(i % k) * (size_t)d;
    for (int j = 0; j < d; j++)
      c.points[i * d + j] = center[j] + 0.2 * bench_normal(&random);
  }
  free(centers);
  return c;
}

static double primal(void *data, const double *x) {
  clusters *c = data;
  return kmeans_primal(c->n, c->k, c->d, c->points, x);
}

static void hand(void *data, const double *x, double *derivative) {
  clusters *c = data;
  kmeans_hand(c->n, c->k, c->d, c->points, x, derivative,
              derivative + num_coordinates(c));
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *derivative) {
  clusters *c = data;
  kmeans_generated(c->n, c->k, c->d, c->points, x, c->ones, derivative,
                   derivative + num_coordinates(c));
}
#endif

/// The gradient is the first part.
static void contract(void *data, const double *derivative, double *gradient) {
  memcpy(gradient, derivative, num_coordinates(data) * sizeof(double));
}

BENCH_DECLARE_TOOLS(kmeans);

int main(int argc, char **argv) {
  int n = 10000, k = 32, d = 16;
  const bench_size sizes[] = {{"--n", "points", &n},
                              {"--k", "centroids", &k},
                              {"--d", "dimensions", &d}};
  bench_options options = bench_parse(
      argc, argv, "Gradient and diagonal Hessian of k-means.", sizes, 3);
  if (options.file)
    bench_fail("kmeans reads no file: %s", options.file);
  clusters c = generate_clusters(n, k, d, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d k=%d d=%d", n, k, d);
  size_t coordinates = num_coordinates(&c);
  kmeans_points constants = {c.n, c.k, c.d, c.points};
  bench_problem problem = {
      .name = "kmeans",
      .shape = shape,
      .input = "generated",
      .num_blocks = 1,
      .blocks = {{"centroids", coordinates}},
      .x = c.centroids,
      .data = &c,
      .primal = primal,
      .hand = hand,
      .generated = generated,
      .tools = BENCH_TOOLS(kmeans),
      .constants = &constants,
      .num_parts = 2,
      .parts = {{"gradient", coordinates}, {"diagonal", coordinates}},
      .contract = contract};
  int status = bench_run(&problem, &options);
  free(c.ones);
  free(c.centroids);
  free(c.points);
  return status;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of gmm.h: reads an ADBench file or generates a mixture.

#include "../common/bench.h"
#include "../common/support.h"
#include "gmm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int d, k, n, m;
  double gamma;
  double *parameters; ///< alphas, means, icf: the active inputs.
  double *x;
} mixture;

static size_t num_means(const mixture *g) {
  return (size_t)g->k * (size_t)g->d;
}

static size_t num_icf(const mixture *g) {
  return num_means(g) * (size_t)(g->d + 1) / 2;
}

static size_t num_parameters(const mixture *g) {
  return (size_t)g->k + num_means(g) + num_icf(g);
}

/// `D k n`, alphas, means, icf, points, `gamma m`.
static mixture read_mixture(const char *path) {
  bench_reader reader = bench_open(path);
  mixture g = {0};
  g.d = bench_read_size(&reader, "the dimension");
  g.k = bench_read_size(&reader, "the number of components");
  g.n = bench_read_size(&reader, "the number of points");
  g.parameters = bench_read_array(&reader, num_parameters(&g), "a parameter");
  g.x = bench_read_array(&reader, (size_t)g.n * (size_t)g.d, "a point");
  g.gamma = bench_read_number(&reader, "gamma");
  g.m = (int)bench_read_number(&reader, "m");
  bench_close(&reader);
  return g;
}

/// Distributions as in ADBench's files.
static mixture generate_mixture(int d, int k, int n, unsigned long seed) {
  mixture g = {d, k, n, 0, 1.0, NULL, NULL};
  bench_random random = {seed};
  g.parameters = bench_alloc(num_parameters(&g));
  double *next = g.parameters;
  for (int i = 0; i < k; i++)
    *next++ = bench_normal(&random);
  for (size_t i = 0; i < num_means(&g); i++)
    *next++ = bench_uniform(&random);
  for (size_t i = 0; i < num_icf(&g); i++)
    *next++ = bench_normal(&random);
  g.x = bench_alloc((size_t)n * (size_t)d);
  for (size_t i = 0; i < (size_t)n * (size_t)d; i++)
    g.x[i] = bench_normal(&random);
  return g;
}

static double primal(void *data, const double *p) {
  const mixture *g = data;
  const double *means = p + g->k;
  return gmm_primal(g->d, g->k, g->n, p, means, means + num_means(g), g->x,
                    g->gamma, g->m);
}

static void hand(void *data, const double *p, double *gradient) {
  const mixture *g = data;
  size_t means = (size_t)g->k, icf = means + num_means(g);
  memset(gradient, 0, num_parameters(g) * sizeof(double));
  gmm_hand(g->d, g->k, g->n, p, gradient, p + means, gradient + means, p + icf,
           gradient + icf, g->x, g->gamma, g->m);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *p, double *gradient) {
  const mixture *g = data;
  size_t means = (size_t)g->k, icf = means + num_means(g);
  memset(gradient, 0, num_parameters(g) * sizeof(double));
  gmm_generated(g->d, g->k, g->n, p, gradient, p + means, gradient + means,
                p + icf, gradient + icf, g->x, g->gamma, g->m);
}
#endif

BENCH_DECLARE_TOOLS(gmm);

int main(int argc, char **argv) {
  int d = 10, k = 25, n = 1000;
  const bench_size sizes[] = {{"--d", "dimension", &d},
                              {"--k", "components", &k},
                              {"--n", "points", &n}};
  bench_options options = bench_parse(
      argc, argv, "Gradient of a Gaussian mixture's likelihood.", sizes, 3);
  mixture g = options.file ? read_mixture(options.file)
                           : generate_mixture(d, k, n, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "d=%d K=%d n=%d", g.d, g.k, g.n);
  gmm_constants constants = {g.d, g.k, g.n, g.m, g.gamma, g.x};
  bench_problem problem = {.name = "gmm",
                           .shape = shape,
                           .input = options.file ? options.file : "generated",
                           .num_blocks = 3,
                           .blocks = {{"alphas", (size_t)g.k},
                                      {"means", num_means(&g)},
                                      {"icf", num_icf(&g)}},
                           .x = g.parameters,
                           .data = &g,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated,
                           .tools = BENCH_TOOLS(gmm),
                           .constants = &constants};
  int status = bench_run(&problem, &options);
  free(g.x);
  free(g.parameters);
  return status;
}

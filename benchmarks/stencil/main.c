// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of stencil.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "stencil.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Explicit sweeps are stable while 4 kappa dt < 1, kappa being below 1.
static const double time_step = 0.05;

typedef struct {
  int rows, cols, steps;
  double *inputs; ///< Initial u, kappa: the active inputs.
  double *u;      ///< Copy of u that a call overwrites.
  double *target;
} grid;

static size_t num_cells(const grid *g) {
  return (size_t)g->rows * (size_t)g->cols;
}

static grid generate_grid(int rows, int cols, int steps, unsigned long seed) {
  grid g = {rows, cols, steps, NULL, NULL, NULL};
  bench_random random = {seed};
  size_t cells = num_cells(&g);
  g.inputs = bench_alloc(2 * cells);
  g.target = bench_alloc(cells);
  g.u = bench_alloc(cells);
  for (size_t i = 0; i < cells; i++) {
    g.inputs[i] = 2.0 * bench_uniform(&random) - 1.0;
    g.inputs[cells + i] = 0.1 + 0.9 * bench_uniform(&random);
    g.target[i] = 2.0 * bench_uniform(&random) - 1.0;
  }
  return g;
}

static double *fresh_u(grid *g, const double *inputs) {
  return memcpy(g->u, inputs, num_cells(g) * sizeof(double));
}

static double primal(void *data, const double *p) {
  grid *g = data;
  return stencil_primal(g->rows, g->cols, g->steps, time_step, fresh_u(g, p),
                        p + num_cells(g), g->target);
}

static void hand(void *data, const double *p, double *gradient) {
  grid *g = data;
  size_t kappa = num_cells(g);
  memset(gradient, 0, 2 * kappa * sizeof(double));
  stencil_hand(g->rows, g->cols, g->steps, time_step, fresh_u(g, p), gradient,
               p + kappa, gradient + kappa, g->target);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *p, double *gradient) {
  grid *g = data;
  size_t kappa = num_cells(g);
  memset(gradient, 0, 2 * kappa * sizeof(double));
  stencil_generated(g->rows, g->cols, g->steps, time_step, fresh_u(g, p),
                    gradient, p + kappa, gradient + kappa, g->target);
}
#endif

int main(int argc, char **argv) {
  int rows = 128, cols = 128, steps = 200;
  const bench_size sizes[] = {{"--rows", "rows of the grid", &rows},
                              {"--cols", "columns of the grid", &cols},
                              {"--steps", "sweeps over the grid", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through sweeps of a stencil in place.", sizes, 3);
  if (options.file)
    bench_fail("stencil reads no file: %s", options.file);
  if (rows < 3 || cols < 3)
    bench_fail("the grid needs at least 3 rows and 3 columns");
  grid g = generate_grid(rows, cols, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%dx%d cells, %d steps", rows, cols, steps);
  bench_problem problem = {
      .name = "stencil",
      .shape = shape,
      .input = "generated",
      .num_blocks = 2,
      .blocks = {{"u", num_cells(&g)}, {"kappa", num_cells(&g)}},
      .x = g.inputs,
      .data = &g,
      .primal = primal,
      .hand = hand,
      .generated = generated};
  int status = bench_run(&problem, &options);
  free(g.u);
  free(g.target);
  free(g.inputs);
  return status;
}

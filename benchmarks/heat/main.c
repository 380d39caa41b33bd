// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of heat.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "heat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Explicit steps are stable while 4 kappa dt < 1, kappa being below 1.
static const double time_step = 0.2;

typedef struct {
  int rows, cols, steps;
  double *inputs;            ///< Initial u, kappa: the active inputs.
  double *u, *next, *d_next; ///< Buffers that a call overwrites.
  double *target;
} plate;

static size_t num_cells(const plate *p) {
  return (size_t)p->rows * (size_t)p->cols;
}

static plate generate_plate(int rows, int cols, int steps, unsigned long seed) {
  plate p = {rows, cols, steps, NULL, NULL, NULL, NULL, NULL};
  bench_random random = {seed};
  size_t cells = num_cells(&p);
  p.inputs = bench_alloc(2 * cells);
  p.target = bench_alloc(cells);
  p.u = bench_alloc(cells);
  p.next = bench_alloc(cells);
  p.d_next = bench_alloc(cells);
  for (size_t i = 0; i < cells; i++) {
    p.inputs[i] = 2.0 * bench_uniform(&random) - 1.0;
    p.inputs[cells + i] = 0.1 + 0.9 * bench_uniform(&random);
    p.target[i] = 0.2 * bench_uniform(&random) - 0.1;
  }
  return p;
}

#ifndef ADZE_NO_GENERATED
static int on_border(const plate *p, int i, int j) {
  return i == 0 || j == 0 || i == p->rows - 1 || j == p->cols - 1;
}
#endif

/// Both buffers start with the border, which no step writes.
static void fresh_buffers(plate *p, const double *inputs) {
  memcpy(p->u, inputs, num_cells(p) * sizeof(double));
  memcpy(p->next, inputs, num_cells(p) * sizeof(double));
}

static double primal(void *data, const double *x) {
  plate *p = data;
  fresh_buffers(p, x);
  return heat_primal(p->rows, p->cols, p->steps, time_step, p->u, p->next,
                     x + num_cells(p), p->target);
}

static void hand(void *data, const double *x, double *gradient) {
  plate *p = data;
  size_t kappa = num_cells(p);
  memset(gradient, 0, 2 * kappa * sizeof(double));
  heat_hand(p->rows, p->cols, p->steps, time_step, x, gradient, x + kappa,
            gradient + kappa, p->target);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  plate *p = data;
  size_t kappa = num_cells(p);
  memset(gradient, 0, 2 * kappa * sizeof(double));
  memset(p->d_next, 0, kappa * sizeof(double));
  fresh_buffers(p, x);
  heat_generated(p->rows, p->cols, p->steps, time_step, p->u, gradient, p->next,
                 p->d_next, x + kappa, gradient + kappa, p->target);
  // The border of both buffers came from one.
  for (int i = 0; i < p->rows; i++)
    for (int j = 0; j < p->cols; j++)
      if (on_border(p, i, j))
        gradient[i * p->cols + j] += p->d_next[i * p->cols + j];
}
#endif

int main(int argc, char **argv) {
  int rows = 128, cols = 128, steps = 200;
  const bench_size sizes[] = {{"--rows", "rows of the grid", &rows},
                              {"--cols", "columns of the grid", &cols},
                              {"--steps", "steps in time", &steps}};
  bench_options options = bench_parse(argc, argv,
                                      "Gradient through explicit steps of heat "
                                      "conduction.",
                                      sizes, 3);
  if (options.file)
    bench_fail("heat reads no file: %s", options.file);
  if (rows < 3 || cols < 3)
    bench_fail("the grid needs at least 3 rows and 3 columns");
  plate p = generate_plate(rows, cols, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%dx%d cells, %d steps", rows, cols, steps);
  bench_problem problem = {
      .name = "heat",
      .shape = shape,
      .input = "generated",
      .num_blocks = 2,
      .blocks = {{"u", num_cells(&p)}, {"kappa", num_cells(&p)}},
      .x = p.inputs,
      .data = &p,
      .primal = primal,
      .hand = hand,
      .generated = generated};
  int status = bench_run(&problem, &options);
  free(p.inputs);
  free(p.u);
  free(p.next);
  free(p.d_next);
  free(p.target);
  return status;
}

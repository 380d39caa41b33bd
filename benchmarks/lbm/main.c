// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of lbm.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "lbm.h"

// The objective once more in double precision, for differences.
#define LBM_REAL double
#include "lbm_objective.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  lbm_box box;
  unsigned char *solid;
  double *inputs, *target; ///< As the harness and the differences have them.
  float *single_target;
  float *f, *d_f, *next, *d_next; ///< Scratch.
  double *wide_f, *wide_next;     ///< Scratch of the reference.
} flow;

static size_t num_cells(const flow *w) {
  return (size_t)w->box.nx * (size_t)w->box.ny * (size_t)w->box.nz;
}

static size_t num_inputs(const flow *w) { return LBM_Q * num_cells(w); }

static float *allocate_singles(size_t count) {
  float *array = malloc(count * sizeof(float));
  if (!array)
    bench_fail("no memory for %zu numbers", count);
  return array;
}

/// Distributions near rest; one cell in ten is solid.
static flow generate_flow(int side, int steps, unsigned long seed) {
  flow w = {.box = {side, side, side, steps, 1.4f, NULL}};
  bench_random random = {seed};
  size_t cells = num_cells(&w), inputs = num_inputs(&w);
  w.inputs = bench_alloc(inputs);
  w.target = bench_alloc(3 * cells);
  w.single_target = allocate_singles(3 * cells);
  w.wide_f = bench_alloc(inputs);
  w.wide_next = bench_alloc(inputs);
  w.f = allocate_singles(inputs);
  w.d_f = allocate_singles(inputs);
  w.next = allocate_singles(inputs);
  w.d_next = allocate_singles(inputs);
  w.solid = malloc(cells);
  if (!w.solid)
    bench_fail("no memory for %zu cells", cells);
  w.box.solid = w.solid;
  // Data that single precision holds exactly, so that both see the same.
  for (size_t i = 0; i < inputs; i++)
    w.inputs[i] = (float)(lbm_weight((int)(i % LBM_Q)) *
                          (0.7 + 0.6 * bench_uniform(&random)));
  for (size_t i = 0; i < 3 * cells; i++)
    w.target[i] = w.single_target[i] =
        (float)(0.2 * bench_uniform(&random) - 0.1);
  for (size_t cell = 0; cell < cells; cell++)
    w.solid[cell] = bench_uniform(&random) < 0.1;
  return w;
}

static float *fresh_f(flow *w, const double *x) {
  for (size_t i = 0; i < num_inputs(w); i++)
    w->f[i] = (float)x[i];
  return w->f;
}

static double primal(void *data, const double *x) {
  flow *w = data;
  return lbm_primal(&w->box, fresh_f(w, x), w->next, w->single_target);
}

static double reference(void *data, const double *x) {
  flow *w = data;
  memcpy(w->wide_f, x, num_inputs(w) * sizeof(double));
  return lbm_objective(&w->box, w->wide_f, w->wide_next, w->target);
}

static void widen(const flow *w, double *gradient) {
  for (size_t i = 0; i < num_inputs(w); i++)
    gradient[i] = w->d_f[i];
}

static void hand(void *data, const double *x, double *gradient) {
  flow *w = data;
  lbm_hand(&w->box, fresh_f(w, x), w->d_f, w->next, w->single_target);
  widen(w, gradient);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  flow *w = data;
  memset(w->d_f, 0, num_inputs(w) * sizeof(float));
  memset(w->d_next, 0, num_inputs(w) * sizeof(float));
  lbm_generated(&w->box, fresh_f(w, x), w->d_f, w->next, w->d_next,
                w->single_target);
  widen(w, gradient);
}
#endif

int main(int argc, char **argv) {
  int side = 24, steps = 20;
  const bench_size sizes[] = {{"--side", "cells along a side", &side},
                              {"--steps", "steps in time", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through a lattice-Boltzmann flow.", sizes, 2);
  if (options.file)
    bench_fail("lbm reads no file: %s", options.file);
  flow w = generate_flow(side, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%d^3 cells, %d steps", side, steps);
  bench_problem problem = {.name = "lbm",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 1,
                           .blocks = {{"f", num_inputs(&w)}},
                           .x = w.inputs,
                           .data = &w,
                           .primal = primal,
                           .reference = reference,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  free(w.inputs);
  free(w.target);
  free(w.single_target);
  free(w.wide_f);
  free(w.wide_next);
  free(w.f);
  free(w.d_f);
  free(w.next);
  free(w.d_next);
  free(w.solid);
  return status;
}

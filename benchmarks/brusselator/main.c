// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of brusselator.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "brusselator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  brusselator_grid grid;
  double *inputs;                  ///< State, parameters: the active inputs.
  double *state, *slope, *d_slope; ///< Scratch that a call overwrites.
  double *target;
} reactor;

static size_t state_size(const reactor *r) {
  return 2 * (size_t)r->grid.n * (size_t)r->grid.n;
}

static size_t num_inputs(const reactor *r) {
  return state_size(r) + BRUSSELATOR_PARAMETERS;
}

/// The usual initial state, and a target near it. The time step is half of
/// what diffusion allows; time starts before the source switches on.
static reactor generate_reactor(int n, int steps, unsigned long seed) {
  const double alpha = 0.02;
  reactor r = {{n, steps, 0.0, 0.0}, NULL, NULL, NULL, NULL, NULL};
  r.grid.dt = 0.125 / (alpha * (n - 1) * (n - 1));
  r.grid.start = 1.1 - 0.5 * steps * r.grid.dt;
  size_t size = state_size(&r), cells = size / 2;
  r.inputs = bench_alloc(num_inputs(&r));
  r.state = bench_alloc(size);
  r.slope = bench_alloc(size);
  r.d_slope = bench_alloc(size);
  r.target = bench_alloc(size);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = i / (n - 1.0), y = j / (n - 1.0);
      r.inputs[i * n + j] = 22.0 * pow(y * (1.0 - y), 1.5);
      r.inputs[cells + (size_t)(i * n + j)] = 27.0 * pow(x * (1.0 - x), 1.5);
    }
  bench_random random = {seed};
  for (size_t at = 0; at < size; at++)
    r.target[at] = r.inputs[at] + 0.1 * bench_normal(&random);
  r.inputs[size] = 3.4;
  r.inputs[size + 1] = 1.0;
  r.inputs[size + 2] = alpha;
  return r;
}

static double *fresh_state(reactor *r, const double *x) {
  return memcpy(r->state, x, state_size(r) * sizeof(double));
}

static double primal(void *data, const double *x) {
  reactor *r = data;
  return brusselator_primal(&r->grid, fresh_state(r, x), r->slope,
                            x + state_size(r), r->target);
}

static void hand(void *data, const double *x, double *gradient) {
  reactor *r = data;
  size_t parameters = state_size(r);
  memset(gradient, 0, num_inputs(r) * sizeof(double));
  brusselator_hand(&r->grid, fresh_state(r, x), gradient, x + parameters,
                   gradient + parameters, r->target);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  reactor *r = data;
  size_t parameters = state_size(r);
  memset(gradient, 0, num_inputs(r) * sizeof(double));
  memset(r->d_slope, 0, parameters * sizeof(double));
  brusselator_generated(&r->grid, fresh_state(r, x), gradient, r->slope,
                        r->d_slope, x + parameters, gradient + parameters,
                        r->target);
}
#endif

int main(int argc, char **argv) {
  int n = 64, steps = 100;
  const bench_size sizes[] = {{"--n", "cells along a side", &n},
                              {"--steps", "steps in time", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through the Brusselator on a grid.", sizes, 2);
  if (options.file)
    bench_fail("brusselator reads no file: %s", options.file);
  if (n < 3)
    bench_fail("the grid needs at least 3 cells along a side");
  reactor r = generate_reactor(n, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%dx%d cells, %d steps", n, n, steps);
  bench_problem problem = {.name = "brusselator",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 2,
                           .blocks = {{"state", state_size(&r)},
                                      {"parameters", BRUSSELATOR_PARAMETERS}},
                           .x = r.inputs,
                           .data = &r,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  free(r.inputs);
  free(r.state);
  free(r.slope);
  free(r.d_slope);
  free(r.target);
  return status;
}

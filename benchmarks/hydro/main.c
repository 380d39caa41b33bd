// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of hydro.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "hydro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  hydro_mesh mesh;
  int *corner;
  double *mass, *node_mass, *target_x, *target_e;
  double *inputs;      ///< x, v, e: the active inputs.
  hydro_state state;   ///< Copies that a call overwrites, and scratch.
  hydro_state d_state; ///< Of it the harness owns d_x, d_v and d_e.
} gas;

static size_t coordinates(const gas *g) { return 3 * (size_t)g->mesh.nodes; }

static size_t elements(const gas *g) { return (size_t)g->mesh.elements; }

static size_t num_inputs(const gas *g) {
  return 2 * coordinates(g) + elements(g);
}

/// Corners of the elements of a side^3 box.
static int *generate_corners(int side) {
  int *corner =
      malloc(HYDRO_CORNERS * (size_t)(side * side * side) * sizeof(int));
  if (!corner)
    bench_fail("no memory for a mesh of side %d", side);
  const int row = side + 1, sheet = row * row;
  const int offset[HYDRO_CORNERS] = {
      0, 1, row + 1, row, sheet, sheet + 1, sheet + row + 1, sheet + row};
  int *at = corner;
  for (int z = 0; z < side; z++)
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++)
        for (int c = 0; c < HYDRO_CORNERS; c++)
          *at++ = z * sheet + y * row + x + offset[c];
  return corner;
}

static void allocate_gas(gas *g) {
  size_t nodes = (size_t)g->mesh.nodes;
  g->mass = bench_alloc(elements(g));
  g->node_mass = bench_alloc(nodes);
  g->target_x = bench_alloc(coordinates(g));
  g->target_e = bench_alloc(elements(g));
  g->inputs = bench_alloc(num_inputs(g));
  double *x = bench_alloc(num_inputs(g));
  double *scratch = bench_alloc(elements(g) + coordinates(g));
  double *d_scratch = bench_alloc(elements(g) + coordinates(g));
  g->state = (hydro_state){x, x + coordinates(g), x + 2 * coordinates(g),
                           scratch, scratch + elements(g)};
  g->d_state =
      (hydro_state){NULL, NULL, NULL, d_scratch, d_scratch + elements(g)};
}

/// A box of unit elements, slightly distorted, with a random state of rest and
/// a target that is another one.
static gas generate_gas(int side, int steps, unsigned long seed) {
  const int row = side + 1;
  gas g = {.mesh = {row * row * row, side * side * side, steps, 0.01, 1.4, 0.1,
                    NULL, NULL, NULL, NULL, NULL},
           .corner = generate_corners(side)};
  allocate_gas(&g);
  bench_random random = {seed};
  double *x = g.inputs, *v = x + coordinates(&g), *e = v + coordinates(&g);
  for (int n = 0; n < g.mesh.nodes; n++) {
    const int place[3] = {n % row, n / row % row, n / (row * row)};
    g.node_mass[n] = 0.0;
    for (int d = 0; d < 3; d++) {
      x[3 * n + d] = place[d] + 0.2 * (bench_uniform(&random) - 0.5);
      v[3 * n + d] = bench_uniform(&random) - 0.5;
      g.target_x[3 * n + d] = place[d] + 0.2 * (bench_uniform(&random) - 0.5);
    }
  }
  for (int k = 0; k < g.mesh.elements; k++) {
    g.mass[k] = 0.5 + bench_uniform(&random);
    e[k] = 1.0 + bench_uniform(&random);
    g.target_e[k] = 1.0 + bench_uniform(&random);
    for (int c = 0; c < HYDRO_CORNERS; c++)
      g.node_mass[g.corner[HYDRO_CORNERS * k + c]] += g.mass[k] / HYDRO_CORNERS;
  }
  g.mesh.corner = g.corner;
  g.mesh.mass = g.mass;
  g.mesh.node_mass = g.node_mass;
  g.mesh.target_x = g.target_x;
  g.mesh.target_e = g.target_e;
  return g;
}

static void free_gas(gas *g) {
  free(g->corner);
  free(g->mass);
  free(g->node_mass);
  free(g->target_x);
  free(g->target_e);
  free(g->inputs);
  free(g->state.x);
  free(g->state.stress);
  free(g->d_state.stress);
}

static const hydro_state *fresh_state(gas *g, const double *x) {
  memcpy(g->state.x, x, num_inputs(g) * sizeof(double));
  return &g->state;
}

static const hydro_state *fresh_shadow(gas *g, double *gradient) {
  memset(gradient, 0, num_inputs(g) * sizeof(double));
  g->d_state.x = gradient;
  g->d_state.v = gradient + coordinates(g);
  g->d_state.e = gradient + 2 * coordinates(g);
  return &g->d_state;
}

static double primal(void *data, const double *x) {
  gas *g = data;
  return hydro_primal(&g->mesh, fresh_state(g, x));
}

static void hand(void *data, const double *x, double *gradient) {
  gas *g = data;
  hydro_hand(&g->mesh, fresh_state(g, x), fresh_shadow(g, gradient));
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  gas *g = data;
  memset(g->d_state.stress, 0, (elements(g) + coordinates(g)) * sizeof(double));
  hydro_generated(&g->mesh, fresh_state(g, x), fresh_shadow(g, gradient));
}
#endif

int main(int argc, char **argv) {
  int side = 12, steps = 20;
  const bench_size sizes[] = {{"--side", "elements along a side", &side},
                              {"--steps", "steps in time", &steps}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through gas dynamics on hexahedra.", sizes, 2);
  if (options.file)
    bench_fail("hydro reads no file: %s", options.file);
  gas g = generate_gas(side, steps, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%d elements, %d steps", g.mesh.elements,
           steps);
  bench_problem problem = {.name = "hydro",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 3,
                           .blocks = {{"x", coordinates(&g)},
                                      {"v", coordinates(&g)},
                                      {"e", elements(&g)}},
                           .x = g.inputs,
                           .data = &g,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  free_gas(&g);
  return status;
}

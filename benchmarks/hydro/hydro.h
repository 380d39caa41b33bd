// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lagrangian gas dynamics on an unstructured mesh of hexahedra: nodes carry
// positions x and velocities v, elements a specific internal energy e, and
// each element names its eight nodes by index. A step
//
//   s = ((gamma - 1) e - viscosity V'/V) m / V     stress, in each element
//   v += dt F / M,   F = sum of s A / 4            over the faces of a node
//   e -= dt s V' / m,   V' with the new v          work, so energy is kept
//   x += dt v
//
// takes the volume V and its rate V' from the area vectors A of the six faces,
// half the product of their diagonals: V = sum A.centre / 3, V' = sum A.mean v.
// Elements gather from their nodes and scatter to them. The objective is the
// distance of the last positions and energies to measured ones; its gradient
// is that by the initial state.
//
//   x, v     nodes x 3; overwritten
//   e        elements; overwritten
//   stress   elements, and force, nodes x 3: scratch
//
// The gradients are *added* to d_x, d_v and d_e, zero on entry. What the state
// and the scratch hold after a gradient is not specified.

#ifndef ADZE_BENCHMARKS_HYDRO_HYDRO_H
#define ADZE_BENCHMARKS_HYDRO_HYDRO_H

enum { HYDRO_CORNERS = 8, HYDRO_FACES = 6 };

typedef struct {
  int nodes, elements, steps;
  double dt, gamma, viscosity;
  const int *corner; ///< elements x 8.
  const double *mass, *node_mass;
  const double *target_x, *target_e;
} hydro_mesh;

typedef struct {
  double *x, *v, *e, *stress, *force;
} hydro_state;

double hydro_primal(const hydro_mesh *mesh, const hydro_state *state);

void hydro_hand(const hydro_mesh *mesh, const hydro_state *state,
                const hydro_state *d_state);

void hydro_generated(const hydro_mesh *mesh, const hydro_state *state,
                     const hydro_state *d_state);

#endif

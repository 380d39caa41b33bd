// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of hydro.h by hand.
//
// The tape is the state and the stress of every step, each written after the
// last instead of in place. The geometry of an element is recomputed
// (hand_elements.h). Around the loops over elements, a step is undone by
//
//   v' += dt x'   and   F' = dt v' / M

#include "hand_elements.h"

#include <stdlib.h>

static void forward_step(const hydro_mesh *restrict mesh, instant now,
                         instant next, double *restrict force) {
  forward_forces(mesh, now, force);
  for (int n = 0; n < mesh->nodes; n++)
    for (int d = 0; d < 3; d++)
      next.v[3 * n + d] =
          now.v[3 * n + d] + mesh->dt * force[3 * n + d] / mesh->node_mass[n];
  forward_work(mesh, now, next);
  for (int i = 0; i < 3 * mesh->nodes; i++)
    next.x[i] = now.x[i] + mesh->dt * next.v[i];
}

void hydro_hand(const hydro_mesh *mesh, const hydro_state *state,
                const hydro_state *d_state) {
  const int coordinates = 3 * mesh->nodes;
  double *tape =
      malloc(((size_t)mesh->steps + 1) * instant_size(mesh) * sizeof(double));
  instant first = instant_at(mesh, tape, 0);
  memcpy(first.x, state->x, (size_t)coordinates * sizeof(double));
  memcpy(first.v, state->v, (size_t)coordinates * sizeof(double));
  memcpy(first.e, state->e, (size_t)mesh->elements * sizeof(double));
  for (int t = 0; t < mesh->steps; t++)
    forward_step(mesh, instant_at(mesh, tape, t), instant_at(mesh, tape, t + 1),
                 state->force);

  instant last = instant_at(mesh, tape, mesh->steps);
  instant bar = {d_state->x, d_state->v, d_state->e, state->stress};
  double *d_force = state->force;
  for (int i = 0; i < coordinates; i++)
    bar.x[i] += 2.0 * (last.x[i] - mesh->target_x[i]);
  for (int k = 0; k < mesh->elements; k++)
    bar.e[k] += 2.0 * (last.e[k] - mesh->target_e[k]);
  for (int t = mesh->steps - 1; t >= 0; t--) {
    instant now = instant_at(mesh, tape, t);
    for (int i = 0; i < coordinates; i++)
      bar.v[i] += mesh->dt * bar.x[i];
    reverse_work(mesh, now, instant_at(mesh, tape, t + 1).v, bar);
    for (int n = 0; n < mesh->nodes; n++)
      for (int d = 0; d < 3; d++)
        d_force[3 * n + d] = mesh->dt * bar.v[3 * n + d] / mesh->node_mass[n];
    reverse_forces(mesh, now, d_force, bar);
  }
  free(tape);
}

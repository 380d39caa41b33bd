// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of hydro.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_HYDRO_HYDRO_OBJECTIVE_H
#define ADZE_BENCHMARKS_HYDRO_HYDRO_OBJECTIVE_H

#include "hydro.h"
#include "primal_elements.h"

static double hydro_objective(const hydro_mesh *restrict mesh,
                              double *restrict x, double *restrict v,
                              double *restrict e, double *restrict stress,
                              double *restrict force) {
  for (int t = 0; t < mesh->steps; t++) {
    hydro_forces(mesh, x, v, e, stress, force);
    for (int n = 0; n < mesh->nodes; n++)
      for (int d = 0; d < 3; d++)
        v[3 * n + d] += mesh->dt * force[3 * n + d] / mesh->node_mass[n];
    hydro_work(mesh, x, v, e, stress);
    for (int i = 0; i < 3 * mesh->nodes; i++)
      x[i] += mesh->dt * v[i];
  }
  double sum = 0.0;
  for (int i = 0; i < 3 * mesh->nodes; i++)
    sum += (x[i] - mesh->target_x[i]) * (x[i] - mesh->target_x[i]);
  for (int k = 0; k < mesh->elements; k++)
    sum += (e[k] - mesh->target_e[k]) * (e[k] - mesh->target_e[k]);
  return sum;
}

#endif

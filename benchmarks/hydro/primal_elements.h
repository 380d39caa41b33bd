// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops over elements of the primal of hydro.h, for one process and for
// several.

#ifndef ADZE_BENCHMARKS_HYDRO_PRIMAL_ELEMENTS_H
#define ADZE_BENCHMARKS_HYDRO_PRIMAL_ELEMENTS_H

#include "element.h"
#include "hydro.h"

/// Stress of the elements, and the forces on the nodes.
static void hydro_forces(const hydro_mesh *restrict mesh,
                         const double *restrict x, const double *restrict v,
                         const double *restrict e, double *restrict stress,
                         double *restrict force) {
  for (int i = 0; i < 3 * mesh->nodes; i++)
    force[i] = 0.0;
  for (int k = 0; k < mesh->elements; k++) {
    const int *corner = mesh->corner + HYDRO_CORNERS * k;
    double xs[HYDRO_CORNERS][3], vs[HYDRO_CORNERS][3], area[HYDRO_FACES][3];
    hydro_gather(corner, x, xs);
    hydro_gather(corner, v, vs);
    hydro_areas(xs, area);
    double volume = hydro_flux(area, xs) / 3.0;
    double rate = hydro_flux(area, vs) / volume;
    double s = ((mesh->gamma - 1.0) * e[k] - mesh->viscosity * rate) *
               mesh->mass[k] / volume;
    stress[k] = s;
    for (int f = 0; f < HYDRO_FACES; f++)
      for (int c = 0; c < 4; c++)
        for (int d = 0; d < 3; d++)
          force[3 * corner[hydro_face[f][c]] + d] += 0.25 * s * area[f][d];
  }
}

static void hydro_work(const hydro_mesh *restrict mesh,
                       const double *restrict x, const double *restrict v,
                       double *restrict e, const double *restrict stress) {
  for (int k = 0; k < mesh->elements; k++) {
    const int *corner = mesh->corner + HYDRO_CORNERS * k;
    double xs[HYDRO_CORNERS][3], vs[HYDRO_CORNERS][3], area[HYDRO_FACES][3];
    hydro_gather(corner, x, xs);
    hydro_gather(corner, v, vs);
    hydro_areas(xs, area);
    e[k] -= mesh->dt * stress[k] * hydro_flux(area, vs) / mesh->mass[k];
  }
}

#endif

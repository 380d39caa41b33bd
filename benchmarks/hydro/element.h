// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Geometry of one hexahedron of hydro.h.

#ifndef ADZE_BENCHMARKS_HYDRO_ELEMENT_H
#define ADZE_BENCHMARKS_HYDRO_ELEMENT_H

#include "hydro.h"

/// Corners of each face, counterclockwise seen from outside. Corners 0 to 3 go
/// around the bottom, 4 to 7 lie above them.
static const int hydro_face[HYDRO_FACES][4] = {{0, 3, 2, 1}, {4, 5, 6, 7},
                                               {0, 1, 5, 4}, {1, 2, 6, 5},
                                               {2, 3, 7, 6}, {3, 0, 4, 7}};

static inline void hydro_gather(const int *restrict corner,
                                const double *restrict field,
                                double (*restrict local)[3]) {
  for (int c = 0; c < HYDRO_CORNERS; c++)
    for (int d = 0; d < 3; d++)
      local[c][d] = field[3 * corner[c] + d];
}

/// Area vectors of the faces, pointing out.
static inline void hydro_areas(const double (*restrict x)[3],
                               double (*restrict area)[3]) {
  for (int f = 0; f < HYDRO_FACES; f++) {
    const double *a = x[hydro_face[f][0]], *b = x[hydro_face[f][1]];
    const double *c = x[hydro_face[f][2]], *d = x[hydro_face[f][3]];
    double px = c[0] - a[0], py = c[1] - a[1], pz = c[2] - a[2];
    double qx = d[0] - b[0], qy = d[1] - b[1], qz = d[2] - b[2];
    area[f][0] = 0.5 * (py * qz - pz * qy);
    area[f][1] = 0.5 * (pz * qx - px * qz);
    area[f][2] = 0.5 * (px * qy - py * qx);
  }
}

/// Sum over faces of the area times the mean of a field at the face's corners:
/// of positions, three times the volume; of velocities, its rate.
static inline double hydro_flux(const double (*restrict area)[3],
                                const double (*restrict field)[3]) {
  double sum = 0.0;
  for (int f = 0; f < HYDRO_FACES; f++)
    for (int d = 0; d < 3; d++)
      sum += area[f][d] *
             (field[hydro_face[f][0]][d] + field[hydro_face[f][1]][d] +
              field[hydro_face[f][2]][d] + field[hydro_face[f][3]][d]);
  return 0.25 * sum;
}

#endif

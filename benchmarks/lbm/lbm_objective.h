// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of lbm.h, in a header so that the file with the marker call sees
// it, and so that the program's main file can make one in double precision:
// the differences that check a gradient in single precision need more digits
// than single precision has.

#ifndef ADZE_BENCHMARKS_LBM_LBM_OBJECTIVE_H
#define ADZE_BENCHMARKS_LBM_LBM_OBJECTIVE_H

#include "lattice.h"
#include "lbm.h"

#ifndef LBM_REAL
#define LBM_REAL float
#endif

static void lbm_collide(LBM_REAL omega, const LBM_REAL *restrict f,
                        LBM_REAL *restrict out) {
  LBM_REAL rho = 0, ux = 0, uy = 0, uz = 0;
  for (int q = 0; q < LBM_Q; q++) {
    rho += f[q];
    ux += lbm_cx[q] * f[q];
    uy += lbm_cy[q] * f[q];
    uz += lbm_cz[q] * f[q];
  }
  ux /= rho;
  uy /= rho;
  uz /= rho;
  LBM_REAL square = (LBM_REAL)1.5 * (ux * ux + uy * uy + uz * uz);
  for (int q = 0; q < LBM_Q; q++) {
    LBM_REAL cu = 3 * (lbm_cx[q] * ux + lbm_cy[q] * uy + lbm_cz[q] * uz);
    LBM_REAL equilibrium = (LBM_REAL)lbm_weight(q) * rho *
                           (1 + cu + (LBM_REAL)0.5 * cu * cu - square);
    out[q] = f[q] + omega * (equilibrium - f[q]);
  }
}

static void lbm_step(const lbm_box *restrict box, const LBM_REAL *restrict f,
                     LBM_REAL *restrict next) {
  for (int z = 0; z < box->nz; z++)
    for (int y = 0; y < box->ny; y++)
      for (int x = 0; x < box->nx; x++) {
        int cell = (z * box->ny + y) * box->nx + x;
        const LBM_REAL *in = f + cell * LBM_Q;
        LBM_REAL out[LBM_Q];
        if (box->solid[cell])
          for (int q = 0; q < LBM_Q; q++)
            out[q] = in[lbm_opposite(q)];
        else
          lbm_collide(box->omega, in, out);
        for (int q = 0; q < LBM_Q; q++)
          next[lbm_neighbour(box, x, y, z, q) * LBM_Q + q] = out[q];
      }
}

static double lbm_objective(const lbm_box *restrict box, LBM_REAL *f,
                            LBM_REAL *next, const LBM_REAL *restrict target) {
  for (int t = 0; t < box->steps; t++) {
    lbm_step(box, f, next);
    LBM_REAL *last = f;
    f = next;
    next = last;
  }
  const int cells = box->nx * box->ny * box->nz;
  double sum = 0.0;
  for (int cell = 0; cell < cells; cell++) {
    LBM_REAL x = -target[3 * cell], y = -target[3 * cell + 1],
             z = -target[3 * cell + 2];
    for (int q = 0; q < LBM_Q; q++) {
      x += lbm_cx[q] * f[cell * LBM_Q + q];
      y += lbm_cy[q] * f[cell * LBM_Q + q];
      z += lbm_cz[q] * f[cell * LBM_Q + q];
    }
    sum += x * x + y * y + z * z;
  }
  return sum;
}

#endif

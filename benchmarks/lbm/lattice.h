// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nineteen velocities of lbm.h, their weights, and the neighbours of a
// cell in the periodic box.

#ifndef ADZE_BENCHMARKS_LBM_LATTICE_H
#define ADZE_BENCHMARKS_LBM_LATTICE_H

#include "lbm.h"

static const int lbm_cx[LBM_Q] = {0,  1, -1, 0, 0,  0, 0, 1, -1, 1,
                                  -1, 1, -1, 1, -1, 0, 0, 0, 0};
static const int lbm_cy[LBM_Q] = {0, 0, 0, 1, -1, 0, 0,  1, -1, -1,
                                  1, 0, 0, 0, 0,  1, -1, 1, -1};
static const int lbm_cz[LBM_Q] = {0, 0, 0,  0,  0, 1, -1, 0,  0, 0,
                                  0, 1, -1, -1, 1, 1, -1, -1, 1};

/// Velocities stand in pairs of opposites after the one that rests.
static inline int lbm_opposite(int q) { return q == 0 ? 0 : ((q - 1) ^ 1) + 1; }

static inline double lbm_weight(int q) {
  return q == 0 ? 1.0 / 3.0 : q < 7 ? 1.0 / 18.0 : 1.0 / 36.0;
}

static inline int lbm_wrap(int i, int n) {
  return i < 0 ? n - 1 : i == n ? 0 : i;
}

/// Index of the cell into which velocity q leads from x, y, z.
static inline int lbm_neighbour(const lbm_box *box, int x, int y, int z,
                                int q) {
  return (lbm_wrap(z + lbm_cz[q], box->nz) * box->ny +
          lbm_wrap(y + lbm_cy[q], box->ny)) *
             box->nx +
         lbm_wrap(x + lbm_cx[q], box->nx);
}

#endif

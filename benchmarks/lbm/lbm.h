// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lattice-Boltzmann flow, D3Q19 with the collision of Bhatnagar, Gross and
// Krook, in single precision, in a periodic box with obstacles:
//
//   rho = sum_q f_q,    rho u = sum_q c_q f_q,
//   feq_q = w_q rho (1 + 3 c_q.u + 9/2 (c_q.u)^2 - 3/2 u.u),
//   next_q(cell + c_q) = f_q + omega (feq_q - f_q)
//
// in a fluid cell; a solid one sends what comes back where it came from. Two
// arrays change roles after every step. The objective is the distance of the
// momentum in all cells to a measured one after `steps` steps, and its
// gradient that by the initial distributions.
//
// The collision is not linear, but its derivative depends on rho and u only: a
// gradient can do with 16 bytes of tape a cell and step, or 12, because rho
// cancels.
//
//   f, next  cells x 19; overwritten
//   solid    a byte a cell, nonzero in obstacles
//   target   cells x 3
//
// The gradient is *added* to d_f, zero on entry. What f and next hold after a
// gradient is not specified.

#ifndef ADZE_BENCHMARKS_LBM_LBM_H
#define ADZE_BENCHMARKS_LBM_LBM_H

enum { LBM_Q = 19 };

typedef struct {
  int nx, ny, nz, steps;
  float omega;
  const unsigned char *solid;
} lbm_box;

double lbm_primal(const lbm_box *box, float *f, float *next,
                  const float *target);

void lbm_hand(const lbm_box *box, float *f, float *d_f, float *next,
              const float *target);

/// `d_next` is scratch, zero on entry.
void lbm_generated(const lbm_box *box, float *f, float *d_f, float *next,
                   float *d_next, const float *target);

#endif

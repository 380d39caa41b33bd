// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of lbm.h by hand.
//
// The tape keeps u of every cell and step, three numbers. The adjoint runs
// against the stream: a cell gathers from its neighbours the adjoints g_q of
// what it sent there, and
//
//   r = omega sum_q g_q w_q (1 + 3 c_q.u + 9/2 (c_q.u)^2 - 3/2 u.u)
//   v = omega sum_q g_q w_q (3 (1 + 3 c_q.u) c_q - 3 u)
//   d_f_q = (1 - omega) g_q + r - v.u + v.c_q
//
// in which rho has cancelled: the equilibrium has it as a factor, and u is a
// quotient by it. d_f of a step is written once and needs no clearing.

#include "lattice.h"
#include "lbm.h"

#include <stddef.h>
#include <stdlib.h>

typedef struct {
  float x, y, z;
} velocity;

static inline velocity collide(float omega, const float *restrict f,
                               float *restrict out) {
  float rho = 0, ux = 0, uy = 0, uz = 0;
  for (int q = 0; q < LBM_Q; q++) {
    rho += f[q];
    ux += (float)lbm_cx[q] * f[q];
    uy += (float)lbm_cy[q] * f[q];
    uz += (float)lbm_cz[q] * f[q];
  }
  ux /= rho;
  uy /= rho;
  uz /= rho;
  float square = 1.5f * (ux * ux + uy * uy + uz * uz);
  for (int q = 0; q < LBM_Q; q++) {
    float cu = 3.0f * ((float)lbm_cx[q] * ux + (float)lbm_cy[q] * uy +
                       (float)lbm_cz[q] * uz);
    float equilibrium =
        (float)lbm_weight(q) * rho * (1.0f + cu + 0.5f * cu * cu - square);
    out[q] = f[q] + omega * (equilibrium - f[q]);
  }
  return (velocity){ux, uy, uz};
}

static inline void reverse_collide(float omega, velocity u,
                                   const float *restrict g,
                                   float *restrict d_f) {
  float square = 1.5f * (u.x * u.x + u.y * u.y + u.z * u.z);
  float r = 0, all = 0, vx = 0, vy = 0, vz = 0;
  for (int q = 0; q < LBM_Q; q++) {
    float cx = (float)lbm_cx[q], cy = (float)lbm_cy[q], cz = (float)lbm_cz[q];
    float cu = 3.0f * (cx * u.x + cy * u.y + cz * u.z);
    float weighted = omega * (float)lbm_weight(q) * g[q];
    r += weighted * (1.0f + cu + 0.5f * cu * cu - square);
    all += weighted;
    float along = 3.0f * weighted * (1.0f + cu);
    vx += along * cx;
    vy += along * cy;
    vz += along * cz;
  }
  vx -= 3.0f * all * u.x;
  vy -= 3.0f * all * u.y;
  vz -= 3.0f * all * u.z;
  r -= vx * u.x + vy * u.y + vz * u.z;
  for (int q = 0; q < LBM_Q; q++)
    d_f[q] = (1.0f - omega) * g[q] + r + vx * (float)lbm_cx[q] +
             vy * (float)lbm_cy[q] + vz * (float)lbm_cz[q];
}

static void step(const lbm_box *restrict box, const float *restrict f,
                 float *restrict next, velocity *restrict tape) {
  for (int z = 0; z < box->nz; z++)
    for (int y = 0; y < box->ny; y++)
      for (int x = 0; x < box->nx; x++) {
        int cell = (z * box->ny + y) * box->nx + x;
        const float *in = f + cell * LBM_Q;
        float out[LBM_Q];
        if (box->solid[cell])
          for (int q = 0; q < LBM_Q; q++)
            out[q] = in[lbm_opposite(q)];
        else
          tape[cell] = collide(box->omega, in, out);
        for (int q = 0; q < LBM_Q; q++)
          next[lbm_neighbour(box, x, y, z, q) * LBM_Q + q] = out[q];
      }
}

static void reverse_step(const lbm_box *restrict box,
                         const float *restrict d_next, float *restrict d_f,
                         const velocity *restrict tape) {
  for (int z = 0; z < box->nz; z++)
    for (int y = 0; y < box->ny; y++)
      for (int x = 0; x < box->nx; x++) {
        int cell = (z * box->ny + y) * box->nx + x;
        float g[LBM_Q];
        for (int q = 0; q < LBM_Q; q++)
          g[q] = d_next[lbm_neighbour(box, x, y, z, q) * LBM_Q + q];
        float *out = d_f + cell * LBM_Q;
        if (box->solid[cell])
          for (int q = 0; q < LBM_Q; q++)
            out[lbm_opposite(q)] = g[q];
        else
          reverse_collide(box->omega, tape[cell], g, out);
      }
}

/// The adjoint of the last distributions; written, not added.
static void reverse_distance(int cells, const float *restrict f,
                             const float *restrict target,
                             float *restrict d_f) {
  for (int cell = 0; cell < cells; cell++) {
    float x = -target[3 * cell], y = -target[3 * cell + 1],
          z = -target[3 * cell + 2];
    const float *in = f + cell * LBM_Q;
    for (int q = 0; q < LBM_Q; q++) {
      x += (float)lbm_cx[q] * in[q];
      y += (float)lbm_cy[q] * in[q];
      z += (float)lbm_cz[q] * in[q];
    }
    for (int q = 0; q < LBM_Q; q++)
      d_f[cell * LBM_Q + q] =
          2.0f *
          ((float)lbm_cx[q] * x + (float)lbm_cy[q] * y + (float)lbm_cz[q] * z);
  }
}

void lbm_hand(const lbm_box *box, float *f, float *d_f, float *next,
              const float *target) {
  const int cells = box->nx * box->ny * box->nz;
  const size_t stride = (size_t)cells;
  velocity *tape = malloc(stride * (size_t)box->steps * sizeof(velocity));
  for (int t = 0; t < box->steps; t++) {
    step(box, f, next, tape + (size_t)t * stride);
    float *last = f;
    f = next;
    next = last;
  }
  // `next` is no longer needed as a state and holds every other adjoint, so
  // that the first state's comes to lie in d_f.
  float *at = box->steps % 2 == 0 ? d_f : next;
  float *before = box->steps % 2 == 0 ? next : d_f;
  reverse_distance(cells, f, target, at);
  for (int t = box->steps - 1; t >= 0; t--) {
    reverse_step(box, at, before, tape + (size_t)t * stride);
    float *last = at;
    at = before;
    before = last;
  }
  free(tape);
}

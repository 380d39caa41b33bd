// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cross sections from resonances, as RSBench: the poles of a window, complex quotients, and
// a phase for each. Its small problem has 68 nuclides of 250 windows and 1,000 poles.
// launch: grid 4*SCALE block 64
// large: 4096
// tables: WINDOWS 32 17000, POLES 3 4, NUCLIDES 1 68
// first: const [POLES * w for w in range(WINDOWS + 1)]
// kind: const [p * NUCLIDES // (POLES * WINDOWS) * 4 + p % 4 for p in range(POLES * WINDOWS)]
// poles: active 4*POLES*WINDOWS in 0.5 1.5
// radius: active 4*NUCLIDES in 0.5 1
// at: const 256*SCALE in 4.5 5.5
// window: const [(i * 7919 + 3) % WINDOWS for i in range(256 * SCALE)]
// out: active 512*SCALE
#include "gpu.h"
__device__ void body(const int *first, const int *kind, const double *poles, const double *radius,
                     const double *at, const int *window, double *out) {
  int i = globalThread(), w = window[i];
  double s = sqrt(at[i]), total = 0, capture = 0;
  for (int p = first[w]; p < first[w + 1]; ++p) {
    const double *q = poles + 4 * p;
    double phase = 2 * radius[kind[p]] * s, si = sin(phase), co = cos(phase);
    double a = q[0] - s, b = q[1] + 1, d = a * a + b * b;
    double re = (q[2] * a + q[3] * b) / d, im = (q[3] * a - q[2] * b) / d;
    total += co * re + si * im;
    capture += re;
  }
  out[2 * i] = total;
  out[2 * i + 1] = capture;
}

__device__ void adjoint(const int *first, const int *kind, const double *poles, double *dpoles,
                        const double *radius, double *dradius, const double *at, const int *window,
                        double *out, double *dout) {
  int i = globalThread(), w = window[i];
  double s = sqrt(at[i]), total = 0, capture = 0, dt = dout[2 * i], dc = dout[2 * i + 1];
  dout[2 * i] = dout[2 * i + 1] = 0;
  for (int p = first[w]; p < first[w + 1]; ++p) {
    const double *q = poles + 4 * p;
    double phase = 2 * radius[kind[p]] * s, si = sin(phase), co = cos(phase);
    double a = q[0] - s, b = q[1] + 1, d = a * a + b * b, r = 1 / d;
    double re = (q[2] * a + q[3] * b) * r, im = (q[3] * a - q[2] * b) * r;
    total += co * re + si * im;
    capture += re;
    double dre = (dt * co + dc) * r, dim = dt * si * r;
    double dd = -(dre * re + dim * im);
    double *dq = dpoles + 4 * p;
    atomicAdd(&dq[0], dre * q[2] + dim * q[3] + 2 * a * dd);
    atomicAdd(&dq[1], dre * q[3] - dim * q[2] + 2 * b * dd);
    atomicAdd(&dq[2], dre * a - dim * b);
    atomicAdd(&dq[3], dre * b + dim * a);
    atomicAdd(&dradius[kind[p]], 2 * s * dt * (co * im - si * re));
  }
  out[2 * i] = total;
  out[2 * i + 1] = capture;
}

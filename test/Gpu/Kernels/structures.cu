// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of structures.
// launch: grid 2 block 16
// p: active 192
// y: active 32
// also: hip
#include "gpu.h"
struct Particle {
  double position[3], velocity[2], mass;
};
__device__ void body(double *p, double *y) {
  int i = globalThread();
  Particle *q = reinterpret_cast<Particle *>(p) + i;
  for (int k = 0; k < 2; ++k)
    q->position[k] += 0.1 * q->velocity[k];
  y[i] = q->mass * (q->position[0] * q->position[1] + q->position[2]);
}

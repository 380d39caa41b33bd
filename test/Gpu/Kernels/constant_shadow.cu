// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters in constant memory, with shadows in variables of the device: numbers by a constant
// index, by that of a thread, by a pointer that is chosen, in a function, a structure, a copy.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// weights, dweights: variable double active 16
// model, dmodel: variable double active 6
// steps, dsteps: variable double const [0.5]
// also: hip
// planted: atomics
#include "../../../include/adze/gpu/Shadows.h"
#include "gpu.h"
struct Model {
  double scale, shift[4], power;
};
__constant__ double weights[16], steps[1];
__constant__ Model model;
__device__ double dweights[16], dsteps[1];
__device__ Model dmodel;
ADZE_SHADOW(weights, dweights)
ADZE_SHADOW(model, dmodel)
__device__ double norm(const double *w) {
  double sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += w[k] * w[k];
  return sum;
}
__device__ __forceinline__ double at(Model m, int k) {
  return m.scale * m.shift[k] + m.power;
}
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  double sum = model.power * x[i] * steps[0];
  for (int k = 0; k < 8; ++k)
    sum += weights[k] * x[(i + k) % 64];
  const double *chosen = i % 3 ? weights + 4 : model.shift;
  sum += chosen[i & 3] * weights[i & 15] + norm(i & 1 ? weights : weights + 8);
  y[i] = sum * (weights[0] + at(model, i & 3)) * model.scale;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps along a ray until it meets a sphere, or is too far away.
// launch: grid 2 block 32
// origin: active 192 in -0.2 0.2
// radius: active 1 in 0.8 1.2
// light: active 64
// also: hip
#include "gpu.h"
__device__ double distance(double x, double y, double z, double radius) {
  return sqrt(x * x + y * y + z * z) - radius;
}
__device__ void body(const double *origin, const double *radius, double *light) {
  int i = globalThread();
  double t = 0, x = origin[3 * i], y = origin[3 * i + 1], z = origin[3 * i + 2] - 3;
  while (t < 10) {
    double d = distance(x, y, z + t, radius[0]);
    if (d < 1e-3)
      break;
    t += 0.7 * d;
  }
  light[i] = t < 10 ? exp(-0.1 * t) : 0;
}

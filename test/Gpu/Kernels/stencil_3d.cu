// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seven points in the inside of a box.
// launch: grid 1,1,2 block 6,6,3
// u: active 216
// v: active 216
#include "gpu.h"
__device__ void body(const double *u, double *v) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x == 5 || y == 5 || z == 5)
    return;
  int at = (z * 6 + y) * 6 + x;
  v[at] = u[at] * u[at - 1] + u[at + 1] * u[at - 6] + u[at + 6] * u[at - 36] - u[at + 36];
}

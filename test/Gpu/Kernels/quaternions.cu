// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class with operators.
// launch: grid 1 block 32
// q: active 128
// v: active 96
// also: hip
#include "gpu.h"
struct Quaternion {
  double w, x, y, z;
  __device__ Quaternion operator*(const Quaternion &o) const {
    return {w * o.w - x * o.x - y * o.y - z * o.z, w * o.x + x * o.w + y * o.z - z * o.y,
            w * o.y - x * o.z + y * o.w + z * o.x, w * o.z + x * o.y - y * o.x + z * o.w};
  }
  __device__ Quaternion conjugate() const { return {w, -x, -y, -z}; }
};
__device__ void body(const double *q, double *v) {
  int i = threadIdx.x;
  Quaternion r = {q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]};
  Quaternion p = {0, v[3 * i], v[3 * i + 1], v[3 * i + 2]};
  Quaternion o = r * p * r.conjugate();
  v[3 * i] = o.x;
  v[3 * i + 1] = o.y;
  v[3 * i + 2] = o.z;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of doubles: complex products.
// launch: grid 2 block 16
// a: active 64
// b: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double2 *a, double2 *b) {
  int i = globalThread();
  double2 u = a[i], v = b[i];
  b[i] = make_double2(u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x);
}

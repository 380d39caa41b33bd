// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active values through a buffer that the caller marked const: copied as a block, through a
// callee, through a structure, as integers, as one of two arrays. An error, or right.
// ADZE: may-refuse flags="-DWAY=4"
#include "check.h"
#include <stdint.h>
#include <string.h>

struct view {
  double *data;
  int n;
};
__attribute__((noinline)) static void put(double *to, double v) { *to = v; }
__attribute__((noinline)) static double get(const struct view *v, int i) { return v->data[i]; }

void f(const double *x, double *scratch, double *y) {
#if WAY == 0
  memcpy(scratch, x, 3 * sizeof *x);
  *y = scratch[0] * scratch[1] + scratch[2];
#elif WAY == 1
  for (int i = 0; i < 3; ++i)
    put(scratch + i, x[i]);
  *y = scratch[0] * scratch[1] + scratch[2];
#elif WAY == 2
  struct view v = {scratch, 3};
  for (int i = 0; i < v.n; ++i)
    v.data[i] = x[i];
  *y = get(&v, 0) * get(&v, 1) + get(&v, 2);
#elif WAY == 3
  for (int i = 0; i < 3; ++i) {
    uint64_t bits;
    memcpy(&bits, x + i, 8);
    memcpy(scratch + i, &bits, 8);
  }
  *y = scratch[0] * scratch[1] + scratch[2];
#else
  double own[3];
  double *p = x[0] > 0 ? scratch : own;
  for (int i = 0; i < 3; ++i)
    p[i] = x[i];
  *y = p[0] * p[1] + p[2];
#endif
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_s(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[3] = {2, 3, 5}, dx[3] = {0, 0, 0}, s[3], y, dy = 1;
  __enzyme_autodiff_s((void *)f, enzyme_dup, x, dx, enzyme_const, s, enzyme_dup, &y, &dy);
  adze_near("dx0", dx[0], 3, 0);
  adze_near("dx1", dx[1], 2, 0);
  adze_near("dx2", dx[2], 1, 0);
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_s(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[3] = {2, 3, 5}, dx[3] = {1, 0, 1}, s[3], y, dy = 7;
  __enzyme_fwddiff_s((void *)f, enzyme_dup, x, dx, enzyme_const, s, enzyme_dup, &y, &dy);
  adze_near("dy", dy, 4, 0);
}
#endif

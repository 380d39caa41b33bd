// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// z[i] = x[i] * y[i] with x const and z overwritten later.
#include "check.h"

void f(const double *x, const double *y, double *z) {
  for (int i = 0; i < 3; ++i)
    z[i] = x[i] * y[i];
  double s = z[0] + 2 * z[1] + 4 * z[2];
  for (int i = 0; i < 3; ++i)
    z[i] = s * x[i];
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_z(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[3] = {2, 3, 5}, y[3] = {1, 1, 1}, dy[3] = {0, 0, 0}, z[3], dz[3] = {1, 10, 100};
  __enzyme_autodiff_z((void *)f, enzyme_const, x, enzyme_dup, y, dy, enzyme_dup, z, dz);
  double u = 2 + 30 + 500;
  adze_near("dy0", dy[0], u * 2, 0);
  adze_near("dy1", dy[1], u * 2 * 3, 0);
  adze_near("dy2", dy[2], u * 4 * 5, 0);
  for (int i = 0; i < 3; ++i)
    adze_near("dz", dz[i], 0, 0);
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_z(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[3] = {2, 3, 5}, y[3] = {1, 1, 1}, dy[3] = {1, 0, 0}, z[3], dz[3] = {9, 9, 9};
  __enzyme_fwddiff_z((void *)f, enzyme_const, x, enzyme_dup, y, dy, enzyme_dup, z, dz);
  for (int i = 0; i < 3; ++i)
    adze_near("dz", dz[i], 2 * x[i], 0);
}
#endif

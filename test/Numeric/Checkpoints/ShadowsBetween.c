// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shadow may lie between the numbers that it belongs to: restoring a state
// must leave what a step does not write.
#include "check.h"
#include <adze/adze.h>
#include <math.h>

enum { Count = 6 };

static void steps(double *u, int n, int stride) {
  for (int t = 0; t < 20; ++t) {
    adze_checkpoint(3);
    for (int i = 0; i < n; ++i)
      u[2 * i] = 0.9 * u[2 * i] + 0.1 * sin(u[2 * i]) * u[2 * ((i + 1) % n)];
    for (int i = 0; i < n; ++i)
      u[stride * i] *= 1.0 + 0.01 * u[0];
  }
}

#if ADZE_REVERSE
static void plain(double *u, int n, int stride) {
  for (int t = 0; t < 20; ++t) {
    for (int i = 0; i < n; ++i)
      u[2 * i] = 0.9 * u[2 * i] + 0.1 * sin(u[2 * i]) * u[2 * ((i + 1) % n)];
    for (int i = 0; i < n; ++i)
      u[stride * i] *= 1.0 + 0.01 * u[0];
  }
}

extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;
ADZE_TEST_REVERSE(between) {
  double u[2][2 * Count];
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < Count; ++i)
      u[k][2 * i] = 0.2 + 0.1 * i, u[k][2 * i + 1] = 1 + i;
  __enzyme_autodiff((void *)steps, enzyme_dup, u[0], u[0] + 1, enzyme_const, Count,
                    enzyme_const, 2);
  __enzyme_autodiff((void *)plain, enzyme_dup, u[1], u[1] + 1, enzyme_const, Count,
                    enzyme_const, 2);
  for (int i = 0; i < Count; ++i)
    adze_near("adjoint", u[0][2 * i + 1], u[1][2 * i + 1], 1e-14);
}
#else
void adze_unused(void) { steps(0, 0, 2); }
#endif

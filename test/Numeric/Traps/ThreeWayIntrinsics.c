// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm.scmp and llvm.ucmp on integers that steer active code.
#include "check.h"

int scmp(int, int) __asm__("llvm.scmp.i32.i32");
int ucmp(unsigned, unsigned) __asm__("llvm.ucmp.i32.i32");

double compared(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    s += scmp(i, 1) * x[i];
    s *= 1 + 0.5 * ucmp((unsigned)n - 2, (unsigned)i) * x[n - 1 - i];
  }
  return s;
}

ADZE_TEST_ARRAY(compared, 4, ADZE_AT(0.5, 0.75, -0.25, 0.3))

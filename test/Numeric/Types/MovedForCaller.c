// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that only moves bytes, whose types the function that holds the
// marker knows: it has filled the arrays, in place or through a helper.
#include "check.h"
#include <string.h>

static __attribute__((noinline)) void fill(double *x, int n, double step) {
  for (int i = 0; i < n; ++i)
    x[i] = step * i;
}

void moveBlock(void *y, const void *x, long n) { memmove(y, x, n); }

void moveWords(const long *x, long *y) {
  for (int i = 0; i < 4; ++i)
    memcpy(&y[i], &x[3 - i], sizeof(long));
}

#if ADZE_REVERSE
ADZE_EXTERN void __enzyme_autodiff_moves(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[8], dx[8], y[8], dy[8];
  fill(x, 8, 0.5);
  fill(dx, 8, 0);
  fill(y, 8, 0);
  fill(dy, 8, 1);
  __enzyme_autodiff_moves((void *)moveBlock, enzyme_dup, y, dy, enzyme_dup, x,
                          dx, enzyme_const, (long)sizeof x);
  for (int i = 0; i < 8; ++i) {
    adze_near("moved", y[i], 0.5 * i, 0);
    adze_near("adjoint", dx[i], i, 0);
    adze_near("taken", dy[i], 0, 0);
  }
  fill(dx, 4, 0);
  fill(dy, 4, 1);
  __enzyme_autodiff_moves((void *)moveWords, enzyme_dup, x, dx, enzyme_dup, y,
                          dy);
  for (int i = 0; i < 4; ++i) {
    adze_near("word", y[i], 0.5 * (3 - i), 0);
    adze_near("adjoint of a word", dx[i], 3 - i, 0);
  }
}
#endif
#if ADZE_FORWARD
ADZE_EXTERN void __enzyme_fwddiff_moves(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[8], dx[8], y[8], dy[8];
  fill(x, 8, 0.5);
  fill(dx, 8, 2);
  fill(y, 8, 0);
  fill(dy, 8, 0);
  __enzyme_fwddiff_moves((void *)moveBlock, enzyme_dup, y, dy, enzyme_dup, x,
                         dx, enzyme_const, (long)sizeof x);
  for (int i = 0; i < 8; ++i)
    adze_near("tangent", dy[i], 2 * i, 0);
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that copies bytes and knows nothing of them: tangents move with them all the same. What
// is copied are doubles, and a structure of doubles, a number and a pointer.
// ADZE: flags=-fno-strict-aliasing modes=forward
#include "check.h"
#include <string.h>

#if ADZE_FORWARD
static void blind(void *to, const void *from, unsigned long n) { memcpy(to, from, n); }
static void blindOverlapping(void *to, const void *from, unsigned long n) {
  memmove(to, from, n);
  memmove((char *)to + 8, to, 8);
}

struct Mixed {
  double a;
  long n;
  double *p;
};

ADZE_TEST_FORWARD(copied) {
  double x[4] = {1, 2, 3, 4}, dx[4] = {5, 6, 7, 8}, y[4] = {0}, dy[4] = {9, 9, 9, 9};
  __enzyme_fwddiff_void((void *)blind, enzyme_dup, y, dy, enzyme_dup, x, dx, enzyme_const,
                        3 * sizeof *x);
  for (int i = 0; i < 4; ++i) {
    adze_near("y", y[i], i < 3 ? x[i] : 0, 0);
    adze_near("dy", dy[i], i < 3 ? dx[i] : 9, 0);
  }
  __enzyme_fwddiff_void((void *)blindOverlapping, enzyme_dup, x, dx, enzyme_dup, x + 1,
                        dx + 1, enzyme_const, 3 * sizeof *x);
  const double moved[4] = {2, 2, 4, 4}, tangents[4] = {6, 6, 8, 8};
  for (int i = 0; i < 4; ++i) {
    adze_near("x", x[i], moved[i], 0);
    adze_near("dx", dx[i], tangents[i], 0);
  }
  struct Mixed from = {1.5, 7, x}, dfrom = {2.5, 0, dx}, to = {0}, dto = {0};
  __enzyme_fwddiff_void((void *)blind, enzyme_dup, &to, &dto, enzyme_dup, &from, &dfrom,
                        enzyme_const, sizeof to);
  adze_near("a", to.a, 1.5, 0);
  adze_near("da", dto.a, 2.5, 0);
  adze_true("the number", to.n == 7);
  adze_true("the pointers", to.p == x && dto.p == dx);
}
#endif

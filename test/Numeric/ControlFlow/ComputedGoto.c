// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels as values: an indirect branch.
#include "check.h"

double jump(const double *x, int n) {
  static const void *const table[] = {&&add, &&square, &&mix, &&done};
  static const unsigned char code[] = {0, 1, 0, 2, 1, 2, 0, 3};
  double s = 0.5;
  int pc = 0;
  goto *table[code[pc]];
add:
  s += x[pc % n];
  goto *table[code[++pc]];
square:
  s = s * s * 0.5;
  goto *table[code[++pc]];
mix:
  s = s * x[1] - x[0];
  goto *table[code[++pc]];
done:
  return s;
}

ADZE_TEST_ARRAY(jump, 2, ADZE_AT(0.9, 1.2))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small interpreter: the opcode decides what happens to the state, which must be replayed.
#include "check.h"
#include <math.h>

double interpret(const double *x, int n) {
  static const unsigned char code[] = {0, 1, 2, 3, 1, 4, 0, 2, 2, 3, 5};
  double acc = 1, other = x[0];
  for (unsigned pc = 0; pc < sizeof code; ++pc)
    switch (code[pc]) {
    case 0:
      acc += x[pc % n];
      break;
    case 1:
      acc *= other;
      break;
    case 2: {
      double t = acc;
      acc = other;
      other = t;
      break;
    }
    case 3:
      acc = sin(acc);
      break;
    case 4:
      other = acc * x[1];
      break;
    default:
      acc -= other / 3;
    }
  return acc * other;
}

ADZE_TEST_ARRAY(interpret, 3, ADZE_AT(0.9, -1.1, 0.4))

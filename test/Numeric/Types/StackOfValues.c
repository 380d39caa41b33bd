// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An interpreter's stack of eight-byte cells: numbers, doubles and pointers.
#include "check.h"
#include <stdint.h>

union cell {
  double d;
  int64_t i;
  double *p;
};
void machine(const double *x, double *y) {
  union cell stack[8];
  double local[2] = {x[0] * x[1], x[2]};
  int top = 0;
  stack[top++].d = x[0];
  stack[top++].i = 3;
  stack[top - 2].d *= (double)stack[top - 1].i;
  top--;
  stack[top++].p = local;
  double v = stack[top - 1].p[1];
  top--;
  stack[top++].d = v;
  y[0] = stack[0].d * stack[1].d * local[0];
}
ADZE_TEST_MAP(machine, 3, 1, ADZE_AT(0.9, 1.1, -0.7))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that are moved or aligned as integers in the function that has the
// pointer: in variables, in loops, in structures and behind pointers.
#include "check.h"
#include <math.h>
#include <stdint.h>

static double once(double *p) {
  intptr_t at = (intptr_t)p;
  at = at + 8;
  double *q = (double *)at;
  *q = *q * p[0];
  return p[1];
}
static double inLoop(double *p) {
  intptr_t at = (intptr_t)p;
  for (int i = 0; i < 3; i++)
    at += 8;
  double *q = (double *)at;
  *q = *q * p[0];
  return p[3];
}
static double aligned(double *p) {
  char room[128];
  uintptr_t at = ((uintptr_t)room + 31) & ~(uintptr_t)31;
  double *q = (double *)at;
  q[0] = p[0] * p[1];
  q[1] = q[0] * p[2];
  return q[1] * q[0];
}
// There and back, compared on the way as a number is.
static double compared(double *p) {
  uintptr_t at = (uintptr_t)p;
  uintptr_t before = at - 8;
  if (before == 0)
    return 0;
  before = before + 16;
  double *q = (double *)before;
  q[0] = sin(q[0]) * p[0];
  return q[0] + p[1];
}
struct Cursor {
  intptr_t at, left;
};
static double inStructure(double *p) {
  struct Cursor c = {(intptr_t)p, 3};
  c.at += 8;
  double *q = (double *)c.at;
  *q *= p[0];
  return p[1] * (double)c.left;
}
static double behindPointer(double *p) {
  intptr_t at = (intptr_t)p;
  intptr_t *h = &at;
  *h += 8;
  double *q = (double *)*h;
  *q *= p[0];
  return p[1];
}

void moved(const double *x, double *y) {
  double p[6][4];
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 4; i++)
      p[k][i] = x[i];
  y[0] = once(p[0]);
  y[1] = inLoop(p[1]);
  y[2] = aligned(p[2]);
  y[3] = compared(p[3]);
  y[4] = inStructure(p[4]);
  y[5] = behindPointer(p[5]);
}
ADZE_TEST_MAP(moved, 4, 6, ADZE_AT(1.2, 0.7, 1.9, 0.4))

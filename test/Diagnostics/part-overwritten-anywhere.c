// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles in a buffer of bytes, at places that only the run knows: types see no
// double there. Numbers that cut one that is then read as a whole stop reverse
// mode, and forward mode gives no number, or one beyond all others; beside
// doubles, and over dead ones, all is right.
// RUN: %clang -g -O0 %adze %s -o %t && %t 0
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck %s
// RUN: not --crash %t 3 2>&1 | FileCheck %s
// RUN: not --crash %t 4 2>&1 | FileCheck %s
// RUN: %clang -g -O2 %adze %s -o %t && %t 0
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck %s
// RUN: not --crash %t 3 2>&1 | FileCheck %s
// RUN: not --crash %t 4 2>&1 | FileCheck %s
// CHECK: adze: {{.*}}part-overwritten-anywhere.c:{{.*}}: a part of an active
// float was overwritten, and the whole is used
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup;
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);
#define NOINLINE __attribute__((noinline)) static
typedef unsigned char Byte;

static volatile int first = 3, tail = 8; // 6: the sign and exponent
static volatile int number = 77;

NOINLINE void put(Byte *b, int at, double d) { memcpy(b + at, &d, sizeof d); }
NOINLINE double get(const Byte *b, int at) {
  double d;
  memcpy(&d, b + at, sizeof d);
  return d;
}

// One byte.
static double bytes(double *x) {
  Byte b[64] = {0};
  int at = first;
  put(b, at, x[0] * x[1]);
  b[at + tail + 1] = 0x3f;
  double s = get(b, at) * x[0];
  put(b, at, x[1]);
  return s + get(b, at);
}

// Integers of two and of four bytes.
static double halves(double *x) {
  Byte b[64] = {0};
  int at = first;
  short n = 0x3ff0;
  put(b, at, x[0] * x[1]);
  memcpy(b + at + tail, &n, sizeof n);
  return get(b, at) * x[0] + x[1];
}
static double integers(double *x) {
  Byte *b = calloc(1, 64);
  int n = number * 3 + 1;
  for (int i = 0; i < first; ++i) {
    put(b, 12 * i, x[0] * x[1]);
    memcpy(b + 12 * i + tail, &n, sizeof n);
  }
  double s = get(b, 0) * x[0] + x[1];
  free(b);
  return s;
}

static double fill(double *x) {
  Byte b[64] = {0};
  int at = first;
  put(b, at, x[0] * x[1]);
  memset(b + at + tail, 0x40, 2);
  return get(b, at) * x[0] + x[1];
}

#define ROUND(F)                                                               \
  do {                                                                         \
    double d[2] = {0}, e[2] = {1, 0};                                          \
    double t = __enzyme_fwddiff((void *)F, enzyme_dup, x, e);                  \
    if (which ? fabs(t) < 1e300 : t != 2 * x[0] * x[1])                        \
      return 1;                                                                \
    __enzyme_autodiff((void *)F, enzyme_dup, x, d);                            \
    if (d[0] != 2 * x[0] * x[1] || d[1] != x[0] * x[0] + 1)                    \
      return 2;                                                                \
  } while (0)

int main(int argc, char **argv) {
  double x[2] = {1.5, 2.5};
  int which = argc > 1 ? atoi(argv[1]) : 0;
  tail = which ? 6 : 8;
  if (!which || which == 1)
    ROUND(bytes);
  if (!which || which == 2)
    ROUND(halves);
  if (!which || which == 3)
    ROUND(integers);
  if (!which || which == 4)
    ROUND(fill);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers over the upper half of doubles that stand on no grid, and begin nobody
// knows where before the program runs: an index over the members of packed
// records in a loop over records, bytes in a buffer, bytes that begin before.
// The doubles are then read as a whole: reverse mode stops, forward mode gives
// no number. Beside them all is right.
// RUN: %clang -g -O0 %adze %s -o %t && %t
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck %s
// RUN: not --crash %t 3 2>&1 | FileCheck %s
// RUN: %clang -g -O1 %adze %s -o %t && %t
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck %s
// RUN: not --crash %t 3 2>&1 | FileCheck %s
// CHECK: adze: {{.*}}part-overwritten-packed.c:{{.*}}: a part of an active float was overwritten, and the whole is used
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup;
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);

static volatile int number = 0x3ff12345;
static volatile int first = 3; // 2: the upper half of the double
static volatile int shift;     // bytes behind the double
typedef unsigned char Byte;

struct __attribute__((packed)) Record {
  int tag;
  double d;
  int k[2];
};
static double members(double *x) {
  struct Record r[4];
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    r[i].tag = i;
    r[i].d = x[0] * x[1] * i;
  }
  int *words = (int *)r;
  for (int i = 0; i < 4; ++i)
    for (int j = first; j < 5; ++j)
      words[5 * i + j] = number;
  for (int i = 0; i < 4; ++i)
    s += r[i].d;
  return s;
}

static double buffer(double *x) {
  Byte b[40] = {0};
  double d = x[0] * x[1];
  memcpy(b + 3, &d, sizeof d);
  int k = number, at = 7 + shift;
  for (int i = 0; i < 4; ++i)
    b[at + i] = (Byte)(k >> (8 * i));
  memcpy(&d, b + 3, sizeof d);
  return d * x[0];
}

static double rows(double *x) {
  Byte *b = calloc(1, 64);
  double s = 0, d;
  for (int i = 0; i < 4; ++i) {
    d = x[0] * x[1] * (i + 1);
    memcpy(b + 13 * i, &d, sizeof d);
  }
  int k = number, at = 4 + shift;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      b[13 * i + at + j] = (Byte)(k >> (8 * j));
  for (int i = 0; i < 4; ++i) {
    memcpy(&d, b + 13 * i, sizeof d);
    s += d;
  }
  free(b);
  return s;
}

#define ROUND(F, SLOPE0, SLOPE1)                                               \
  do {                                                                         \
    double d[2] = {0}, e[2] = {1, 0};                                          \
    if (loud) {                                                                \
      double t = __enzyme_fwddiff((void *)F, enzyme_dup, x, e);                \
      if (t == t)                                                              \
        return 1;                                                              \
      __enzyme_autodiff((void *)F, enzyme_dup, x, d);                          \
    } else {                                                                   \
      __enzyme_autodiff((void *)F, enzyme_dup, x, d);                          \
      double t = __enzyme_fwddiff((void *)F, enzyme_dup, x, e);                \
      if (d[0] != (SLOPE0) || d[1] != (SLOPE1) || t != d[0])                   \
        return 2;                                                              \
    }                                                                          \
  } while (0)

int main(int argc, char **argv) {
  double x[2] = {1.5, 2.5};
  int which = argc > 1 ? atoi(argv[1]) : 0, loud = which;
  first = loud ? 2 : 3;
  shift = loud ? 0 : 4;
  if (!which || which == 1)
    ROUND(members, 6 * x[1], 6 * x[0]);
  if (!which || which == 2)
    ROUND(buffer, 2 * x[0] * x[1], x[0] * x[0]);
  if (!which || which == 3)
    ROUND(rows, 10 * x[1], 10 * x[0]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient that adds adjoints of parts of floats is not differentiated again
// in reverse mode. (Forward: Numeric/Cxx/SecondOfWords.cpp.)
// RUN: not %clang -g -O0 %adze -c %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -g -O2 %adze -c %s -o %t 2>&1 | FileCheck %s
#include <math.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

struct Record {
  double v;
  long key;
};

// CHECK: error: no derivative rule for this instruction: a float that is moved
// in parts, in a gradient that is differentiated again in reverse mode
__attribute__((noinline)) static void gather(char *to, const struct Record *p,
                                             int count) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 8; k++)
      *to++ = ((const char *)&p[i].v)[k];
}

static double picked(double *x, int j) {
  struct Record p[3];
  char buffer[24];
  for (int i = 0; i < 3; i++)
    p[i] = (struct Record){sin(x[i]), i};
  gather(buffer, p, 3);
  double t;
  memcpy(&t, buffer + 8 * j, 8);
  return t * t;
}

static void gradient(double *x, double *g, int j) {
  __enzyme_autodiff((void *)picked, enzyme_dup, x, g, enzyme_const, j);
}

void second(double *x, double *dx, double *g, double *dg, int j) {
  __enzyme_autodiff((void *)gradient, enzyme_dup, x, dx, enzyme_dup, g, dg,
                    enzyme_const, j);
}

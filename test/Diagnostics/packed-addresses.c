// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A packed record holds an address between words, where another record of the
// same union holds doubles. In words it does not look like an address: forward
// mode copies all bytes, and the reverse pass ends the program.
// RUN: %clang -O0 %adze %s -lm -o %t && %t 1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O2 %adze %s -lm -o %t && %t 1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=STOP %s
// STOP: adze: bytes of unknown type are copied that may be floats or pointers
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;

struct __attribute__((packed)) Near {
  double factor;
  short key;
  const double *place;
};
struct Far {
  int key;
  double factor, m[3];
};
struct Both {
  union {
    struct Near near;
    struct Far far;
  } u;
  short kind;
};

__attribute__((noinline)) static double valueOf(const struct Both *p) {
  if (p->kind == 1)
    return p->u.near.factor + p->u.near.key + p->u.near.place[0];
  return p->u.far.key + p->u.far.factor + p->u.far.m[2] * p->u.far.m[1];
}

__attribute__((noinline)) static void fill(struct Both *p, const double *x,
                                           int i) {
  p->kind = 1 + (i & 1);
  if (p->kind == 1) {
    p->u.near = (struct Near){2 * x[i], (short)i, x + i};
  } else {
    p->u.far = (struct Far){i, 3 * x[i], {0, x[i], 2 * x[i]}};
  }
}

static double moved(const double *x, int n) {
  struct Both made[4], kept[4];
  double r = 0;
  for (int i = 0; i < 4; i++) {
    fill(&made[i], x, i);
    kept[(i + n) & 3] = made[i];
  }
  for (int i = 0; i < 4; i++)
    r += (i + 1) * valueOf(&kept[i]);
  return r;
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {1, 1, 0, 0};
  // 2 * (2 + 1) + 3 * (3 + 4 * 2)
  // CHECK: 39
  if (atoi(argv[1]) == 1)
    printf("%g\n",
           __enzyme_fwddiff((void *)moved, enzyme_dup, x, d, enzyme_const, 1));
  else
    __enzyme_autodiff((void *)moved, enzyme_dup, x, d, enzyme_const, 1);
}

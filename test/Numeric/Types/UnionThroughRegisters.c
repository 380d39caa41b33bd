// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A union of a double, an integer and a pointer that travels through calls as
// an integer in a register, where only a tag tells what it is.
#include "check.h"
#include <math.h>
#define NOINLINE __attribute__((noinline)) static

struct value {
  int tag;
  union {
    double d;
    long i;
    const char *s;
  } u;
};
NOINLINE struct value copied(struct value v) { return v; }
NOINLINE struct value chosen(int first, struct value a, struct value b) {
  return first ? a : b;
}
NOINLINE struct value made(int tag, double x) {
  struct value v = {tag, {0}};
  if (tag == 0)
    v.u.d = x;
  else if (tag == 1)
    v.u.i = (long)floor(x * 10);
  else
    v.u.s = "abc";
  return v;
}
NOINLINE double read(struct value v) {
  switch (v.tag) {
  case 0:
    return v.u.d * v.u.d;
  case 1:
    return (double)v.u.i;
  default:
    return v.u.s[0];
  }
}
void f(const double *x, double *y) {
  struct value v[4];
  y[0] = y[1] = 0;
  for (int i = 0; i < 4; ++i)
    v[i] = made(i % 3, x[i]);
  for (int i = 0; i < 4; ++i) {
    struct value w = copied(v[3 - i]);
    y[0] += read(w) * x[i];
    // The same bits twice.
    for (int k = 0; k < 2; ++k)
      y[1] += read(chosen(k, v[i], w)) * (k + x[0]);
  }
}
ADZE_TEST_MAP(f, 4, 2, ADZE_AT(0.52, 0.83, 1.21, 1.44))

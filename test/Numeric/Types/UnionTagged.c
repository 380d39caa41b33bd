// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tagged union: a double, or an index, or a pointer to the double.
#include "check.h"

struct variant {
  enum { VALUE, INDEX, ADDRESS } tag;
  union {
    double value;
    long index;
    const double *address;
  } as;
};

static double get(const struct variant *v, const double *x) {
  switch (v->tag) {
  case VALUE:
    return v->as.value;
  case INDEX:
    return x[v->as.index];
  default:
    return *v->as.address;
  }
}

void tagged(const double *x, double *y) {
  struct variant v[3];
  v[0].tag = VALUE;
  v[0].as.value = x[0] * x[1];
  v[1].tag = INDEX;
  v[1].as.index = 2;
  v[2].tag = ADDRESS;
  v[2].as.address = &x[1];
  double p = 1;
  for (int i = 0; i < 3; ++i)
    p *= get(&v[i], x);
  *y = p;
}

ADZE_TEST_MAP(tagged, 3, 1, ADZE_AT(0.9, 1.1, -0.7))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles beside integers and in their place, and readers of them.
#ifndef ADZE_TEST_NUMERIC_PARTOVERWRITTEN_H
#define ADZE_TEST_NUMERIC_PARTOVERWRITTEN_H

union Cell {
  double d;
  int i[2];
  struct {
    int low, high;
  } words;
};
struct Named {
  char name[12];
  int count;
  double values[3];
};
static volatile int seven = 7;

__attribute__((noinline)) static double square(const union Cell *c) { return c->d * c->d; }
__attribute__((noinline)) static double sum(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * (i + 1);
  return s;
}

#endif

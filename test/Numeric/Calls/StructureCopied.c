// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee copies a structure whose member points to active data, and its caller made that structure
// of a pointer that it found in another one.
#include "check.h"

struct View {
  const double *at;
  long step;
};
struct Matrix {
  const double *data;
  long rows;
};

__attribute__((noinline)) static long stepOf(const struct View *v) { return v->step; }
__attribute__((noinline)) static const double *dataOf(const struct Matrix *m) { return m->data; }

__attribute__((noinline)) static void product(long n, const struct View *from, double *out) {
  struct View v = *from;
  long step = stepOf(&v);
  double sum = 0;
  for (long i = 0; i < n; ++i)
    sum += v.at[i * step] * v.at[i * step] * (double)(i + 1);
  *out = sum;
}

__attribute__((noinline)) static void everySecond(const struct Matrix *m, double *out) {
  struct View v = {dataOf(m), 2};
  product(m->rows, &v, out);
}

double copied(const double *x, int n) {
  struct Matrix m = {x, n / 2};
  double out;
  everySecond(&m, &out);
  return out * x[1];
}

ADZE_TEST_ARRAY(copied, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

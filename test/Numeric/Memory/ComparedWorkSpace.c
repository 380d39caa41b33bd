// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work space whose address decides what an iteration does, or is stored by it:
// an iteration that runs again does so in a copy, which lies elsewhere.
#include "check.h"
#include <math.h>

#define N 6

// What is compared differs from step to step.
__attribute__((noinline)) static double
compared(int n, const double *restrict x, double *restrict w,
         double *const *marks) {
  double v = 0;
  int t = 0;
  do {
    for (int i = 0; i < N; i++)
      w[i] = sin(x[i]) * x[i] * (t + 1);
    if (w == marks[t & 1])
      for (int i = 0; i < N; i++)
        w[i] = w[i] * w[i] * x[i];
    for (int i = 0; i < N; i++) {
      double y = w[i] * w[N - 1 - i];
      v += y * y * y;
    }
  } while (++t < n);
  return v;
}

double compared_space(const double *x, int n) {
  double w[N];
  double *marks[2] = {w, 0};
  return compared(4, x, w, marks);
}
ADZE_TEST_ARRAY(compared_space, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6))

// The iteration reads by the pointer that it has stored.
struct both {
  double *at;
  double *other;
};

__attribute__((noinline)) static double stored(int n, const double *restrict x,
                                               double *restrict w,
                                               struct both *restrict b) {
  double v = 0;
  int t = 0;
  do {
    for (int i = 0; i < N; i++)
      w[i] = sin(x[i]) * x[i] * (t + 1);
    if (t & 1)
      b->at = w;
    else
      b->at = b->other;
    for (int i = 0; i < N; i++) {
      double y = w[i] * w[N - 1 - i];
      v += y * y * y;
    }
    v += b->at[t % N];
  } while (++t < n);
  return v;
}

double stored_space(const double *x, int n) {
  double w[N], o[N];
  for (int i = 0; i < N; i++)
    o[i] = x[i] * x[i];
  struct both b = {o, o};
  return stored(4, x, w, &b);
}
ADZE_TEST_ARRAY(stored_space, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6))

// Where a search in front of the loop ended.
__attribute__((noinline)) static double
found(int n, const double *restrict x, double *restrict w) {
  while (*w < 0)
    w++;
  double v = 0;
  int t = 0;
  do {
    for (int i = 0; i < N; i++)
      w[i] = sin(x[i]) * x[i] * (t + 1);
    for (int i = 0; i < N; i++) {
      double y = w[i] * w[N - 1 - i];
      v += y * y * y;
    }
  } while (++t < n);
  return v;
}

double found_space(const double *x, int n) {
  double w[N + 3] = {-1, -1, -1, 1};
  return found(4, x, w);
}
ADZE_TEST_ARRAY(found_space, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6))

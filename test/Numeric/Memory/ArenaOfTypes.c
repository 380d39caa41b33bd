// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of the heap that holds values of one type first and of another one
// later: what was read of the first is overwritten, whatever the types say.
#include "check.h"
#include <stdlib.h>

#define APART __attribute__((noinline)) static

double longs(const double *x, int n) {
  char *block = malloc(64);
  double r = 0;
  for (int k = 0; k < 2; ++k) {
    double *f = (double *)block;
    for (int i = 0; i < n; ++i)
      f[i] = x[i] * x[i];
    for (int i = 0; i < n; ++i)
      r += f[i] * f[n - 1 - i];
    long *p = (long *)block;
    for (int i = 0; i < n; ++i)
      p[i] = i + k;
    for (int i = 0; i < n; ++i)
      r += (double)p[i] * x[i];
  }
  free(block);
  return r;
}
ADZE_TEST_ARRAY(longs, 3, ADZE_AT(0.5, 0.25, -0.5))

// In functions of their own.
APART double squares(void *block, const double *x, int n) {
  double *f = block, r = 0;
  for (int i = 0; i < n; ++i)
    f[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    r += f[i] * f[n - 1 - i];
  return r;
}
APART double counted(void *block, const double *x, int n) {
  long *p = block;
  double r = 0;
  for (int i = 0; i < n; ++i)
    p[i] = i + 1;
  for (int i = 0; i < n; ++i)
    r += (double)p[i] * x[i];
  return r;
}
APART double both(void *block, const double *x, int n) {
  double *f = block, r = 0;
  for (int i = 0; i < n; ++i)
    f[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    r += f[i] * f[n - 1 - i];
  long *p = block;
  for (int i = 0; i < n; ++i)
    p[i] = i + 1;
  for (int i = 0; i < n; ++i)
    r += (double)p[i] * x[i];
  return r;
}
double apart(const double *x, int n) {
  void *block = malloc(64);
  double r = squares(block, x, n) + counted(block, x, n) +
             squares(block, x, n) * both(block, x, n);
  free(block);
  return r;
}
ADZE_TEST_ARRAY(apart, 3, ADZE_AT(0.5, 0.25, -0.5))

// Addresses over shorter floats.
double addresses(const double *x, int n) {
  char *block = malloc(64);
  double r = 0;
  for (int k = 0; k < 2; ++k) {
    float *f = (float *)block;
    for (int i = 0; i < n; ++i)
      f[i] = (float)(x[i] * x[i]);
    for (int i = 0; i < n; ++i)
      r += f[i] * f[n - 1 - i];
    const double **p = (const double **)block;
    for (int i = 0; i < n; ++i)
      p[i] = x + i;
    for (int i = 0; i < n; ++i)
      r += *p[i] * *p[n - 1 - i];
  }
  free(block);
  return r;
}
ADZE_TEST_ARRAY(addresses, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

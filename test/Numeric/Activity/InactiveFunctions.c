// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions registered inactive: one that returns its argument, one that is small enough to
// be inlined everywhere, a search, a log. Their results are constants.
#include "check.h"
#include <math.h>

static double held(double x) { return x; }
static double half(double x) { return 0.5 * x; }
static double largest, total;
static int calls;

static int find(const double *x, int n, double v) {
  for (int i = 0; i < n; ++i)
    if (x[i] > v)
      return i;
  return n - 1;
}

static void record(const double *x, int n) {
  double sorted[8];
  for (int i = 0; i < n; ++i) {
    sorted[i] = x[i];
    for (int j = i; j > 0 && sorted[j] < sorted[j - 1]; --j) {
      double t = sorted[j];
      sorted[j] = sorted[j - 1];
      sorted[j - 1] = t;
    }
    total += x[i];
  }
  largest = sorted[n - 1];
  ++calls;
}

void *__enzyme_inactivefn_held = (void *)held;
void *__enzyme_inactivefn_others[] = {(void *)half, (void *)find, (void *)record, 0};

double f1(double x) { return x * held(x) + sin(half(x)); }
static double d1(double x) { return x; }
ADZE_TEST_SCALAR1(f1, ADZE_AT(0.7, -1.3), .derivative = d1, .flags = ADZE_NO_DIFFERENCES)

double f2(const double *x, int n) {
  double s = 0;
  record(x, n);
  for (int i = 0; i < n; ++i)
    s += x[find(x, n, 0.5)] * x[i] * held(x[i]);
  record(x, n);
  return s + largest * x[0] - largest * x[0];
}
static void d2(const double *x, double *J) {
  int k = 0;
  while (x[k] <= 0.5)
    ++k;
  for (int i = 0; i < 4; ++i)
    J[i] = x[k] * x[i];
  for (int i = 0; i < 4; ++i)
    J[k] += x[i] * x[i];
}
ADZE_TEST_ARRAY(f2, 4, ADZE_AT(0.1, 0.3, 0.8, 0.9), .jacobian = d2,
                .flags = ADZE_NO_DIFFERENCES)

// In a loop, with its result kept for the reverse pass, and state of its own.
static unsigned state = 1;
static double noise(void) {
  state = state * 1103515245u + 12345u;
  return (double)(state >> 16 & 7u) * 0.0 + 2.0;
}
void *__enzyme_inactivefn_noise = (void *)noise;
void f3(const double *x, double *y) {
  double a = x[0];
  for (int i = 0; i < 5; ++i)
    a = a * a * noise() + x[1] * held(a);
  *y = a;
}
static void d3(const double *x, double *J) {
  double a = x[0], d0 = 1, d1 = 0;
  for (int i = 0; i < 5; ++i) {
    d1 = 4 * a * d1 + a;
    d0 = 4 * a * d0;
    a = a * a * 2 + x[1] * a;
  }
  J[0] = d0;
  J[1] = d1;
}
ADZE_TEST_MAP(f3, 2, 1, ADZE_AT(0.3, 0.2), .jacobian = d3, .flags = ADZE_NO_DIFFERENCES)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inactive functions that return memory: a table, an allocation, a view of what is
// differentiated that is only read.
#include "check.h"
#include <stdlib.h>

static const double table[4] = {2, 3, 5, 7};
static double *filled(int n) {
  double *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; ++i)
    w[i] = table[i % 4];
  return w;
}
static int *order(const double *x, int n) {
  int *p = malloc(n * sizeof *p);
  for (int i = 0; i < n; ++i)
    p[i] = i;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (x[p[j]] < x[p[i]]) {
        int t = p[i];
        p[i] = p[j];
        p[j] = t;
      }
  return p;
}
static void drop(void *p) { free(p); }
static const double *frozen(const double *x) { return x; }
void *__enzyme_inactivefn_x[] = {(void *)filled, (void *)order, (void *)drop, (void *)frozen};

double sorted(const double *x, int n) {
  double *w = filled(n), s = 0;
  int *p = order(x, n);
  for (int i = 0; i < n; ++i)
    s += w[i] * x[p[i]] * x[p[i]];
  drop(w);
  drop(p);
  return s;
}
ADZE_TEST_ARRAY(sorted, 5, ADZE_AT(0.4, -1, 2, 0.1, -0.3))

double read_only(const double *x, int n) {
  const double *c = frozen(x);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * c[n - 1 - i];
  return s;
}
static void d_read_only(const double *x, double *J) {
  for (int i = 0; i < 3; ++i)
    J[i] = x[2 - i];
}
ADZE_TEST_ARRAY(read_only, 3, ADZE_AT(0.4, -1, 2), .jacobian = d_read_only,
                .flags = ADZE_NO_DIFFERENCES)

// A structure returned in memory that holds active data before and after.
struct block {
  double v[4];
  int n;
};
__attribute__((noinline)) static struct block ramp(double x) {
  struct block b = {{x, x + 1, x + 2, x + 3}, 4};
  return b;
}
void *__enzyme_inactivefn_ramp = (void *)ramp;
double refilled(const double *x, int n) {
  struct block b = ramp(x[0]);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    b.v[i] = x[i] * x[i];
    s += b.v[(i + 1) % b.n] * x[n - 1];
    if (i == 1) {
      s += b.v[1];
      b = ramp(x[1]);
    }
  }
  return s;
}
// s adds x3 times ramp(x0)[1], ramp(x0)[2], ramp(x1)[3], ramp(x1)[0]; and x1 * x1.
static void d_refilled(const double *x, double *J) {
  J[0] = 0;
  J[1] = 2 * x[1];
  J[2] = 0;
  J[3] = (x[0] + 1) + (x[0] + 2) + (x[1] + 3) + x[1];
}
ADZE_TEST_ARRAY(refilled, 4, ADZE_AT(0.9, 1.8, -0.7, 0.5), .jacobian = d_refilled,
                .flags = ADZE_NO_DIFFERENCES)

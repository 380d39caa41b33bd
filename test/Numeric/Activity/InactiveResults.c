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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value is stored in memory that was allocated after it was computed. The
// reverse pass has freed that memory when it comes to the value.
#include "check.h"
#include <math.h>
#include <stdlib.h>

struct Scaled {
  double scale;
  double *data;
};

static struct Scaled *make(int n, double scale) {
  struct Scaled *o = (struct Scaled *)malloc(sizeof *o);
  o->scale = scale;
  o->data = (double *)malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i)
    o->data[i] = 0.1 * i;
  return o;
}

static void drop(struct Scaled *o) {
  free(o->data);
  free(o);
}

static double sum(const struct Scaled *o, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += o->data[i] * o->scale;
  return s;
}

__attribute__((noinline)) static double both(const double *x, int n) {
  struct Scaled *o = make(n, tanh(x[0])), *p = make(n, exp(x[1]));
  for (int i = 0; i < n; ++i)
    (i & 1 ? o : p)->data[i] = x[i];
  double r = sin(sum(o, n)) + sum(p, n);
  drop(o);
  drop(p);
  return r;
}

double younger(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n - 2; ++i)
    s += both(x + i, 3);
  return s;
}

ADZE_TEST_ARRAY(younger, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))

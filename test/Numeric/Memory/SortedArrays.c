// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// qsort and bsearch: of floats, records, and pointers to floats.
#include "check.h"
#include <math.h>
#include <stdlib.h>

static int byValue(const void *a, const void *b) {
  double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}
double floats(const double *x, int n) {
  double *v = malloc(n * sizeof *v), s = 0, weight = 1;
  for (int i = 0; i < n; ++i)
    v[i] = sin(2 * x[i]) + 0.01 * i;
  qsort(v, n, sizeof *v, byValue);
  for (int i = 0; i < n; ++i)
    s += (weight *= 1.4) * v[i] * v[i];
  double *found = bsearch(&v[2], v, n, sizeof *v, byValue);
  s = found ? s * *found : 0;
  free(v);
  return s;
}
ADZE_TEST_ARRAY(floats, 7, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1, 1.3, 0.1))

struct record {
  long id;
  double key, value;
};
static int byKey(const void *a, const void *b) {
  double p = ((const struct record *)a)->key,
         q = ((const struct record *)b)->key;
  return (p > q) - (p < q);
}
static int byId(const void *key, const void *b) {
  long id = ((const struct record *)b)->id;
  return (*(const long *)key > id) - (*(const long *)key < id);
}
double records(const double *x, int n) {
  struct record r[8];
  for (int i = 0; i < n; ++i) {
    r[i].id = i * i;
    r[i].key = cos(x[i]);
    r[i].value = x[i] * x[i];
  }
  double s = 0, weight = 1;
  for (long k = 0; k < 20; ++k) {
    struct record *found = bsearch(&k, r, n, sizeof *r, byId);
    if (found)
      s += found->value * found->key * (k + 1);
  }
  qsort(r, n, sizeof *r, byKey);
  for (int i = 0; i < n; ++i)
    s += (weight *= 1.3) * r[i].value * r[i].key * (r[i].id + 1);
  return s;
}
ADZE_TEST_ARRAY(records, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

static int byTarget(const void *a, const void *b) {
  return byValue(*(double *const *)a, *(double *const *)b);
}
static int byNumber(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
double pointers(const double *x, int n) {
  const double *p[8];
  int order[8];
  for (int i = 0; i < n; ++i) {
    p[i] = x + i;
    order[i] = i * 7 % n;
  }
  qsort(p, n, sizeof *p, byTarget);
  qsort(order, n, sizeof *order, byNumber);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *p[i] * *p[i] * (i + 1) * x[order[i]];
  return s;
}
ADZE_TEST_ARRAY(pointers, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

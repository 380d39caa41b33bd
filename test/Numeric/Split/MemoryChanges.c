// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the halves of split mode the program may write to all memory that the primal read:
// arrays, what pointers in structures lead to, global variables.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 7 };

__attribute__((noinline)) double in_place(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    x[i] = exp(x[i]);
    s *= sin(x[i]) + s;
  }
  return s;
}

__attribute__((noinline)) double only_read(const double *x, const int *order, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[order[i]] * x[order[n - 1 - i]] * (i + 1);
  return s;
}

struct view {
  int n;
  double scale;
  double *data;
};
__attribute__((noinline)) double through_structure(const struct view *v) {
  double s = 0;
  for (int i = 0; i < v->n; i++)
    s += v->scale * v->data[i] * v->data[i];
  return s;
}

static double weight = 3;
__attribute__((noinline)) static double weighted(double x) { return weight * x * x; }
double with_global(double x) { return weighted(x) * weight; }

static double *where;
void *__enzyme_inactive_global_where[] = {(void *)&where};
__attribute__((noinline)) static void apply(double *x) { *x = *x * where[0] * where[1]; }
double through_global(double x) {
  apply(&x);
  return x * where[1];
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
double __enzyme_reverse_one(void *, ...);
void __enzyme_autodiff(void *, ...);

static void fill(double *x) {
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + 0.1 * i;
}

static void compare(const char *what, const double *got, const double *want) {
  for (int i = 0; i < N; i++)
    adze_near(what, got[i], want[i], 1e-13);
}

ADZE_TEST_REVERSE(array) {
  double x[N], got[N] = {0}, want[N] = {0};
  fill(x);
  __enzyme_autodiff((void *)in_place, x, want, N);
  fill(x);
  void *tape = __enzyme_augmentfwd((void *)in_place, x, got, N);
  memset(x, 0xff, sizeof x);
  __enzyme_reverse((void *)in_place, x, got, N, 1.0, tape);
  compare("in_place", got, want);
}

ADZE_TEST_REVERSE(indices) {
  double x[N], got[N] = {0}, want[N] = {0};
  int order[N] = {3, 1, 6, 0, 2, 5, 4};
  fill(x);
  __enzyme_autodiff((void *)only_read, x, want, enzyme_const, order, N);
  double *copy = malloc(sizeof x);
  int *places = malloc(sizeof order);
  memcpy(copy, x, sizeof x);
  memcpy(places, order, sizeof order);
  void *tape = __enzyme_augmentfwd((void *)only_read, copy, got, enzyme_const, places, N);
  for (int i = 0; i < N; i++) {
    copy[i] = -1000;
    places[i] = 1 << 30;
  }
  __enzyme_reverse((void *)only_read, copy, got, enzyme_const, places, N, 1.0, tape);
  compare("only_read", got, want);
  free(copy);
  free(places);
}

ADZE_TEST_REVERSE(structure) {
  double x[N], got[N] = {0}, want[N] = {0};
  fill(x);
  struct view v = {N, 2.5, x}, dv = {0, 0, want};
  __enzyme_autodiff((void *)through_structure, &v, &dv);
  double scale = dv.scale;
  dv = (struct view){0, 0, got};
  void *tape = __enzyme_augmentfwd((void *)through_structure, &v, &dv);
  memset(x, 0xff, sizeof x);
  v = (struct view){0, -1, NULL};
  dv.data = NULL;
  __enzyme_reverse((void *)through_structure, &v, &dv, 1.0, tape);
  compare("through_structure", got, want);
  adze_near("scale", dv.scale, scale, 1e-13);
}

ADZE_TEST_REVERSE(globals) {
  weight = 3;
  void *tape = __enzyme_augmentfwd((void *)with_global, 2.0);
  weight = 100;
  adze_near("weight", __enzyme_reverse_one((void *)with_global, 2.0, 1.0, tape), 36, 1e-15);
  weight = 3;
}

ADZE_TEST_REVERSE(behind_a_global) {
  double x[2] = {2, 3}, y[2] = {9, 9};
  where = x;
  void *tape = __enzyme_augmentfwd((void *)through_global, 5.0);
  where = y;
  x[0] = x[1] = -1;
  adze_near("where", __enzyme_reverse_one((void *)through_global, 5.0, 1.0, tape), 18, 0);
}
#endif

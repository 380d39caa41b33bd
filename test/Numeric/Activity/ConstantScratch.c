// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work space that is called constant and holds active data: its shadow is made where the caller shows
// how large it is, or the function how much of it is used.
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { N = 3 };

double sum(const double *x, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += w[i] * x[i];
  return s;
}
__attribute__((noinline)) static void fill(const double *x, double *w, int n) {
  for (int i = 0; i < n; i++)
    w[i] = x[i] * x[i];
}
double by_callee(const double *x, double *w, int n) {
  fill(x, w, n);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += w[i] * x[i];
  return s;
}
struct space {
  int used;
  double a[N], b[N];
};
double by_structure(const double *x, struct space *w) {
  w->used = 0;
  for (int i = 0; i < N; i++)
    w->a[w->used++] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < w->used; i++) {
    w->b[i] = w->a[i] * x[i];
    s += w->b[i];
  }
  return s;
}
// What is there before is constant.
double weighted(const double *x, double *w) {
  w[0] *= x[0];
  w[1] = w[0] * x[1];
  return w[1] + w[0];
}
static double kept[8];
double products(const double *x, double *w, unsigned n, unsigned m) {
  double s = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      w[i * m + j] = x[i] * x[j];
  for (unsigned i = 0; i < n * m; i++)
    s += w[i] * w[i];
  return s;
}
double backwards(const double *x, double *w, long n) {
  memcpy(w, x, n * sizeof *w);
  for (long i = n - 1; i > 0; i--)
    w[i - 1] *= w[i];
  return w[0] * w[1];
}

// Pieces of one array, and one array twice.
double of_pieces(const double *x, double *v, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    v[i] = x[i] * x[i];
    w[i] = v[i] * x[i];
  }
  for (int i = 0; i < n; i++)
    s += v[i] * w[n - 1 - i];
  return s;
}
double of_swapped(const double *x, double *v, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    v[i] = x[i] * x[i];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      w[i] = 2 * v[n - 1 - i];
    double *t = v;
    v = w;
    w = t;
  }
  for (int i = 0; i < n; i++)
    s += v[i] * x[i];
  return s;
}
double read_elsewhere(const double *x, double *to, const double *from, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    to[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    s += from[i] * x[i];
  return s;
}

#if ADZE_REVERSE
double __enzyme_autodiff(void *, ...);
extern int enzyme_width;
__attribute__((noinline)) static void pieces(const double *x, double *dx, double *w, int n, int at) {
  __enzyme_autodiff((void *)of_pieces, enzyme_dup, x, dx, enzyme_const, w + at, enzyme_const, w, enzyme_const, n);
}
ADZE_TEST_REVERSE(pieces) {
  const double x[N] = {2, 3, 5};
  double w[4 * N], dx[N] = {0}, dy[N] = {0}, *heap = malloc(2 * N * sizeof *heap);
  const double slopes[N] = {2 * 2 * 125 + 3 * 4 * 25, 5 * 81, 2 * 5 * 8 + 3 * 25 * 4};
  pieces(x, dx, w, N, 2 * N);
  for (int i = 0; i < N; i++)
    adze_near("of unknown size", dx[i], slopes[i], 1e-15);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)of_pieces, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, w + N, enzyme_const, N);
  __enzyme_autodiff((void *)of_pieces, enzyme_dup, x, dx, enzyme_const, heap, enzyme_const, heap + N, enzyme_const,
                    N);
  for (int i = 0; i < N; i++)
    adze_near("of known size", dx[i], 2 * slopes[i], 1e-15);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)of_swapped, enzyme_dup, x, dx, enzyme_const, heap, enzyme_const, heap + N, enzyme_const,
                    N);
  adze_near("swapped", dx[0] + 1000 * dx[1] + 1e6 * dx[2], 192216360, 1e-15);
  free(heap);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)of_pieces, enzyme_width, 2, enzyme_dup, x, dx, dy, enzyme_const, w, enzyme_const, w + N,
                    enzyme_const, N);
  adze_near("in two directions", dx[0] + dy[0], 2 * slopes[0], 1e-15);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)read_elsewhere, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, w, enzyme_const, N);
  for (int i = 0; i < N; i++)
    adze_near("twice", dx[i], 3 * x[i] * x[i], 1e-15);
  memset(dx, 0, sizeof dx);
  __enzyme_autodiff((void *)read_elsewhere, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, w + N, enzyme_const,
                    (w[N] = w[N + 1] = w[N + 2] = 7, N));
  adze_near("apart", dx[0], 7, 0);
}
static void expect(const char *what, double *dx) {
  for (int i = 0; i < N; i++) {
    adze_near(what, dx[i], 3 * (i + 1) * (i + 1), 1e-14);
    dx[i] = 0;
  }
}
ADZE_TEST_REVERSE(scratch) {
  const double x[N] = {1, 2, 3};
  double dx[N] = {0}, w[N], *heap = malloc(N * sizeof *heap);
  int n = N;
  double sized[n];
  struct space s;
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, N);
  expect("variable", dx);
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, heap, enzyme_const, N);
  expect("heap", dx);
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, sized, enzyme_const, n);
  expect("of run-time size", dx);
  __enzyme_autodiff((void *)by_callee, enzyme_dup, x, dx, enzyme_const, kept + 2, enzyme_const, N);
  expect("part of a global variable", dx);
  __enzyme_autodiff((void *)by_structure, enzyme_dup, x, dx, enzyme_const, &s);
  expect("structure", dx);
  free(heap);
  double v[2] = {5, 0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, dx, enzyme_const, v);
  adze_near("constant before", dx[0], 5 * 2 + 5, 1e-14);
  adze_near("constant before", dx[1], 5, 1e-14);
}

// Here the size is seen by what is accessed alone; nothing is where no loop runs.
__attribute__((noinline)) static void of_sum(const double *x, double *dx, double *w, int n) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n);
}
__attribute__((noinline)) static void of_products(const double *x, double *dx, double *w, unsigned n, unsigned m) {
  __enzyme_autodiff((void *)products, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n, enzyme_const, m);
}
__attribute__((noinline)) static void of_backwards(const double *x, double *dx, double *w, long n) {
  __enzyme_autodiff((void *)backwards, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, n);
}
ADZE_TEST_REVERSE(accessed) {
  const double x[N] = {1, 2, 3}, squares[N] = {38, 76, 30}, chain[N] = {36, 36, 24};
  double dx[N] = {0}, w[2 * N];
  of_sum(x, dx, w, N);
  expect("one loop", dx);
  of_products(x, dx, w, 2, N);
  for (int i = 0; i < N; i++) {
    adze_near("two loops", dx[i], squares[i], 1e-14);
    dx[i] = 0;
  }
  of_backwards(x, dx, w, N);
  for (int i = 0; i < N; i++) {
    adze_near("backwards", dx[i], chain[i], 1e-14);
    dx[i] = 0;
  }
  of_sum(x, dx, w, 0);
  of_sum(x, dx, w, -7);
  of_products(x, dx, w, 0, N);
  of_products(x, dx, w, N, 0);
  for (int i = 0; i < N; i++)
    adze_near("nothing", dx[i], 0, 0);
}
#endif
#if ADZE_FORWARD
extern int enzyme_width;
double __enzyme_fwddiff(void *, ...);
struct two {
  double a, b;
} __enzyme_fwddiff_two(void *, ...);
ADZE_TEST_FORWARD(scratch) {
  const double x[N] = {1, 2, 3}, dx[N] = {1, 0, 0}, other[N] = {0, 1, 0};
  double w[N];
  adze_near("one direction", __enzyme_fwddiff((void *)sum, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, N), 3, 1e-14);
  struct two r = __enzyme_fwddiff_two((void *)sum, enzyme_width, 2, enzyme_dup, x, dx, other, enzyme_const, w, enzyme_const, N);
  adze_near("two", r.a, 3, 1e-14);
  adze_near("two", r.b, 12, 1e-14);
}
#endif

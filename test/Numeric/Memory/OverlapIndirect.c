// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that may overlap, reached by indices that are read, or by pointers in
// memory: apart, the same, and in part. What says how far they reach is read in
// advance, and only where the program reads it.
#include "check.h"
#include <stdlib.h>

#define APART __attribute__((noinline)) static

// Sparse rows: the product may overwrite its vector, or its matrix.
APART void multiply(int n, const int *start, const int *column, const double *a,
                    const double *v, double *y) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum += a[k] * v[column[k]];
    y[i] = sum;
  }
}
// Rows in any order, and numbers between them that are no indices.
APART void gaps(int n, const int *begin, const int *end, const int *column,
                const double *a, const double *v, double *y) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = begin[i]; k < end[i]; ++k)
      sum += a[k] * v[column[k]] * v[column[k]];
    y[i] = sum;
  }
}
void sparse(const double *in, double *out) {
  static const int start[5] = {0, 2, 2, 5, 6}, none[5] = {3, 3, 3, 3, 3};
  static const int column[6] = {3, 0, 1, 2, 3, 0};
  double a[8], w[12], y[4];
  for (int i = 0; i < 8; ++i)
    a[i] = in[i % 3] * (i + 1) - 0.5;
  for (int i = 0; i < 12; ++i)
    w[i] = in[i % 3] * in[(i + 1) % 3] + 0.125 * i;
  multiply(4, start, column, a, w, y);
  multiply(4, start, column, a, w, w + 4);
  multiply(4, start, column, a, w, w);
  multiply(4, start, column, a, w + 2, w + 1);
  multiply(3, start, column, a, w + 4, a + 3);
  multiply(4, start, column, a, w + 1, w + 4);
  multiply(4, none, column, a, y, y);
  multiply(0, NULL, NULL, NULL, NULL, NULL);
  static const int begin[4] = {5, 3, 4, 0}, end[4] = {6, 4, 4, 2};
  static const int wild[6] = {1, 3, 1 << 30, 2, 1 << 29, 0};
  gaps(4, begin, end, wild, a, w, w + 6);
  gaps(4, begin, end, wild, a, w + 3, w + 5);
  for (int i = 0; i < 12; ++i)
    out[i] = w[i] + (i < 4 ? y[i] : 0) + (i < 8 ? a[i] : 0);
}
ADZE_TEST_MAP(sparse, 3, 12, ADZE_AT(0.5, 0.25, -0.75))

// Two vectors in one block: beside each other, and one upon the other.
APART double twice(int n, const int *start, const int *column, const double *a,
                   double *work, int step) {
  double *y = work + n, *z = y + step, s = 0;
  for (int i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      y[i] += a[k] * work[column[k]];
  for (int i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      z[i] += a[k] * y[column[k]];
  for (int i = 0; i < n; ++i)
    s += z[i] * z[i];
  return s;
}
double vectors(const double *in, int n) {
  static const int start[4] = {0, 1, 3, 5}, column[5] = {2, 0, 1, 2, 0};
  double w[12], a[5], s = 0;
  for (int step = -3; step < 5; ++step) {
    for (int i = 0; i < 12; ++i)
      w[i] = in[i % n] - 0.25 * i;
    for (int i = 0; i < 5; ++i)
      a[i] = in[i % n] * in[(i + 1) % n];
    s += twice(n, start, column, a, w, step);
  }
  return s;
}
ADZE_TEST_ARRAY(vectors, 3, ADZE_AT(0.5, 0.25, -0.75))

// Scatter, with indices of each width and sign, and steps over structures.
struct edge {
  short from;
  unsigned char to;
  double weight;
};
APART void scatter(const struct edge *e, long n, const double *x, double *f,
                   const unsigned *order) {
  for (long k = 0; k < n; ++k) {
    const struct edge *g = e + order[k];
    double d = x[g->to] - x[g->from], s = g->weight * d * d;
    f[g->from] += s * d;
    f[g->to + 1] -= s * x[g->to + 1];
  }
}
void scatters(const double *in, double *out) {
  static const unsigned order[3] = {2, 0, 1};
  double w[16];
  struct edge e[3] = {{0, 2, 0}, {-1, 1, 0}, {3, 0, 0}};
  for (int i = 0; i < 16; ++i)
    w[i] = in[i % 3] + 0.0625 * i;
  for (int i = 0; i < 3; ++i)
    e[i].weight = in[i] + 1;
  scatter(e, 3, w + 1, w + 9, order);
  scatter(e, 3, w + 1, w + 1, order);
  scatter(e, 3, w + 1, w + 4, order);
  scatter(e, 3, w + 6, w + 1, order);
  for (int i = 0; i < 16; ++i)
    out[i] = w[i];
}
ADZE_TEST_MAP(scatters, 3, 16, ADZE_AT(0.5, 0.25, -0.375))

// The places are floats of the input, and the output may overwrite them.
APART void look_up(const double *table, const double *at, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    int r = (int)at[i];
    double t = at[i] - r;
    y[i] = table[r] * (1 - t) + table[r + 1] * t * t;
  }
}
void tables(const double *in, double *out) {
  double t[8], at[8];
  for (int i = 0; i < 8; ++i) {
    t[i] = in[i % 3] * in[i % 2] + i;
    at[i] = (i * 5) % 7 + 0.25 + 0.125 * in[i % 3];
  }
  look_up(t, at, out, 6);
  look_up(t, at, at, 3);
  look_up(t, at + 3, t + 4, 3);
  for (int i = 0; i < 4; ++i) // what is read next is overwritten now
    at[i] = 0.5 + 0.125 * in[i % 3];
  look_up(t, at, at + 1, 4);
  for (int i = 0; i < 8; ++i)
    out[6 + i] = t[i] + at[i];
}
ADZE_TEST_MAP(tables, 3, 14, ADZE_AT(0.5, 0.25, -0.375))

// Indices that are read on conditions only, and would be wrong elsewhere.
APART double selected(const double *x, const int *at, double *y, int n,
                      const int *more, int with) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0)
      y[at[i]] += x[i] * x[i];
    if (with)
      y[more[i]] *= x[i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * x[n - 1 - i];
  return s;
}
double conditions(const double *in, int n) {
  static const int at[4] = {1, 1 << 28, 2, 0}, more[4] = {2, 1, 0, 3};
  double w[12] = {0}, x[4];
  for (int i = 0; i < 4; ++i)
    x[i] = i == 1 ? -in[0] * in[0] - 1 : in[i % n] * in[i % n] + i;
  for (int i = 0; i < 12; ++i)
    w[i] = in[i % n] + 1;
  double s = selected(x, at, w, 4, NULL, 0) + selected(x, at, w, 4, more, 1);
  s += selected(w, more, w + 6, 4, more, 1);
  s += selected(w, more, w + 2, 4, NULL, 0);
  return s + selected(w, NULL, w, 0, NULL, 1) + w[3];
}
ADZE_TEST_ARRAY(conditions, 3, ADZE_AT(0.5, 0.25, -0.75))

// Rows behind pointers: of one block, of blocks of their own, some the same.
APART void rows(double **a, double **b, double **c, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[i][j] += a[i][k] * b[k][j];
}
void row_pointers(const double *in, double *out) {
  double w[30], *a[3], *b[3], *c[3], *d[3];
  for (int i = 0; i < 30; ++i)
    w[i] = 0.5 * in[i % 3] + 0.03125 * i;
  for (int i = 0; i < 3; ++i) {
    a[i] = w + 3 * i;
    b[i] = w + 17 - 4 * i;
    c[i] = w + 21 + 3 * i;
    d[i] = calloc(3, sizeof(double));
  }
  rows(a, b, c, 3);
  rows(a, b, d, 3);
  rows(a, c, a, 2);
  rows(c, c, a, 3);
  c[1] = a[2] + 1;
  rows(a, b, c, 3);
  rows(d, a, b, 3);
  rows(a, NULL, NULL, 0);
  for (int i = 0; i < 30; ++i)
    out[i] = w[i] + (i < 9 ? d[i / 3][i % 3] : 0);
  for (int i = 0; i < 3; ++i)
    free(d[i]);
}
ADZE_TEST_MAP(row_pointers, 3, 30, ADZE_AT(0.5, 0.25, -0.75))

// Made and found behind the entry; the arrays are swapped in between.
APART double later(const double *x, int n) {
  double **r = malloc((size_t)n * sizeof *r), s = 0;
  double *y = malloc((size_t)n * sizeof *y);
  for (int i = 0; i < n; ++i) {
    r[i] = malloc((size_t)n * sizeof **r);
    for (int j = 0; j < n; ++j)
      r[i][j] = x[j] * (i + 1);
  }
  double *first = r[0];
  r[0] = r[1];
  for (int i = 0; i < n; ++i) {
    y[i] = 1;
    for (int j = 0; j < n; ++j)
      y[i] += r[i][j] * r[j][i] * x[j];
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      r[j][i] = r[i][j] * y[j];
  for (int i = 0; i < n; ++i)
    s += y[i] * r[i][n - 1 - i];
  for (int i = 1; i < n; ++i)
    free(r[i]);
  free(first);
  free(y);
  free(r);
  return s;
}
ADZE_TEST_ARRAY(later, 3, ADZE_AT(0.5, 0.25, -0.75))

// Derivatives of derivatives go the way of the function.
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
APART double energy(const double *x, const int *at, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]] * x[at[i]] * x[i];
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return s;
}
APART void slopes(double *x, double *dx, const int *at, double *y, double *dy,
                  int n) {
  for (int i = 0; i < n; ++i)
    dx[i] = dy[i] = 0;
  __enzyme_autodiff((void *)energy, enzyme_dup, x, dx, enzyme_const, at,
                    enzyme_dup, y, dy, enzyme_const, n);
}
APART double weighted(double *x, double *dx, const int *at, double *y,
                      double *dy, int n, const double *w) {
  double s = 0;
  slopes(x, dx, at, y, dy, n);
  for (int i = 0; i < n; ++i)
    s += w[i] * dx[i];
  return s;
}
// Of x0^2 x2^2 + x0^2 x1^2 + x2^4: at is (2, 0, 2).
static double curvature(const double *x, int i, int j) {
  static const double pairs[3][3] = {{0, 1, 1}, {1, 0, 0}, {1, 0, 6}};
  double s = 0;
  for (int k = 0; k < 3; ++k)
    s += 2 * pairs[i][k] * x[k] * x[k];
  return i == j ? s : 4 * pairs[i][j] * x[i] * x[j];
}
#if ADZE_FORWARD
ADZE_TEST_FORWARD(columns) {
  static const int at[3] = {2, 0, 2};
  double x[3] = {0.5, 0.7, -0.3};
  for (int k = 0; k < 3; ++k) {
    double dx[3], y[3], dy[3], tx[3] = {0}, tdx[3] = {0}, ty[3] = {0},
                               tdy[3] = {0};
    tx[k] = 1;
    __enzyme_fwddiff((void *)slopes, enzyme_dup, x, tx, enzyme_dup, dx, tdx,
                     enzyme_const, at, enzyme_dup, y, ty, enzyme_dup, dy, tdy,
                     enzyme_const, 3);
    for (int i = 0; i < 3; ++i)
      adze_near("column", tdx[i], curvature(x, i, k), 1e-12);
  }
}
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(product_with_weights) {
  static const int at[3] = {2, 0, 2};
  double x[3] = {0.5, 0.7, -0.3}, w[3] = {1, 2, 3};
  double dx[3], y[3], dy[3], bx[3] = {0}, bdx[3] = {0}, by[3] = {0},
                             bdy[3] = {0};
  __enzyme_autodiff((void *)weighted, enzyme_dup, x, bx, enzyme_dup, dx, bdx,
                    enzyme_const, at, enzyme_dup, y, by, enzyme_dup, dy, bdy,
                    enzyme_const, 3, enzyme_const, w);
  for (int k = 0; k < 3; ++k) {
    double want = 0;
    for (int i = 0; i < 3; ++i)
      want += w[i] * curvature(x, i, k);
    adze_near("weighted row", bx[k], want, 1e-12);
  }
}
#endif

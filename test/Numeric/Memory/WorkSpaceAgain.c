// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that run again in the reverse pass, with work space in blocks and
// behind pointers that a function is given; and work space of which they must
// not have a copy.
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline)) static

// What an element does with its work space of two times eight numbers.
#define ELEMENT(C, G)                                                          \
  for (int k = 0; k < 8; ++k)                                                  \
    (C)[k] = x[(e + 3 * k) % 7];                                               \
  for (int k = 0; k < 8; ++k)                                                  \
    (G)[k] = (C)[(k + 1) & 7] * (C)[(k + 3) & 7] - (C)[(k + 2) & 7] * (C)[k];  \
  for (int k = 0; k < 8; ++k) {                                                \
    double s = 1;                                                              \
    for (int d = 0; d < 8; ++d)                                                \
      s *= 1 + 0.1 * (G)[d] - (G)[k] * (C)[(d * k) & 7];                       \
    out[(e + k) % 3] += s;                                                     \
  }

APART void in_front(int n, const double *restrict x, double *restrict out) {
  double *c = malloc(8 * sizeof *c), *g = malloc(8 * sizeof *g);
  for (int e = 0; e < n; ++e) {
    ELEMENT(c, g)
  }
  free(g);
  free(c);
}
void blocks(const double *in, double *out) {
  out[0] = out[1] = out[2] = in[0];
  in_front(5, in, out);
}
ADZE_TEST_MAP(blocks, 7, 3, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

APART void inside(int n, const double *restrict x, double *restrict out) {
  for (int e = 0; e < n; ++e) {
    double *both = malloc(16 * sizeof *both);
    ELEMENT(both, both + 8)
    free(both);
  }
}
void in_iterations(const double *in, double *out) {
  out[0] = out[1] = out[2] = in[0];
  inside(5, in, out);
}
ADZE_TEST_MAP(in_iterations, 7, 3,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

APART void handed(int n, const double *restrict x, double *restrict work,
                  double *restrict out) {
  double *c = work + 1, *g = work + 10;
  for (int e = 0; e < n; ++e) {
    ELEMENT(c, g)
  }
}
// The caller reads what the last iteration has left.
void given(const double *in, double *out) {
  double work[19] = {1};
  work[18] = in[1];
  out[0] = out[1] = out[2] = in[0];
  handed(5, in, work, out);
  out[3] = work[0] * work[4] + work[12] * work[18];
}
ADZE_TEST_MAP(given, 7, 4, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

// The copy of what the function is given need not be aligned as that is.
APART void aligned(int n, const double *restrict x, double *restrict work,
                   double *restrict out) {
  double *c = __builtin_assume_aligned(work, 64), *g = c + 8;
  for (int e = 0; e < n; ++e) {
    for (int k = 0; k < 8; ++k)
      c[k] = x[k % 7] * (1 + 0.1 * e);
    for (int k = 0; k < 8; ++k)
      g[k] = c[k] * c[k] + c[7 - k];
    for (int k = 0; k < 8; ++k)
      g[k] = g[k] / (1 + c[k] * c[k]) * g[k];
    for (int k = 0; k < 8; ++k)
      out[k % 3] += g[k] * c[k] * g[(k * e) & 7];
  }
}
void aligned_work(const double *in, double *out) {
  double *work = aligned_alloc(64, 128);
  out[0] = out[1] = out[2] = in[0];
  aligned(5, in, work, out);
  free(work);
}
ADZE_TEST_MAP(aligned_work, 7, 3,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

struct Space {
  double *c, *g, more[8];
};
APART void of_members(int n, const double *x, struct Space *s, double *out) {
  for (int e = 0; e < n; ++e) {
    double *c = s->c, *g = s->g;
    ELEMENT(c, g)
    for (int k = 0; k < 8; ++k)
      s->more[k] = c[k] * g[7 - k];
    for (int k = 0; k < 8; ++k)
      out[k % 3] += s->more[k] * s->more[7 - k];
  }
}
void members(const double *in, double *out) {
  struct Space s = {
      malloc(8 * sizeof(double)), malloc(8 * sizeof(double)), {0}};
  out[0] = out[1] = out[2] = in[0];
  of_members(5, in, &s, out);
  out[3] = s.more[3] * s.c[0];
  free(s.c);
  free(s.g);
}
ADZE_TEST_MAP(members, 7, 4, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

// Of a length that the run knows; rows of it; a block of which only a part is
// used.
APART double of_length(int n, int m, const double *x) {
  double *row = malloc((size_t)m * sizeof *row), sum = 0;
  double *grid = malloc((size_t)(m * m) * sizeof *grid);
  for (int e = 0; e < n; ++e) {
    for (int j = 0; j < m; ++j)
      row[j] = x[(e + j) % 7] * x[j % 3];
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        grid[i * m + j] = row[i] * row[j] + x[e];
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j)
        sum += grid[i * m + j] * grid[j * m + i] * row[(i * j) % m];
    if (sum > 50)
      sum *= row[0];
  }
  free(grid);
  free(row);
  return sum;
}
void lengths(const double *in, double *out) {
  out[0] = of_length(4, 9, in);
  out[1] = of_length(3, 1, in);
  out[2] = of_length(2, 0, in) + in[0];
}
ADZE_TEST_MAP(lengths, 7, 3, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

// Components that stand side by side are filled one by one.
APART double of_components(int n, const double *x) {
  double(*p)[3] = malloc(6 * sizeof *p), sum = 0;
  for (int e = 0; e < n; ++e) {
    for (int k = 0; k < 6; ++k) {
      p[k][0] = x[(e + k) % 7];
      p[k][2] = p[k][0] * x[k];
      p[k][1] = p[k][2] + x[e];
    }
    for (int k = 0; k < 6; ++k)
      for (int d = 0; d < 3; ++d)
        sum += p[k][d] * p[(k + d) % 6][2 - d] * p[(e * k) % 6][d];
  }
  free(p);
  return sum;
}
void components(const double *in, double *out) { *out = of_components(4, in); }
ADZE_TEST_MAP(components, 7, 1, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

// No scratch: what an iteration reads was left by the one before, in part, on
// a condition, or by way of another pointer.
APART double left_over(int n, const double *x, double *w, double *v) {
  double sum = 0, *late = malloc(4 * sizeof *late);
  memcpy(late, x, 4 * sizeof *late);
  for (int e = 0; e < n; ++e) {
    for (int k = 0; k < 4; ++k)
      sum += late[k] * x[k + 1];
    for (int k = 0; k < 4; ++k)
      late[k] = sum * x[k] * 0.25;
    for (int k = e & 1; k < 4; ++k) // every other one leaves the first
      w[k] = x[(e + k) % 7] * late[k];
    for (int k = 0; k < 4; ++k)
      v[k] = x[k] * 0.5; // may be what w leads to
    for (int k = 0; k < 4; ++k)
      sum += w[k] * w[3 - k] * v[k];
    if (x[e] > 0.4)
      for (int k = 0; k < 4; ++k)
        w[k] *= 1.5;
  }
  sum += late[2];
  free(late);
  return sum;
}
void left(const double *in, double *out) {
  double w[8] = {0}, v[4];
  w[0] = in[0];
  out[0] = left_over(5, in, w, v);
  out[1] = left_over(5, in, w, w + 2) + w[3];
  out[2] = left_over(5, in, w, w) * w[1];
}
ADZE_TEST_MAP(left, 7, 3, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

// Arguments that are the same memory, or overlap by a half.
APART double overlapped(int n, double *c, double *g, const double *x) {
  double sum = 0;
  for (int e = 0; e < n; ++e) {
    for (int k = 0; k < 4; ++k)
      c[k] = x[(e + k) % 7] + e;
    for (int k = 0; k < 4; ++k)
      g[k] = c[k] * c[3 - k] + x[k];
    for (int k = 0; k < 4; ++k)
      sum += g[k] * c[(k + 1) & 3] * g[(k * e) & 3];
  }
  return sum;
}
void overlaps(const double *in, double *out) {
  double w[12], z[7];
  memcpy(z, in, sizeof z);
  out[0] = overlapped(5, w, w + 4, in);
  out[1] = overlapped(5, w, w, in);
  out[2] = overlapped(5, w + 2, w, in);
  out[3] = overlapped(3, w, z + 2, z);
}
ADZE_TEST_MAP(overlaps, 7, 4, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

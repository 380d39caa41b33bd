// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that run again in the reverse pass: scratch arrays of each
// iteration in several spellings, beside what must be kept all the same.
#include "check.h"
#include <string.h>

#define APART __attribute__((noinline)) static

// Gather, loops of constant count over local arrays, scatter.
APART void elements(int n, const int *restrict corner, const double *restrict x,
                    double *restrict f) {
  for (int e = 0; e < n; ++e) {
    double c[4][3], g[3][4], h[4];
    for (int k = 0; k < 4; ++k)
      for (int d = 0; d < 3; ++d)
        c[k][d] = x[(3 * corner[4 * e + k] + d) % 7];
    for (int d = 0; d < 3; ++d)
      for (int k = 0; k < 4; ++k)
        g[d][k] = c[(k + 1) & 3][d] * c[(k + 3) & 3][(d + 1) % 3] -
                  c[(k + 2) & 3][(d + 2) % 3] * c[k][d];
    for (int k = 0; k < 4; ++k) {
      double s = 0;
      for (int d = 0; d < 3; ++d)
        s += g[d][k] * g[d][k] * g[d][(k * d) & 3];
      h[k] = 1 / (1 + s * s);
    }
    for (int k = 0; k < 4; ++k)
      for (int d = 0; d < 3; ++d)
        f[(3 * corner[4 * e + k] + d) % 7] += h[k] * g[d][k];
  }
}
void gathered(const double *in, double *out) {
  int corner[20];
  for (int i = 0; i < 20; ++i)
    corner[i] = (i * 5 + i / 4) % 6;
  for (int i = 0; i < 7; ++i)
    out[i] = in[i];
  elements(5, corner, in, out);
}
ADZE_TEST_MAP(gathered, 7, 7, ADZE_AT(0.5, 0.25, -0.75, 1.0, 0.3, -0.2, 0.9))

// Triangles, a block copy, and a state that the iterations hand on in a phi.
APART double factors(int n, const double *a, double *out) {
  double carried = 1;
  for (int s = 0; s < n; ++s) {
    double l[5][5], y[5];
    memcpy(l, a, sizeof l);
    for (int i = 0; i < 5; ++i)
      l[i][i] += 4 + s + carried * carried;
    for (int j = 0; j < 5; ++j) {
      double t = l[j][j];
      for (int k = 0; k < j; ++k)
        t -= l[j][k] * l[j][k];
      l[j][j] = __builtin_sqrt(t);
      for (int i = j + 1; i < 5; ++i) {
        double u = l[i][j];
        for (int k = 0; k < j; ++k)
          u -= l[i][k] * l[j][k];
        l[i][j] = u / l[j][j];
      }
    }
    for (int i = 0; i < 5; ++i) {
      double u = a[i] * carried;
      for (int k = 0; k < i; ++k)
        u -= l[i][k] * y[k];
      y[i] = u / l[i][i];
    }
    carried = y[4] + y[0] * y[1];
    out[s] = carried;
  }
  return carried;
}
void factored(const double *in, double *out) {
  double a[25];
  for (int i = 0; i < 25; ++i)
    a[i] = in[i % 5] * (1 + 0.1 * i);
  out[3] = factors(3, a, out);
}
ADZE_TEST_MAP(factored, 5, 4, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.1))

// Scratch in a nested scope, in a helper, and in a loop of unknown count; ways
// through the iteration that depend on data.
struct Matrix {
  double a[2][3];
};
static inline struct Matrix product(struct Matrix p, struct Matrix q) {
  struct Matrix r;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      r.a[i][j] = j == 2 ? p.a[i][2] : 0;
      for (int k = 0; k < 2; ++k)
        r.a[i][j] += p.a[i][k] * q.a[k][j];
    }
  return r;
}
APART double chain(int n, const double *q, double *where) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    struct Matrix all = {{{1, 0, 0}, {0, 1, 0}}};
    for (int j = 0; j <= i; ++j) {
      struct Matrix turn = {{{q[j], -q[j + 1], 1}, {q[j + 1], q[j], 0.5}}};
      if (q[j] < 0)
        continue;
      all = product(all, turn);
      if (all.a[0][2] > 3)
        break;
    }
    double near[4], least = 10;
    int m = 0;
    while (m < 4 && least > 0.01) {
      near[m] = all.a[0][m % 3] * all.a[1][m % 3] + q[m];
      least = near[m] * near[m] < least ? near[m] * near[m] : least;
      ++m;
    }
    for (int k = 0; k < m; ++k)
      sum += near[k] * near[k] * least;
    *where += sum;
  }
  return sum;
}
void chained(const double *in, double *out) {
  out[0] = in[0];
  out[1] = chain(4, in, out);
}
ADZE_TEST_MAP(chained, 6, 2, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.1, 0.3))

// What is no scratch: it holds what the iteration before left there, or is read
// by what comes after, or its address is kept.
APART double not_scratch(int n, const double *x, double **kept) {
  double old[3] = {1, 1, 1}, sum = 0, last[3];
  static double other[3];
  for (int i = 0; i < n; ++i) {
    double now[3], seen[3];
    for (int k = 0; k < 3; ++k)
      now[k] = x[k] * old[(k + 1) % 3];
    for (int k = 0; k < 3; ++k) {
      seen[k] = now[k] * now[(k + 2) % 3];
      old[k] = seen[k] + now[k];
      last[k] = old[k] * x[i];
      other[k] = i ? other[k] * now[k] : now[k];
    }
    *kept = i & 1 ? now : seen;
    for (int k = 0; k < 3; ++k)
      sum += (*kept)[k] * now[k] * other[k];
  }
  return sum + last[0] * last[1];
}
void handed_on(const double *in, double *out) {
  double *kept;
  out[0] = not_scratch(3, in, &kept);
}
ADZE_TEST_MAP(handed_on, 3, 1, ADZE_AT(0.5, 0.25, -0.75))

// Values of one iteration in arrays of a count that the run knows, and integers
// that the data decide.
APART void rows(int n, int m, const double *x, double *y) {
  for (int i = 0; i < n; ++i) {
    double weight[16];
    int order[16], used = 0;
    for (int j = 0; j < m; ++j) {
      weight[j] = x[i] * x[(i + j) % n];
      if (weight[j] * weight[j] > 0.01)
        order[used++] = j;
    }
    double s = 0, t = 1;
    for (int k = 0; k < used; ++k) {
      s += t * weight[order[k]] * weight[order[used - 1 - k]];
      t = __builtin_cos(s);
    }
    y[i] = s * t;
  }
}
void of_rows(const double *in, double *out) { rows(4, 9, in, out); }
ADZE_TEST_MAP(of_rows, 4, 4, ADZE_AT(0.5, 0.25, -0.75, 0.6))

// Variables that are declared in front of the loop. Of c, g and part each
// iteration writes all that it reads: by loops, upwards, downwards, in two
// halves, by a block copy and single stores. Of the others it does not: some
// elements stay from the iteration before, or are written on a condition, or
// only after they are read.
APART double declared_before(int n, const double *x, double *out) {
  double c[4][3], g[12], part[6], rest[5] = {1, 2, 3, 4, 5},
                                  some[3] = {1, 1, 1},
                                  late[3] = {0.5, 0.25, 0.125}, gap[8] = {0};
  double sum = 0;
  for (int e = 0; e < n; ++e) {
    for (int k = 3; k >= 0; --k)
      for (int d = 0; d < 3; ++d)
        c[k][d] = x[(3 * k + d + e) % 7] * (1 + d);
    memcpy(part, x + e % 2, 4 * sizeof *part);
    part[5] = x[e] * x[0];
    part[4] = part[5] + part[0];
    for (int k = 0; k < 6; ++k)
      g[2 * k] = c[k % 4][0] * part[k];
    for (int k = 0; k < 6; ++k)
      g[2 * k + 1] = c[k % 4][1] - part[5 - k] * c[3 - k % 4][2];
    for (int k = 0; k < 4; ++k)
      rest[k] = rest[k + 1] * g[k] + g[11 - k];
    if (x[e] > 0)
      for (int k = 0; k < 3; ++k)
        some[k] = g[k] * g[k + 3];
    for (int k = 0; k < 3; ++k)
      sum += late[k] * g[(e * k + 5) % 12] * some[k];
    for (int k = 0; k < 3; ++k)
      late[k] = g[k] * rest[k];
    for (int k = 0; k < 4; ++k)
      gap[2 * k] = g[k] * g[k];
    for (int k = 0; k < 8; ++k) {
      sum += gap[k] * c[k % 4][k % 3];
      gap[k] = sum * 0.125;
    }
    out[e] = sum * rest[0];
  }
  return sum + g[3] * part[1] + rest[2];
}
void declared(const double *in, double *out) {
  out[4] = declared_before(4, in, out);
}
ADZE_TEST_MAP(declared, 7, 5, ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9))

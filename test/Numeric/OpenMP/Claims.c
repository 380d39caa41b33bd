// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic"
// skip-unless=header:omp.h
// Pages of shadows that belong to the first thread that adds to them, and what
// may stand beside such sums: functions that read the same array, block copies,
// regions within, other arrays and other floats on the page.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

enum { IN(Nodes) = 1500, IN(Elements) = 3000 };

static void IN(fill)(const double *x, int n, double *u) {
  for (int k = 0; k < IN(Nodes); ++k)
    u[k] = x[k % n] + 0.001 * k;
}
static void IN(number)(int *at, int factor) {
  for (int e = 0; e < IN(Elements); ++e)
    at[e] = (e * factor + e / 7) % IN(Nodes);
}

// Another function reads the array: its sums are atomic.
__attribute__((noinline)) static double IN(helper)(const double *u, int k) {
  return k % 3 ? u[k] * u[k] : u[k];
}
__attribute__((noinline)) static double IN(besideSum)(int m, const int *at,
                                                      const double *u) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int e = 0; e < m; ++e)
    s += u[at[e]] * u[at[m - 1 - e]] + IN(helper)(u, at[(e + 9) % m]);
  return s;
}
PROGRAM(beside) {
  static int at[IN(Elements)];
  double *u = malloc(IN(Nodes) * sizeof(double));
  IN(fill)(x, n, u);
  IN(number)(at, 1);
  const double s = IN(besideSum)(IN(Elements), at, u) / IN(Elements);
  free(u);
  return s;
}

// Blocks that are copied from it.
__attribute__((noinline)) static double IN(blocksSum)(int m, const int *at,
                                                      const double *u) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int e = 0; e < m; ++e) {
    double part[40];
    memcpy(part, u + at[e] % (IN(Nodes) - 40), sizeof part);
    s += part[e % 40] * u[at[e]] + part[3] * u[at[m - 1 - e]];
  }
  return s;
}
PROGRAM(blocks) {
  static int at[IN(Elements)];
  double *u = malloc(IN(Nodes) * sizeof(double));
  IN(fill)(x, n, u);
  IN(number)(at, 11);
  const double s = IN(blocksSum)(IN(Elements), at, u) / IN(Elements);
  free(u);
  return s;
}

// Regions after each other: pages get other owners.
PROGRAM(afterEachOther) {
  static int at[IN(Elements)];
  double *u = malloc(IN(Nodes) * sizeof(double)), s = 0;
  IN(fill)(x, n, u);
  for (int k = 1; k < 4; ++k) {
    IN(number)(at, k);
    OMP(parallel for reduction(+ : s) schedule(static))
    for (int e = 0; e < IN(Elements); ++e)
      s += u[at[e]] * u[at[IN(Elements) - 1 - e]];
    OMP(parallel for reduction(+ : s) schedule(static, 5))
    for (int e = 0; e < IN(Elements); ++e)
      s += u[at[e]] * u[at[e]];
  }
  free(u);
  return s / IN(Elements);
}

// Doubles and floats on the same pages, from the middle of a word on.
__attribute__((noinline)) static double
IN(onePageSum)(int m, const int *at, const double *u, const double *v,
               const float *w) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int e = 0; e < m; ++e)
    s += u[at[e] % 200] * v[at[m - 1 - e] % 200] * w[at[e] % 90] +
         w[at[(e + 1) % m] % 90];
  return s;
}
PROGRAM(onePage) {
  static int at[IN(Elements)];
  IN(number)(at, 3);
  float *block = malloc(2000 * sizeof(float)), *w = block + 801;
  double *u = (double *)block, *v = u + 200;
  for (int k = 0; k < 200; ++k) {
    u[k] = x[k % n];
    v[k] = 0.01 * k * x[(k + 1) % n];
  }
  for (int k = 0; k < 90; ++k)
    w[k] = 0.5F;
  const double s = IN(onePageSum)(IN(Elements), at, u, v, w) / IN(Elements);
  free(block);
  return s;
}

// A region within reads the array, too.
PROGRAM(within) {
  static int at[IN(Elements)];
  IN(number)(at, 2);
  double *u = malloc(IN(Nodes) * sizeof(double)), s = 0;
  IN(fill)(x, n, u);
  OMP(parallel for reduction(+ : s))
  for (int k = 0; k < 4; ++k) {
    double t = 0;
    for (int e = k; e < IN(Elements); e += 4)
      t += u[at[e]] * u[at[IN(Elements) - 1 - e]];
    OMP(parallel for reduction(+ : t) num_threads(2))
    for (int e = 0; e < 400; ++e)
      t += u[at[e]] * u[at[e + k]];
    s += t;
  }
  free(u);
  return s / IN(Elements);
}

// One of two arrays that are apart, in rows: only the run knows which.
PROGRAM(either) {
  double *a = malloc(IN(Nodes) * sizeof(double)),
         *b = malloc(IN(Nodes) * sizeof(double)),
         *y = malloc(IN(Nodes) * sizeof(double)), s = 0;
  IN(fill)(x, n, a);
  IN(fill)(x, n, b);
  for (int k = 0; k < 3; ++k) {
    OMP(parallel for)
    for (int e = 0; e < IN(Nodes); ++e) {
      const double *from = (e + k) % 2 ? a : b;
      y[e] = from[e] * a[e] + b[e] * 0.5;
    }
    OMP(parallel for reduction(+ : s))
    for (int e = 0; e < IN(Nodes); ++e)
      s += y[e] * a[e];
    double *c = a;
    a = b;
    b = y;
    y = c;
  }
  free(a);
  free(b);
  free(y);
  return s / IN(Nodes);
}

#endif

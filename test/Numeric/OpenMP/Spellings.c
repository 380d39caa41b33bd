// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Regions as programs write them: functions that they call, members, reductions
// of arrays and of the program's own, worksharing in a callee, private blocks
// and arrays, permutations, copies, buffers that each thread swaps.
#include "check.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define N 24

__attribute__((constructor)) static void setTeam(void) {
  omp_set_num_threads(3);
}

typedef struct {
  double *x, *y;
  int n;
  double k;
} Ctx;

__attribute__((noinline)) static double pot(const double *x, int i, int n) {
  double s = 0;
  for (int j = 0; j < n; j++)
    if (j != i)
      s += 1 / (1 + (x[i] - x[j]) * (x[i] - x[j]));
  return s;
}
double pairs(const double *x, int n) {
  double e = 0;
#pragma omp parallel for reduction(+ : e)
  for (int i = 0; i < n; i++)
    e += pot(x, i, n);
  return e;
}
double members(const double *x, int n) {
  double buf[N];
  Ctx c = {(double *)x, buf, n, 0.5};
  Ctx *p = &c;
  double s = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < p->n; i++)
      p->y[i] = p->x[i] * p->k * p->x[p->n - 1 - i];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < p->n; i++)
      s += p->y[i] * p->y[i];
  }
  return s;
}
double histogram(const double *x, int n) {
  double h[4] = {0};
  double s = 0;
#pragma omp parallel for reduction(+ : h[ : 4])
  for (int i = 0; i < n; i++)
    h[i % 4] += x[i] * x[i];
  for (int k = 0; k < 4; k++)
    s += h[k] * h[(k + 1) % 4];
  return s;
}
typedef struct {
  double re, im;
} C2;
static C2 mul(C2 a, C2 b) {
  C2 r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return r;
}
#pragma omp declare reduction(cmul:C2 : omp_out = mul(omp_out, omp_in))        \
    initializer(omp_priv = (C2){1, 0})
double products(const double *x, int n) {
  C2 p = {1, 0};
#pragma omp parallel for reduction(cmul : p)
  for (int i = 0; i < n; i++) {
    C2 q = {cos(x[i]), 0.3 * x[i]};
    p = mul(p, q);
  }
  return p.re + 2 * p.im;
}
__attribute__((noinline)) static void orphan(const double *x, double *y,
                                             int n) {
#pragma omp for
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[(i + 1) % n];
}
double orphaned(const double *x, int n) {
  double a[N], b[N], s = 0;
#pragma omp parallel
  {
    orphan(x, a, n);
    orphan(a, b, n);
  }
  for (int i = 0; i < n; i++)
    s += b[i] * a[i];
  return s;
}
double privates(const double *x, int n) {
  double last = 0, w[3] = {x[0], x[1], x[2]}, s = 0;
#pragma omp parallel for lastprivate(last) firstprivate(w) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    last = x[i] * w[i % 3];
    w[i % 3] *= 1.0;
    s += last;
  }
  return s * last;
}
double blocks(const double *x, int n) {
  double s = 0;
#pragma omp parallel reduction(+ : s)
  {
    double *v = malloc(n * sizeof *v);
#pragma omp for
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++)
        v[k] = x[i] * x[k];
      for (int k = 1; k < n; k++)
        v[k] += v[k - 1] * v[k];
      s += v[n - 1];
    }
    free(v);
  }
  return s;
}
double permuted(const double *x, int n) {
  double y[N], s = 0;
  int id[N];
  for (int i = 0; i < n; i++)
    id[i] = (i * 7) % n;
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[id[i]] = x[id[i]] * x[i];
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    y[id[i]] *= exp(-y[id[i]]);
  for (int i = 0; i < n; i++)
    s += y[i];
  return s;
}
double copies(const double *x, int n) {
  double s = 0, c[N];
#pragma omp parallel num_threads(3)
  {
    memcpy(c + 8 * omp_get_thread_num(), x + 8 * omp_get_thread_num(),
           8 * sizeof(double));
    double loc[8];
    memcpy(loc, x, sizeof loc);
#pragma omp critical
    for (int k = 0; k < 8; k++)
      s += loc[k] * loc[k];
  }
  for (int i = 0; i < n; i++)
    s += c[i] * c[i] * c[i];
  return s;
}
double folded(const double *x, int n) {
  double g[N];
  double s = 0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 4; j++)
      g[i * 4 + j] = x[i * 4 + j] * x[j * 6 + i];
#pragma omp parallel for schedule(static, 1) reduction(+ : s)
  for (int i = n - 1; i >= 0; i--)
    s += g[i] * g[(i * 5) % n];
  return s;
}
double swapped(const double *x, int n) {
  double u[N], v[N];
  memcpy(u, x, sizeof u);
  double *a = u, *b = v;
  memcpy(v, x, sizeof v);
#pragma omp parallel firstprivate(a, b)
  for (int s = 0; s < 3; s++) {
#pragma omp for
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i] + 0.1 * a[i - 1] * a[i + 1];
    double *t = a;
    a = b;
    b = t;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += v[i] * v[i];
  return s;
}

#define POINT                                                                  \
  ADZE_AT(0.30, 0.85, 1.40, 0.75, 1.30, 0.65, 1.20, 0.55, 1.10, 0.45, 1.00,    \
          0.35, 0.90, 1.45, 0.80, 1.35, 0.70, 1.25, 0.60, 1.15, 0.50, 1.05,    \
          0.40, 0.95)
#define TEST(NAME) ADZE_TEST_ARRAY(NAME, N, POINT, .flags = ADZE_UNORDERED)
TEST(pairs)
TEST(members)
TEST(histogram)
TEST(products)
TEST(orphaned)
TEST(privates)
TEST(blocks)
TEST(permuted)
TEST(copies)
TEST(folded)
TEST(swapped)

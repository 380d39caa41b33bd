// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient with states, differentiated again in forward mode: tangents of states come back with
// them, also those of pointers that change places.
// ADZE: levels=O0,O1,O3
#include "check.h"
#include <math.h>
#include <stdlib.h>

#if ADZE_REVERSE && ADZE_FORWARD
#define CHECKPOINT(...) adze_checkpoint(__VA_ARGS__)
#else
#define CHECKPOINT(...) (void)0
#endif
enum { N = 5 };

double energy(const double *x, int steps) {
  double *u = malloc(N * sizeof *u), *v = malloc(N * sizeof *v);
  double *first = u, *second = v, e = 0;
  for (int i = 0; i < N; i++)
    u[i] = v[i] = x[i];
  for (int t = 0; t < steps; t++) {
    CHECKPOINT(3);
    for (int i = 1; i < N - 1; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * sin(u[i]);
    double *w = u;
    u = v;
    v = w;
    e += u[1] * v[2];
  }
  for (int i = 0; i < N; i++)
    e += u[i] * u[i] * v[i];
  free(first);
  free(second);
  return e;
}

// Behind an argument of which nobody says how much is written, with memory of the steps' own.
static double *stageOf(const double *u) {
  double *v = malloc(N * sizeof *v);
  for (int i = 1; i < N - 1; i++)
    v[i] = 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * sin(u[i]);
  return v;
}
static void relax(double *u, int steps) {
  for (int t = 0; t < steps; t++) {
    CHECKPOINT(2);
    double *v = stageOf(u);
    for (int i = 1; i < N - 1; i++)
      u[i] += v[i] * u[i];
    free(v);
  }
}
double behind(const double *x, int steps) {
  double *u = malloc(N * sizeof *u), e = 0;
  for (int i = 0; i < N; i++)
    u[i] = x[i];
  relax(u, steps);
  for (int i = 0; i < N; i++)
    e += u[i] * u[i] * x[i];
  free(u);
  return e;
}

#if ADZE_REVERSE && ADZE_FORWARD
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
void gradient(const double *x, double *d) {
  __enzyme_autodiff((void *)energy, enzyme_dup, x, d, enzyme_const, 21);
}
void other(const double *x, double *d) {
  __enzyme_autodiff((void *)behind, enzyme_dup, x, d, enzyme_const, 21);
}
void tangent(const double *x, const double *e, double *d, double *dd) {
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, e, enzyme_dup, d, dd);
}
void otherTangent(const double *x, const double *e, double *d, double *dd) {
  __enzyme_fwddiff((void *)other, enzyme_dup, x, e, enzyme_dup, d, dd);
}
static void expect(void of(const double *, double *),
                   void along(const double *, const double *, double *, double *)) {
  const double x[N] = {1, 0.5, -0.3, 0.8, 0.2}, h = 1e-4;
  double H[N][N];
  for (int k = 0; k < N; k++) {
    double e[N] = {0}, d[N] = {0}, dd[N] = {0};
    e[k] = 1;
    along(x, e, d, dd);
    double more[N], less[N], up[N] = {0}, down[N] = {0};
    for (int i = 0; i < N; i++) {
      more[i] = x[i] + h * e[i];
      less[i] = x[i] - h * e[i];
    }
    of(more, up);
    of(less, down);
    for (int i = 0; i < N; i++) {
      H[k][i] = dd[i];
      adze_near("second derivative", dd[i], (up[i] - down[i]) / (2 * h), 1e-6);
    }
  }
  for (int k = 0; k < N; k++)
    for (int i = 0; i < k; i++)
      adze_near("symmetry", H[k][i], H[i][k], 1e-11);
}
ADZE_TEST_REVERSE(second) {
  expect(gradient, tangent);
  expect(other, otherTangent);
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Gradients that the threads of a region ask for: each with shadows of its own,
// and with one that all add to.
#include "check.h"
#include <math.h>
#include <omp.h>

enum { Count = 4000, Weights = 3 };

static double model(const double *w, const double *x, int n) {
  double parts[2] = {0, 0};
  for (int i = 0; i < n; ++i)
    parts[i % 2] += sin(w[0] * x[i]) * w[1] + w[i % Weights];
  return parts[0] * parts[1] + w[2];
}

// The same data given by a copy of a block.
static double copied(const double *w, const double *x, int n) {
  double mine[Weights];
  __builtin_memcpy(mine, w, sizeof mine);
  return model(mine, x, n) * mine[0];
}

typedef double Model(const double *w, const double *x, int n);

static double input(int i) { return 0.001 * (i % 700) - 0.2; }

#if ADZE_REVERSE
extern int adze_shared_shadows;
void __enzyme_autodiff_own(void *, ...);
void __enzyme_autodiff_shared(void *, ...);

static void expected(Model *of, const double *x, double *dw, double *dx) {
  double w[Weights] = {0.7, -0.4, 1.1};
  for (int k = 0; k < Weights; ++k)
    dw[k] = 0;
  for (int i = 0; i + 1 < Count; i += 2) {
    double h = 1e-6;
    for (int k = 0; k < Weights; ++k) {
      double old = w[k], above, below;
      w[k] = old + h;
      above = of(w, x + i, 2);
      w[k] = old - h;
      below = of(w, x + i, 2);
      w[k] = old;
      dw[k] += (above - below) / (2 * h);
    }
    double y[2] = {x[i] + h, x[i + 1]}, z[2] = {x[i] - h, x[i + 1]};
    dx[i] = (of(w, y, 2) - of(w, z, 2)) / (2 * h);
  }
}

static void check(const double *dw, const double *dx, Model *of,
                  const double *x) {
  static double ex[Count];
  double ew[Weights];
  expected(of, x, ew, ex);
  for (int k = 0; k < Weights; ++k)
    // (Threads add up in any order.)
    adze_near("weight", fabs(dw[k] - ew[k]) < 1e-6 * fabs(ew[k]), 1, 0);
  for (int i = 0; i < Count; i += 2)
    adze_near("input", dx[i], ex[i], 1e-6);
}

ADZE_TEST_REVERSE(own) {
  for (int threads = 1; threads <= 8; threads *= 2) {
    static double x[Count], dx[Count];
    double w[Weights] = {0.7, -0.4, 1.1}, dw[Weights] = {0, 0, 0};
    for (int i = 0; i < Count; ++i) {
      x[i] = input(i);
      dx[i] = 0;
    }
#pragma omp parallel num_threads(threads)
    {
      double mine[Weights] = {0, 0, 0};
#pragma omp for
      for (int i = 0; i < Count - 1; i += 2)
        __enzyme_autodiff_own((void *)model, w, mine, x + i, dx + i, 2);
#pragma omp critical
      for (int k = 0; k < Weights; ++k)
        dw[k] += mine[k];
    }
    check(dw, dx, model, x);
  }
}

ADZE_TEST_REVERSE(shared) {
  for (int threads = 1; threads <= 8; threads *= 2) {
    static double x[Count], dx[Count], cx[Count];
    double w[Weights] = {0.7, -0.4, 1.1}, dw[Weights] = {0, 0, 0},
           cw[Weights] = {0, 0, 0};
    for (int i = 0; i < Count; ++i) {
      x[i] = input(i);
      dx[i] = cx[i] = 0;
    }
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int i = 0; i < Count - 1; i += 2) {
      __enzyme_autodiff_shared((void *)model, adze_shared_shadows, w, dw, x + i,
                               dx + i, 2);
      __enzyme_autodiff_shared((void *)copied, adze_shared_shadows, w, cw,
                               x + i, cx + i, 2);
    }
    check(dw, dx, model, x);
    check(cw, cx, copied, x);
  }
}
#endif

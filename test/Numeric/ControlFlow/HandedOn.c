// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that add to one element for each iteration in reverse, and hand
// adjoints on to the next ones: what is left of them behind the loop. Of every
// length around the least one for which each element is done alone.
#include "check.h"

#define N 40
#define CALLED __attribute__((noinline)) static

CALLED double window(int n, const double *restrict x, double *restrict y) {
  double left = x[0], here = x[1];
  for (int i = 1; i < n - 1; ++i) {
    double right = x[i + 1];
    y[i] = here + 0.1 * (left - 2.0 * here + right) * (1.0 + here * here);
    left = here;
    here = right;
  }
  return left * here;
}

// The caller's numbers go in, and what nobody has loaded goes round.
CALLED void given(int n, double left, double here, const double *restrict x,
                  double *restrict y) {
  for (int i = 0; i < n; ++i) {
    double right = x[i] * x[i];
    y[i] += left * here - here * right;
    left = here;
    here = right;
  }
}

CALLED void downwards(unsigned n, const double *restrict x,
                      double *restrict y) {
  double right = x[n - 1];
  for (unsigned i = n - 1; i-- > 0;) {
    double here = x[i];
    y[i] = right * here;
    right = here;
  }
}

// Two loops for each step, in arrays of the function.
CALLED double fluxes(int count, const double *x) {
  double u[N], flux[N];
  unsigned m = (unsigned)count;
  for (unsigned i = 0; i < m; i++)
    u[i] = x[i];
  for (int t = 0; t < 3; t++) {
    for (unsigned i = 1; i < m - 1; i++)
      flux[i] = 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * (1.0 + u[i] * u[i]);
    for (unsigned i = 1; i < m - 1; i++)
      u[i] += flux[i];
  }
  double s = 0;
  for (unsigned i = 0; i < m; i++)
    s += u[i] * u[m - 1 - i];
  return s;
}

// A sum goes round, too, and stays.
CALLED double beside(int n, const double *restrict x, double *restrict y) {
  double left = x[0], sum = 0.25;
  for (int i = 1; i < n; ++i) {
    y[i] = left * sum;
    sum = 0.5 * sum + x[i];
    left = x[i];
  }
  return sum;
}

// The adjoints may be the same memory for all that is known.
CALLED void perhaps(int n, const double *x, double *y) {
  double left = x[0];
  for (int i = 1; i < n; ++i) {
    double here = x[i];
    y[i] = left * here;
    left = here;
  }
}

static void handed_on(const double *x, double *y) {
  double t[2 * N], u[2 * N];
  double s = 0;
  for (int n = 3; n < 28; n += n == 3 ? 10 : 1) {
    for (int i = 0; i < 2 * N; ++i) {
      t[i] = 0.5 * x[i % N];
      u[i] = 0.25 - x[(i + 7) % N];
    }
    s += window(n, x, t);
    given(n, t[n], x[1], t + 2, u);
    downwards((unsigned)n, u, t);
    s += fluxes(n, x);
    s += beside(n, t, u);
    perhaps(n, u, t);
    perhaps(n, t, t + n);
    y[n] = t[n / 2] * u[n / 3];
  }
  perhaps(N, t, t + 1);
  for (int i = 0; i < 3; ++i)
    y[i] = u[i] - t[i + 20];
  for (int i = 4; i < 13; ++i)
    y[i] = u[2 * i] * t[i];
  y[28] = s;
}

ADZE_TEST_MAP(handed_on, N, 29,
              ADZE_AT(0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, -0.1, -0.2,
                      -0.3, -0.4, -0.5, -0.6, -0.7, -0.8, -0.9, 0.15, 0.25,
                      0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95, -0.15, -0.25,
                      -0.35, -0.45, -0.55, -0.65, -0.75, -0.85, -0.95, 0.12,
                      0.23, 0.34, 0.56))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat equation with two buffers that change roles.
#include "bench.h"

enum { Side = 400, Steps = 20 };
static double *target;
static int side, steps;

int inputs(void) { return Side * Side; }
void setup(double *x) {
  side = unknown(Side);
  steps = unknown(Steps);
  target = array(Side * Side);
  for (int k = 0; k < Side * Side; ++k) {
    x[k] = number();
    target[k] = number();
  }
}

static void step(int n, const double *from, double *to) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < n - 1; ++j) {
      const double u = from[i * n + j];
      to[i * n + j] =
          u +
          0.1 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
                 from[i * n + j - 1] + from[i * n + j + 1] - 4 * u) -
          0.05 * (u * u * u - u);
    }
}
static double objective(const double *x) {
  double *a = malloc(Side * Side * sizeof(double)),
         *b = malloc(Side * Side * sizeof(double));
  memcpy(a, x, Side * Side * sizeof(double));
  memcpy(b, x, Side * Side * sizeof(double));
  for (int s = 0; s < steps; ++s) {
    step(side, a, b);
    double *t = a;
    a = b;
    b = t;
  }
  double sum = 0;
  for (int k = 0; k < Side * Side; ++k)
    sum += (a[k] - target[k]) * (a[k] - target[k]);
  free(a);
  free(b);
  return sum;
}

static void step_back(int n, const double *from, const double *dto,
                      double *dfrom) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double u = from[i * n + j];
      double s = 0;
      const int inside = i > 0 && i < n - 1 && j > 0 && j < n - 1;
      if (inside)
        s += dto[i * n + j] * (0.6 - 0.05 * (3 * u * u - 1));
      if (i > 1 && j > 0 && j < n - 1)
        s += 0.1 * dto[(i - 1) * n + j];
      if (i < n - 2 && j > 0 && j < n - 1)
        s += 0.1 * dto[(i + 1) * n + j];
      if (j > 1 && i > 0 && i < n - 1)
        s += 0.1 * dto[i * n + j - 1];
      if (j < n - 2 && i > 0 && i < n - 1)
        s += 0.1 * dto[i * n + j + 1];
      if (!inside)
        s += dto[i * n + j];
      dfrom[i * n + j] = s;
    }
}
static void hand(const double *x, double *dx) {
  const size_t cells = Side * Side;
  double *states = malloc((Steps + 1) * cells * sizeof(double));
  memcpy(states, x, cells * sizeof(double));
  for (int s = 0; s < Steps; ++s) {
    const double *from = states + (size_t)s * cells;
    double *to = states + (size_t)(s + 1) * cells;
    for (int k = 0; k < Side; ++k) {
      to[k] = x[k];
      to[cells - Side + k] = x[cells - Side + k];
      to[k * Side] = x[k * Side];
      to[k * Side + Side - 1] = x[k * Side + Side - 1];
    }
    step(side, from, to);
  }
  double *d = malloc(cells * sizeof(double)),
         *e = malloc(cells * sizeof(double));
  for (size_t k = 0; k < cells; ++k)
    d[k] = 2 * (states[Steps * cells + k] - target[k]);
  for (int s = Steps - 1; s >= 0; --s) {
    step_back(side, states + (size_t)s * cells, d, e);
    double *t = d;
    d = e;
    e = t;
  }
  for (size_t k = 0; k < cells; ++k)
    dx[k] += d[k];
  free(states);
  free(d);
  free(e);
}

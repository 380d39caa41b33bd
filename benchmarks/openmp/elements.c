// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Energy of a mesh: each element gathers its nodes by indices. Elements of
// several threads have nodes in common, of which only the run knows.
#include "bench.h"

enum { Side = 300, Nodes = (Side + 1) * (Side + 1), Elements = Side * Side };
static int *corners, count;

int inputs(void) { return 2 * Nodes; }
void setup(double *x) {
  count = unknown(Elements);
  corners = malloc(4 * Elements * sizeof(int));
  for (int i = 0; i < Side; ++i)
    for (int j = 0; j < Side; ++j) {
      int *c = corners + 4 * (i * Side + j);
      c[0] = i * (Side + 1) + j;
      c[1] = c[0] + 1;
      c[2] = c[1] + Side + 1;
      c[3] = c[2] - 1;
    }
  for (int k = 0; k < Nodes; ++k) {
    x[2 * k] = k % (Side + 1) + 0.3 * number();
    x[2 * k + 1] = k / (Side + 1) + 0.3 * number();
  }
}

static double energy(int n, const int *corner, const double *x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int e = 0; e < n; ++e) {
    const int *c = corner + 4 * e;
    double area = 0, length = 0;
    for (int k = 0; k < 4; ++k) {
      const double *a = x + 2 * c[k], *b = x + 2 * c[(k + 1) % 4];
      area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
      length += (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
    }
    sum += length / area + log(area);
  }
  return sum;
}
static double objective(const double *x) { return energy(count, corners, x); }

static void add(double *to, double what) {
#pragma omp atomic
  *to += what;
}
static void hand(const double *x, double *dx) {
  double value = 0;
#pragma omp parallel for reduction(+ : value)
  for (int e = 0; e < count; ++e) {
    const int *c = corners + 4 * e;
    double area = 0, length = 0, d[8] = {0};
    for (int k = 0; k < 4; ++k) {
      const double *a = x + 2 * c[k], *b = x + 2 * c[(k + 1) % 4];
      area += 0.5 * (a[0] * b[1] - b[0] * a[1]);
      length += (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
    }
    value += length / area + log(area);
    const double dlength = 1 / area, darea = (1 - length / area) / area;
    for (int k = 0; k < 4; ++k) {
      const int m = (k + 1) % 4;
      const double *a = x + 2 * c[k], *b = x + 2 * c[m];
      const double ux = 2 * dlength * (b[0] - a[0]),
                   uy = 2 * dlength * (b[1] - a[1]), h = 0.5 * darea;
      d[2 * k] += h * b[1] - ux;
      d[2 * k + 1] -= h * b[0] + uy;
      d[2 * m] += ux - h * a[1];
      d[2 * m + 1] += h * a[0] + uy;
    }
    for (int k = 0; k < 4; ++k) {
      add(dx + 2 * c[k], d[2 * k]);
      add(dx + 2 * c[k] + 1, d[2 * k + 1]);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accelerations of bodies, each gathered from all others: all threads read all
// positions.
#include "bench.h"

enum { Bodies = 1200 };
static double *masses;
static int count;
static double *scratch;

int inputs(void) { return 3 * Bodies; }
void setup(double *x) {
  count = unknown(Bodies);
  masses = array(Bodies);
  scratch = array(3 * Bodies);
  for (int k = 0; k < 3 * Bodies; ++k)
    x[k] = number();
  for (int k = 0; k < Bodies; ++k)
    masses[k] = 0.5 + number();
}

static void accelerations(int n, const double *x, const double *m, double *a) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double sx = 0, sy = 0, sz = 0;
    for (int j = 0; j < n; ++j) {
      const double dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1],
                   dz = x[3 * j + 2] - x[3 * i + 2];
      const double r2 = dx * dx + dy * dy + dz * dz + 1e-2;
      const double f = m[j] / (r2 * sqrt(r2));
      sx += f * dx;
      sy += f * dy;
      sz += f * dz;
    }
    a[3 * i] = sx;
    a[3 * i + 1] = sy;
    a[3 * i + 2] = sz;
  }
}
static double objective(const double *x) {
  double *a = malloc(3 * Bodies * sizeof(double));
  accelerations(count, x, masses, a);
  double sum = 0;
  for (int k = 0; k < 3 * count; ++k)
    sum += a[k] * a[k];
  free(a);
  return sum;
}

static void hand(const double *x, double *out) {
  const double *m = masses;
  double *a = scratch;
  accelerations(count, x, m, a);
#pragma omp parallel for
  for (int i = 0; i < count; ++i) {
    double gx = 0, gy = 0, gz = 0;
    for (int j = 0; j < count; ++j) {
      const double dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1],
                   dz = x[3 * j + 2] - x[3 * i + 2];
      const double r2 = dx * dx + dy * dy + dz * dz + 1e-2;
      const double c = 1 / (r2 * sqrt(r2));
      // d (mj c d) of i, and d (mi c (-d)) of j, by the position of i.
      const double ux = m[j] * a[3 * i] - m[i] * a[3 * j],
                   uy = m[j] * a[3 * i + 1] - m[i] * a[3 * j + 1],
                   uz = m[j] * a[3 * i + 2] - m[i] * a[3 * j + 2];
      const double dot = 3 * c / r2 * (ux * dx + uy * dy + uz * dz);
      gx += dot * dx - c * ux;
      gy += dot * dy - c * uy;
      gz += dot * dz - c * uz;
    }
    out[3 * i] += 2 * gx;
    out[3 * i + 1] += 2 * gy;
    out[3 * i + 2] += 2 * gz;
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a branch that is not taken would compute is infinite or NaN, or has an
// infinite slope. Optimizers compute it all the same and choose afterwards.
// ADZE: vectorized
#include "check.h"
#include <math.h>

// As in the sound speed and viscosity of a gas: cells at rest have none.
static double speed(double p, double rho) {
  return rho > 0 ? sqrt(p / rho) : 0;
}
static double limited(double a, double b) {
  return a * b > 0 ? 2 * a * b / (a + b) : 0;
}
static double logOrZero(double v) { return v <= 0 ? 0 : log(v) * v; }

void cells(const double *x, double *y) {
  for (int i = 0; i < 6; ++i) {
    double p = x[i], rho = x[6 + i], q = x[12 + i];
    double c = speed(p, rho);
    double w = p > 0.5 ? q * sqrt(q) : q; // NaN for q < 0, slope at 0
    double r = q != 0 ? p * (1 / q) : p;  // 1/0 is a factor
    double s = rho > 0 ? p * pow(rho, -0.5) : 0;
    y[i] = c + w + r * rho + s + limited(p, q) + logOrZero(rho) + c * c;
  }
}
static void d(const double *x, double *j) {
  for (int i = 0; i < 6; ++i) {
    double p = x[i], rho = x[6 + i], q = x[12 + i], c = speed(p, rho);
    double *jp = j + 18 * i + i, *jr = jp + 6, *jq = jp + 12;
    if (rho > 0) {
      *jp += 1 / rho + pow(rho, -0.5);
      *jr += -p / (rho * rho) - 0.5 * p * pow(rho, -1.5) + log(rho) + 1;
      if (p > 0)
        *jp += 0.5 * c / p, *jr += -0.5 * c / rho;
    }
    *jq += p > 0.5 ? 1.5 * sqrt(q) : 1;
    *jp += q != 0 ? rho / q : rho;
    *jr += q != 0 ? p / q : p;
    *jq += q != 0 ? -p * rho / (q * q) : 0;
    if (p * q > 0) {
      *jp += 2 * q * q / ((p + q) * (p + q));
      *jq += 2 * p * p / ((p + q) * (p + q));
    }
  }
}
ADZE_TEST_MAP(cells, 18, 6,
              ADZE_AT(1.0, 0.25, 0.5, 0.3, 0.25, 0.75, // p
                      0.0, 1.5, 0.5, 0.0, -1.0, 2.0,   // rho
                      4.0, -1.0, 0.0, 0.0, -2.0, 1.0), // q
              .jacobian = d, .flags = ADZE_NO_DIFFERENCES)

// The same through memory and through a variable that carries the choice.
double carried(const double *x, int n) {
  double kept[8], s = 0, last = 1;
  for (int i = 0; i < n; ++i) {
    double root = sqrt(x[i]), inverse = 1 / x[i];
    kept[i] = x[i] > 0 ? root * inverse : 0;
    last = x[i] > 0 ? last * root : last;
  }
  for (int i = 0; i < n; ++i)
    s += kept[i] * kept[i] + last * x[i];
  return s;
}
static void dCarried(const double *x, double *j) {
  double last = 1, sum = 0;
  for (int i = 0; i < 8; ++i) {
    last *= x[i] > 0 ? sqrt(x[i]) : 1;
    sum += x[i];
  }
  for (int i = 0; i < 8; ++i)
    j[i] = last + (x[i] > 0 ? sum * last / (2 * x[i]) - 1 / (x[i] * x[i]) : 0);
}
ADZE_TEST_ARRAY(carried, 8, ADZE_AT(0.0, 1.0, 4.0, 0.0, -1.0, 0.25, -4.0, 2.0),
                .jacobian = dCarried, .flags = ADZE_NO_DIFFERENCES)

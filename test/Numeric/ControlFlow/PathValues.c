// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on the path that was taken may be found again from the conditions: joins of three and more paths, joins
// within them, paths that leave the iteration, and paths whose operands are not fit for the operation where they are not
// taken (a division by zero, a square root of a negative number).
#include "check.h"
#include <math.h>

static double reach(double a, double b) {
  if (a < 0 && b < 0)
    return a + b;
  if (a * b < 0)
    return fabs(a) + fabs(b);
  return 0.5;
}

double pairs(const double *x, int n) {
  double s = 0;
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double d = x[i] - x[j] + t;
        if (d < 2)
          s += reach(x[i], x[j]) * d * d;
      }
  return s;
}

ADZE_TEST_ARRAY(pairs, 5, ADZE_AT(0.9, -0.2, -1.5, 1.7, 0.3))

double unfit(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double r = x[i] - x[j], f;
      if (i == j)
        f = x[i];
      else if (r > 1)
        f = 1 / r;
      else if (r > 0 || x[j] > 1.5)
        f = __builtin_sqrt(fabs(r)) + 1 / (x[i] - x[j]);
      else
        f = r * r;
      s += f * f * x[j];
    }
  return s;
}

ADZE_TEST_ARRAY(unfit, 5, ADZE_AT(0.9, -0.2, -1.5, 1.7, 0.3))

double leaves(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    double f = x[i];
    for (int j = 0; j < n; j++) {
      double g;
      if (x[j] > 1.6)
        break;
      if (x[j] < -1)
        continue;
      if (f > 0)
        g = x[j] < 0.5 ? f - x[j] : f * x[j];
      else
        g = x[j] > 0 ? 2 * f : 3 * f + x[j];
      s += g * g * s * 0.01;
    }
    if (f > 1)
      s *= f;
    else if (f > 0.5)
      s += f * f;
    else if (f < -1)
      s -= f;
  }
  return s;
}

ADZE_TEST_ARRAY(leaves, 5, ADZE_AT(0.9, -0.2, -1.5, 1.7, 0.3))

// A join within a path, and a value that several joins hand on.
double joined(const double *x, int n) {
  double s = 0;
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < i; j++) {
        double f = 0;
        if (x[i] > 0) {
          double g = x[j] > 0.5 ? x[j] * x[j] : 0.1 + x[j];
          if (x[j] > -0.5)
            f = g - x[i];
          else if (x[i] > 1)
            f = g * x[i];
        }
        s += f * f * f;
      }
  return s;
}

ADZE_TEST_ARRAY(joined, 5, ADZE_AT(0.9, -0.2, -1.5, 1.7, 0.3))

// A switch among the paths, and a path that ends the program.
extern void abort(void);
double switched(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double f;
      if (x[i] > 1) {
        f = x[j] * x[i];
      } else if (x[j] > 40) {
        abort();
      } else {
        switch ((int)(x[j] * 2.1 + 4)) {
        case 0:
          f = x[i] + x[j];
          break;
        case 4:
          f = x[i] - x[j];
          break;
        case 5:
          f = 2 * x[i];
          break;
        default:
          f = x[i] * x[i] + 1;
        }
      }
      s += f * f * s * 0.01;
    }
  return s;
}

ADZE_TEST_ARRAY(switched, 5, ADZE_AT(0.9, -0.2, -1.5, 1.7, 0.3))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of cg.h, in a header so that the file with the marker call sees
// it.

#ifndef ADZE_BENCHMARKS_CG_CG_OBJECTIVE_H
#define ADZE_BENCHMARKS_CG_CG_OBJECTIVE_H

#include "cg.h"

static void cg_multiply(const cg_pattern *restrict a,
                        const double *restrict value, const double *restrict x,
                        double *restrict y) {
  for (int i = 0; i < a->rows; i++) {
    double sum = 0.0;
    for (int k = a->begin[i]; k < a->begin[i + 1]; k++)
      sum += value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

static double cg_dot(int n, const double *x, const double *y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double cg_objective(const cg_pattern *restrict pattern, int iterations,
                           const double *restrict value,
                           const double *restrict b,
                           const double *restrict target,
                           double *restrict work) {
  const int n = pattern->rows;
  double *x = work, *r = x + n, *p = r + n, *q = p + n;
  for (int i = 0; i < n; i++) {
    x[i] = 0.0;
    r[i] = p[i] = b[i];
  }
  double rr = cg_dot(n, r, r);
  for (int k = 0; k < iterations; k++) {
    cg_multiply(pattern, value, p, q);
    double alpha = rr / cg_dot(n, p, q);
    for (int i = 0; i < n; i++) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    double next = cg_dot(n, r, r);
    double beta = next / rr;
    for (int i = 0; i < n; i++)
      p[i] = r[i] + beta * p[i];
    rr = next;
  }
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += (x[i] - target[i]) * (x[i] - target[i]);
  return sum;
}

#endif

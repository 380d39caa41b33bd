// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some steps of conjugate gradients. The rows of the matrix gather by indices.
#include "bench.h"

enum { Side = 250, Rows = Side * Side, Steps = 8 };
static int rows, steps, *begin, *column;
static double *value;

int inputs(void) { return Rows; }
void setup(double *x) {
  rows = unknown(Rows);
  steps = unknown(Steps);
  begin = malloc((Rows + 1) * sizeof(int));
  column = malloc(5 * Rows * sizeof(int));
  value = array(5 * Rows);
  int at = 0;
  for (int i = 0; i < Rows; ++i) {
    const int to[] = {i - Side, i - 1, i, i + 1, i + Side};
    begin[i] = at;
    for (int k = 0; k < 5; ++k) {
      const int beside = k == 1 ? i % Side : k == 3 ? (i + 1) % Side : 1;
      if (to[k] < 0 || to[k] >= Rows || !beside)
        continue;
      column[at] = to[k];
      value[at++] = k == 2 ? 4.5 : -1;
    }
    x[i] = number();
  }
  begin[Rows] = at;
}

static void multiply(int n, const int *begin, const int *column,
                     const double *a, const double *restrict x,
                     double *restrict y) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int k = begin[i]; k < begin[i + 1]; ++k)
      s += a[k] * x[column[k]];
    y[i] = s;
  }
}
static double dot(int n, const double *x, const double *y) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
/// y = a y + b x
static void combine(int n, double a, double *restrict y, double b,
                    const double *restrict x) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = a * y[i] + b * x[i];
}

static double objective(const double *b) {
  const int n = rows;
  const size_t bytes = (size_t)n * sizeof(double);
  double *x = calloc((size_t)n, sizeof(double)), *r = malloc(bytes),
         *p = malloc(bytes), *q = malloc(bytes);
  memcpy(r, b, bytes);
  memcpy(p, b, bytes);
  double rho = dot(n, r, r);
  for (int k = 0; k < steps; ++k) {
    multiply(n, begin, column, value, p, q);
    const double alpha = rho / dot(n, p, q);
    combine(n, 1, x, alpha, p);
    combine(n, 1, r, -alpha, q);
    const double next = dot(n, r, r);
    combine(n, next / rho, p, 1, r);
    rho = next;
  }
  const double result = dot(n, x, x);
  free(x);
  free(r);
  free(p);
  free(q);
  return result;
}

static void hand(const double *b, double *db) {
  const int n = rows;
  const size_t bytes = (size_t)n * sizeof(double), all = (Steps + 1) * bytes;
  double *r = malloc(all), *p = malloc(all), *q = malloc(all);
  double *x = calloc((size_t)n, sizeof(double)), *dx = malloc(bytes);
  double *dr = calloc((size_t)n, sizeof(double)),
         *dp = calloc((size_t)n, sizeof(double)), *dq = malloc(bytes),
         *adp = malloc(bytes);
  double rho[Steps + 1], curve[Steps], drho = 0;
  memcpy(r, b, bytes);
  memcpy(p, b, bytes);
  rho[0] = dot(n, r, r);
  for (int k = 0; k < steps; ++k) {
    const double *rk = r + (size_t)k * n, *pk = p + (size_t)k * n;
    double *qk = q + (size_t)k * n, *rn = r + (size_t)(k + 1) * n,
           *pn = p + (size_t)(k + 1) * n;
    multiply(n, begin, column, value, pk, qk);
    curve[k] = dot(n, pk, qk);
    const double alpha = rho[k] / curve[k];
    double next = 0;
#pragma omp parallel for reduction(+ : next)
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * pk[i];
      rn[i] = rk[i] - alpha * qk[i];
      next += rn[i] * rn[i];
    }
    rho[k + 1] = next;
    const double beta = next / rho[k];
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      pn[i] = beta * pk[i] + rn[i];
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    dx[i] = 2 * x[i];
  for (int k = steps - 1; k >= 0; --k) {
    const double *pk = p + (size_t)k * n, *qk = q + (size_t)k * n,
                 *rn = r + (size_t)(k + 1) * n;
    const double alpha = rho[k] / curve[k], beta = rho[k + 1] / rho[k];
    double dbeta = 0, dalpha = 0;
#pragma omp parallel for reduction(+ : dbeta)
    for (int i = 0; i < n; ++i)
      dbeta += dp[i] * pk[i];
    const double dnext = drho + dbeta / rho[k];
    double dold = -dbeta * beta / rho[k];
#pragma omp parallel for reduction(+ : dalpha)
    for (int i = 0; i < n; ++i) {
      dr[i] += dp[i] + 2 * dnext * rn[i];
      dp[i] = beta * dp[i] + alpha * dx[i];
      dq[i] = -alpha * dr[i];
      dalpha += dx[i] * pk[i] - dr[i] * qk[i];
    }
    dold += dalpha / curve[k];
    const double dcurve = -dalpha * alpha / curve[k];
#pragma omp parallel for
    for (int i = 0; i < n; ++i) {
      dp[i] += dcurve * qk[i];
      dq[i] += dcurve * pk[i];
    }
    // The matrix is symmetric.
    multiply(n, begin, column, value, dq, adp);
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      dp[i] += adp[i];
    drho = dold;
  }
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    db[i] += dr[i] + dp[i] + 2 * drho * b[i];
  free(r);
  free(p);
  free(q);
  free(x);
  free(dx);
  free(dr);
  free(dp);
  free(dq);
  free(adp);
}

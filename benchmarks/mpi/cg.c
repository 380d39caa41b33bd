/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Conjugate gradients for -u'' + k u = g, n rows on each rank: dot products of
 * all ranks, and one number to each neighbour. x is k, then g.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 12 };
#define INPUTS(n) (2 * (size_t)(n))
#define OUTPUTS(n) ((size_t)(n))

static double dot(const double *a, const double *b, int n) {
  double mine = 0, sum;
  for (int i = 0; i < n; ++i)
    mine += a[i] * b[i];
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void apply(const double *restrict k, const double *restrict u,
                  double *restrict out, int n) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  const int before = me > 0 ? me - 1 : MPI_PROC_NULL;
  const int after = me + 1 < all ? me + 1 : MPI_PROC_NULL;
  double left = 0, right = 0;
  MPI_Sendrecv(&u[n - 1], 1, MPI_DOUBLE, after, 0, &left, 1, MPI_DOUBLE, before,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, before, 1, &right, 1, MPI_DOUBLE, after, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 1; i < n - 1; ++i)
    out[i] = (2 + k[i]) * u[i] - u[i - 1] - u[i + 1];
  out[0] = (2 + k[0]) * u[0] - left - u[1];
  out[n - 1] = (2 + k[n - 1]) * u[n - 1] - u[n - 2] - right;
}

static void f(const double *x, double *y, int n) {
  const double *k = x, *g = x + n;
  double *r = (double *)malloc(3 * (size_t)n * sizeof *r);
  double *p = r + n, *q = p + n;
  memset(y, 0, (size_t)n * sizeof *y);
  memcpy(r, g, (size_t)n * sizeof *r);
  memcpy(p, g, (size_t)n * sizeof *p);
  double rr = dot(r, r, n);
  for (int s = 0; s < STEPS; ++s) {
    apply(k, p, q, n);
    const double alpha = rr / dot(p, q, n);
    for (int i = 0; i < n; ++i) {
      y[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double now = dot(r, r, n), beta = now / rr;
    rr = now;
    for (int i = 0; i < n; ++i)
      p[i] = r[i] + beta * p[i];
  }
  free(r);
}

static void f_by_hand(const double *x, double *dx, double *y, double *dy,
                      int n) {
  const double *k = x, *g = x + n;
  const size_t size = (size_t)n;
  double *R = (double *)malloc((3 * STEPS + 2) * size * sizeof *R);
  double *P = R + (STEPS + 1) * size, *Q = P + (STEPS + 1) * size;
  double rr[STEPS + 1], pq[STEPS];
  memset(y, 0, size * sizeof *y);
  memcpy(R, g, size * sizeof *R);
  memcpy(P, g, size * sizeof *P);
  rr[0] = dot(R, R, n);
  for (int s = 0; s < STEPS; ++s) {
    const double *r = R + (size_t)s * size, *p = P + (size_t)s * size;
    double *q = Q + (size_t)s * size;
    double *r2 = R + (size_t)(s + 1) * size, *p2 = P + (size_t)(s + 1) * size;
    apply(k, p, q, n);
    pq[s] = dot(p, q, n);
    const double alpha = rr[s] / pq[s];
    for (int i = 0; i < n; ++i) {
      y[i] += alpha * p[i];
      r2[i] = r[i] - alpha * q[i];
    }
    rr[s + 1] = dot(r2, r2, n);
    for (int i = 0; i < n; ++i)
      p2[i] = r2[i] + rr[s + 1] / rr[s] * p[i];
  }
  double *dr = (double *)calloc(4 * size, sizeof *dr);
  double *dp = dr + n, *dq = dp + n, *aq = dq + n, drr = 0;
  for (int s = STEPS - 1; s >= 0; --s) {
    const double *p = P + (size_t)s * size, *q = Q + (size_t)s * size;
    const double *r2 = R + (size_t)(s + 1) * size;
    const double alpha = rr[s] / pq[s], beta = rr[s + 1] / rr[s];
    const double dbeta = dot(dp, p, n), dnow = dbeta / rr[s] + drr;
    drr = -dbeta * beta / rr[s];
    double mine = 0, dalpha;
    for (int i = 0; i < n; ++i) {
      dr[i] += dp[i] + 2 * dnow * r2[i];
      dp[i] = beta * dp[i] + alpha * dy[i];
      dq[i] = -alpha * dr[i];
      mine += dy[i] * p[i] - dr[i] * q[i];
    }
    MPI_Allreduce(&mine, &dalpha, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    drr += dalpha / pq[s];
    const double dpq = -dalpha * alpha / pq[s];
    for (int i = 0; i < n; ++i) {
      dp[i] += dpq * q[i];
      dq[i] += dpq * p[i];
      dx[i] += dq[i] * p[i];
    }
    apply(k, dq, aq, n);
    for (int i = 0; i < n; ++i)
      dp[i] += aq[i];
  }
  for (int i = 0; i < n; ++i)
    dx[n + i] += dr[i] + dp[i] + 2 * drr * g[i];
  memset(dy, 0, size * sizeof *dy);
  free(R), free(dr);
}

#include "driver.h"

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conjugate gradients in several spellings: each vector is kept once for each
// step, whatever calls of MPI stand between the loops that read it.
#include "check.h"

enum { N = 5, STEPS = 3 };

static void neighbors(int *before, int *after) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  *before = me > 0 ? me - 1 : MPI_PROC_NULL;
  *after = me + 1 < all ? me + 1 : MPI_PROC_NULL;
}

static double all_sum(double mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return mine;
}

// ---- Helpers for all that is done with vectors, on the heap
// ------------------
static double dot(const double *a, const double *b, int n) {
  double mine = 0;
  for (int i = 0; i < n; ++i)
    mine += a[i] * b[i];
  return all_sum(mine);
}
static void axpy(double a, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}
static void xpay(const double *x, double a, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] + a * y[i];
}
static void product(const double *k, const double *u, double *out, int n) {
  int before, after;
  neighbors(&before, &after);
  double left = 0, right = 0;
  MPI_Sendrecv(&u[n - 1], 1, MPI_DOUBLE, after, 0, &left, 1, MPI_DOUBLE, before,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, before, 1, &right, 1, MPI_DOUBLE, after, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i)
    out[i] = (2 + k[i]) * u[i] - (i > 0 ? u[i - 1] : left) -
             (i + 1 < n ? u[i + 1] : right);
}
static void solve(const double *k, const double *g, double *x, double *r,
                  double *p, double *q, int n) {
  memset(x, 0, (size_t)n * sizeof *x);
  memcpy(r, g, (size_t)n * sizeof *r);
  memcpy(p, g, (size_t)n * sizeof *p);
  double rr = dot(r, r, n);
  for (int s = 0; s < STEPS; ++s) {
    product(k, p, q, n);
    const double alpha = rr / dot(p, q, n);
    axpy(alpha, p, x, n);
    axpy(-alpha, q, r, n);
    const double now = dot(r, r, n);
    xpay(r, now / rr, p, n);
    rr = now;
  }
}
static void helpers(const double *x, double *y) {
  double *r = (double *)malloc(N * sizeof *r);
  double *p = (double *)malloc(N * sizeof *p);
  double *q = (double *)malloc(N * sizeof *q);
  solve(x, x + N, y, r, p, q, N);
  free(r), free(p), free(q);
}

// ---- Arrays on the stack
// -----------------------------------------------------
static void stack(const double *x, double *y) {
  double r[N], p[N], q[N];
  solve(x, x + N, y, r, p, q, N);
}

// ---- Loops that do as much as they can
// ----------------------------------------
static void fused(const double *x, double *y) {
  const double *k = x, *g = x + N;
  double *r = (double *)malloc(3 * N * sizeof *r), *p = r + N, *q = p + N;
  int before, after;
  neighbors(&before, &after);
  double rr = 0;
  for (int i = 0; i < N; ++i) {
    y[i] = 0;
    r[i] = p[i] = g[i];
    rr += g[i] * g[i];
  }
  rr = all_sum(rr);
  for (int s = 0; s < STEPS; ++s) {
    double left = 0, right = 0, pq = 0, now = 0;
    MPI_Sendrecv(&p[N - 1], 1, MPI_DOUBLE, after, 0, &left, 1, MPI_DOUBLE,
                 before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&p[0], 1, MPI_DOUBLE, before, 1, &right, 1, MPI_DOUBLE, after,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i) {
      q[i] = (2 + k[i]) * p[i] - (i > 0 ? p[i - 1] : left) -
             (i + 1 < N ? p[i + 1] : right);
      pq += p[i] * q[i];
    }
    const double alpha = rr / all_sum(pq);
    for (int i = 0; i < N; ++i) {
      y[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      now += r[i] * r[i];
    }
    now = all_sum(now);
    for (int i = 0; i < N; ++i)
      p[i] = r[i] + now / rr * p[i];
    rr = now;
  }
  free(r);
}

// ---- Ghost cells, and messages that nobody waits for at once
// ------------------
static void halo(const double *x, double *y) {
  const double *k = x, *g = x + N;
  double *r = (double *)calloc(N, sizeof *r);
  double *p = (double *)calloc(N + 2, sizeof *p);
  double *q = (double *)calloc(N, sizeof *q);
  int before, after;
  neighbors(&before, &after);
  for (int i = 0; i < N; ++i) {
    y[i] = 0;
    r[i] = p[i + 1] = g[i];
  }
  double rr = dot(r, r, N);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Request requests[4];
    MPI_Irecv(&p[0], 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&p[N + 1], 1, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&p[N], 1, MPI_DOUBLE, after, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&p[1], 1, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &requests[3]);
    for (int i = 1; i < N - 1; ++i)
      q[i] = (2 + k[i]) * p[i + 1] - p[i] - p[i + 2];
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; i += N - 1)
      q[i] = (2 + k[i]) * p[i + 1] - p[i] - p[i + 2];
    const double alpha = rr / dot(p + 1, q, N);
    for (int i = 0; i < N; ++i) {
      y[i] += alpha * p[i + 1];
      r[i] -= alpha * q[i];
    }
    const double now = dot(r, r, N), beta = now / rr;
    rr = now;
    for (int i = 0; i < N; ++i)
      p[i + 1] = r[i] + beta * p[i + 1];
  }
  free(r), free(p), free(q);
}

// ---- Until it is small enough
// --------------------------------------------------
static void until(const double *x, double *y) {
  double *r = (double *)malloc(3 * N * sizeof *r), *p = r + N, *q = p + N;
  for (int i = 0; i < N; ++i) {
    y[i] = 0;
    r[i] = p[i] = x[N + i];
  }
  double rr = dot(r, r, N);
  int steps = 0;
  while (rr > 1e-30 && steps++ < STEPS) {
    product(x, p, q, N);
    const double pq = dot(p, q, N);
    if (pq <= 0)
      MPI_Abort(MPI_COMM_WORLD, 1);
    const double alpha = rr / pq;
    axpy(alpha, p, y, N);
    axpy(-alpha, q, r, N);
    const double now = dot(r, r, N);
    xpay(r, now / rr, p, N);
    rr = now;
  }
  free(r);
}

MPI_TEST(helpers, 2 * N, N)
MPI_TEST(stack, 2 * N, N)
MPI_TEST(fused, 2 * N, N)
MPI_TEST(halo, 2 * N, N)
MPI_TEST(until, 2 * N, N)

MPI_MAIN(&helpers_test, &stack_test, &fused_test, &halo_test, &until_test)

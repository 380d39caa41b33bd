/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Heat with a reaction on n rows of n numbers on each rank: the rows at the
 * borders go to the neighbours while those inside are computed.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10 };
#define INPUTS(n) ((size_t)(n) * (size_t)(n))
#define OUTPUTS(n) INPUTS(n)

static void update(const double *restrict u, double *restrict v, int from,
                   int to, int n) {
  for (int i = from; i <= to; ++i) {
    const double *row = u + (size_t)i * (size_t)n;
    double *out = v + (size_t)i * (size_t)n;
    out[0] = row[0];
    out[n - 1] = row[n - 1];
    for (int j = 1; j < n - 1; ++j) {
      const double *p = row + j;
      out[j] = p[0] + 0.1 * (p[-1] + p[1] + p[-n] + p[n] - 4 * p[0]) -
               0.01 * p[0] * p[0] * p[0];
    }
  }
}

static void neighbours(int *up, int *down) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  *up = me > 0 ? me - 1 : MPI_PROC_NULL;
  *down = me + 1 < all ? me + 1 : MPI_PROC_NULL;
}

static void start_exchange(double *u, int n, int up, int down, MPI_Request *r) {
  const size_t row = (size_t)n;
  MPI_Irecv(u, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, r);
  MPI_Irecv(u + (row + 1) * row, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, r + 1);
  MPI_Isend(u + row, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, r + 2);
  MPI_Isend(u + row * row, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, r + 3);
}

static void step(double *u, double *v, int n, int up, int down) {
  MPI_Request r[4];
  start_exchange(u, n, up, down, r);
  update(u, v, 2, n - 1, n);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  update(u, v, 1, 1, n);
  update(u, v, n, n, n);
}

static void f(const double *x, double *y, int n) {
  int up, down;
  neighbours(&up, &down);
  const size_t size = INPUTS(n) + 2 * (size_t)n;
  double *u = (double *)calloc(size, sizeof *u);
  double *v = (double *)calloc(size, sizeof *v);
  memcpy(u + n, x, INPUTS(n) * sizeof *u);
  for (int k = 0; k < STEPS; ++k) {
    step(u, v, n, up, down);
    double *t = u;
    u = v;
    v = t;
  }
  memcpy(y, u + n, INPUTS(n) * sizeof *u);
  free(u);
  free(v);
}

/* a += what comes back for the step from u, of the adjoint b. */
static void update_back(const double *restrict u, double *restrict a,
                        const double *restrict b, int n) {
  for (int i = 1; i <= n; ++i) {
    const size_t row = (size_t)i * (size_t)n;
    a[row] += b[row];
    a[row + (size_t)n - 1] += b[row + (size_t)n - 1];
    for (size_t at = row + 1; at < row + (size_t)n - 1; ++at) {
      const double d = b[at];
      a[at] += d * (0.6 - 0.03 * u[at] * u[at]);
      a[at - 1] += 0.1 * d;
      a[at + 1] += 0.1 * d;
      a[at - (size_t)n] += 0.1 * d;
      a[at + (size_t)n] += 0.1 * d;
    }
  }
}

static void exchange_back(double *a, double *got, int n, int up, int down) {
  const size_t row = (size_t)n;
  MPI_Request r[4];
  memset(got, 0, 2 * row * sizeof *got);
  MPI_Irecv(got, n, MPI_DOUBLE, up, 2, MPI_COMM_WORLD, r);
  MPI_Irecv(got + n, n, MPI_DOUBLE, down, 3, MPI_COMM_WORLD, r + 1);
  MPI_Isend(a, n, MPI_DOUBLE, up, 3, MPI_COMM_WORLD, r + 2);
  MPI_Isend(a + (row + 1) * row, n, MPI_DOUBLE, down, 2, MPI_COMM_WORLD, r + 3);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  for (size_t j = 0; j < row; ++j) {
    a[row + j] += got[j];
    a[row * row + j] += got[row + j];
  }
}

static void f_by_hand(const double *x, double *dx, double *y, double *dy,
                      int n) {
  int up, down;
  neighbours(&up, &down);
  const size_t row = (size_t)n, size = INPUTS(n) + 2 * row;
  double *all = (double *)calloc(size * (STEPS + 1), sizeof *all);
  memcpy(all + n, x, INPUTS(n) * sizeof *x);
  for (int k = 0; k < STEPS; ++k)
    step(all + size * (size_t)k, all + size * (size_t)(k + 1), n, up, down);
  memcpy(y, all + size * STEPS + n, INPUTS(n) * sizeof *y);
  double *a = (double *)calloc(size, sizeof *a);
  double *b = (double *)calloc(size, sizeof *b);
  double *got = (double *)malloc(2 * row * sizeof *got);
  memcpy(b + n, dy, INPUTS(n) * sizeof *b);
  memset(dy, 0, INPUTS(n) * sizeof *b);
  for (int k = STEPS - 1; k >= 0; --k) {
    memset(a, 0, size * sizeof *a);
    update_back(all + size * (size_t)k, a, b, n);
    exchange_back(a, got, n, up, down);
    double *t = a;
    a = b;
    b = t;
  }
  for (size_t i = 0; i < INPUTS(n); ++i)
    dx[i] += b[row + i];
  free(all), free(a), free(b), free(got);
}

#include "driver.h"

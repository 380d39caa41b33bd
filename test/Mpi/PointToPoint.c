// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocking messages: rings, exchanges, chains, to nobody, from anybody.
#include "check.h"

enum { SMALL = 3, LARGE = 40000 };

static void ring_of(const double *x, double *y, int n) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double *mine = (double *)malloc((size_t)n * sizeof *mine);
  double *theirs = (double *)malloc((size_t)n * sizeof *theirs);
  for (int i = 0; i < n; ++i)
    mine[i] = x[i] * x[i];
  if (all == 1)
    memcpy(theirs, mine, (size_t)n * sizeof *theirs);
  else if (me % 2 == 0) {
    MPI_Send(mine, n, MPI_DOUBLE, (me + 1) % all, 7, MPI_COMM_WORLD);
    MPI_Recv(theirs, n, MPI_DOUBLE, (me + all - 1) % all, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(theirs, n, MPI_DOUBLE, (me + all - 1) % all, 7, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Send(mine, n, MPI_DOUBLE, (me + 1) % all, 7, MPI_COMM_WORLD);
  }
  for (int i = 0; i < n; ++i)
    y[i] = theirs[i] * x[i] + sin(theirs[i]);
  free(mine);
  free(theirs);
}
static void ring(const double *x, double *y) { ring_of(x, y, SMALL); }
static void large_ring(const double *x, double *y) { ring_of(x, y, LARGE); }

// Each rank works on what the one before has made of it.
static void chain(const double *x, double *y) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double s[SMALL];
  for (int i = 0; i < SMALL; ++i)
    s[i] = x[i];
  for (int step = 0; step < 3; ++step) {
    int from = me == 0 ? MPI_PROC_NULL : me - 1;
    int to = me == all - 1 ? MPI_PROC_NULL : me + 1;
    MPI_Recv(s, SMALL, MPI_DOUBLE, from, step, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int i = 0; i < SMALL; ++i)
      s[i] = s[i] * x[(i + step) % SMALL] + 0.1 * s[i] * s[i];
    MPI_Send(s, SMALL, MPI_DOUBLE, to, step, MPI_COMM_WORLD);
  }
  for (int i = 0; i < SMALL; ++i)
    y[i] = s[i];
}

// The others send as they come, with less than there is room for.
static void to_root(const double *x, double *y) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  y[0] = x[0] * x[0];
  y[1] = 0;
  if (me != 0) {
    double s[2] = {x[0] * x[1], exp(x[2])};
    MPI_Ssend(s, 1 + me % 2, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    return;
  }
  for (int i = 1; i < all; ++i) {
    double got[2] = {x[0], x[1] * x[2]};
    MPI_Status status;
    int count;
    MPI_Recv(got, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    y[0] += got[0] * x[0] * (status.MPI_SOURCE + 1);
    y[1] += got[1] * count;
  }
}

// What is sent on to others has a shadow on one rank only, or none at all.
static __attribute__((noinline)) void table_to(int to, int from) {
  double table[2] = {2.5, 0.5}, got[2] = {1, 1};
  MPI_Sendrecv(table, 2, MPI_DOUBLE, to, 1, got, 2, MPI_DOUBLE, from, 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (got[0] < 0)
    printf("%g\n", got[1]);
}
static void of_tables(const double *x, double *y) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  table_to((me + 1) % all, (me + all - 1) % all);
  double constant = 3, got = 1;
  if (me == 0)
    for (int i = 1; i < all; ++i)
      MPI_Send(&constant, 1, MPI_DOUBLE, i, 2, MPI_COMM_WORLD);
  else
    MPI_Recv(&got, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = got * x[0] * x[0];
  int n = me == 0 ? 2 : 0;
  if (me == 0)
    for (int i = 1; i < all; ++i)
      MPI_Send(&n, 1, MPI_INT, i, 2, MPI_COMM_WORLD);
  else
    MPI_Recv(&n, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] *= n;
}

static void shift_of(const double *x, double *y, int n) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double *s = (double *)calloc((size_t)n * 2, sizeof *s);
  for (int i = 0; i < n; ++i)
    s[i] = x[i];
  for (int step = 0; step < 2; ++step) {
    for (int i = 0; i < n; ++i)
      s[i] *= s[i];
    MPI_Sendrecv(s, n, MPI_DOUBLE, (me + 1) % all, 0, s + n, n, MPI_DOUBLE,
                 (me + all - 1) % all, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      s[i] = s[n + i] * x[i];
  }
  for (int i = 0; i < n; ++i)
    y[i] = s[i] + s[n + i];
  free(s);
}
static void shift(const double *x, double *y) { shift_of(x, y, SMALL); }
static void large_shift(const double *x, double *y) { shift_of(x, y, LARGE); }

// A line of cells: the ends have one neighbour.
static void halo(const double *x, double *y) {
  enum { N = 6 };
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  const int left = me > 0 ? me - 1 : MPI_PROC_NULL;
  const int right = me + 1 < all ? me + 1 : MPI_PROC_NULL;
  double u[N + 2] = {1}, next[N];
  u[N + 1] = 2;
  memcpy(u + 1, x, N * sizeof *u);
  for (int step = 0; step < 4; ++step) {
    MPI_Sendrecv(u + N, 1, MPI_DOUBLE, right, 0, u, 1, MPI_DOUBLE, left, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, left, 1, u + N + 1, 1, MPI_DOUBLE, right,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      next[i] = u[i + 1] + 0.2 * u[i + 1] * (u[i] - 2 * u[i + 1] + u[i + 2]);
    memcpy(u + 1, next, sizeof next);
  }
  memcpy(y, u + 1, N * sizeof *y);
}

MPI_TEST(ring, SMALL, SMALL)
MPI_TEST(large_ring, LARGE, LARGE)
MPI_TEST(chain, SMALL, SMALL)
MPI_TEST(to_root, SMALL, 2)
MPI_TEST(of_tables, 1, 1)
MPI_TEST(shift, SMALL, SMALL)
MPI_TEST(large_shift, LARGE, LARGE)
MPI_TEST(halo, 6, 6)
MPI_MAIN(&ring_test, &large_ring_test, &chain_test, &to_root_test,
         &of_tables_test, &shift_test, &large_shift_test, &halo_test)

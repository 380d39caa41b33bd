// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks for each rank: gather, scatter, all to all, with uneven and no counts,
// in place, prefix sums.
#include "check.h"

enum { N = 3, MOST = 8 };

static int my_rank(void) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  return me;
}
static int all_ranks(void) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return all;
}
// Uneven, and nothing from rank 1; with a hole behind each block.
static void layout(int *counts, int *places) {
  for (int i = 0, at = 0; i < all_ranks(); ++i) {
    counts[i] = i == 1 ? 0 : 1 + i % N;
    places[i] = at;
    at += counts[i] + 1;
  }
}
static double weighted(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * a[i] * (i + 1);
  return s;
}

static void gather(const double *x, double *y) {
  const int root = all_ranks() / 2;
  double mine[N], all[N * MOST] = {0};
  for (int i = 0; i < N; ++i)
    mine[i] = x[i] * x[i];
  MPI_Gather(mine, N, MPI_DOUBLE, my_rank() == root ? all : NULL, N, MPI_DOUBLE,
             root, MPI_COMM_WORLD);
  y[0] = my_rank() == root ? weighted(all, N * all_ranks()) : mine[0];
  for (int i = 0; i < N; ++i)
    all[N * my_rank() + i] = sin(x[i]);
  if (my_rank() == root)
    MPI_Gather(MPI_IN_PLACE, N, MPI_DOUBLE, all, N, MPI_DOUBLE, root,
               MPI_COMM_WORLD);
  else
    MPI_Gather(all + N * my_rank(), N, MPI_DOUBLE, NULL, 0, MPI_DATATYPE_NULL,
               root, MPI_COMM_WORLD);
  y[0] += weighted(all, N * all_ranks());
}

static void gatherv(const double *x, double *y) {
  int counts[MOST], places[MOST];
  double all[(N + 1) * MOST] = {0}, mine[N];
  layout(counts, places);
  for (int i = 0; i < N; ++i)
    mine[i] = x[i] * x[0];
  MPI_Gatherv(mine, counts[my_rank()], MPI_DOUBLE, all, counts, places,
              MPI_DOUBLE, 0, MPI_COMM_WORLD);
  memset(counts, 0, sizeof counts); // they were read
  memset(places, 0, sizeof places);
  y[0] = weighted(all, (N + 1) * MOST) + mine[1];
}

static void scatter(const double *x, double *y) {
  const int root = all_ranks() - 1;
  double all[N * MOST] = {0}, mine[N] = {0};
  for (int i = 0; i < N * all_ranks(); ++i)
    all[i] = x[i % N] * (i + 1);
  MPI_Scatter(all, N, MPI_DOUBLE, mine, N, MPI_DOUBLE, root, MPI_COMM_WORLD);
  y[0] = weighted(mine, N) * x[0];
  if (my_rank() == root)
    MPI_Scatter(all, N, MPI_DOUBLE, MPI_IN_PLACE, N, MPI_DOUBLE, root,
                MPI_COMM_WORLD);
  else
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, mine, N, MPI_DOUBLE, root,
                MPI_COMM_WORLD);
  y[0] += weighted(mine, N) + weighted(all, N * all_ranks());
}

static void scatterv(const double *x, double *y) {
  int counts[MOST], places[MOST];
  double all[(N + 1) * MOST] = {0}, mine[N] = {x[1], x[2], x[0]};
  layout(counts, places);
  for (int i = 0; i < (N + 1) * MOST; ++i)
    all[i] = exp(0.1 * x[i % N]);
  MPI_Scatterv(all, counts, places, MPI_DOUBLE, mine, counts[my_rank()],
               MPI_DOUBLE, 0, MPI_COMM_WORLD);
  y[0] = weighted(mine, N) * x[0] + all[0];
}

static void allgather(const double *x, double *y) {
  int counts[MOST], places[MOST];
  double all[N * MOST] = {0}, uneven[(N + 1) * MOST] = {0};
  layout(counts, places);
  MPI_Allgather(x, N, MPI_DOUBLE, all, N, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < N * all_ranks(); ++i)
    all[i] *= x[i % N];
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, N, MPI_DOUBLE,
                MPI_COMM_WORLD);
  MPI_Allgatherv(all, counts[my_rank()], MPI_DOUBLE, uneven, counts, places,
                 MPI_DOUBLE, MPI_COMM_WORLD);
  y[0] = weighted(all, N * all_ranks()) * x[0];
  y[1] = weighted(uneven, (N + 1) * MOST);
}

static void alltoall(const double *x, double *y) {
  double out[N * MOST] = {0}, in[N * MOST] = {0};
  for (int i = 0; i < N * all_ranks(); ++i)
    out[i] = x[i % N] * (i + 1 + my_rank());
  MPI_Alltoall(out, N, MPI_DOUBLE, in, N, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < N * all_ranks(); ++i)
    in[i] *= in[i];
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, N, MPI_DOUBLE,
               MPI_COMM_WORLD);
  y[0] = 1e-3 * weighted(in, N * all_ranks());
}

// Rank i sends rank j (i + j) % 3 numbers.
static void alltoallv(const double *x, double *y) {
  int out_counts[MOST], out_places[MOST], in_counts[MOST], in_places[MOST];
  double out[N * MOST], in[N * MOST] = {0};
  for (int i = 0; i < all_ranks(); ++i) {
    out_counts[i] = in_counts[i] = (i + my_rank()) % N;
    out_places[i] = N * i;
    in_places[i] = N * (all_ranks() - 1 - i);
  }
  for (int i = 0; i < N * all_ranks(); ++i)
    out[i] = x[i % N] * (i + 1);
  MPI_Alltoallv(out, out_counts, out_places, MPI_DOUBLE, in, in_counts,
                in_places, MPI_DOUBLE, MPI_COMM_WORLD);
  y[0] = weighted(in, N * all_ranks()) * x[1] + x[0] * x[0];
}

static void scan(const double *x, double *y) {
  double s[N], t[N] = {1, 1, 1};
  for (int i = 0; i < N; ++i)
    s[i] = x[i] * x[i] * (my_rank() + 1);
  MPI_Scan(s, y, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(s, t, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += t[i] * x[i];
  MPI_Scan(MPI_IN_PLACE, y, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] *= x[i];
  MPI_Exscan(MPI_IN_PLACE, y, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void reduce_scatter(const double *x, double *y) {
  int counts[MOST], places[MOST];
  double s[N * MOST], t[N] = {0}, r[N] = {0};
  layout(counts, places);
  for (int i = 0; i < N * MOST; ++i)
    s[i] = x[i % N] * x[0] * (i + 1);
  MPI_Reduce_scatter_block(s, t, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce_scatter(s, r, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[0] = 1e-2 * (weighted(t, N) + weighted(r, N) * x[1]);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, s, N, MPI_DOUBLE, MPI_SUM,
                           MPI_COMM_WORLD);
  y[0] += 1e-3 * weighted(s, N);
}

static void replace(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks();
  for (int i = 0; i < N; ++i)
    y[i] = x[i] * x[i];
  MPI_Sendrecv_replace(y, N, MPI_DOUBLE, (me + 1) % all, 1,
                       (me + all - 1) % all, 1, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] *= x[i];
  MPI_Sendrecv_replace(y, N, MPI_DOUBLE, me + 1 < all ? me + 1 : MPI_PROC_NULL,
                       2, me > 0 ? me - 1 : MPI_PROC_NULL, 2, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] *= x[0];
}

MPI_TEST(gather, N, 1)
MPI_TEST(gatherv, N, 1)
MPI_TEST(scatter, N, 1)
MPI_TEST(scatterv, N, 1)
MPI_TEST(allgather, N, 2)
MPI_TEST(alltoall, N, 1)
MPI_TEST(alltoallv, N, 1)
MPI_TEST(scan, N, N)
MPI_TEST(reduce_scatter, N, 1)
MPI_TEST(replace, N, N)
MPI_MAIN(&gather_test, &gatherv_test, &scatter_test, &scatterv_test,
         &allgather_test, &alltoall_test, &alltoallv_test, &scan_test,
         &reduce_scatter_test, &replace_test)

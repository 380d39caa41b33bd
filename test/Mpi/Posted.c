// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows that their owners post to some ranks.
#include "check.h"

enum { N = 8, STEPS = 3 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

static MPI_Win doubles(double *memory, int count) {
  MPI_Win win;
  MPI_Win_create(memory, (MPI_Aint)((size_t)count * sizeof *memory),
                 sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return win;
}

static MPI_Group group_of(int a, int b) {
  const int list[2] = {a, b};
  MPI_Group all, group;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, a == b ? 1 : 2, list, &group);
  MPI_Group_free(&all);
  return group;
}

// Heat on a ring: each rank puts its outermost cells at its neighbours'.
static void ring_put(const double *x, double *y) {
  double *u = calloc(N + 2, sizeof *u), v[N];
  MPI_Group neighbours = group_of(left(), right());
  MPI_Win win = doubles(u, N + 2);
  memcpy(u + 1, x, N * sizeof *u);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    MPI_Put(u + 1, 1, MPI_DOUBLE, left(), N + 1, 1, MPI_DOUBLE, win);
    MPI_Put(u + N, 1, MPI_DOUBLE, right(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    for (int i = 0; i < N; ++i)
      v[i] = u[i + 1] + 0.2 * (u[i] - 2 * u[i + 1] + u[i + 2]) * u[i + 1];
    memcpy(u + 1, v, N * sizeof *v);
  }
  MPI_Group_free(&neighbours);
  MPI_Win_free(&win);
  for (int i = 0; i < N; ++i)
    y[i] = u[i + 1] * u[i + 1];
  free(u);
}

// The same, fetched; the owner reads its cells meanwhile, and polls.
static void ring_get(const double *x, double *y) {
  double *u = malloc(N * sizeof *u), v[N], before, behind;
  MPI_Group neighbours = group_of(left(), right());
  MPI_Win win = doubles(u, N);
  memcpy(u, x, N * sizeof *u);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    MPI_Get(&before, 1, MPI_DOUBLE, left(), N - 1, 1, MPI_DOUBLE, win);
    MPI_Get(&behind, 1, MPI_DOUBLE, right(), 0, 1, MPI_DOUBLE, win);
    for (int i = 1; i < N - 1; ++i)
      v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    MPI_Win_complete(win);
    v[0] = u[0] + 0.2 * (before - 2 * u[0] + u[1]) * u[0];
    v[N - 1] = u[N - 1] + 0.2 * (u[N - 2] - 2 * u[N - 1] + behind) * u[N - 1];
    for (int done = 0; !done;)
      MPI_Win_test(win, &done);
    memcpy(u, v, N * sizeof *v);
  }
  for (int i = 0; i < N; ++i)
    y[i] = u[i] * u[i];
  MPI_Group_free(&neighbours);
  MPI_Win_free(&win);
  free(u);
}

static void ring_whole(const double *x, double *y) {
  const int n = N * ranks;
  double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v);
  memcpy(u, x, (size_t)n * sizeof *u);
  for (int s = 0; s < STEPS; ++s) {
    for (int i = 0; i < n; ++i)
      v[i] =
          u[i] + 0.2 * (u[(i + n - 1) % n] - 2 * u[i] + u[(i + 1) % n]) * u[i];
    memcpy(u, v, (size_t)n * sizeof *u);
  }
  for (int i = 0; i < n; ++i)
    y[i] = u[i] * u[i];
  free(u), free(v);
}

// Even ranks own sums, to which odd ones add; the last epoch fetches them.
static void owners(const double *x, double *y) {
  double *sum = calloc(N, sizeof *sum), got[2] = {0};
  MPI_Win win = doubles(sum, N);
  const int owns = rank % 2 == 0, other = owns ? right() : left();
  const int is_alone = other == rank || (rank == ranks - 1 && owns);
  MPI_Group one = group_of(other, other);
  for (int i = 0; i < N; ++i)
    sum[i] = x[i];
  for (int s = 0; s < STEPS && !is_alone; ++s) {
    if (owns) {
      MPI_Win_post(one, 0, win);
      MPI_Win_wait(win);
      for (int i = 0; i < N; ++i)
        sum[i] *= x[i];
    } else {
      const double add = x[s] * x[s] + got[0];
      MPI_Win_start(one, 0, win);
      MPI_Accumulate(&add, 1, MPI_DOUBLE, other, s, 1, MPI_DOUBLE, MPI_SUM,
                     win);
      MPI_Get(got, 2, MPI_DOUBLE, other, s + 2, 2, MPI_DOUBLE, win);
      MPI_Win_complete(win);
    }
  }
  for (int i = 0; i < N; ++i)
    y[i] = sum[i] * x[i] + got[i % 2] * x[i];
  MPI_Group_free(&one);
  MPI_Win_free(&win);
  free(sum);
}

// Posted, then locked, then posted again.
static void and_locked(const double *x, double *y) {
  double *w = malloc(N * sizeof *w), got[N];
  MPI_Group before = group_of(left(), left()),
            behind = group_of(right(), right());
  MPI_Win win = doubles(w, N);
  memcpy(w, x, N * sizeof *w);
  for (int s = 0; s < 2; ++s) {
    MPI_Win_post(before, 0, win);
    MPI_Win_start(behind, 0, win);
    MPI_Get(got, N, MPI_DOUBLE, right(), 0, N, MPI_DOUBLE, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i)
      got[i] *= x[i];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left(), 0, win);
    MPI_Accumulate(got, N, MPI_DOUBLE, left(), 0, N, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_unlock(left(), win);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < N; ++i)
    y[i] = w[i] * got[i];
  MPI_Group_free(&before), MPI_Group_free(&behind);
  MPI_Win_free(&win);
  free(w);
}

MPI_TEST_WHOLE(ring_put, ring_whole, N, N)
MPI_TEST_WHOLE(ring_get, ring_whole, N, N)
MPI_TEST(owners, N, N)
MPI_TEST(and_locked, N, N)
MPI_MAIN(&ring_put_test, &ring_get_test, &owners_test, &and_locked_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to windows with requests of their own, and those that read and write
// at once.
#include "check.h"

enum { N = 4, LARGE = 3000 };

// Open MPI 4.1 may fetch what a long call puts there, and where one of one
// number adds doubles, it takes them for integers.
#ifdef OPEN_MPI
#define LONG_REPLACE MPI_NO_OP
#else
#define LONG_REPLACE MPI_REPLACE
#endif
static void fetch_and_add(const double *more, double *before, int at, int place,
                          MPI_Win win) {
#ifdef OPEN_MPI
  MPI_Get_accumulate(more, 1, MPI_DOUBLE, before, 1, MPI_DOUBLE, at, place, 1,
                     MPI_DOUBLE, MPI_SUM, win);
#else
  MPI_Fetch_and_op(more, before, MPI_DOUBLE, at, place, MPI_SUM, win);
#endif
}

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

static MPI_Win doubles(double *memory, int count) {
  MPI_Win win;
  MPI_Win_create(memory, (MPI_Aint)count * (MPI_Aint)sizeof *memory,
                 sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return win;
}
static double summed(const double *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += sin(a[i]) * (1 + i % 5) / n;
  return sum;
}

// The buffer is written again when the request is complete.
static void puts_of(const double *x, double *y, int n) {
  double *memory = calloc((size_t)(2 * n), sizeof *memory);
  double *out = calloc((size_t)n, sizeof *out);
  MPI_Win win = doubles(memory, 2 * n);
  MPI_Request request;
  MPI_Win_lock_all(0, win);
  for (int step = 0; step < 2; ++step) {
    for (int i = 0; i < n; ++i)
      out[i] = x[(i + step) % N] * x[i % N] + 0.5 * out[i];
    MPI_Rput(out, n, MPI_DOUBLE, right(), step * n, n, MPI_DOUBLE, win,
             &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Win_flush(right(), win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  y[0] = summed(memory, 2 * n) * x[0] + out[0];
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  free(memory), free(out);
}
static void puts_small(const double *x, double *y) { puts_of(x, y, 2); }
static void puts_large(const double *x, double *y) { puts_of(x, y, LARGE); }

// What is got is used as soon as it is there, the rest later.
static void gets_of(const double *x, double *y, int n) {
  double *memory = calloc((size_t)n, sizeof *memory);
  double *in = calloc(2 * (size_t)n, sizeof *in);
  MPI_Request requests[2];
  for (int i = 0; i < n; ++i)
    memory[i] = x[i % N] * x[(i + 1) % N];
  MPI_Win win = doubles(memory, n);
  MPI_Win_lock(MPI_LOCK_SHARED, right(), 0, win);
  for (int k = 0; k < 2; ++k)
    MPI_Rget(in + k * n, n, MPI_DOUBLE, right(), 0, n, MPI_DOUBLE, win,
             &requests[k]);
  y[0] = x[0];
  for (int k = 0, which, done; k < 2; ++k) {
    if (k)
      MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
    else
      for (done = 0; !done;)
        MPI_Testany(2, requests, &which, &done, MPI_STATUS_IGNORE);
    y[0] += summed(in + which * n, n) * (which + 1);
    in[which * n] = x[1];
  }
  MPI_Win_unlock(right(), win);
  y[0] += in[0] * in[n];
  MPI_Win_free(&win);
  free(memory), free(in);
}
static void gets_small(const double *x, double *y) { gets_of(x, y, 2); }
static void gets_large(const double *x, double *y) { gets_of(x, y, LARGE); }

// All add to what one has; with messages under way.
static void sums(const double *x, double *y) {
  double memory[2] = {x[0], x[1]}, out[2] = {x[2] * x[0], x[3]}, in = 0;
  MPI_Request requests[3];
  MPI_Win win = doubles(memory, 2);
  MPI_Irecv(&in, 1, MPI_DOUBLE, left(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&x[2], 1, MPI_DOUBLE, right(), 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Raccumulate(out, 2, MPI_DOUBLE, 0, 0, 2, MPI_DOUBLE, MPI_SUM, win,
                  &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Win_unlock(0, win);
  out[0] = in;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  y[0] = memory[0] * memory[1] + out[0] * x[3];
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
}

// Numbers that are fetched and changed, by one rank after the other.
static void fetched(const double *x, double *y) {
  double *memory = malloc(3 * sizeof *memory), got, before;
  MPI_Win win;
  memory[0] = 1, memory[1] = x[0], memory[2] = x[1];
  win = doubles(memory, 3);
  MPI_Barrier(MPI_COMM_WORLD);
  y[0] = x[1];
  for (int i = 0; i < 3; ++i) {
    const int at = (rank + i) % ranks;
    const double more = x[i] * x[3];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, at, 0, win);
    fetch_and_add(&more, &before, at, 1 + i % 2, win);
    MPI_Fetch_and_op(NULL, &got, MPI_DOUBLE, at, 0, MPI_NO_OP, win);
    MPI_Win_flush(at, win);
    const double put = sin(got * x[i]) + 0.1 * before;
    MPI_Fetch_and_op(&put, &got, MPI_DOUBLE, at, 0, MPI_REPLACE, win);
    MPI_Win_unlock(at, win);
    y[0] += got * before * (i + 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  y[0] += memory[0] * memory[1] * memory[2];
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
  free(memory);
}

// Several at once, in parts; the order of ranks is that of a token.
static void gathered_of(const double *x, double *y, int n) {
  double *memory = calloc((size_t)(2 * n), sizeof *memory);
  double *out = calloc((size_t)n, sizeof *out);
  double *in = calloc((size_t)n, sizeof *in);
  const MPI_Op ops[4] = {MPI_SUM, LONG_REPLACE, MPI_NO_OP, MPI_SUM};
  MPI_Datatype every;
  MPI_Win win;
  int token = 0;
  if (n > 9)
    MPI_Type_contiguous(n, MPI_DOUBLE, &every);
  else
    MPI_Type_vector(n, 1, 2, MPI_DOUBLE, &every);
  MPI_Type_commit(&every);
  for (int i = 0; i < 2 * n; ++i)
    memory[i] = x[i % N] * x[0];
  win = doubles(memory, 2 * n);
  MPI_Barrier(MPI_COMM_WORLD);
  y[0] = x[1];
  for (int k = 0; k < 4; ++k) {
    if (rank > 0)
      MPI_Recv(&token, 1, MPI_INT, rank - 1, k, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      out[i] = x[i % N] * (1 + k) + 0.1 * in[i];
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, ranks - 1, 0, win);
    MPI_Get_accumulate(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, ranks - 1, k % 2,
                       1, every, ops[k], win);
    MPI_Win_unlock(ranks - 1, win);
    y[0] += summed(in, n) * (k + 1);
    if (rank + 1 < ranks)
      MPI_Send(&token, 1, MPI_INT, rank + 1, k, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  y[0] += summed(memory, 2 * n);
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
  MPI_Type_free(&every);
  free(memory), free(out), free(in);
}
static void gathered(const double *x, double *y) { gathered_of(x, y, 3); }
static void large_gathered(const double *x, double *y) {
  gathered_of(x, y, 700);
}

MPI_TEST(puts_small, N, 1)
MPI_TEST(puts_large, N, 1)
MPI_TEST(gets_small, N, 1)
MPI_TEST(gets_large, N, 1)
MPI_TEST(sums, N, 1)
MPI_TEST(fetched, N, 1)
MPI_TEST(gathered, N, 1)
MPI_TEST(large_gathered, N, 1)
MPI_MAIN(&puts_small_test, &puts_large_test, &gets_small_test, &gets_large_test,
         &sums_test, &fetched_test, &gathered_test, &large_gathered_test)

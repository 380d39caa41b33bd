// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows of which locks, messages of no floats, and flags say who comes first.
#include "check.h"
#include <unistd.h>

enum { N = 8, STEPS = 3 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

static MPI_Win window_of(void *memory, size_t bytes, int unit) {
  MPI_Win win;
  MPI_Win_create(memory, (MPI_Aint)bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  return win;
}
static MPI_Win doubles(double *memory, int count) {
  return window_of(memory, (size_t)count * sizeof *memory, sizeof *memory);
}

// ---- Exclusive locks --------------------------------------------------------

// Each rank writes at places of its own on the boards of all.
static void boards(const double *x, double *y) {
  double *board = calloc((size_t)(2 * ranks), sizeof *board);
  MPI_Win win = doubles(board, 2 * ranks);
  memset(y, 0, N * sizeof *y);
  for (int s = 0; s < STEPS; ++s) {
    const double note[2] = {x[s] * x[s + 1], sin(x[s])};
    for (int r = 0; r < ranks; ++r) {
      const int to = (r + rank) % ranks;
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, win);
      MPI_Put(note, 2, MPI_DOUBLE, to, 2 * rank, 2, MPI_DOUBLE, win);
      MPI_Win_unlock(to, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    for (int i = 0; i < 2 * ranks; ++i)
      y[(i + s) % N] += board[i] * x[i % N];
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&win);
  free(board);
}

// Each rank in turn, whichever comes first, multiplies and shifts one number:
// only the order of the locks says what they read.
static void products(const double *x, double *y) {
  double *product = malloc(2 * sizeof *product), got[2];
  MPI_Win win;
  product[0] = product[1] = 1;
  win = doubles(product, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) {
    const int at = (rank + i) % ranks;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, at, 0, win);
    MPI_Get(got, 2, MPI_DOUBLE, at, 0, 2, MPI_DOUBLE, win);
    MPI_Win_flush(at, win);
    got[0] *= x[i] + 0.5;
    got[1] *= 1 + 0.1 * x[N - 1 - i];
    MPI_Put(got, 2, MPI_DOUBLE, at, 0, 2, MPI_DOUBLE, win);
    MPI_Win_unlock(at, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, right(), MPI_MODE_NOCHECK, win);
  MPI_Get(got, 2, MPI_DOUBLE, right(), 0, 2, MPI_DOUBLE, win);
  MPI_Win_unlock(right(), win);
  for (int i = 0; i < N; ++i)
    y[i] = got[0] * x[i] + got[1];
  MPI_Win_free(&win);
  free(product);
}

// The owner takes part, by code.
static void owner_too(const double *x, double *y) {
  double *product = malloc(sizeof *product), got;
  MPI_Win win = doubles(product, 1);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  *product = 1 + x[0] * x[1];
  MPI_Win_unlock(rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    *product *= x[i] + 0.5;
    MPI_Win_unlock(rank, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left(), 0, win);
    MPI_Get(&got, 1, MPI_DOUBLE, left(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_flush(left(), win);
    got *= 1 + 0.1 * x[i];
    MPI_Put(&got, 1, MPI_DOUBLE, left(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_unlock(left(), win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  for (int i = 0; i < N; ++i)
    y[i] = *product * x[i];
  MPI_Win_unlock(rank, win);
  MPI_Win_free(&win);
  free(product);
}

// ---- Other ways to say that something is there ------------------------------

// The number goes from rank to rank; a token says that it is there.
static void relay(const double *x, double *y) {
  double *w = calloc(2, sizeof *w);
  MPI_Win win = doubles(w, 2);
  int token = 0;
  MPI_Win_lock_all(0, win);
  if (rank == 0)
    w[0] = x[0] * x[1];
  else
    MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  const double next = sin(w[0]) * x[2] + w[0];
  if (rank + 1 < ranks) {
    MPI_Put(&next, 1, MPI_DOUBLE, rank + 1, 0, 1, MPI_DOUBLE, win);
    MPI_Win_flush(rank + 1, win);
    MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  for (int i = 0; i < N; ++i)
    y[i] = next * x[i];
  MPI_Win_free(&win);
  free(w);
}

// A third rank says so: it has seen the sum, and lets a fourth one read it.
static void by_others(const double *x, double *y) {
  double *w = calloc(1, sizeof *w), got = 0;
  MPI_Win win = doubles(w, 1);
  int token = 0;
  const int third = 1 % ranks, fourth = 2 % ranks, owner = 3 % ranks;
  MPI_Win_lock_all(0, win);
  for (int s = 0; s < STEPS; ++s) {
    if (rank == third) {
      const double add = x[s] * x[s];
      MPI_Accumulate(&add, 1, MPI_DOUBLE, owner, 0, 1, MPI_DOUBLE, MPI_SUM,
                     win);
      MPI_Win_flush(owner, win);
      MPI_Request r;
      MPI_Isend(&token, 1, MPI_INT, fourth, s, MPI_COMM_WORLD, &r);
      if (rank == fourth)
        MPI_Recv(&token, 1, MPI_INT, third, s, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else if (rank == fourth) {
      MPI_Recv(&token, 1, MPI_INT, third, s, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == fourth) {
      double now, twice;
      MPI_Get(&now, 1, MPI_DOUBLE, owner, 0, 1, MPI_DOUBLE, win);
      MPI_Win_flush(owner, win);
      got += now * x[s];
      twice = now * 1.5;
      MPI_Put(&twice, 1, MPI_DOUBLE, owner, 0, 1, MPI_DOUBLE, win);
      MPI_Win_flush(owner, win);
    }
    MPI_Bcast(&token, 1, MPI_INT, fourth, MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  for (int i = 0; i < N; ++i)
    y[i] = x[i] * (got + 1);
  MPI_Win_free(&win);
  y[0] += w[0] * x[1];
  free(w);
}

// Read in memory. (Open MPI 4.1 may hang where a rank asks for its own number
// by MPI_Fetch_and_op again and again, while others add to it.)
static int flag_of(const volatile int *flag, MPI_Win signs) {
  int is_there;
  MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  usleep(20);
  MPI_Win_sync(signs);
  return *flag;
}

// Flags in a window of integers, which their readers poll: how often the left
// one has written, and how often the right one has read.
static void flags(const double *x, double *y) {
  enum { Written, Read, Flags };
  double *w = calloc(N, sizeof *w);
  int *flag = calloc(Flags, sizeof *flag), seen = 0;
  const int one = 1;
  MPI_Win win = doubles(w, N);
  MPI_Win signs = window_of(flag, Flags * sizeof *flag, sizeof *flag);
  memset(y, 0, N * sizeof *y);
  MPI_Win_lock_all(0, win);
  MPI_Win_lock_all(0, signs);
  for (int s = 0; s < STEPS; ++s) {
    double out[N];
    for (int i = 0; i < N; ++i)
      out[i] = x[i] * x[(i + s) % N];
    MPI_Put(out, N, MPI_DOUBLE, right(), 0, N, MPI_DOUBLE, win);
    MPI_Win_flush(right(), win);
    MPI_Accumulate(&one, 1, MPI_INT, right(), Written, 1, MPI_INT, MPI_SUM,
                   signs);
    MPI_Win_flush(right(), signs);
    do {
      seen = flag_of(flag + Written, signs);
    } while (seen <= s);
    MPI_Win_sync(win);
    for (int i = 0; i < N; ++i)
      y[i] += w[i] * w[i];
    // The left one may put the next.
    MPI_Win_sync(win);
    MPI_Accumulate(&one, 1, MPI_INT, left(), Read, 1, MPI_INT, MPI_SUM, signs);
    MPI_Win_flush(left(), signs);
    do {
      seen = flag_of(flag + Read, signs);
    } while (seen <= s);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(signs);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&signs);
  MPI_Win_free(&win);
  free(w), free(flag);
}

MPI_TEST(boards, N, N)
MPI_TEST(products, N, N)
MPI_TEST(owner_too, N, N)
MPI_TEST(relay, N, N)
MPI_TEST(by_others, N, N)
MPI_TEST(flags, N, N)
MPI_MAIN(&boards_test, &products_test, &owner_too_test, &relay_test,
         &by_others_test, &flags_test)

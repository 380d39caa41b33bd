// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffered sends, with which all ranks may send before any receives: the
// adjoints must not wait for each other either.
#include "check.h"

enum { SMALL = 3, LARGE = 40000 };

static int next_rank(void) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return (me + 1) % all;
}
static int last_rank(void) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return (me + all - 1) % all;
}

static void ring_of(const double *x, double *y, int n, int nonblocking) {
  const int bytes = 2 * (n * (int)sizeof(double) + MPI_BSEND_OVERHEAD);
  void *buffer = malloc((size_t)bytes), *same;
  double *s = (double *)malloc((size_t)n * sizeof *s), *t;
  t = (double *)malloc((size_t)n * sizeof *t);
  int size;
  MPI_Request request;
  MPI_Buffer_attach(buffer, bytes);
  for (int i = 0; i < n; ++i)
    s[i] = x[i] * x[i];
  for (int step = 0; step < 2; ++step) {
    if (nonblocking)
      MPI_Ibsend(s, n, MPI_DOUBLE, next_rank(), step, MPI_COMM_WORLD, &request);
    else
      MPI_Bsend(s, n, MPI_DOUBLE, next_rank(), step, MPI_COMM_WORLD);
    if (nonblocking)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      s[i] *= x[i];
    MPI_Recv(t, n, MPI_DOUBLE, last_rank(), step, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      s[i] += sin(t[i]);
  }
  memcpy(y, s, (size_t)n * sizeof *s);
  MPI_Buffer_detach(&same, &size);
  free(buffer);
  free(s);
  free(t);
}
static void ring(const double *x, double *y) { ring_of(x, y, SMALL, 0); }
static void large_ring(const double *x, double *y) { ring_of(x, y, LARGE, 0); }
static void started(const double *x, double *y) { ring_of(x, y, SMALL, 1); }
static void large_started(const double *x, double *y) {
  ring_of(x, y, LARGE, 1);
}

// The receive is one that is waited for: nor must its adjoints wait.
static void pending_of(const double *x, double *y, int n) {
  const int bytes = n * (int)sizeof(double) + MPI_BSEND_OVERHEAD;
  void *buffer = malloc((size_t)bytes), *same;
  double *s = (double *)malloc((size_t)n * sizeof *s);
  double *t = (double *)malloc((size_t)n * sizeof *t);
  int size;
  MPI_Request request;
  MPI_Buffer_attach(buffer, bytes);
  for (int i = 0; i < n; ++i)
    s[i] = x[i] * x[i];
  MPI_Bsend(s, n, MPI_DOUBLE, next_rank(), 0, MPI_COMM_WORLD);
  MPI_Irecv(t, n, MPI_DOUBLE, last_rank(), 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i)
    y[i] = s[i] * sin(t[i]);
  MPI_Buffer_detach(&same, &size);
  free(buffer);
  free(s);
  free(t);
}
static void pending(const double *x, double *y) { pending_of(x, y, SMALL); }
static void large_pending(const double *x, double *y) {
  pending_of(x, y, LARGE);
}

MPI_TEST(ring, SMALL, SMALL)
MPI_TEST(large_ring, LARGE, LARGE)
MPI_TEST(started, SMALL, SMALL)
MPI_TEST(large_started, LARGE, LARGE)
MPI_TEST(pending, SMALL, SMALL)
MPI_TEST(large_pending, LARGE, LARGE)
MPI_MAIN(&ring_test, &large_ring_test, &started_test, &large_started_test,
         &pending_test, &large_pending_test)

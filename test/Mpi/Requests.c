// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking messages: halos, arrays and structures of requests, waits in any
// order, tests, mixed with blocking ones.
#include "check.h"

enum { SMALL = 3, LARGE = 40000 };

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
static int next_rank(void) { return (my_rank() + 1) % all_ranks(); }
static int last_rank(void) {
  return (my_rank() + all_ranks() - 1) % all_ranks();
}

static void ring_of(const double *x, double *y, int n) {
  double *s = (double *)calloc((size_t)n * 2, sizeof *s);
  MPI_Request request[2];
  for (int i = 0; i < n; ++i)
    s[i] = x[i] * x[i];
  for (int step = 0; step < 2; ++step) {
    MPI_Irecv(s + n, n, MPI_DOUBLE, last_rank(), 1, MPI_COMM_WORLD, request);
    MPI_Isend(s, n, MPI_DOUBLE, next_rank(), 1, MPI_COMM_WORLD, request + 1);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; ++i)
      s[i] = s[n + i] * x[i] + sin(s[i]);
  }
  for (int i = 0; i < n; ++i)
    y[i] = s[i];
  free(s);
}
static void ring(const double *x, double *y) { ring_of(x, y, SMALL); }
static void large_ring(const double *x, double *y) { ring_of(x, y, LARGE); }

// Cells of a line; local arrays, in a function of its own.
enum { CELLS = 6 };
static __attribute__((noinline)) void halo_step(double *u, double k) {
  double from_left = u[1], from_right = u[CELLS];
  const int left = my_rank() > 0 ? my_rank() - 1 : MPI_PROC_NULL;
  const int right = my_rank() + 1 < all_ranks() ? my_rank() + 1 : MPI_PROC_NULL;
  double next[CELLS];
  struct {
    MPI_Request in[2];
    MPI_Request out[2];
  } r;
  MPI_Irecv(&from_left, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r.in[0]);
  MPI_Irecv(&from_right, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r.in[1]);
  MPI_Isend(u + 1, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r.out[0]);
  MPI_Isend(u + CELLS, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r.out[1]);
  for (int i = 2; i < CELLS; ++i) // meanwhile
    next[i - 1] = u[i] + k * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
  MPI_Waitall(2, r.in, MPI_STATUSES_IGNORE);
  next[0] = u[1] + k * u[1] * (from_left - 2 * u[1] + u[2]);
  next[CELLS - 1] =
      u[CELLS] + k * u[CELLS] * (u[CELLS - 1] - 2 * u[CELLS] + from_right);
  MPI_Waitall(2, r.out, MPI_STATUSES_IGNORE);
  memcpy(u + 1, next, sizeof next);
}
static void halo(const double *x, double *y) {
  double u[CELLS + 2];
  memcpy(u + 1, x, CELLS * sizeof *u);
  for (int step = 0; step < 4; ++step)
    halo_step(u, 0.1 * x[0]);
  memcpy(y, u + 1, CELLS * sizeof *y);
}

// Several messages with one tag, waited for in the opposite order, then each by
// itself; the numbers that arrive are told apart by their factors.
static void orders(const double *x, double *y) {
  double out[4], in[4];
  MPI_Request send[4], receive[4];
  for (int i = 0; i < 4; ++i)
    out[i] = x[i] * (i + 1);
  for (int i = 0; i < 4; ++i)
    MPI_Irecv(in + i, 1, MPI_DOUBLE, last_rank(), 5, MPI_COMM_WORLD,
              receive + i);
  for (int i = 0; i < 4; ++i)
    MPI_Isend(out + i, 1, MPI_DOUBLE, next_rank(), 5, MPI_COMM_WORLD, send + i);
  for (int i = 4; i-- > 0;)
    MPI_Wait(receive + i, MPI_STATUS_IGNORE);
  MPI_Wait(send + 1, MPI_STATUS_IGNORE);
  MPI_Wait(send + 3, MPI_STATUS_IGNORE);
  MPI_Wait(send + 0, MPI_STATUS_IGNORE);
  MPI_Wait(send + 2, MPI_STATUS_IGNORE);
  y[0] = in[0] * in[1] + exp(in[2]) * in[3];
}

// Blocking messages between the start and the end of others with the same tag.
static void mixed(const double *x, double *y) {
  double out[3] = {x[0] * x[0], sin(x[1]), x[2] * x[0]}, in[3] = {0};
  MPI_Request first, last, sent[3];
  MPI_Irecv(in, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD, &first);
  MPI_Isend(out, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, sent);
  MPI_Isend(out + 1, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, sent + 1);
  MPI_Recv(in + 1, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Irecv(in + 2, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD, &last);
  MPI_Isend(out + 2, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, sent + 2);
  MPI_Wait(&last, MPI_STATUS_IGNORE);
  in[2] *= x[1];
  MPI_Wait(&first, MPI_STATUS_IGNORE);
  MPI_Waitall(3, sent, MPI_STATUSES_IGNORE);
  y[0] = in[0] * in[1] + in[2] * in[2];
}

// Whoever comes first, as many at a time as come; copies of requests.
static void any(const double *x, double *y) {
  enum { MOST = 16 };
  double in[MOST] = {0}, mine[2] = {x[0] * x[1], x[1]};
  MPI_Request request[MOST], copy, send;
  int n = 0;
  y[0] = 0;
  MPI_Isend(mine, 1 + my_rank() % 2, MPI_DOUBLE, 0, my_rank() % 3,
            MPI_COMM_WORLD, &send);
  if (my_rank() == 0)
    for (n = 0; n < all_ranks(); ++n) {
      MPI_Irecv(in + 2 * n, 2, MPI_DOUBLE, n, n % 3, MPI_COMM_WORLD, &copy);
      request[n] = copy;
    }
  for (int i = 0; i < n; ++i) {
    int which, count;
    MPI_Status status;
    MPI_Waitany(n, request, &which, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    y[0] += in[2 * which] * (which + 1) * x[0] + count * in[2 * which + 1];
  }
  for (int done = 0; !done;)
    MPI_Test(&send, &done, MPI_STATUS_IGNORE);
  y[0] += x[0];
}

static void some(const double *x, double *y) {
  double in[2], out[2] = {x[0] * x[1], exp(x[1])};
  MPI_Request request[4];
  MPI_Irecv(in, 1, MPI_DOUBLE, last_rank(), 1, MPI_COMM_WORLD, request);
  MPI_Irecv(in + 1, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, request + 1);
  MPI_Isend(out, 1, MPI_DOUBLE, next_rank(), 1, MPI_COMM_WORLD, request + 2);
  MPI_Issend(out + 1, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD,
             request + 3);
  for (int left = 4, done; left > 0; left -= done) {
    int which[4];
    MPI_Waitsome(4, request, &done, which, MPI_STATUSES_IGNORE);
  }
  int all;
  MPI_Testall(4, request, &all, MPI_STATUSES_IGNORE);
  y[0] = in[0] * in[1] * all;
}

// Numbers without derivative beside the others.
static void counts(const double *x, double *y) {
  int n = 1 + my_rank() % 2, theirs;
  double in[2] = {1, 1};
  MPI_Request request[4];
  MPI_Irecv(&theirs, 1, MPI_INT, last_rank(), 4, MPI_COMM_WORLD, request);
  MPI_Isend(&n, 1, MPI_INT, next_rank(), 4, MPI_COMM_WORLD, request + 1);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Irecv(in, theirs, MPI_DOUBLE, last_rank(), 4, MPI_COMM_WORLD,
            request + 2);
  MPI_Isend(x, n, MPI_DOUBLE, next_rank(), 4, MPI_COMM_WORLD, request + 3);
  MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
  y[0] = in[0] * x[0] + in[1] * x[1] * theirs;
}

MPI_TEST(ring, SMALL, SMALL)
MPI_TEST(large_ring, LARGE, LARGE)
MPI_TEST(halo, CELLS, CELLS)
MPI_TEST(orders, 4, 1)
MPI_TEST(mixed, 3, 1)
MPI_TEST(any, 2, 1)
MPI_TEST(some, 2, 1)
MPI_TEST(counts, 2, 1)
MPI_MAIN(&ring_test, &large_ring_test, &halo_test, &orders_test, &mixed_test,
         &any_test, &some_test, &counts_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests that are made once and started many times.
#include "check.h"

enum { CELLS = 6, LARGE = 40000 };

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

// A line of cells, with nobody at its ends.
static void halo(const double *x, double *y) {
  double *u = (double *)calloc(CELLS + 2, sizeof *u), next[CELLS];
  const int left = my_rank() > 0 ? my_rank() - 1 : MPI_PROC_NULL;
  const int right = my_rank() + 1 < all_ranks() ? my_rank() + 1 : MPI_PROC_NULL;
  MPI_Request r[4];
  memcpy(u + 1, x, CELLS * sizeof *u);
  MPI_Recv_init(u, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, r);
  MPI_Recv_init(u + CELLS + 1, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, r + 1);
  MPI_Send_init(u + 1, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, r + 2);
  MPI_Send_init(u + CELLS, 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, r + 3);
  for (int step = 0; step < 4; ++step) {
    MPI_Startall(4, r);
    for (int i = 2; i < CELLS; ++i)
      next[i - 1] = u[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    next[0] = u[1] + 0.1 * u[1] * (u[0] - 2 * u[1] + u[2]);
    next[CELLS - 1] = u[CELLS] + 0.1 * u[CELLS] *
                                     (u[CELLS - 1] - 2 * u[CELLS] +
                                      u[CELLS + 1]);
    memcpy(u + 1, next, sizeof next);
  }
  for (int i = 0; i < 4; ++i)
    MPI_Request_free(r + i);
  memcpy(y, u + 1, CELLS * sizeof *y);
  free(u);
}

// Requests in a structure, made in another function.
struct ring {
  double in[3], out[3];
  MPI_Request receive, send;
  int n;
};
static __attribute__((noinline)) void set_up(struct ring *r, int kind) {
  MPI_Recv_init(r->in, 3, MPI_DOUBLE, last_rank(), 7, MPI_COMM_WORLD,
                &r->receive);
  if (kind)
    MPI_Ssend_init(r->out, r->n, MPI_DOUBLE, next_rank(), 7, MPI_COMM_WORLD,
                   &r->send);
  else
    MPI_Send_init(r->out, r->n, MPI_DOUBLE, next_rank(), 7, MPI_COMM_WORLD,
                  &r->send);
}
static __attribute__((noinline)) void turn(struct ring *r, const double *x) {
  int done = 0, count;
  MPI_Status status;
  for (int i = 0; i < 3; ++i)
    r->out[i] = r->in[i] * x[i];
  MPI_Start(&r->receive);
  MPI_Start(&r->send);
  while (!done)
    MPI_Test(&r->receive, &done, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  MPI_Wait(&r->send, MPI_STATUS_IGNORE);
  r->in[0] += sin(r->in[1]) * count;
}
static void rings_of(const double *x, double *y, int kind) {
  struct ring r = {{x[0], x[1] * x[1], x[2]}, {0}, 0, 0, 1 + my_rank() % 3};
  set_up(&r, kind);
  for (int i = 0; i < 3; ++i)
    turn(&r, x);
  MPI_Request_free(&r.receive);
  MPI_Request_free(&r.send);
  y[0] = r.in[0] * r.in[1] + r.in[2];
}
static void rings(const double *x, double *y) { rings_of(x, y, 0); }
static void synchronous_rings(const double *x, double *y) {
  rings_of(x, y, 1);
}

// Others with the same tag between, waited for in any order.
static void mixed(const double *x, double *y) {
  double out[3] = {0}, in[3] = {0};
  MPI_Request r[5];
  MPI_Recv_init(in, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD, r);
  MPI_Send_init(out, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, r + 1);
  y[0] = 0;
  for (int i = 0; i < 3; ++i) {
    int which;
    out[0] = x[0] * x[i];
    out[1] = exp(x[1]) + i;
    out[2] = x[2] * x[0];
    MPI_Startall(2, r);
    MPI_Irecv(in + 1, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD, r + 2);
    MPI_Isend(out + 1, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, r + 3);
    MPI_Isend(out + 2, 1, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, r + 4);
    MPI_Wait(r + 3, MPI_STATUS_IGNORE);
    MPI_Wait(r + 2, MPI_STATUS_IGNORE);
    for (int left = 2; left > 0; --left)
      MPI_Waitany(2, r, &which, MPI_STATUS_IGNORE);
    MPI_Recv(in + 2, 1, MPI_DOUBLE, last_rank(), 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(r + 4, MPI_STATUS_IGNORE);
    y[0] += in[0] * in[1] + in[2] * in[2] * x[1];
  }
  MPI_Request_free(r);
  MPI_Request_free(r + 1);
}

// Messages above what the library holds, and numbers beside the floats. The
// datatype is freed when the requests are made.
static void large(const double *x, double *y) {
  double *s = (double *)calloc(2 * LARGE, sizeof *s);
  int steps = 2, theirs = 0;
  MPI_Request r[4];
  MPI_Datatype all;
  MPI_Type_contiguous(LARGE, MPI_DOUBLE, &all);
  MPI_Type_commit(&all);
  MPI_Recv_init(s + LARGE, 1, all, last_rank(), 1, MPI_COMM_WORLD, r);
  MPI_Send_init(s, 1, all, next_rank(), 1, MPI_COMM_WORLD, r + 1);
  MPI_Type_free(&all);
  MPI_Recv_init(&theirs, 1, MPI_INT, last_rank(), 1, MPI_COMM_WORLD, r + 2);
  MPI_Send_init(&steps, 1, MPI_INT, next_rank(), 1, MPI_COMM_WORLD, r + 3);
  MPI_Startall(2, r + 2);
  MPI_Waitall(2, r + 2, MPI_STATUSES_IGNORE);
  for (int i = 0; i < LARGE; ++i)
    s[i] = x[i] * x[i];
  for (int step = 0; step < theirs; ++step) {
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LARGE; ++i)
      s[i] = s[LARGE + i] * x[i] + sin(s[i]);
  }
  for (int i = 0; i < 4; ++i)
    MPI_Request_free(r + i);
  memcpy(y, s, LARGE * sizeof *y);
  free(s);
}

// Nobody waits for the send.
static void dropped(const double *x, double *y) {
  static double out[1];
  double in;
  MPI_Request r;
  out[0] = x[0] * x[1];
  MPI_Isend(out, 1, MPI_DOUBLE, next_rank(), 4, MPI_COMM_WORLD, &r);
  MPI_Request_free(&r);
  MPI_Recv(&in, 1, MPI_DOUBLE, last_rank(), 4, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  y[0] = in * in;
}
static void kept(const double *x, double *y) { // forward mode refuses it
  double in = x[0] * x[1];
  MPI_Sendrecv_replace(&in, 1, MPI_DOUBLE, next_rank(), 4, last_rank(), 4,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = in * in;
}
static void dropped_reverse(const double *x, double *dx, double *y,
                            double *dy) {
  __enzyme_autodiff((void *)dropped, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
static void dropped_forward(const double *x, double *dx, double *y,
                            double *dy) {
  __enzyme_fwddiff((void *)kept, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
static const struct mpi_test dropped_test = {
    "dropped", 2, 1, 0, 1e-7, dropped, dropped_reverse, dropped_forward};

MPI_TEST(halo, CELLS, CELLS)
MPI_TEST(rings, 3, 1)
MPI_TEST(synchronous_rings, 3, 1)
MPI_TEST(mixed, 3, 1)
MPI_TEST(large, LARGE, LARGE)
MPI_MAIN(&halo_test, &rings_test, &synchronous_rings_test, &mixed_test,
         &large_test, &dropped_test)

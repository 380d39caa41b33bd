// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages that are looked at before they are received.
#include "check.h"

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

// How much has come says the probe.
static void lengths(const double *x, double *y) {
  double out[4] = {x[0] * x[1], x[1], exp(x[0]), x[0]};
  MPI_Request r;
  MPI_Status status;
  int count;
  MPI_Isend(out, my_rank() % 5, MPI_DOUBLE, next_rank(), 3, MPI_COMM_WORLD, &r);
  MPI_Probe(last_rank(), MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  double *in = (double *)malloc((size_t)(count + 1) * sizeof *in);
  MPI_Recv(in, count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG,
           MPI_COMM_WORLD, &status);
  y[0] = x[0] * x[1];
  for (int i = 0; i < count; ++i)
    y[0] += in[i] * in[i] * (i + 1);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  free(in);
}

// Of all ranks, in the order in which they come; no rank knows who that is.
static void everyone(const double *x, double *y) {
  double out = x[0] * x[1], in;
  MPI_Request r;
  MPI_Isend(&out, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &r);
  y[0] = x[1];
  for (int i = 0; my_rank() == 0 && i < all_ranks(); ++i) {
    int there = 0;
    MPI_Status status;
    while (!there)
      MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &there, &status);
    MPI_Recv(&in, 1, MPI_DOUBLE, status.MPI_SOURCE, 2, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    y[0] += in * in * (status.MPI_SOURCE + 1) * x[0];
  }
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); // the next call sends the same
}

static void matched(const double *x, double *y) {
  double out[2] = {x[0] * x[0], sin(x[1])}, in[2], more[2] = {0, 0};
  MPI_Request r[3];
  MPI_Message message;
  MPI_Status status;
  int count, there = 0;
  MPI_Isend(out, 2, MPI_DOUBLE, next_rank(), 1, MPI_COMM_WORLD, r);
  MPI_Isend(out + 1, 1, MPI_DOUBLE, next_rank(), 6, MPI_COMM_WORLD, r + 1);
  MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &message, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  MPI_Mrecv(in, count, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  while (!there)
    MPI_Improbe(last_rank(), 6, MPI_COMM_WORLD, &there, &message, &status);
  MPI_Imrecv(more, 2, MPI_DOUBLE, &message, r + 2);
  MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  y[0] = in[0] * in[1] * more[0] + more[1] + x[1];
  MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  y[0] += in[0]; // as it was
}

MPI_TEST(lengths, 2, 1)
MPI_TEST(everyone, 2, 1)
MPI_TEST(matched, 2, 1)
MPI_MAIN(&lengths_test, &everyone_test, &matched_test)

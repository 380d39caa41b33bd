// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Receives and probes with any tag, from anyone or from one rank: a rank may
// still be in its first pass when others send it adjoints, and tangents lie
// between messages of the program. And receives from anyone that do not wait.
#include "check.h"

enum { N = 4, LARGE = 3000, TASKS = 7, STOP = 99 };

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

static double worked(const double *task, const double *x) {
  return sin(task[0] * x[0]) + task[1] * x[1] * x[1];
}

// Who has a result gets the next task; tags are the tasks. Workers go back
// through theirs while others still work.
static void master(double *results, const double *x, int size) {
  double *task = calloc((size_t)size, sizeof *task);
  int given = 0, working = 0;
  for (int to = 1; to < all_ranks(); ++to, ++given) {
    task[0] = x[given % N], task[1] = x[(given + 1) % N] * x[0];
    MPI_Send(task, size, MPI_DOUBLE, to, given < TASKS ? given : STOP,
             MPI_COMM_WORLD);
    working += given < TASKS;
  }
  while (working > 0) {
    MPI_Status status;
    double result;
    MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG,
             MPI_COMM_WORLD, &status);
    results[status.MPI_TAG] = result;
    task[0] = x[given % N], task[1] = x[(given + 1) % N] * x[0];
    MPI_Send(task, size, MPI_DOUBLE, status.MPI_SOURCE,
             given < TASKS ? given : STOP, MPI_COMM_WORLD);
    working -= given++ >= TASKS;
  }
  free(task);
}
static void worker(const double *x, int size) {
  double *task = calloc((size_t)size, sizeof *task);
  for (;;) {
    MPI_Status status;
    MPI_Recv(task, size, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == STOP)
      break;
    const double result = worked(task, x);
    MPI_Send(&result, 1, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD);
  }
  free(task);
}
static void farm(const double *x, double *y, int size) {
  double results[TASKS] = {0};
  y[0] = x[0] * x[1];
  // Who has which task differs from run to run, so all have the same x.
  double same[N];
  memcpy(same, x, sizeof same);
  MPI_Bcast(same, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (my_rank() > 0)
    worker(same, size);
  else
    master(results, same, size);
  for (int i = 0; i < TASKS; ++i)
    y[0] += results[i] * (i + 1) * x[2];
}
static void tasks(const double *x, double *y) { farm(x, y, 2); }
static void large_tasks(const double *x, double *y) { farm(x, y, LARGE); }

// Each sends on what it has from anyone, with tags of its own.
static void gossip_of(const double *x, double *y, int size) {
  double *out = calloc((size_t)size, sizeof *out);
  double *in = calloc((size_t)size, sizeof *in);
  MPI_Status status;
  y[0] = x[3];
  for (int step = 0; step < 3; ++step) {
    MPI_Request request;
    for (int i = 0; i < size; ++i)
      out[i] = x[i % N] * (1 + 0.1 * step) + 0.1 * y[0];
    MPI_Isend(out, size, MPI_DOUBLE, next_rank(), my_rank() + step,
              MPI_COMM_WORLD, &request);
    MPI_Recv(in, size, MPI_DOUBLE, step == 1 ? last_rank() : MPI_ANY_SOURCE,
             MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; ++i)
      y[0] += sin(in[i]) * (1 + i % 3) / size * (status.MPI_TAG + 1) * 0.1;
    MPI_Barrier(MPI_COMM_WORLD); // who is next has no message of another step
  }
  free(out), free(in);
}
static void gossip(const double *x, double *y) { gossip_of(x, y, 2); }
static void large_gossip(const double *x, double *y) { gossip_of(x, y, LARGE); }

static void exchanged(const double *x, double *y) {
  double out[2] = {x[0] * x[1], x[2]}, in[2];
  MPI_Status status;
  MPI_Sendrecv(out, 2, MPI_DOUBLE, next_rank(), my_rank(), in, 2, MPI_DOUBLE,
               MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  y[0] = in[0] * in[1] * (status.MPI_TAG + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  in[0] *= x[3];
  MPI_Sendrecv_replace(in, 2, MPI_DOUBLE, last_rank(), 5, MPI_ANY_SOURCE,
                       MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  y[0] += in[0] * in[1] + status.MPI_SOURCE * x[0];
  MPI_Barrier(MPI_COMM_WORLD);
}

// By all kinds of probes, messages and integers of anyone.
static void probed(const double *x, double *y) {
  double out[3] = {x[0] * x[0], sin(x[1]), x[2]}, in[3];
  int number = my_rank() + 3, got = 0, there = 0, count;
  MPI_Request r[6];
  MPI_Status status;
  MPI_Message message;
  y[0] = x[3] * x[0];
  for (int kind = 0; kind < 4; ++kind)
    MPI_Isend(out, 3 - (kind + my_rank()) % 2, MPI_DOUBLE, next_rank(), kind,
              MPI_COMM_WORLD, &r[kind]);
  for (int kind = 0; kind < 4; ++kind) {
    if (kind == 0)
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    for (there = 0; kind == 1 && !there;)
      MPI_Iprobe(kind < 2 ? MPI_ANY_SOURCE : 0, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &there, &status);
    if (kind == 2)
      MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message,
                 &status);
    for (there = 0; kind == 3 && !there;)
      MPI_Improbe(last_rank(), MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message,
                  &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    if (kind < 2)
      MPI_Recv(in, count, MPI_DOUBLE, status.MPI_SOURCE, status.MPI_TAG,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Mrecv(in, count, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i)
      y[0] += in[i] * in[i] * (i + 1) * (status.MPI_TAG + 1);
  }
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(&number, 1, MPI_INT, next_rank(), 1, MPI_COMM_WORLD, &r[0]);
  MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  y[0] += got * x[1];
  // The next function sends other things.
  MPI_Barrier(MPI_COMM_WORLD);
}

// Several that wait for anyone, and others behind them; not in their order.
static void started_of(const double *x, double *y, int size) {
  double *in = calloc(5 * (size_t)size, sizeof *in);
  double *out = calloc(5 * (size_t)size, sizeof *out);
  MPI_Request get[4], give[5];
  MPI_Status status;
  const int order[4] = {2, 0, 3, 1};
  for (int k = 0; k < 4; ++k)
    MPI_Irecv(in + k * size, size, MPI_DOUBLE,
              k == 2 ? last_rank() : MPI_ANY_SOURCE, 4, MPI_COMM_WORLD,
              &get[k]);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int k = 0; k < 5; ++k) {
    for (int i = 0; i < size; ++i)
      out[k * size + i] = x[(i + k) % N] * x[k % N] + k;
    MPI_Isend(out + k * size, size, MPI_DOUBLE, next_rank(), 4, MPI_COMM_WORLD,
              &give[k]);
  }
  // Of the same rank and tag, behind all.
  MPI_Recv(in + 4 * size, size, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD,
           &status);
  for (int k = 0; k < 4; ++k)
    MPI_Wait(&get[order[k]], k % 2 ? MPI_STATUS_IGNORE : &status);
  MPI_Waitall(5, give, MPI_STATUSES_IGNORE);
  y[0] = x[0];
  for (int i = 0; i < 5 * size; ++i)
    y[0] += sin(in[i]) * (1 + i % 7) / size;
  free(in), free(out);
}
static void started(const double *x, double *y) { started_of(x, y, 2); }
static void large_started(const double *x, double *y) {
  started_of(x, y, LARGE);
}

// Of all ranks, whoever comes first; the sums depend on who it was.
static void some(const double *x, double *y) {
  const int all = all_ranks();
  double in[16], out = x[0] * x[1] + my_rank();
  MPI_Request r[17];
  MPI_Status status;
  y[0] = x[2];
  for (int k = 0; my_rank() == 0 && k < all; ++k)
    MPI_Irecv(&in[k], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &r[k]);
  MPI_Isend(&out, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &r[16]);
  for (int k = 0, which; my_rank() == 0 && k < all; ++k) {
    if (k % 2)
      MPI_Waitany(all, r, &which, &status);
    else
      for (int done = 0; !done;)
        MPI_Testany(all, r, &which, &done, &status);
    y[0] += in[which] * in[which] * (status.MPI_SOURCE + 1) * x[3];
  }
  MPI_Wait(&r[16], MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Requests that are started again, and a send that is given up to MPI.
static void again(const double *x, double *y) {
  double in[2], out[2], more = x[1] * x[2], last;
  MPI_Request r[3];
  MPI_Recv_init(in, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &r[0]);
  MPI_Send_init(out, 2, MPI_DOUBLE, next_rank(), 8, MPI_COMM_WORLD, &r[1]);
  y[0] = x[0];
  for (int step = 0; step < 3; ++step) {
    out[0] = x[step] * y[0], out[1] = x[3];
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    y[0] = 0.5 * sin(in[0] * in[1]) + 0.1 * y[0];
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  MPI_Isend(&more, 1, MPI_DOUBLE, next_rank(), 9, MPI_COMM_WORLD, &r[2]);
  MPI_Request_free(&r[2]);
  MPI_Recv(&last, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD); // more has gone
  y[0] += last * last;
}

MPI_TEST(tasks, N, 1)
MPI_TEST(large_tasks, N, 1)
MPI_TEST(gossip, N, 1)
MPI_TEST(large_gossip, N, 1)
MPI_TEST(exchanged, N, 1)
MPI_TEST(probed, N, 1)
MPI_TEST(started, N, 1)
MPI_TEST(large_started, N, 1)
MPI_TEST(some, N, 1)
MPI_TEST(again, N, 1)
MPI_MAIN(&tasks_test, &large_tasks_test, &gossip_test, &large_gossip_test,
         &exchanged_test, &probed_test, &started_test, &large_started_test,
         &some_test, &again_test)

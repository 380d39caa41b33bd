// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threads: 1 2 3
// Probes, pending collective calls and requests that are started again, by
// threads of parallel regions.
#include "check.h"
#include <omp.h>

enum { N = 6, MOST = 3, LARGE = 3000 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

// How much has come says the probe; each thread with a tag of its own.
static void probes(const double *x, double *y) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double out[3] = {x[me] * x[0], x[1] * x[2], sin(x[me])};
    MPI_Request request;
    MPI_Status status;
    for (int kind = 0; kind < 4; ++kind) {
      int count, there = 0;
      MPI_Message message;
      const int tag = 4 * me + kind;
      double in[3];
      MPI_Isend(out, 1 + (rank + kind) % 3, MPI_DOUBLE, right(), tag,
                MPI_COMM_WORLD, &request);
      if (kind == 0)
        MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
      while (kind == 1 && !there)
        MPI_Iprobe(left(), tag, MPI_COMM_WORLD, &there, &status);
      if (kind == 2)
        MPI_Mprobe(left(), tag, MPI_COMM_WORLD, &message, &status);
      while (kind == 3 && !there)
        MPI_Improbe(left(), tag, MPI_COMM_WORLD, &there, &message, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      MPI_Request got;
      if (kind < 2)
        MPI_Recv(in, count, MPI_DOUBLE, left(), tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
      else if (kind == 2)
        MPI_Mrecv(in, count, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
      else
        MPI_Imrecv(in, count, MPI_DOUBLE, &message, &got);
      if (kind == 3)
        MPI_Wait(&got, MPI_STATUS_IGNORE);
      for (int i = 0; i < count; ++i)
        sums[me] += in[i] * in[i] * (i + 1);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      out[kind % 3] *= x[3];
    }
  }
  y[0] = sums[0] + sums[1] * x[1] + sums[2] * x[2];
}

// One after the other with one tag, whichever thread comes.
static void probes_in_turn(const double *x, double *y) {
  double sum = x[5];
  int turn = 0;
#pragma omp parallel
  {
    for (int k = 0; k < 2; ++k) {
#pragma omp critical
      {
        const double out = x[turn % N] * x[3] + 0.3 * sum;
        double in;
        MPI_Request request;
        MPI_Message message;
        MPI_Isend(&out, 1, MPI_DOUBLE, right(), 5, MPI_COMM_WORLD, &request);
        MPI_Mprobe(left(), 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&in, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += 0.1 * in * in * (1 + turn);
        ++turn;
      }
    }
  }
  y[0] = sum;
}

// The master receives anything; all are in the region meanwhile.
static void anything(const double *x, double *y) {
  double got[2] = {0}, inner[N], sum = 0;
#pragma omp parallel
  {
#pragma omp master
    {
      double out[2] = {x[0] * x[1], x[2]};
      MPI_Status status;
      MPI_Sendrecv(out, 2, MPI_DOUBLE, right(), rank, got, 2, MPI_DOUBLE,
                   MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      got[0] *= status.MPI_TAG + 1;
    }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < N; ++i)
      inner[i] = x[i] * got[0] + got[1] * x[0];
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < N; ++i)
      sum += inner[i] * inner[i];
  }
  y[0] = sum;
}

// Communicators of threads; ranks call in one order on each communicator, but
// not across them, and wait as they like.
static void calls_of(const double *x, double *y, int n) {
  double results[MOST] = {0};
  MPI_Comm comms[2 * MOST];
  for (int i = 0; i < 2 * MOST; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double *in = (double *)malloc(4 * (size_t)n * sizeof *in);
    double *out = (double *)malloc(4 * (size_t)n * sizeof *out);
    MPI_Request r[4];
    for (int i = 0; i < 4 * n; ++i)
      in[i] = x[i % N] * (1 + 0.1 * me) + 0.01 * rank, out[i] = 1;
    for (int k = 0; k < 2; ++k) {
      const int which = (k + rank) % 2;
      const MPI_Comm comm = comms[2 * me + which];
      double *const from = in + 2 * which * n, *const to = out + 2 * which * n;
      MPI_Iallreduce(from, to, n, MPI_DOUBLE, which ? MPI_PROD : MPI_SUM, comm,
                     &r[2 * which]);
      MPI_Iscan(from + n, to + n, n, MPI_DOUBLE, MPI_MAX, comm,
                &r[2 * which + 1]);
    }
    for (int k = 0; k < 4; ++k)
      MPI_Wait(&r[(k + rank + me) % 4], MPI_STATUS_IGNORE);
    MPI_Ibcast(out, n, MPI_DOUBLE, me % ranks, comms[2 * me], &r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 4 * n; ++i)
      results[me] += sin(out[i]) * (1 + i % 3) / n;
    free(in), free(out);
  }
  for (int i = 0; i < 2 * MOST; ++i)
    MPI_Comm_free(&comms[i]);
  y[0] = results[0] + results[1] * results[2] + results[1] * x[0];
}
static void calls(const double *x, double *y) { calls_of(x, y, 2); }
static void large_calls(const double *x, double *y) { calls_of(x, y, LARGE); }

// On one communicator, whichever thread comes; another thread waits, and
// blocking calls are between.
static void calls_in_turn(const double *x, double *y) {
  double out[2 * MOST], all[2 * MOST] = {0}, sum = 0, between[MOST] = {0};
  MPI_Request requests[2 * MOST];
  int turn = 0;
#pragma omp parallel
  {
    for (int k = 0; k < 2; ++k) {
#pragma omp critical
      {
        out[turn] = x[turn % N] * x[(turn + 1) % N];
        MPI_Iallreduce(&out[turn], &all[turn], 1, MPI_DOUBLE,
                       turn % 2 ? MPI_PROD : MPI_SUM, MPI_COMM_WORLD,
                       &requests[turn]);
        ++turn;
      }
    }
#pragma omp barrier
#pragma omp single
    MPI_Allreduce(x, between, MOST, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp for schedule(static, 1) reduction(+ : sum)
    for (int i = 0; i < turn; ++i) {
      MPI_Wait(&requests[turn - 1 - i], MPI_STATUS_IGNORE);
      sum += sin(all[turn - 1 - i]) * (1 + (turn - 1 - i)) * between[i % MOST];
    }
  }
  y[0] = sum;
}

// Messages of no floats order the threads.
static void calls_chained(const double *x, double *y) {
  double got[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double out = x[me] * x[me + 1], sum = 0, mine = x[me];
    int token = 0;
    MPI_Request request, sent;
    if (me > 0)
      MPI_Recv(&token, 1, MPI_INT, rank, 100 + me, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    MPI_Iallreduce(&out, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                   &request);
    if (me % 2)
      MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM,
                    MPI_COMM_WORLD);
    if (me + 1 < omp_get_num_threads())
      MPI_Isend(&me, 1, MPI_INT, rank, 100 + me + 1, MPI_COMM_WORLD, &sent);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (me + 1 < omp_get_num_threads())
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
    got[me] = sum * sum * (me + 1) * mine;
  }
  y[0] = got[0] + got[1] * x[3] + got[2] * x[4] + x[0];
}

// Called in front of the region and behind it.
static void calls_around(const double *x, double *y) {
  double out[3] = {x[0] * x[1], x[2], x[3]}, in[3] = {0}, sums[MOST] = {0};
  double all[2] = {0};
  MPI_Request requests[3];
  MPI_Iallreduce(&out[0], &in[0], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                 &requests[0]);
  MPI_Iscan(&out[1], &in[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
            &requests[1]);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    if (me == omp_get_num_threads() - 1)
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#pragma omp barrier
    sums[me] = in[0] * x[me] * in[0];
#pragma omp master
    {
      MPI_Allreduce(out, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      MPI_Ibcast(&out[2], 1, MPI_DOUBLE, ranks - 1, MPI_COMM_WORLD,
                 &requests[2]);
    }
#pragma omp barrier
    sums[me] += all[0] * all[1] * x[me];
  }
  MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Waitall(2, requests + 1, MPI_STATUSES_IGNORE);
  y[0] = sums[0] + sums[1] * in[1] + sums[2] * x[0] + out[2] * in[1] +
         0.1 * all[0] * x[1];
}

// Requests of each thread that are started again.
static void again_of(const double *x, double *y, int n) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double *out = (double *)calloc((size_t)n, sizeof *out);
    double *in = (double *)calloc((size_t)n, sizeof *in);
    MPI_Request r[2];
    MPI_Send_init(out, n, MPI_DOUBLE, right(), me, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(in, n, MPI_DOUBLE, left(), me, MPI_COMM_WORLD, &r[1]);
    for (int step = 0; step < 3; ++step) {
      for (int i = 0; i < n; ++i)
        out[i] = x[(i + me) % N] * x[step] + 0.5 * in[i];
      if (step == 1)
        MPI_Start(&r[1]), MPI_Start(&r[0]);
      else
        MPI_Startall(2, r);
      MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < n; ++i)
      sums[me] += in[i] * in[i] * (1 + i % 2) / n;
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    free(out), free(in);
  }
  y[0] = sums[0] + sums[1] * x[0] + sums[2] * x[1];
}
static void again(const double *x, double *y) { again_of(x, y, 2); }
static void large_again(const double *x, double *y) { again_of(x, y, LARGE); }

// Made outside, started by one thread and waited for by another one.
static void made_outside(const double *x, double *y) {
  double out[MOST] = {0}, in[MOST] = {0}, sums[MOST] = {0};
  MPI_Request requests[2 * MOST];
  for (int i = 0; i < MOST; ++i) {
    MPI_Send_init(&out[i], 1, MPI_DOUBLE, right(), i, MPI_COMM_WORLD,
                  &requests[2 * i]);
    MPI_Recv_init(&in[i], 1, MPI_DOUBLE, left(), i, MPI_COMM_WORLD,
                  &requests[2 * i + 1]);
  }
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), all = omp_get_num_threads();
    const int other = (me + 1) % all;
    for (int step = 0; step < 2; ++step) {
      out[me] = x[me] * x[step + 1] + 0.5 * in[me];
      MPI_Startall(2, &requests[2 * me]);
#pragma omp barrier
      MPI_Waitall(2, &requests[2 * other], MPI_STATUSES_IGNORE);
#pragma omp barrier
      sums[me] += in[me] * in[other] * (step + 1);
#pragma omp barrier
    }
  }
  for (int i = 0; i < 2 * MOST; ++i)
    MPI_Request_free(&requests[i]);
  y[0] = sums[0] + sums[1] * sums[2] + sums[1] * x[0];
}

MPI_TEST(probes, N, 1)
MPI_TEST(probes_in_turn, N, 1)
MPI_TEST(anything, N, 1)
MPI_TEST(calls, N, 1)
MPI_TEST(large_calls, N, 1)
MPI_TEST(calls_in_turn, N, 1)
MPI_TEST(calls_chained, N, 1)
MPI_TEST(calls_around, N, 1)
MPI_TEST(again, N, 1)
MPI_TEST(large_again, N, 1)
MPI_TEST(made_outside, N, 1)
MPI_MAIN(&probes_test, &probes_in_turn_test, &anything_test, &calls_test,
         &large_calls_test, &calls_in_turn_test, &calls_chained_test,
         &calls_around_test, &again_test, &large_again_test, &made_outside_test)

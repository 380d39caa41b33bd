// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threads: 1 2 3
// sends: buffered
// Messages and collective calls in parallel regions.
#include "check.h"
#include <omp.h>

enum { N = 6, ROOM = 64, MOST = 3 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

// Each thread with a tag of its own, all read x.
static void by_tags(const double *x, double *y) {
  double got[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double mine[2] = {x[me] * x[0], x[1] * x[2] * (me + 1)}, in[2];
    MPI_Sendrecv(mine, 2, MPI_DOUBLE, right(), me, in, 2, MPI_DOUBLE, left(),
                 me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got[me] = in[0] * in[1] + x[me];
  }
  y[0] = got[0] + got[1] * got[2] + got[2] * x[0];
}

// What all send is what all read.
static void sends_shared(const double *x, double *y) {
  double scaled[N], sums[MOST] = {0};
  for (int i = 0; i < N; ++i)
    scaled[i] = x[i] * x[i];
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double in[N], sum = 0;
    MPI_Request request;
    MPI_Irecv(in, N, MPI_DOUBLE, left(), me, MPI_COMM_WORLD, &request);
    MPI_Send(scaled, N, MPI_DOUBLE, right(), me, MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i)
      sum += scaled[i] * (me + 1) * x[i];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      sum += in[i] * in[i];
    sums[me] = sum;
  }
  y[0] = sums[0] * x[1] + sums[1] + sums[2] * sums[0];
}

// The master exchanges, the others compute.
static void funneled(const double *x, double *y) {
  double edge[2] = {0}, inner[N], sum = 0;
#pragma omp parallel
  {
    for (int step = 0; step < 3; ++step) {
#pragma omp master
      {
        const double out = step ? inner[0] * inner[N - 1] : x[0] * x[1];
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, right(), 7, &edge[0], 1, MPI_DOUBLE,
                     left(), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&out, &edge[1], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
      }
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < N; ++i)
        inner[i] = x[i] * edge[0] + 0.1 * sin(edge[1]) * x[(i + step) % N];
    }
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < N; ++i)
      sum += inner[i] * inner[i];
  }
  y[0] = sum;
}

// Whoever comes first.
static void by_single(const double *x, double *y) {
  double all = 0, mine[N], root[2] = {0};
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < N; ++i)
      mine[i] = x[i] * x[i];
#pragma omp single
    MPI_Allreduce(MPI_IN_PLACE, mine, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp for reduction(+ : all)
    for (int i = 0; i < N; ++i)
      all += mine[i] * x[(i + 1) % N];
#pragma omp single nowait
    {
      root[0] = all * x[0];
      MPI_Bcast(root, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
  }
  y[0] = root[0] * x[2] + all;
}

// One message after the other with one tag, whichever thread comes.
static void by_critical(const double *x, double *y) {
  double sum = x[5];
  int turn = 0;
#pragma omp parallel
  {
    for (int k = 0; k < 2; ++k) {
#pragma omp critical
      {
        const double out = x[turn % N] * x[3] + 0.3 * sum;
        double in;
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, right(), 5, &in, 1, MPI_DOUBLE,
                     left(), 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += 0.1 * in * in * (1 + turn);
        ++turn;
      }
    }
  }
  y[0] = sum;
}

// A request of one thread that another one waits for.
static void handed_over(const double *x, double *y) {
  MPI_Request requests[2 * MOST];
  double out[MOST] = {0}, in[MOST] = {0};
  int threads = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    out[me] = x[me] * x[me + 1];
    MPI_Irecv(&in[me], 1, MPI_DOUBLE, left(), me, MPI_COMM_WORLD,
              &requests[2 * me]);
    MPI_Isend(&out[me], 1, MPI_DOUBLE, right(), me, MPI_COMM_WORLD,
              &requests[2 * me + 1]);
#pragma omp barrier
#pragma omp master
    {
      threads = omp_get_num_threads();
      MPI_Waitall(2 * threads, requests, MPI_STATUSES_IGNORE);
    }
#pragma omp barrier
    out[me] = in[me] * in[(me + 1) % threads] * x[0];
  }
  y[0] = out[0] + out[1] * x[1] + out[2] * out[2];
}

// Started in front of the region and behind it.
static void around(const double *x, double *y) {
  MPI_Request requests[2];
  double out[2] = {x[0] * x[1], x[2]}, in[2] = {0}, sums[MOST] = {0};
  MPI_Irecv(&in[0], 1, MPI_DOUBLE, left(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out[0], 1, MPI_DOUBLE, right(), 1, MPI_COMM_WORLD, &requests[1]);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double got;
    if (me == omp_get_num_threads() - 1)
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#pragma omp barrier
    const double mine = in[0] * x[me];
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right(), 10 + me, &got, 1, MPI_DOUBLE,
                 left(), 10 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sums[me] = got * got;
#pragma omp master
    MPI_Irecv(&in[1], 1, MPI_DOUBLE, left(), 2, MPI_COMM_WORLD, &requests[0]);
  }
  MPI_Send(&out[1], 1, MPI_DOUBLE, right(), 2, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  y[0] = sums[0] + sums[1] * in[1] + sums[2] * x[0];
}

// Communicators of threads.
static MPI_Comm comms[MOST];
static void make_comms(void) {
  for (int i = 0; i < MOST; ++i)
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
}
static void by_communicators(const double *x, double *y) {
  double results[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double mine[2] = {x[me] * x[0], x[me + 1]}, all[2], root = x[me] * x[3];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comms[me]);
    MPI_Bcast(&root, 1, MPI_DOUBLE, me % ranks, comms[me]);
    MPI_Scan(all, mine, 2, MPI_DOUBLE, MPI_PROD, comms[me]);
    results[me] = mine[0] * 0.001 + all[1] * root;
  }
  y[0] = results[0] + results[1] * results[2] + results[1] * x[0];
}

// In a function that a region calls; buffers of each thread.
static void __attribute__((noinline)) halo(double *buffer, int n, int tag,
                                           MPI_Comm comm) {
  MPI_Request requests[2];
  MPI_Irecv(buffer, 1, MPI_DOUBLE, left(), tag, comm, &requests[0]);
  MPI_Isend(buffer + n, 1, MPI_DOUBLE, right(), tag, comm, &requests[1]);
  for (int done = 0; done < 2; ++done) {
    int which;
    MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
  }
}
static void by_callee(const double *x, double *y) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double *buffer = (double *)malloc((N + 1) * sizeof *buffer);
    for (int i = 0; i <= N; ++i)
      buffer[i] = x[i % N] * (me + 1);
    for (int step = 0; step < 3; ++step) {
      halo(buffer, N, me, MPI_COMM_WORLD);
      for (int i = N; i > 0; --i)
        buffer[i] = 0.5 * buffer[i] + 0.5 * buffer[i - 1] * x[0];
    }
    for (int i = 1; i <= N; ++i)
      sums[me] += buffer[i] * buffer[i];
    free(buffer);
  }
  y[0] = sums[0] + sums[1] * x[0] + sums[2] * x[1];
}

// A chain of messages without floats orders the threads: thread 0 begins, each
// next one has been sent something by the one before.
static void await_turn(int me) {
  int token = 0;
  if (me > 0)
    MPI_Recv(&token, 1, MPI_INT, rank, 100 + me, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
}
static void end_turn(int me, int all) {
  if (me + 1 < all)
    MPI_Send(&me, 1, MPI_INT, rank, 100 + me + 1, MPI_COMM_WORLD);
}

// With one tag, on each rank.
static void chained(const double *x, double *y) {
  double got[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double out = x[me] * x[me + 1], in = 0;
    await_turn(me);
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, right(), 3, &in, 1, MPI_DOUBLE, left(), 3,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end_turn(me, omp_get_num_threads());
    got[me] = in * in * (me + 1);
  }
  y[0] = got[0] + got[1] * x[3] + got[2] * x[4] + x[0];
}

static void chained_calls(const double *x, double *y) {
  double got[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double out = x[me] * x[me + 1], sum = 0;
    await_turn(me);
    MPI_Allreduce(&out, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    end_turn(me, omp_get_num_threads());
    got[me] = sum * sum * (me + 1);
  }
  y[0] = got[0] + got[1] * x[3] + got[2] * x[4] + x[0];
}

MPI_TEST(by_tags, N, 1)
MPI_TEST(sends_shared, N, 1)
MPI_TEST(funneled, N, 1)
MPI_TEST(by_single, N, 1)
MPI_TEST(by_critical, N, 1)
MPI_TEST(handed_over, N, 1)
MPI_TEST(around, N, 1)
MPI_TEST(by_communicators, N, 1)
MPI_TEST(by_callee, N, 1)
MPI_TEST(chained, N, 1)
MPI_TEST(chained_calls, N, 1)
MPI_MAIN_(make_comms, &by_tags_test, &sends_shared_test, &funneled_test,
          &by_single_test, &by_critical_test, &handed_over_test, &around_test,
          &by_communicators_test, &by_callee_test, &chained_test,
          &chained_calls_test)

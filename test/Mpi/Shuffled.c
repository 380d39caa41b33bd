// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random collective calls on two communicators, blocking or not. All ranks call
// them in one order, and each waits in an order of its own; what it computes
// depends on that.
#include "check.h"

enum { CALLS = 14, MOST = 8, WIDTH = 2 * MOST };

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

struct call {
  MPI_Request request;
  int under_way;
  double in[WIDTH], out[WIDTH];
};

static void start(struct call *c, unsigned kind, int root, MPI_Comm comm) {
  MPI_Request *r = &c->request;
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
  int n;
  MPI_Comm_size(comm, &n);
  c->under_way = kind % 12 < 10;
  switch (kind % 12) {
  case 0:
  case 1:
    MPI_Iallreduce(c->in, c->out, 2, MPI_DOUBLE, ops[kind / 12 % 4], comm, r);
    break;
  case 2:
    MPI_Ibcast(c->out, WIDTH, MPI_DOUBLE, root % n, comm, r);
    break;
  case 3:
    MPI_Ireduce(c->in, c->out, 3, MPI_DOUBLE, ops[kind / 12 % 4], root % n,
                comm, r);
    break;
  case 4:
    MPI_Igather(c->in, 2, MPI_DOUBLE, c->out, 2, MPI_DOUBLE, root % n, comm, r);
    break;
  case 5:
    MPI_Iscatter(c->in, 2, MPI_DOUBLE, c->out, 2, MPI_DOUBLE, root % n, comm,
                 r);
    break;
  case 6:
    MPI_Iallgather(c->in, 1, MPI_DOUBLE, c->out, 1, MPI_DOUBLE, comm, r);
    break;
  case 7:
    MPI_Ialltoall(c->in, 2, MPI_DOUBLE, c->out, 2, MPI_DOUBLE, comm, r);
    break;
  case 8:
    MPI_Iscan(c->in, c->out, 2, MPI_DOUBLE, MPI_SUM, comm, r);
    break;
  case 9:
    MPI_Ireduce_scatter_block(c->in, c->out, 2, MPI_DOUBLE, MPI_SUM, comm, r);
    break;
  case 10:
    MPI_Allreduce(c->in, c->out, 2, MPI_DOUBLE, MPI_SUM, comm);
    break;
  default:
    MPI_Bcast(c->out, 2, MPI_DOUBLE, root % n, comm);
  }
}

static double result_of(const struct call *c) {
  double sum = 0;
  for (int i = 0; i < WIDTH; ++i)
    sum += (i + 1) * c->out[i];
  return 0.1 * sin(0.01 * sum);
}

static void shuffled_of(const double *x, double *y, unsigned seed) {
  struct call *calls = (struct call *)calloc(CALLS, sizeof *calls);
  int me;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
  unsigned common = seed, own = seed * 77u + (unsigned)me * 1234567u;
  double v = x[0];
  for (int k = 0; k < CALLS; ++k) {
    struct call *c = calls + k;
    for (int i = 0; i < WIDTH; ++i) {
      c->in[i] = 0.5 + 0.3 * sin(v + x[i % 3] * (i + 1));
      c->out[i] = 0.2 * x[i % 3] * v;
    }
    const unsigned kind = next(&common), root = next(&common) % MOST;
    const unsigned where = next(&common) % 3;
    start(c, kind, (int)root, where ? MPI_COMM_WORLD : half);
    if (!c->under_way)
      v += result_of(c);
    for (unsigned waits = next(&own) % 3; waits > 0; --waits) {
      struct call *w = calls + next(&own) % (unsigned)(k + 1);
      if (!w->under_way)
        continue;
      MPI_Wait(&w->request, MPI_STATUS_IGNORE);
      w->under_way = 0;
      v += result_of(w) * x[1];
    }
  }
  for (int k = 0; k < CALLS; ++k)
    if (calls[(k * 3) % CALLS].under_way) {
      struct call *w = calls + (k * 3) % CALLS;
      MPI_Wait(&w->request, MPI_STATUS_IGNORE);
      w->under_way = 0;
      v += result_of(w) * x[2];
    }
  MPI_Comm_free(&half);
  y[0] = v;
  free(calls);
}

#define SHUFFLED(SEED)                                                         \
  static void shuffled##SEED(const double *x, double *y) {                     \
    shuffled_of(x, y, SEED);                                                   \
  }                                                                            \
  MPI_TEST(shuffled##SEED, 3, 1)

SHUFFLED(1)
SHUFFLED(2)
SHUFFLED(3)
SHUFFLED(4)
SHUFFLED(5)
SHUFFLED(6)
SHUFFLED(7)
SHUFFLED(8)
MPI_MAIN(&shuffled1_test, &shuffled2_test, &shuffled3_test, &shuffled4_test,
         &shuffled5_test, &shuffled6_test, &shuffled7_test, &shuffled8_test)

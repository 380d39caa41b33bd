// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random orders of messages and of what all ranks call. Each rank waits for its
// messages in an order of its own.
#include "check.h"

enum { N = 4, STEPS = 24, PENDING = 5, SEEDS = 40 };

static unsigned seed;

static unsigned drawn(unsigned *state, unsigned below) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 16) % below;
}

struct pending {
  double in[2], out[2];
  MPI_Request request[2];
  int is_open;
};

static __attribute__((noinline)) void finish(struct pending *p, double *s,
                                             const double *x, int at) {
  if (!p->is_open)
    return;
  if (at % 2)
    MPI_Waitall(2, p->request, MPI_STATUSES_IGNORE);
  else
    for (int done = 0, i = 0; i < 2; i += done)
      MPI_Test(p->request + i, &done, MPI_STATUS_IGNORE);
  p->is_open = 0;
  s[at % N] = 0.5 * s[at % N] * x[at % N] + 0.3 * p->in[0] * p->in[1];
}

static void random_order(const double *x, double *y) {
  struct pending slots[PENDING];
  double s[N];
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  unsigned state = 77 * seed + 5, own = state + 13u * (unsigned)me;
  memcpy(s, x, sizeof s);
  memset(slots, 0, sizeof slots);
  for (int step = 0; step < STEPS; ++step) {
    const int what = (int)drawn(&state, 8), shift = (int)drawn(&state, 3);
    const int slot = (int)drawn(&state, PENDING), tag = (int)drawn(&state, 2);
    const int root = (int)drawn(&state, 64) % all, n = 1 + step % 2;
    const int to = (me + shift) % all, from = (me + all * 3 - shift) % all;
    struct pending *p = &slots[slot];
    double got[2] = {0.1, 0.2}, give[2] = {s[step % N], s[0] * s[1]};
    if (what < 4) {
      // Same messages on all ranks, so whoever waits first waits for itself.
      finish(p, s, x, slot);
      p->in[0] = p->in[1] = 0.7;
      p->out[0] = s[step % N] * x[0];
      p->out[1] = sin(s[shift]);
      MPI_Irecv(p->in, n, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, p->request);
      MPI_Isend(p->out, n, MPI_DOUBLE, to, tag, MPI_COMM_WORLD, p->request + 1);
      p->is_open = 1;
    } else if (what == 4) {
      MPI_Sendrecv(give, n, MPI_DOUBLE, to, tag, got, n, MPI_DOUBLE, from, tag,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      s[slot % N] = got[0] * s[slot % N] + 0.4 * got[1];
    } else if (what == 5) {
      MPI_Bcast(s, N, MPI_DOUBLE, root, MPI_COMM_WORLD);
      s[slot % N] *= x[1];
    } else if (what == 6) {
      MPI_Allreduce(give, got, 2, MPI_DOUBLE, tag ? MPI_SUM : MPI_MAX,
                    MPI_COMM_WORLD);
      s[slot % N] += (got[0] * x[2] + got[1]) / (2 * all);
    } else {
      const int mine = (int)drawn(&own, PENDING); // each rank another one
      finish(&slots[mine], s, x, mine);
    }
  }
  for (int i = 0; i < PENDING; ++i) {
    const int at = (i + me) % PENDING;
    finish(&slots[at], s, x, at);
  }
  memcpy(y, s, sizeof s);
}

MPI_TEST_(random_order, N, N, 1e-4, 0) // some grow fast

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (seed = 0; seed < SEEDS; ++seed) {
    const int before = failures;
    run_test(&random_order_test);
    if (failures != before && rank == 0)
      printf("with seed %u\n", seed);
  }
  if (rank == 0)
    printf("%d tests, %d failures\n", SEEDS, failures);
  MPI_Finalize();
  return failures != 0;
}

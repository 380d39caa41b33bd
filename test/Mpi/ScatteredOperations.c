// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by functions of the program of which each rank has a block.
#include "check.h"
#include <stddef.h>

enum { N = 3, MOST = 8, ROOM = 3 * MOST };

// log(exp(a) + exp(b)): commutes.
static void log_of_sum(void *in, void *inout, int *length, MPI_Datatype *type) {
  const double *a = in;
  double *b = inout;
  (void)type;
  for (int i = 0; i < *length; ++i)
    b[i] = log(exp(a[i]) + exp(b[i]));
}

// z -> a z + b, one after the other: does not commute. In pairs.
struct affine {
  double a, b;
};
static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
  const struct affine *first = in;
  struct affine *second = inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    const struct affine s = second[i];
    second[i].a = s.a * first[i].a;
    second[i].b = s.a * first[i].b + s.b;
  }
}

// Numbers beside floats, of two sizes.
struct mean {
  int count;
  double value;
};
static void means(void *in, void *inout, int *length, MPI_Datatype *type) {
  const struct mean *a = in;
  struct mean *b = inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    const int count = a[i].count + b[i].count;
    b[i].value = (a[i].value * a[i].count + b[i].value * b[i].count) / count;
    b[i].count = count;
  }
}

static void fill(double *in, int n, const double *x) {
  for (int i = 0; i < n; ++i)
    in[i] = x[i % N] * x[(i / N) % N] + 0.1 * i;
}

static double use(const double *out, int n, const double *x) {
  double y = 0;
  for (int i = 0; i < n; ++i)
    y += (i + 1) * out[i] * out[i] * x[i % N];
  return y;
}

static void blocks_of(const double *x, double *y, int in_place) {
  MPI_Op op;
  double in[ROOM], out[ROOM] = {0};
  MPI_Op_create(log_of_sum, 1, &op);
  fill(in, 2 * ranks, x);
  MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : in, in_place ? in : out, 2,
                           MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  y[0] = use(in_place ? in : out, 2, x);
}
static void blocks(const double *x, double *y) { blocks_of(x, y, 0); }
static void blocks_in_place(const double *x, double *y) { blocks_of(x, y, 1); }

// Rank 1 has nothing, others one or two.
static void uneven_counts(int *counts) {
  for (int i = 0; i < ranks; ++i)
    counts[i] = i == 1 ? 0 : 1 + i % 2;
}

static void uneven_of(const double *x, double *y, int in_place) {
  MPI_Op op;
  MPI_Datatype pair;
  int counts[MOST];
  double in[2 * ROOM], out[2 * ROOM] = {0};
  uneven_counts(counts);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &op);
  fill(in, 4 * ranks, x);
  MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : in, in_place ? in : out, counts,
                     pair, op, MPI_COMM_WORLD);
  y[0] = use(in_place ? in : out, 2 * counts[rank], x);
  // The sizes are the program's to change.
  counts[0] = 77;
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
}
static void uneven(const double *x, double *y) { uneven_of(x, y, 0); }
static void uneven_in_place(const double *x, double *y) { uneven_of(x, y, 1); }

static void mixed(const double *x, double *y) {
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {offsetof(struct mean, count),
                              offsetof(struct mean, value)};
  const MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
  struct mean in[ROOM], out[2];
  MPI_Datatype type;
  MPI_Op op;
  for (int i = 0; i < 2 * ranks; ++i) {
    in[i].count = 1 + rank + i;
    in[i].value = x[i % N] * x[0];
  }
  MPI_Type_create_struct(2, lengths, places, types, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(means, 1, &op);
  MPI_Reduce_scatter_block(in, out, 2, type, op, MPI_COMM_WORLD);
  y[0] = out[0].value * out[1].value * out[0].count;
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

// Two under way at once, waited for in another order on each rank; what is sent
// is overwritten behind the wait.
static void pending_of(const double *x, double *y, int in_place) {
  MPI_Op ops[2];
  MPI_Datatype pair;
  MPI_Request requests[3];
  int counts[MOST];
  double in[2 * ROOM], out[2 * ROOM] = {0}, other[ROOM], mine[2] = {0};
  double sum = 0, all = 0;
  uneven_counts(counts);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &ops[0]);
  MPI_Op_create(log_of_sum, 1, &ops[1]);
  fill(in, 4 * ranks, x);
  fill(other, 2 * ranks, x);
  MPI_Ireduce_scatter(in_place ? MPI_IN_PLACE : in, in_place ? in : out, counts,
                      pair, ops[0], MPI_COMM_WORLD, &requests[0]);
  MPI_Ireduce_scatter_block(in_place ? MPI_IN_PLACE : other,
                            in_place ? other : mine, 2, MPI_DOUBLE, ops[1],
                            MPI_COMM_WORLD, &requests[1]);
  sum = x[0] * x[1];
  MPI_Iallreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                 &requests[2]);
  if (rank % 2)
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  else
    for (int i = 3; i-- > 0;)
      MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
  y[0] = use(in_place ? in : out, 2 * counts[rank], x) + all;
  y[1] = use(in_place ? other : mine, 2, x);
  memset(in, 0, sizeof in);
  MPI_Op_free(&ops[0]);
  MPI_Op_free(&ops[1]);
  MPI_Type_free(&pair);
}
static void pending(const double *x, double *y) { pending_of(x, y, 0); }
static void pending_in_place(const double *x, double *y) {
  pending_of(x, y, 1);
}

// Again and again, on a communicator of its own.
static void repeated(const double *x, double *y) {
  MPI_Comm comm;
  MPI_Op op;
  double in[ROOM], out[2], last = 0;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Op_create(log_of_sum, 1, &op);
  for (int step = 0; step < 3; ++step) {
    fill(in, ranks, x);
    in[step % ranks] += last;
    MPI_Reduce_scatter_block(in, out, 1, MPI_DOUBLE, op, comm);
    last = out[0] * x[step];
  }
  y[0] = last;
  MPI_Op_free(&op);
  MPI_Comm_free(&comm);
}

MPI_TEST(blocks, N, 1)
MPI_TEST(blocks_in_place, N, 1)
MPI_TEST(uneven, N, 1)
MPI_TEST(uneven_in_place, N, 1)
MPI_TEST(mixed, N, 1)
MPI_TEST(pending, N, 2)
MPI_TEST(pending_in_place, N, 2)
MPI_TEST(repeated, N, 1)
MPI_MAIN(&blocks_test, &blocks_in_place_test, &uneven_test,
         &uneven_in_place_test, &mixed_test, &pending_test,
         &pending_in_place_test, &repeated_test)

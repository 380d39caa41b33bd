// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking reductions whose result differs from rank to rank, by other
// operations than sums, and reductions by functions of the program.
#include "check.h"

enum { N = 3, MANY = 3000, MOST = 8 };

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

// Two at once, waited for in another order on odd ranks.
static void prefixes_of(const double *x, double *y, MPI_Op op, int n,
                        int in_place) {
  double *in = (double *)calloc((size_t)n * 3, sizeof *in);
  double *to = in + n, *before = to + n;
  MPI_Request request[2];
  for (int i = 0; i < n; ++i) {
    in[i] = 1 + 0.2 * sin(x[i % N] * (i % 5 + 1 + my_rank()));
    to[i] = in[i];
    before[i] = x[i % N];
  }
  MPI_Iscan(in_place ? MPI_IN_PLACE : in, to, n, MPI_DOUBLE, op, MPI_COMM_WORLD,
            request);
  MPI_Iexscan(in, before, n, MPI_DOUBLE, op, MPI_COMM_WORLD, request + 1);
  const int first = my_rank() % 2;
  MPI_Wait(request + first, MPI_STATUS_IGNORE);
  y[0] = first && my_rank() ? before[0] * x[1] : x[2];
  MPI_Wait(request + 1 - first, MPI_STATUS_IGNORE);
  y[1] = y[2] = 0;
  for (int i = 0; i < n; ++i) {
    y[1] += to[i] * x[i % N] / n;
    if (my_rank())
      y[2] += before[i] * before[i] / n;
  }
  free(in);
}
static void prefix_prod(const double *x, double *y) {
  prefixes_of(x, y, MPI_PROD, N, 0);
}
static void prefix_min(const double *x, double *y) {
  prefixes_of(x, y, MPI_MIN, N, 1);
}
static void prefix_max(const double *x, double *y) {
  prefixes_of(x, y, MPI_MAX, MANY, 0);
}

// Factors that are zero on some ranks.
static void prefix_zeros(const double *x, double *y) {
  double in[N], out[N];
  MPI_Request request;
  for (int i = 0; i < N; ++i)
    in[i] = my_rank() < i ? x[i] - point[i] : x[i];
  MPI_Iscan(in, out, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = out[0] + out[1] * x[0] + out[2];
}

static void prefix_places(const double *x, double *y) {
  struct {
    double value;
    int place;
  } in[2], out[2];
  MPI_Request request;
  in[0].value = x[0] * x[0];
  in[0].place = my_rank();
  in[1].value = 3 + (x[1] - x[1]);
  in[1].place = all_ranks() - my_rank();
  MPI_Iscan(in, out, 2, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = out[0].value * (out[0].place + 1) * x[1] + out[1].value * x[0];
}

// Blocks of one size, and of different ones, also none.
static void scattered_of(const double *x, double *y, MPI_Op op, int in_place) {
  const int n = all_ranks(), me = my_rank();
  double in[4 * MOST], other[4 * MOST], out[4] = {0}, uneven[4] = {0};
  int counts[MOST];
  MPI_Request request[2];
  for (int i = 0; i < n; ++i)
    counts[i] = (i + 1) % 3;
  for (int i = 0; i < 2 * n; ++i) {
    in[i] = 1 + 0.3 * cos(x[i % N] * (i + 1) + me);
    other[i] = in[i] * x[0];
  }
  MPI_Ireduce_scatter_block(in_place ? MPI_IN_PLACE : in, in_place ? in : out,
                            2, MPI_DOUBLE, op, MPI_COMM_WORLD, request);
  MPI_Ireduce_scatter(other, uneven, counts, MPI_DOUBLE, op, MPI_COMM_WORLD,
                      request + 1);
  for (int done = 0; !done;)
    MPI_Testall(2, request, &done, MPI_STATUSES_IGNORE);
  y[0] = in_place ? in[0] * in[1] : out[0] * out[1];
  y[1] = uneven[0] * x[1] + uneven[1] * uneven[1];
}
static void scattered_prod(const double *x, double *y) {
  scattered_of(x, y, MPI_PROD, 0);
}
static void scattered_min(const double *x, double *y) {
  scattered_of(x, y, MPI_MIN, 1);
}
static void scattered_max(const double *x, double *y) {
  scattered_of(x, y, MPI_MAX, 0);
}

// z -> a z + b, one after the other: does not commute. In pairs.
struct affine {
  double a, b;
};
static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
  const struct affine *first = (const struct affine *)in;
  struct affine *second = (struct affine *)inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    const struct affine s = second[i];
    second[i].a = s.a * first[i].a;
    second[i].b = s.a * first[i].b + s.b;
  }
}

enum { OF_ALL, OF_ROOT, OF_THOSE_BEFORE, OF_OTHERS_BEFORE };

// The operation and what is sent are gone before the wait, where they may be.
static void composed_of(const double *x, double *y, int which, int in_place) {
  struct affine in[2], out[2];
  const int root = all_ranks() - 1;
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Request request;
  for (int i = 0; i < 2; ++i) {
    in[i].a = 1 + 0.1 * sin(x[i] + my_rank());
    in[i].b = x[1] * x[i];
    out[i] = in[i];
  }
  const void *sent = in_place ? MPI_IN_PLACE : in;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &op);
  if (which == OF_ALL)
    MPI_Iallreduce(sent, out, 2, pair, op, MPI_COMM_WORLD, &request);
  else if (which == OF_ROOT)
    MPI_Ireduce(my_rank() == root ? sent : in, out, 2, pair, op, root,
                MPI_COMM_WORLD, &request);
  else if (which == OF_THOSE_BEFORE)
    MPI_Iscan(sent, out, 2, pair, op, MPI_COMM_WORLD, &request);
  else
    MPI_Iexscan(sent, out, 2, pair, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  in[0].a = in[0].b = 0;
  if (which == OF_OTHERS_BEFORE && my_rank() == 0)
    out[0] = out[1] = in[1];
  y[0] = out[0].a * x[0] + out[0].b;
  y[1] = out[1].a * out[1].b * x[1];
}
static void composed_all(const double *x, double *y) {
  composed_of(x, y, OF_ALL, 0);
}
static void composed_in_place(const double *x, double *y) {
  composed_of(x, y, OF_ALL, 1);
}
static void composed_root(const double *x, double *y) {
  composed_of(x, y, OF_ROOT, 1);
}
static void composed_scan(const double *x, double *y) {
  composed_of(x, y, OF_THOSE_BEFORE, 1);
}
static void composed_exscan(const double *x, double *y) {
  composed_of(x, y, OF_OTHERS_BEFORE, 0);
}

MPI_TEST(prefix_prod, N, 3)
MPI_TEST(prefix_min, N, 3)
MPI_TEST(prefix_max, N, 3)
MPI_TEST(prefix_zeros, N, 1)
MPI_TEST(prefix_places, N, 1)
MPI_TEST(scattered_prod, N, 2)
MPI_TEST(scattered_min, N, 2)
MPI_TEST(scattered_max, N, 2)
MPI_TEST(composed_all, 2, 2)
MPI_TEST(composed_in_place, 2, 2)
MPI_TEST(composed_root, 2, 2)
MPI_TEST(composed_scan, 2, 2)
MPI_TEST(composed_exscan, 2, 2)
MPI_MAIN(&prefix_prod_test, &prefix_min_test, &prefix_max_test,
         &prefix_zeros_test, &prefix_places_test, &scattered_prod_test,
         &scattered_min_test, &scattered_max_test, &composed_all_test,
         &composed_in_place_test, &composed_root_test, &composed_scan_test,
         &composed_exscan_test)

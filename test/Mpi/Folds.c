// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions whose result differs from rank to rank, by other operations than
// sums: products with zeros, extrema with and without their place, uneven and
// no counts, in place.
#include "check.h"

enum { N = 3, MOST = 8, MANY = 5000 };

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
// Uneven, and nothing for rank 1.
static int layout(int *counts) {
  int sum = 0;
  for (int i = 0; i < all_ranks(); ++i)
    sum += counts[i] = i == 1 ? 0 : 1 + i % N;
  return sum;
}
static double weighted(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * a[i] * (i + 1);
  return s;
}

static void scan_of(const double *x, double *y, MPI_Op op) {
  double s[N], t[N] = {1, 1, 1};
  for (int i = 0; i < N; ++i)
    s[i] = x[i] * x[(i + my_rank()) % N] + 0.1 * my_rank();
  MPI_Scan(s, y, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Exscan(s, t, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += t[i] * x[i];
  MPI_Scan(MPI_IN_PLACE, y, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] *= x[i];
  MPI_Exscan(MPI_IN_PLACE, y, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
}
static void scan_product(const double *x, double *y) {
  scan_of(x, y, MPI_PROD);
}
static void scan_least(const double *x, double *y) { scan_of(x, y, MPI_MIN); }
static void scan_largest(const double *x, double *y) { scan_of(x, y, MPI_MAX); }

// One factor is zero on the first rank, two are on the last ones.
static void zeros(const double *x, double *y) {
  double s[N] = {x[0] * (my_rank() > 0 ? 1 : x[1] - point[1]),
                 x[1] * (my_rank() + 2 < all_ranks() ? 1 : x[0] - point[0]),
                 x[2] * x[2]};
  double t[N] = {1, 1, 1}, whole[N * MOST], mine[N];
  int counts[MOST];
  layout(counts);
  MPI_Scan(s, y, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Exscan(s, t, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < N * MOST; ++i)
    whole[i] = s[i % N] * (1 + 0.1 * i);
  MPI_Reduce_scatter_block(whole, mine, N, MPI_DOUBLE, MPI_PROD,
                           MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] += t[i] * x[i] + mine[i];
}

static void scatter_of(const double *x, double *y, MPI_Op op) {
  int counts[MOST];
  double s[N * MOST], t[N] = {0}, r[N] = {0};
  layout(counts);
  for (int i = 0; i < N * MOST; ++i)
    s[i] = x[i % N] * x[(i + my_rank()) % N] * (1 + 0.05 * ((i * 7) % 5));
  MPI_Reduce_scatter_block(s, t, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Reduce_scatter(s, r, counts, MPI_DOUBLE, op, MPI_COMM_WORLD);
  y[0] = weighted(t, N) + weighted(r, N) * x[1];
  counts[0] = 0; // they were read
  MPI_Reduce_scatter_block(MPI_IN_PLACE, s, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  y[0] += weighted(s, N);
}
static void scatter_product(const double *x, double *y) {
  scatter_of(x, y, MPI_PROD);
}
static void scatter_least(const double *x, double *y) {
  scatter_of(x, y, MPI_MIN);
}
static void scatter_largest(const double *x, double *y) {
  scatter_of(x, y, MPI_MAX);
}

struct located {
  double value;
  int place;
};
struct located_single {
  float value;
  int place;
};

static void places(const double *x, double *y) {
  struct located in[2] = {{x[0] * x[1], 7 - my_rank()}, {sin(x[1]), my_rank()}};
  struct located out[2], before[2] = {{1, 1}, {1, 1}}, whole[2 * MOST], own[2];
  MPI_Scan(in, out, 2, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  MPI_Exscan(in, before, 2, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  y[0] = out[0].value * (out[0].place + 1) * x[0] + out[1].value;
  y[1] = before[0].value * (before[1].place + 1) * before[1].value * x[1];
  for (int i = 0; i < 2 * MOST; ++i)
    whole[i] = (struct located){in[i % 2].value * (i + 1), my_rank() + i};
  MPI_Reduce_scatter_block(whole, own, 2, MPI_DOUBLE_INT, MPI_MAXLOC,
                           MPI_COMM_WORLD);
  y[0] += own[0].value * own[1].value * own[1].place;
  MPI_Scan(MPI_IN_PLACE, own, 2, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  y[1] += own[0].value * own[1].value * x[0] * own[0].place;
}

static void uneven_places(const double *x, double *y) {
  int counts[MOST];
  struct located whole[N * MOST], own[N] = {{0, 0}};
  layout(counts);
  for (int i = 0; i < N * MOST; ++i)
    whole[i] = (struct located){x[i % N] * x[0] * (i + 1), my_rank() + i};
  MPI_Reduce_scatter(whole, own, counts, MPI_DOUBLE_INT, MPI_MINLOC,
                     MPI_COMM_WORLD);
  y[0] = own[0].value * own[1].value + own[2].value * own[2].place + x[1];
  y[0] += own[0].value * own[0].value * own[0].place;
}

// All have the value: of them the place says which.
static void ties(const double *x, double *y) {
  struct located in = {1 + x[0] - point[0], 10 - my_rank()}, out;
  double one = in.value, first, least[N * MOST], own[N];
  MPI_Scan(&in, &out, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  MPI_Scan(&one, &first, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < N * MOST; ++i)
    least[i] = one;
  MPI_Reduce_scatter_block(least, own, N, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  y[0] = out.value * x[1] * out.place + first * x[0] + weighted(own, N);
}

static void singles(const double *x, double *y) {
  float in[2] = {(float)(x[0] * x[1]), (float)sin(x[1])}, out[2], own;
  struct located_single at = {(float)x[1], my_rank()}, least;
  float whole[MOST];
  MPI_Scan(in, out, 2, MPI_FLOAT, MPI_PROD, MPI_COMM_WORLD);
  MPI_Scan(&at, &least, 1, MPI_FLOAT_INT, MPI_MINLOC, MPI_COMM_WORLD);
  for (int i = 0; i < MOST; ++i)
    whole[i] = out[i % 2];
  MPI_Reduce_scatter_block(whole, &own, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  y[0] = (double)out[0] * (double)out[1] + (double)least.value * least.place +
         (double)own * x[0];
}

static void longs(const double *x, double *y) {
  long double in[2] = {x[0] * x[1], x[1]}, out[2], before[2] = {1, 1};
  MPI_Scan(in, out, 2, MPI_LONG_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Exscan(in, before, 2, MPI_LONG_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  y[0] = (double)(out[0] * out[1] + before[0] * before[1]);
}

// Larger than what the library sends at once, and nothing at all.
static void large(const double *x, double *y) {
  double *in = malloc(MOST * MANY * sizeof *in),
         *out = malloc(MANY * sizeof *out);
  double sum = 0;
  for (int i = 0; i < MOST * MANY; ++i)
    in[i] = 0.9 + 0.02 * x[i % N] * (1 + i % 7);
  MPI_Reduce_scatter_block(in, out, MANY, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Scan(MPI_IN_PLACE, out, MANY, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Exscan(MPI_IN_PLACE, out, 0, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Exscan(out, in, MANY, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < MANY; ++i)
    sum += sin(out[i] + in[i]);
  y[0] = sum / MANY;
  free(in), free(out);
}

// Also a part of the ranks, and an operation that is known when it runs.
static void parts(const double *x, double *y) {
  MPI_Op ops[3] = {MPI_PROD, MPI_SUM, MPI_MAX};
  MPI_Comm half;
  double s = x[0] * x[1], t = x[1];
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, -my_rank(), &half);
  for (int i = 0; i < 3; ++i) {
    double next;
    MPI_Scan(&s, &next, 1, MPI_DOUBLE, ops[i], half);
    s = next * x[i % 2];
    MPI_Exscan(&s, &t, 1, MPI_DOUBLE, ops[(i + 1) % 3], half);
    s += t * t;
  }
  MPI_Comm_free(&half);
  y[0] = s;
}

MPI_TEST(scan_product, N, N)
MPI_TEST(scan_least, N, N)
MPI_TEST(scan_largest, N, N)
MPI_TEST(zeros, N, N)
MPI_TEST(scatter_product, N, 1)
MPI_TEST(scatter_least, N, 1)
MPI_TEST(scatter_largest, N, 1)
MPI_TEST(places, 2, 2)
MPI_TEST(uneven_places, N, 1)
MPI_TEST_(ties, 2, 1, 0, NO_DIFFERENCES)
MPI_TEST_(singles, 2, 1, 1e-2, SINGLE)
MPI_TEST(longs, 2, 1)
MPI_TEST(large, N, 1)
MPI_TEST(parts, 2, 1)
MPI_MAIN(&scan_product_test, &scan_least_test, &scan_largest_test, &zeros_test,
         &scatter_product_test, &scatter_least_test, &scatter_largest_test,
         &places_test, &uneven_places_test, &ties_test, &singles_test,
         &longs_test, &large_test, &parts_test)

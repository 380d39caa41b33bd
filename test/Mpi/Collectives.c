// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all ranks call: broadcasts, reductions with every operation, in place.
#include "check.h"

enum { SMALL = 3, LARGE = 40000 };

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

static void bcast(const double *x, double *y) {
  double s[SMALL];
  for (int root = 0; root < all_ranks(); ++root) {
    for (int i = 0; i < SMALL; ++i)
      s[i] = x[i] * (root + 1) + (root ? s[i] * s[i] : 0);
    MPI_Bcast(s, SMALL, MPI_DOUBLE, root, MPI_COMM_WORLD);
  }
  for (int i = 0; i < SMALL; ++i)
    y[i] = s[i] * x[i];
}

static void large_bcast(const double *x, double *y) {
  double *s = (double *)malloc(LARGE * sizeof *s);
  if (my_rank() == 0)
    for (int i = 0; i < LARGE; ++i)
      s[i] = exp(0.1 * x[i]);
  MPI_Bcast(s, LARGE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < LARGE; ++i)
    y[i] = s[i] * x[i];
  free(s);
}

static void allreduce_of(const double *x, double *y, MPI_Op op) {
  double s[SMALL], t[SMALL];
  for (int i = 0; i < SMALL; ++i)
    s[i] = x[i] * x[(i + 1) % SMALL];
  MPI_Allreduce(s, t, SMALL, MPI_DOUBLE, op, MPI_COMM_WORLD);
  for (int i = 0; i < SMALL; ++i)
    y[i] = t[i] * x[i] + s[i];
}
static void allreduce_sum(const double *x, double *y) {
  allreduce_of(x, y, MPI_SUM);
}
static void allreduce_prod(const double *x, double *y) {
  allreduce_of(x, y, MPI_PROD);
}
static void allreduce_min(const double *x, double *y) {
  allreduce_of(x, y, MPI_MIN);
}
static void allreduce_max(const double *x, double *y) {
  allreduce_of(x, y, MPI_MAX);
}

// No factor is zero, or one is, or two are.
static void zeros(const double *x, double *y) {
  double s[3], t[3];
  for (int i = 0; i < 3; ++i)
    s[i] = my_rank() < i ? x[i] - point[i] : x[i];
  MPI_Allreduce(s, t, 3, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  y[0] = t[0] + t[1] * x[0] + t[2];
  MPI_Reduce(s, t, 3, MPI_DOUBLE, MPI_PROD, 0, MPI_COMM_WORLD);
  if (my_rank() == 0)
    y[0] += t[0] * x[1] + t[1] + t[2];
}

static void in_place(const double *x, double *y) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MAX};
  for (int i = 0; i < SMALL; ++i)
    y[i] = x[i];
  for (int k = 0; k < 3; ++k) {
    MPI_Allreduce(MPI_IN_PLACE, y, SMALL, MPI_DOUBLE, ops[k], MPI_COMM_WORLD);
    for (int i = 0; i < SMALL; ++i)
      y[i] = y[i] / 4 + y[i] * x[i] / 8;
  }
}

static void reduce_of(const double *x, double *y, MPI_Op op, int place) {
  const int root = all_ranks() - 1;
  double s[SMALL], t[SMALL] = {0};
  for (int i = 0; i < SMALL; ++i)
    s[i] = x[i] * x[i];
  if (place && my_rank() == root)
    MPI_Reduce(MPI_IN_PLACE, s, SMALL, MPI_DOUBLE, op, root, MPI_COMM_WORLD);
  else
    MPI_Reduce(s, my_rank() == root ? t : NULL, SMALL, MPI_DOUBLE, op, root,
               MPI_COMM_WORLD);
  for (int i = 0; i < SMALL; ++i)
    y[i] = t[i] * x[0] + s[i];
}
static void reduce_sum(const double *x, double *y) {
  reduce_of(x, y, MPI_SUM, 0);
}
static void reduce_prod(const double *x, double *y) {
  reduce_of(x, y, MPI_PROD, 1);
}
static void reduce_min(const double *x, double *y) {
  reduce_of(x, y, MPI_MIN, 0);
}
static void reduce_max(const double *x, double *y) {
  reduce_of(x, y, MPI_MAX, 1);
}

// The lowest rank of several that have the maximum.
static void tie(const double *x, double *y) {
  double s = 3 + 0 * x[0], t;
  s += x[0] - x[0];
  MPI_Allreduce(&s, &t, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  y[0] = t * x[0];
}

static double dot(const double *a, const double *b, int n) {
  double mine = 0, sum;
  for (int i = 0; i < n; ++i)
    mine += a[i] * b[i];
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

// Conjugate gradients on a diagonal matrix that is spread over all ranks.
static void cg(const double *x, double *y) {
  enum { N = 5 };
  double r[N], p[N], q[N];
  for (int i = 0; i < N; ++i) {
    r[i] = p[i] = x[i];
    y[i] = 0;
  }
  double rr = dot(r, r, N);
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < N; ++i)
      q[i] = (1 + x[i]) * p[i];
    const double alpha = rr / dot(p, q, N);
    for (int i = 0; i < N; ++i) {
      y[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double next = dot(r, r, N);
    for (int i = 0; i < N; ++i)
      p[i] = r[i] + next / rr * p[i];
    rr = next;
  }
}

// Single precision, extended precision, complex numbers.
static void precisions(const double *x, double *y) {
  float f[2] = {(float)x[0], (float)x[1]}, g[2];
  long double l = (long double)x[0] * x[0], m;
  double _Complex z = x[0] + x[1] * 1.0i, w;
  MPI_Allreduce(f, g, 2, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&l, &m, 1, MPI_LONG_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Allreduce(&z, &w, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  y[0] = (double)m * x[1] + g[0];
  y[1] = __real__ w * __imag__ w + g[1];
}
static void doubles(const double *x, double *y) {
  long double l = (long double)x[0] * x[0], m;
  double _Complex z = x[0] + x[1] * 1.0i, w;
  MPI_Allreduce(&l, &m, 1, MPI_LONG_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  MPI_Allreduce(&z, &w, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  y[0] = (double)m * x[1];
  y[1] = __real__ w * __imag__ w;
}

// Halves of all ranks; the communicator is made and ended by the function.
static void split(const double *x, double *y) {
  struct {
    MPI_Comm comm;
    double weight;
    int rank;
  } part;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, my_rank(), &part.comm);
  MPI_Comm_rank(part.comm, &part.rank);
  part.weight = x[0] * (part.rank + 1);
  MPI_Barrier(part.comm);
  MPI_Allreduce(&part.weight, y, 1, MPI_DOUBLE, MPI_SUM, part.comm);
  y[0] *= x[0];
}

MPI_TEST(bcast, SMALL, SMALL)
MPI_TEST(large_bcast, LARGE, LARGE)
MPI_TEST(allreduce_sum, SMALL, SMALL)
MPI_TEST(allreduce_prod, SMALL, SMALL)
MPI_TEST(allreduce_min, SMALL, SMALL)
MPI_TEST(allreduce_max, SMALL, SMALL)
MPI_TEST(zeros, 3, 1)
MPI_TEST(in_place, SMALL, SMALL)
MPI_TEST(reduce_sum, SMALL, SMALL)
MPI_TEST(reduce_prod, SMALL, SMALL)
MPI_TEST(reduce_min, SMALL, SMALL)
MPI_TEST(reduce_max, SMALL, SMALL)
MPI_TEST(tie, 1, 1)
MPI_TEST(cg, 5, 5)
MPI_TEST_(precisions, 2, 2, 1e-2, 0)
MPI_TEST(doubles, 2, 2)
MPI_TEST(split, 1, 1)
MPI_MAIN(&bcast_test, &large_bcast_test, &allreduce_sum_test,
         &allreduce_prod_test, &allreduce_min_test, &allreduce_max_test,
         &zeros_test, &in_place_test, &reduce_sum_test, &reduce_prod_test,
         &reduce_min_test, &reduce_max_test, &tie_test, &cg_test,
         &precisions_test, &doubles_test, &split_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers: products with zeros among the factors, sums, operations of
// the program; blocking and not.
#include "check.h"
#include <complex.h>

enum { N = 4, MOST = 8, MANY = 3000 };
typedef double complex value;

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
    sum += counts[i] = i == 1 ? 0 : 1 + i % 3;
  return sum;
}

// About 1 in size, so that products stay there.
static void factors(const double *x, value *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i % N] * cexp(I * (x[(i + 1) % N] + 0.7 * i + 0.3 * my_rank())) +
           0.1 * x[0] * I;
}
// Not the same of both parts.
static double weighted(const value *z, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (i + 1) * (creal(z[i]) * creal(z[i]) + sin(cimag(z[i])) +
                      0.5 * creal(z[i]) * cimag(z[i]));
  return sum;
}

static void products(const double *x, double *y) {
  value in[N], out[N] = {1, I, 2, 1};
  const int last = all_ranks() - 1;
  factors(x, in, N);
  MPI_Allreduce(in, out, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  y[0] = weighted(out, N) * x[1];
  MPI_Reduce(out, in, N, MPI_C_DOUBLE_COMPLEX, MPI_SUM, last, MPI_COMM_WORLD);
  y[1] = weighted(in, N) * x[2];
  factors(x, in, N);
  MPI_Reduce(my_rank() == last ? MPI_IN_PLACE : in,
             my_rank() == last ? in : NULL, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
             last, MPI_COMM_WORLD);
  y[1] += weighted(in, N);
  MPI_Allreduce(MPI_IN_PLACE, out, N, MPI_C_DOUBLE_COMPLEX, MPI_SUM,
                MPI_COMM_WORLD);
  y[0] += weighted(out, N) / (1 + all_ranks());
}

// Zero on one rank, on two, and one part of it; the zeros are active.
static void with_zeros(value *z, const double *x) {
  const int me = my_rank(), all = all_ranks();
  const value nothing = (x[0] - point[0]) + (x[1] - point[1]) * I;
  factors(x, z, N);
  z[0] = me == 0 ? nothing : z[0];
  z[1] = me + 2 >= all ? nothing * z[0] : z[1];
  z[2] = me % 2 ? x[2] * I : x[3];
}
static void zeros(const double *x, double *y) {
  value in[N], out[N], before[N] = {1, 1, 1, 1}, whole[N * MOST], own[N];
  with_zeros(in, x);
  MPI_Allreduce(in, out, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  y[0] = weighted(out, N);
  MPI_Scan(in, out, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  MPI_Exscan(in, before, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  y[1] = weighted(out, N) + x[0] * weighted(before, N);
  for (int i = 0; i < N * MOST; ++i)
    whole[i] = in[i % N];
  MPI_Reduce_scatter_block(whole, own, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
                           MPI_COMM_WORLD);
  y[0] += weighted(own, N) * x[2];
}

static void prefixes(const double *x, double *y) {
  value in[N], out[N], before[N] = {1, I, 1, 1};
  factors(x, in, N);
  MPI_Scan(in, out, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  MPI_Exscan(in, before, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    out[i] = 0.5 * (out[i] + before[i] * x[i]);
  y[0] = weighted(out, N);
  MPI_Scan(MPI_IN_PLACE, out, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
           MPI_COMM_WORLD);
  MPI_Exscan(MPI_IN_PLACE, before, N, MPI_C_DOUBLE_COMPLEX, MPI_SUM,
             MPI_COMM_WORLD);
  y[1] = weighted(out, N) + 0.1 * weighted(before, N);
}

static void scattered(const double *x, double *y) {
  value whole[N * MOST], own[N], some[N] = {0};
  int counts[MOST];
  layout(counts);
  factors(x, whole, N * MOST);
  MPI_Reduce_scatter_block(whole, own, N, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
                           MPI_COMM_WORLD);
  MPI_Reduce_scatter(whole, some, counts, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
                     MPI_COMM_WORLD);
  y[0] = weighted(own, N) + x[0] * weighted(some, N);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, whole, N, MPI_C_DOUBLE_COMPLEX,
                           MPI_SUM, MPI_COMM_WORLD);
  y[1] = 0.1 * weighted(whole, N);
}

// All at a time, waited for from the last to the first.
static void pending(const double *x, double *y) {
  value in[N], whole[N * MOST], got[6][N] = {{1, 1, 1, 1}};
  MPI_Request r[6];
  int counts[MOST];
  const MPI_Datatype type = MPI_C_DOUBLE_COMPLEX;
  const int root = all_ranks() / 2;
  layout(counts);
  with_zeros(in, x);
  factors(x, whole, N * MOST);
  for (int i = 0; i < N; ++i)
    got[3][i] = x[i] * I;
  MPI_Iallreduce(in, got[0], N, type, MPI_PROD, MPI_COMM_WORLD, &r[0]);
  MPI_Ireduce(in, got[1], N, type, MPI_PROD, root, MPI_COMM_WORLD, &r[1]);
  MPI_Iscan(in, got[2], N, type, MPI_PROD, MPI_COMM_WORLD, &r[2]);
  MPI_Iexscan(in, got[3], N, type, MPI_PROD, MPI_COMM_WORLD, &r[3]);
  MPI_Ireduce_scatter_block(whole, got[4], N, type, MPI_PROD, MPI_COMM_WORLD,
                            &r[4]);
  MPI_Ireduce_scatter(whole, got[5], counts, type, MPI_PROD, MPI_COMM_WORLD,
                      &r[5]);
  for (int i = 6; i-- > 0;)
    MPI_Wait(&r[i], MPI_STATUS_IGNORE);
  if (my_rank() != root)
    got[1][0] = x[0];
  y[0] = weighted(got[0], N) + x[1] * weighted(got[1], 1) +
         weighted(got[2], N) * x[0];
  y[1] = weighted(got[3], N) + weighted(got[4], N) +
         x[0] * weighted(got[5], counts[my_rank()]);
}

static void large(const double *x, double *y) {
  value *in = malloc(MANY * sizeof *in), *out = malloc(MANY * sizeof *out);
  MPI_Request r;
  factors(x, in, MANY);
  MPI_Allreduce(in, out, MANY, MPI_C_DOUBLE_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  y[0] = weighted(out, MANY) / (MANY * (double)MANY);
  MPI_Iallreduce(MPI_IN_PLACE, in, MANY, MPI_C_DOUBLE_COMPLEX, MPI_PROD,
                 MPI_COMM_WORLD, &r);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] += weighted(in, MANY) * x[0] / (MANY * (double)MANY);
  free(in), free(out);
}

static void singles(const double *x, double *y) {
  float complex in[2] = {(float)x[0] + (float)x[1] * I, (float)(x[1] * x[0])};
  float complex out[2], first[2];
  long double complex wide = x[2] * x[0] + x[3] * I, all;
  MPI_Request r;
  MPI_Allreduce(in, out, 2, MPI_C_FLOAT_COMPLEX, MPI_PROD, MPI_COMM_WORLD);
  MPI_Iscan(in, first, 2, MPI_C_FLOAT_COMPLEX, MPI_PROD, MPI_COMM_WORLD, &r);
  MPI_Allreduce(&wide, &all, 1, MPI_C_LONG_DOUBLE_COMPLEX, MPI_PROD,
                MPI_COMM_WORLD);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] = (double)(crealf(out[0]) * cimagf(out[0]) + crealf(out[1]));
  y[0] += (double)(crealf(first[0]) * cimagf(first[0]));
  y[0] += (double)(creall(all) * x[0] + cimagl(all));
}

// z -> a z + b one after the other: does not commute.
static void compose(void *in, void *inout, int *length, MPI_Datatype *type) {
  const value *first = in;
  value *second = inout;
  (void)type;
  for (int i = 0; i + 1 < *length; i += 2) {
    second[i + 1] += second[i] * first[i + 1];
    second[i] *= first[i];
  }
}
static void by_program(const double *x, double *y) {
  value in[N], out[N];
  MPI_Op op;
  MPI_Op_create(compose, 0, &op);
  factors(x, in, N);
  MPI_Scan(in, out, N, MPI_C_DOUBLE_COMPLEX, op, MPI_COMM_WORLD);
  y[0] = weighted(out, N) * 0.1;
  MPI_Op_free(&op);
}

MPI_TEST(products, N, 2)
MPI_TEST(zeros, N, 2)
MPI_TEST(prefixes, N, 2)
MPI_TEST(scattered, N, 2)
MPI_TEST(pending, N, 2)
MPI_TEST(large, N, 1)
MPI_TEST_(singles, N, 1, 2e-2, SINGLE)
MPI_TEST(by_program, N, 1)
MPI_MAIN(&products_test, &zeros_test, &prefixes_test, &scattered_test,
         &pending_test, &large_test, &singles_test, &by_program_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions by functions of the program.
#include "check.h"
#include <stddef.h>

enum { N = 3, MANY = 3000 };

static int my_rank(void) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  return me;
}

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

// Numbers beside floats: a mean and how many it is of.
struct mean {
  int count;
  float weight;
  double value;
};
static void means(void *in, void *inout, int *length, MPI_Datatype *type) {
  const struct mean *a = in;
  struct mean *b = inout;
  (void)type;
  for (int i = 0; i < *length; ++i) {
    const int count = a[i].count + b[i].count;
    b[i].value = (a[i].value * a[i].count + b[i].value * b[i].count) / count;
    b[i].weight = a[i].weight * b[i].weight;
    b[i].count = count;
  }
}

// The larger of each two, by its size.
static void largest(void *in, void *inout, int *length, MPI_Datatype *type) {
  const double *a = in;
  double *b = inout;
  (void)type;
  for (int i = 0; i < *length; ++i)
    if (fabs(a[i]) > fabs(b[i]))
      b[i] = a[i];
}

static void least_number(void *in, void *inout, int *length,
                         MPI_Datatype *type) {
  const int *a = in;
  int *b = inout;
  (void)type;
  for (int i = 0; i < *length; ++i)
    b[i] = a[i] < b[i] ? a[i] : b[i];
}

static MPI_Op the_largest;

static void soft(const double *x, double *y) {
  MPI_Op op;
  double in[N], out[N];
  MPI_Op_create(log_of_sum, 1, &op);
  for (int i = 0; i < N; ++i)
    in[i] = x[i] * x[0];
  MPI_Allreduce(in, out, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    out[i] *= x[i];
  MPI_Allreduce(MPI_IN_PLACE, out, N, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  y[0] = out[0] * out[1] + out[2] * x[0];
}

static void rooted(const double *x, double *y) {
  MPI_Op op;
  int last;
  double in[N], out[N] = {1, 1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &last);
  --last;
  MPI_Op_create(log_of_sum, 1, &op);
  for (int i = 0; i < N; ++i)
    in[i] = x[i] * x[0];
  MPI_Reduce(in, out, N, MPI_DOUBLE, op, last, MPI_COMM_WORLD);
  y[0] = out[0] * out[1] + out[2] * in[0];
  MPI_Reduce(my_rank() == 0 ? MPI_IN_PLACE : in, my_rank() == 0 ? in : NULL, N,
             MPI_DOUBLE, op, 0, MPI_COMM_WORLD);
  y[0] += in[0] * in[1] * x[2];
  MPI_Op_free(&op);
}

static void affine(const double *x, double *y) {
  MPI_Op ops[2];
  MPI_Datatype pair;
  struct affine in[2], out[2], before[2] = {{1, 0}, {1, 0}};
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(compose, 0, &ops[0]);
  MPI_Op_create(log_of_sum, 1, &ops[1]);
  for (int i = 0; i < 2; ++i) {
    in[i].a = x[0] * x[i] * (1 + 0.1 * my_rank());
    in[i].b = sin(x[1 + i]) + my_rank();
  }
  MPI_Scan(in, out, 2, pair, ops[0], MPI_COMM_WORLD);
  MPI_Exscan(in, before, 2, pair, ops[0], MPI_COMM_WORLD);
  y[0] = out[0].a * out[0].b + out[1].a * out[1].b * x[0];
  y[1] = before[0].a * before[0].b + before[1].a * before[1].b * x[1];
  MPI_Allreduce(MPI_IN_PLACE, out, 2, pair, ops[0], MPI_COMM_WORLD);
  y[0] += 1e-3 * out[0].a * out[0].b + 1e-3 * out[1].b * x[0];
  for (int i = 0; i < 2; ++i)
    MPI_Op_free(&ops[i]);
  MPI_Type_free(&pair);
}

static void mixed(const double *x, double *y) {
  const int lengths[3] = {1, 1, 1};
  const MPI_Aint places[3] = {offsetof(struct mean, count),
                              offsetof(struct mean, weight),
                              offsetof(struct mean, value)};
  const MPI_Datatype types[3] = {MPI_INT, MPI_FLOAT, MPI_DOUBLE};
  struct mean in = {1 + my_rank(), (float)x[2], x[0] * x[1]}, out;
  MPI_Datatype type;
  MPI_Op op;
  MPI_Type_create_struct(3, lengths, places, types, &type);
  MPI_Type_commit(&type);
  MPI_Op_create(means, 1, &op);
  MPI_Allreduce(&in, &out, 1, type, op, MPI_COMM_WORLD);
  y[0] = out.value * out.count * x[0] + (double)out.weight;
  MPI_Op_free(&op);
  MPI_Type_free(&type);
}

// Made before, and used with a product.
static void selected(const double *x, double *y) {
  double in[N], out[N];
  int least = my_rank() + 2;
  for (int i = 0; i < N; ++i)
    in[i] = x[i] * x[(i + my_rank()) % N] * (i % 2 ? -1 : 1);
  for (int step = 0; step < 2; ++step) {
    MPI_Allreduce(in, out, N, MPI_DOUBLE, step ? MPI_PROD : the_largest,
                  MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i)
      in[i] += 0.1 * out[i] * x[i];
  }
  MPI_Op op;
  MPI_Op_create(least_number, 1, &op);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  MPI_Scan(in, y, N, MPI_DOUBLE, the_largest, MPI_COMM_WORLD);
  y[0] *= least;
}

static void large(const double *x, double *y) {
  double *in = malloc(MANY * sizeof *in), *out = malloc(MANY * sizeof *out);
  MPI_Op op;
  MPI_Op_create(log_of_sum, 1, &op);
  for (int i = 0; i < MANY; ++i)
    in[i] = x[i % N] * (1 + i % 5);
  MPI_Allreduce(in, out, MANY, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Allreduce(in, out, 0, MPI_DOUBLE, op, MPI_COMM_WORLD);
  MPI_Op_free(&op);
  y[0] = 0;
  for (int i = 0; i < MANY; ++i)
    y[0] += out[i] * in[i] / MANY;
  free(in), free(out);
}

static void begin(void) { MPI_Op_create(largest, 1, &the_largest); }

MPI_TEST(soft, N, 1)
MPI_TEST(rooted, N, 1)
MPI_TEST(affine, N, 2)
MPI_TEST_(mixed, N, 1, 1e-2, SINGLE)
MPI_TEST(selected, N, N)
MPI_TEST(large, N, 1)
MPI_MAIN_(begin, &soft_test, &rooted_test, &affine_test, &mixed_test,
          &selected_test, &large_test)

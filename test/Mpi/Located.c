// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest and the largest of pairs of a float and its place.
#include "check.h"

struct located {
  double value;
  int place;
};
struct located_long {
  long double value;
  int place;
};

static void all(const double *x, double *y) {
  struct located in[2] = {{x[0] * x[1], 7 - rank}, {sin(x[1]), rank}}, out[2];
  MPI_Allreduce(in, out, 2, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  y[0] = out[0].value * (out[0].place + 1) * x[0] + out[1].value;
  out[0].value *= x[0];
  out[1].value = out[0].value * in[1].value;
  MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_DOUBLE_INT, MPI_MAXLOC,
                MPI_COMM_WORLD);
  y[0] += out[0].value * out[1].value * (out[1].place + 2);
}

static void root(const double *x, double *y) {
  const int last = ranks - 1;
  struct located in = {x[0] * x[1], rank}, out = {0, 0};
  MPI_Reduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, last, MPI_COMM_WORLD);
  y[0] = out.value * out.value + out.place + x[0];
  MPI_Reduce(rank == last ? MPI_IN_PLACE : &in, rank == last ? &in : NULL, 1,
             MPI_DOUBLE_INT, MPI_MINLOC, last, MPI_COMM_WORLD);
  y[0] += rank == last ? in.value * x[1] : 0;
}

// All have the value, and the result is of one of them: who has its place.
static void ties(const double *x, double *y) {
  struct located in = {1 + 0 * x[0], 10 - rank}, out;
  in.value += x[0] - point[0]; // 1
  MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  y[0] = out.value * x[1] * out.place;
}

static void longs(const double *x, double *y) {
  struct located_long in = {x[0] * x[1], rank}, out;
  MPI_Allreduce(&in, &out, 1, MPI_LONG_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  y[0] = (double)out.value * x[0] + out.place;
}

MPI_TEST(all, 2, 1)
MPI_TEST(root, 2, 1)
MPI_TEST_(ties, 2, 1, 0, NO_DIFFERENCES)
MPI_TEST(longs, 2, 1)
MPI_MAIN(&all_test, &root_test, &ties_test, &longs_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Communicators and datatypes that the differentiated function makes and frees:
// the reverse pass needs them once more.
#include "check.h"

static int rank_in(MPI_Comm comm) {
  int me;
  MPI_Comm_rank(comm, &me);
  return me;
}
static int size_of(MPI_Comm comm) {
  int all;
  MPI_Comm_size(comm, &all);
  return all;
}

static double sum_of(MPI_Comm comm, double mine) {
  double sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

// Freed where the ranks of each half know one another; null on some.
static void split(const double *x, double *y) {
  MPI_Comm half, some;
  const int me = rank_in(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
  MPI_Comm_split(MPI_COMM_WORLD, me ? 0 : MPI_UNDEFINED, 0, &some);
  double s = sum_of(half, x[0] * x[0]);
  if (some != MPI_COMM_NULL) {
    s *= sum_of(some, sin(x[1]));
    MPI_Comm_free(&some);
  }
  MPI_Bcast(&s, 1, MPI_DOUBLE, 0, half);
  MPI_Comm_free(&half);
  y[0] = s * x[1] + (half == MPI_COMM_NULL) + (some == MPI_COMM_NULL);
}

// One after the other: the library may use one handle for all of them.
static void steps(const double *x, double *y) {
  double s = x[0];
  for (int i = 0; i < 5; ++i) {
    MPI_Comm copy;
    if (i % 2)
      MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    else
      MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) < i, 0, &copy);
    s = sum_of(copy, s * x[i % 2]) / size_of(copy) + sin(s);
    MPI_Comm_free(&copy);
  }
  y[0] = s;
}

// A ring; what frees it is elsewhere.
static __attribute__((noinline)) void drop(MPI_Comm *comm) {
  if (*comm != MPI_COMM_NULL)
    MPI_Comm_free(comm);
}
static void cart(const double *x, double *y) {
  int dims[2] = {0, 1}, periods[2] = {1, 0}, stays[2] = {1, 0}, left, right;
  MPI_Comm grid, row;
  MPI_Dims_create(size_of(MPI_COMM_WORLD), 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_sub(grid, stays, &row);
  MPI_Cart_shift(row, 0, 1, &left, &right);
  double in[2], out[2] = {x[0] * x[1], exp(x[1])};
  MPI_Sendrecv(out, 2, MPI_DOUBLE, right, 3, in, 2, MPI_DOUBLE, left, 3, row,
               MPI_STATUS_IGNORE);
  y[0] = in[0] * in[1] * x[0];
  drop(&row);
  MPI_Cart_shift(grid, 1, 1, &left, &right); // no one
  in[0] = 1;
  MPI_Sendrecv(out, 1, MPI_DOUBLE, right, 3, in, 1, MPI_DOUBLE, left, 3, grid,
               MPI_STATUS_IGNORE);
  y[0] += in[0] * x[1];
  drop(&grid);
}

static void graph(const double *x, double *y) {
  const int me = rank_in(MPI_COMM_WORLD), all = size_of(MPI_COMM_WORLD);
  int from = (me + all - 1) % all, to = (me + 1) % all, in, out, weighted;
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1,
                                 &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
  double got, mine = x[0] * x[0];
  MPI_Sendrecv(&mine, out, MPI_DOUBLE, to, 1, &got, in, MPI_DOUBLE, from, 1,
               ring, MPI_STATUS_IGNORE);
  MPI_Comm_free(&ring);
  y[0] = got * x[1];
}

static void groups(const double *x, double *y) {
  MPI_Group world, part;
  MPI_Comm comm;
  int first[1] = {0};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, first, &part);
  MPI_Comm_create(MPI_COMM_WORLD, part, &comm);
  MPI_Group_free(&part);
  MPI_Group_free(&world);
  y[0] = x[0] * x[1];
  if (comm != MPI_COMM_NULL) {
    y[0] = sum_of(comm, y[0]) * x[0];
    MPI_Comm_free(&comm);
  }
}

// Every second number, of another type each time; freed before the message is
// complete.
static void types(const double *x, double *y) {
  const int me = rank_in(MPI_COMM_WORLD), all = size_of(MPI_COMM_WORLD);
  y[0] = 0;
  for (int step = 2; step < 5; ++step) { // apart
    double out[8] = {0}, in[8] = {0};
    for (int i = 0; i < 8; ++i)
      out[i] = x[i % 3] * x[(i + 1) % 3] * (i + 1);
    MPI_Datatype some, pair;
    MPI_Request request[2];
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_create_resized(pair, 0, (MPI_Aint)sizeof(double), &some);
    MPI_Type_free(&pair);
    MPI_Type_create_hvector(2, 1, step * (MPI_Aint)sizeof(double), some, &pair);
    MPI_Type_free(&some);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&pair); // once more: it is one
    MPI_Irecv(in, 1, pair, (me + all - 1) % all, step, MPI_COMM_WORLD, request);
    MPI_Isend(out, 1, pair, (me + 1) % all, step, MPI_COMM_WORLD, request + 1);
    MPI_Type_dup(pair, &some);
    MPI_Type_free(&pair);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 8; ++i)
      y[0] += in[i] * in[(i + step) % 8] + sin(in[i]) * x[0];
    MPI_Bcast(in, 1, some, 0, MPI_COMM_WORLD);
    y[0] += in[0] * in[1 + step] + (pair == MPI_DATATYPE_NULL);
    MPI_Type_free(&some);
  }
}

// Made outside of what is differentiated, and freed inside.
struct handles {
  MPI_Comm comm;
  MPI_Datatype type;
};
static void inside(const double *x, double *y, struct handles *h) {
  double in[2] = {x[0], x[0] * x[1]};
  MPI_Bcast(in, 1, h->type, 0, h->comm);
  MPI_Type_free(&h->type);
  y[0] = sum_of(h->comm, in[1]) * in[0];
  MPI_Comm_free(&h->comm);
}
static struct handles outside(void) {
  struct handles h;
  MPI_Comm_dup(MPI_COMM_WORLD, &h.comm);
  MPI_Type_contiguous(2, MPI_DOUBLE, &h.type);
  MPI_Type_commit(&h.type);
  return h;
}
static void orphans_reverse(const double *x, double *dx, double *y,
                            double *dy) {
  struct handles h = outside();
  __enzyme_autodiff((void *)inside, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, &h);
}
static void orphans_forward(const double *x, double *dx, double *y,
                            double *dy) {
  struct handles h = outside();
  __enzyme_fwddiff((void *)inside, enzyme_dup, x, dx, enzyme_dup, y, dy,
                   enzyme_const, &h);
}
static void orphans(const double *x, double *y) {
  struct handles h = outside();
  inside(x, y, &h);
}
static const struct mpi_test orphans_test = {
    "orphans", 2, 1, 0, 1e-7, orphans, orphans_reverse, orphans_forward};

MPI_TEST(split, 2, 1)
MPI_TEST(steps, 2, 1)
MPI_TEST(cart, 2, 1)
MPI_TEST(graph, 2, 1)
MPI_TEST(groups, 2, 1)
MPI_TEST(types, 3, 1)
MPI_MAIN(&split_test, &steps_test, &cart_test, &graph_test, &groups_test,
         &types_test, &orphans_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbourhoods: lines and tori, of one and two ranks too, graphs with several
// edges between two ranks, other sources than destinations; datatypes by rank.
#include "check.h"

enum { LARGE = 20000, MOST = 8 };

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

// What comes from nobody stays as it was.
static void line_of(const double *x, double *y, int periodic, int dimensions,
                    int nonblocking) {
  MPI_Comm comm;
  MPI_Request request[2];
  int sizes[2] = {0, 0}, periods[2] = {periodic, !periodic};
  MPI_Dims_create(all_ranks(), dimensions, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periods, 0, &comm);
  double out[8], in[8], all[8];
  for (int i = 0; i < 8; ++i) {
    out[i] = x[i % 3] * x[0] * (i + 1);
    in[i] = sin(x[1] + i);
    all[i] = x[2] * i;
  }
  if (nonblocking) {
    MPI_Ineighbor_alltoall(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, comm,
                           request);
    MPI_Ineighbor_allgather(x, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, comm,
                            request + 1);
    MPI_Wait(request + my_rank() % 2, MPI_STATUS_IGNORE);
    MPI_Wait(request + 1 - my_rank() % 2, MPI_STATUS_IGNORE);
  } else {
    MPI_Neighbor_alltoall(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, comm);
    MPI_Neighbor_allgather(x, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, comm);
  }
  MPI_Comm_free(&comm);
  y[0] = 0;
  for (int i = 0; i < 8; ++i)
    y[0] += in[i] * in[i] * (i + 1) + all[i] * (i + 2) * x[0];
}
static void line(const double *x, double *y) { line_of(x, y, 0, 1, 0); }
static void circle(const double *x, double *y) { line_of(x, y, 1, 1, 0); }
static void grid(const double *x, double *y) { line_of(x, y, 1, 2, 0); }
static void started_line(const double *x, double *y) { line_of(x, y, 0, 1, 1); }
static void started_grid(const double *x, double *y) { line_of(x, y, 0, 2, 1); }

// Two edges to the next rank, one to that behind it, none back.
static void edges(MPI_Comm *comm) {
  const int n = all_ranks(), me = my_rank();
  int to[3] = {(me + 1) % n, (me + 2) % n, (me + 1) % n};
  int from[3] = {(me + n - 1) % n, (me + 2 * n - 2) % n, (me + n - 1) % n};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, from, MPI_UNWEIGHTED, 3, to,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, comm);
}

static void graph_of(const double *x, double *y, int nonblocking) {
  MPI_Comm comm;
  MPI_Request request[3];
  int give[3] = {2, 0, 2}, from[3] = {4, 0, 1}, to[3] = {0, 3, 5};
  double out[6], in[8] = {0}, all[8] = {0};
  double in_types[8] = {0};
  edges(&comm);
  for (int i = 0; i < 6; ++i)
    out[i] = x[i % 3] * x[1] * (i + 1);
  int get[3] = {1, 1, 1}, one[3] = {1, 1, 1};
  MPI_Aint places[3] = {0, 8, 16}, targets[3] = {16, 40, 0};
  MPI_Datatype types[3] = {MPI_DOUBLE, MPI_DOUBLE, MPI_DOUBLE};
  if (nonblocking) {
    MPI_Ineighbor_alltoallv(out, give, from, MPI_DOUBLE, in, give, to,
                            MPI_DOUBLE, comm, request);
    MPI_Ineighbor_allgatherv(out + 1, 2, MPI_DOUBLE, all, (int[]){2, 2, 2}, to,
                             MPI_DOUBLE, comm, request + 1);
    MPI_Ineighbor_alltoallw(out, one, places, types, in_types, get, targets,
                            types, comm, request + 2);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  } else {
    MPI_Neighbor_alltoallv(out, give, from, MPI_DOUBLE, in, give, to,
                           MPI_DOUBLE, comm);
    MPI_Neighbor_allgatherv(out + 1, 2, MPI_DOUBLE, all, (int[]){2, 2, 2}, to,
                            MPI_DOUBLE, comm);
    MPI_Neighbor_alltoallw(out, one, places, types, in_types, get, targets,
                           types, comm);
  }
  MPI_Comm_free(&comm);
  y[0] = 0;
  for (int i = 0; i < 8; ++i)
    y[0] += in[i] * in[i] * (i + 1) + all[i] * (i + 2) * x[0] +
            in_types[i] * (i + 3) * x[2];
}
static void graph(const double *x, double *y) { graph_of(x, y, 0); }
static void started_graph(const double *x, double *y) { graph_of(x, y, 1); }

// A star: the first rank has all others as neighbours.
static void star(const double *x, double *y) {
  const int n = all_ranks();
  int index[MOST], to[2 * MOST], end = 0;
  double in[MOST] = {0};
  MPI_Comm comm;
  for (int i = 0; i < n; ++i) {
    if (i > 0)
      to[end++] = 0;
    for (int k = 1; i == 0 && k < n; ++k)
      to[end++] = k;
    index[i] = end;
  }
  MPI_Graph_create(MPI_COMM_WORLD, n, index, to, 0, &comm);
  double mine = x[0] * x[1];
  MPI_Neighbor_allgather(&mine, 1, MPI_DOUBLE, in, 1, MPI_DOUBLE, comm);
  y[0] = mine;
  for (int i = 0; i < MOST; ++i)
    y[0] += in[i] * in[i] * (i + 1);
  MPI_Comm_free(&comm);
}

// Above what is sent at once.
static void large(const double *x, double *y) {
  MPI_Comm comm;
  double *in = (double *)calloc(3 * LARGE, sizeof *in);
  edges(&comm);
  MPI_Neighbor_allgather(x, LARGE, MPI_DOUBLE, in, LARGE, MPI_DOUBLE, comm);
  for (int i = 0; i < LARGE; ++i)
    y[i] = in[i] * in[LARGE + i] + in[2 * LARGE + i] * x[i];
  free(in);
  MPI_Comm_free(&comm);
}

// A datatype for each pair of ranks: floats, integers, nothing.
static void types_of(const double *x, double *y, int nonblocking) {
  const int n = all_ranks(), me = my_rank();
  double out[2 * MOST], in[2 * MOST];
  int counts[MOST], places[MOST];
  MPI_Datatype types[MOST];
  MPI_Request request;
  memset(in, 0, sizeof in);
  for (int i = 0; i < n; ++i) {
    out[2 * i] = x[0] * x[i % 3] * (i + 1);
    out[2 * i + 1] = x[1] + i;
    counts[i] = (i + me) % 4 == 1 ? 0 : 1 + (i + me) % 2;
    places[i] = (int)sizeof(double) * 2 * i;
    types[i] = MPI_DOUBLE;
    if ((i + me) % 4 == 3) {
      types[i] = MPI_INT;
      memset(out + 2 * i, 0, 2 * sizeof *out);
    }
    if (!counts[i])
      types[i] = MPI_INT;
  }
  if (nonblocking) {
    MPI_Ialltoallw(out, counts, places, types, in, counts, places, types,
                   MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Alltoallw(out, counts, places, types, in, counts, places, types,
                  MPI_COMM_WORLD);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, counts, places, types,
                  MPI_COMM_WORLD);
  }
  y[0] = 0;
  for (int i = 0; i < 2 * n; ++i)
    if (((i / 2) + me) % 4 != 3)
      y[0] += in[i] * in[i] * (i + 1);
}
static void types(const double *x, double *y) { types_of(x, y, 0); }
static void started_types(const double *x, double *y) { types_of(x, y, 1); }

MPI_TEST(line, 3, 1)
MPI_TEST(circle, 3, 1)
MPI_TEST(grid, 3, 1)
MPI_TEST(started_line, 3, 1)
MPI_TEST(started_grid, 3, 1)
MPI_TEST(graph, 3, 1)
MPI_TEST(started_graph, 3, 1)
MPI_TEST(star, 2, 1)
MPI_TEST(large, LARGE, LARGE)
MPI_TEST(types, 3, 1)
MPI_TEST(started_types, 3, 1)
MPI_MAIN(&line_test, &circle_test, &grid_test, &started_line_test,
         &started_grid_test, &graph_test, &started_graph_test, &star_test,
         &large_test, &types_test, &started_types_test)

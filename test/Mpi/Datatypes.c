// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datatypes that the program makes: columns, parts of arrays, structures of
// floats and numbers, types of types.
#include "check.h"

#include <stddef.h>

enum { ROWS = 3, COLUMNS = 4, N = ROWS * COLUMNS };

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
static int next_rank(void) { return (my_rank() + 1) % all_ranks(); }
static int last_rank(void) {
  return (my_rank() + all_ranks() - 1) % all_ranks();
}

// Sends \p count of \p out, receives \p in_count of \p in, and changes both.
static void pass(const double *x, double *y, MPI_Datatype out, int count,
                 MPI_Datatype in, int in_count) {
  double a[2 * N], b[2 * N];
  for (int i = 0; i < 2 * N; ++i) {
    a[i] = x[i % N] * x[(i + 1) % N];
    b[i] = x[i % N] * (i + 1);
  }
  MPI_Sendrecv(a, count, out, next_rank(), 0, b, in_count, in, last_rank(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = y[1] = 0;
  for (int i = 0; i < 2 * N; ++i) {
    y[0] += b[i] * b[i] * (i + 1);
    y[1] += a[i] * (i + 2);
  }
}

// The program makes them once, before any derivative.
static MPI_Datatype column, block, picked, corner, corner_fortran, pieces, row,
    resized, record;
struct record {
  int n;
  float f;
  char text[5];
  double d[2];
  struct {
    short s;
    double z;
  } in[2];
};

static void make_types(void) {
  const int lengths[3] = {2, 1, 3}, places[3] = {7, 0, 2}, starts[2] = {1, 2};
  const int sizes[2] = {ROWS, COLUMNS}, parts[2] = {2, 2};
  const MPI_Aint bytes[3] = {64, 8, 24};
  MPI_Datatype of_rows, cell;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_create_hvector(2, 3, 40, MPI_DOUBLE, &block);
  MPI_Type_indexed(3, lengths, places, MPI_DOUBLE, &picked);
  MPI_Type_create_hindexed(3, lengths, bytes, MPI_DOUBLE, &pieces);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE,
                           &corner);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN,
                           MPI_DOUBLE, &corner_fortran);
  MPI_Type_contiguous(COLUMNS, MPI_DOUBLE, &of_rows);
  MPI_Type_dup(of_rows, &row);
  MPI_Type_create_resized(column, 0, sizeof(double), &resized);
  const int counts[2] = {1, 1};
  const MPI_Aint inner[2] = {0, offsetof(struct record, in[0].z) -
                                    offsetof(struct record, in[0])};
  const MPI_Datatype of[2] = {MPI_SHORT, MPI_DOUBLE};
  MPI_Type_create_struct(2, counts, inner, of, &cell);
  const int amounts[5] = {1, 1, 5, 2, 2};
  const MPI_Aint at[5] = {
      offsetof(struct record, n), offsetof(struct record, f),
      offsetof(struct record, text), offsetof(struct record, d),
      offsetof(struct record, in)};
  const MPI_Datatype types[5] = {MPI_INT, MPI_FLOAT, MPI_CHAR, MPI_DOUBLE,
                                 cell};
  MPI_Type_create_struct(5, amounts, at, types, &record);
  MPI_Type_commit(&column);
  MPI_Type_commit(&block);
  MPI_Type_commit(&picked);
  MPI_Type_commit(&pieces);
  MPI_Type_commit(&corner);
  MPI_Type_commit(&corner_fortran);
  MPI_Type_commit(&row);
  MPI_Type_commit(&resized);
  MPI_Type_commit(&record);
  MPI_Type_free(&of_rows);
  MPI_Type_free(&cell);
}

static void columns(const double *x, double *y) {
  pass(x, y, column, 1, column, 1);
}
static void column_to_row(const double *x, double *y) {
  pass(x, y, column, 1, MPI_DOUBLE, ROWS);
}
static void blocks(const double *x, double *y) {
  pass(x, y, MPI_DOUBLE, 12, block, 2);
}
static void indexed(const double *x, double *y) {
  pass(x, y, picked, 1, pieces, 1);
}
static void corners(const double *x, double *y) {
  pass(x, y, corner, 1, corner_fortran, 1);
}
static void transposed(const double *x, double *y) {
  pass(x, y, resized, COLUMNS, row, ROWS);
}

static void made_inside(const double *x, double *y) {
  const int places[2] = {5, 1};
  MPI_Datatype two, mine;
  MPI_Type_contiguous(2, MPI_DOUBLE, &two);
  MPI_Type_create_indexed_block(2, 1, places, two, &mine);
  MPI_Type_commit(&mine);
  pass(x, y, mine, 1, mine, 1);
}

static void records(const double *x, double *y) {
  struct record out[2], in[2];
  memset(out, 0, sizeof out);
  memset(in, 0, sizeof in);
  for (int i = 0; i < 2; ++i) {
    out[i].n = my_rank() + 2;
    out[i].f = (float)(i + 1);
    out[i].d[0] = x[i] * x[i];
    out[i].d[1] = sin(x[i]);
    out[i].in[0].z = x[2] * x[i];
    out[i].in[1].z = x[3];
    out[i].in[1].s = (short)i;
  }
  MPI_Request request[2];
  MPI_Irecv(in, 2, record, last_rank(), 1, MPI_COMM_WORLD, request);
  MPI_Isend(out, 2, record, next_rank(), 1, MPI_COMM_WORLD, request + 1);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  y[0] = y[1] = 0;
  for (int i = 0; i < 2; ++i) {
    y[0] += in[i].n * in[i].d[0] * in[i].d[1] * in[i].f;
    y[1] += in[i].in[0].z * x[0] + in[i].in[1].z * (1 + in[i].in[1].s);
  }
  MPI_Bcast(out, 1, record, all_ranks() - 1, MPI_COMM_WORLD);
  y[0] += out[0].d[0] * x[1] + out[0].in[1].z;
}

static void gathered(const double *x, double *y) {
  double a[N], all[N * 8] = {0};
  for (int i = 0; i < N; ++i)
    a[i] = x[i] * x[i];
  MPI_Gather(a, 1, column, all, ROWS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(a, 2, resized, 0, MPI_COMM_WORLD);
  y[0] = y[1] = 0;
  for (int i = 0; i < N * 8; ++i)
    y[0] += all[i] * all[i] * (i + 1);
  for (int i = 0; i < N; ++i)
    y[1] += a[i] * x[i];
}

MPI_TEST(columns, N, 2)
MPI_TEST(column_to_row, N, 2)
MPI_TEST(blocks, N, 2)
MPI_TEST(indexed, N, 2)
MPI_TEST(corners, N, 2)
MPI_TEST(transposed, N, 2)
MPI_TEST(made_inside, N, 2)
MPI_TEST(records, 4, 2)
MPI_TEST(gathered, N, 2)
MPI_MAIN_(make_types, &columns_test, &column_to_row_test, &blocks_test,
          &indexed_test, &corners_test, &transposed_test, &made_inside_test,
          &records_test, &gathered_test)

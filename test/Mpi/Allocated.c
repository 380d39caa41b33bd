// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that MPI allocates, by itself and with a window.
#include "check.h"

enum { N = 8, STEPS = 4, LARGE = 20000 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

// Heat in a row of cells on a ring: each window has a copy of the neighbours'
// outermost cells.
static void heat(const double *x, double *y) {
  double *u;
  MPI_Win win;
  MPI_Win_allocate((N + 2) * sizeof *u, sizeof *u, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &u, &win);
  double v[N];
  for (int i = 0; i < N; ++i)
    u[i + 1] = x[i];
  for (int s = 0; s < STEPS; ++s) {
    MPI_Win_fence(0, win);
    MPI_Put(u + 1, 1, MPI_DOUBLE, left(), N + 1, 1, MPI_DOUBLE, win);
    MPI_Put(u + N, 1, MPI_DOUBLE, right(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; ++i)
      v[i] = u[i + 1] + 0.2 * (u[i] - 2 * u[i + 1] + u[i + 2]) * u[i + 1];
    for (int i = 0; i < N; ++i)
      u[i + 1] = v[i];
  }
  for (int i = 0; i < N; ++i)
    y[i] = u[i + 1] * u[i + 1];
  MPI_Win_free(&win);
}

// The same on one rank.
static void heat_whole(const double *x, double *y) {
  const int n = N * ranks;
  double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v);
  memcpy(u, x, (size_t)n * sizeof *u);
  for (int s = 0; s < STEPS; ++s) {
    for (int i = 0; i < n; ++i)
      v[i] = u[i] +
             0.2 * (u[(i + n - 1) % n] - 2 * u[i] + u[(i + 1) % n]) * u[i];
    memcpy(u, v, (size_t)n * sizeof *u);
  }
  for (int i = 0; i < n; ++i)
    y[i] = u[i] * u[i];
  free(u), free(v);
}

// No window: blocks like any other, also of no bytes.
static void blocks(const double *x, double *y) {
  double *a, *b, *none;
  MPI_Alloc_mem(N * sizeof *a, MPI_INFO_NULL, &a);
  MPI_Alloc_mem(N * sizeof *b, MPI_INFO_NULL, &b);
  MPI_Alloc_mem(0, MPI_INFO_NULL, &none);
  for (int i = 0; i < N; ++i)
    a[i] = x[i] * x[i];
  MPI_Sendrecv(a, N, MPI_DOUBLE, right(), 0, b, N, MPI_DOUBLE, left(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; ++i)
    y[i] = a[i] * b[N - 1 - i];
  MPI_Free_mem(a);
  MPI_Free_mem(b);
  MPI_Free_mem(none);
}

// A block in a structure, in a window of its own.
struct field {
  double *data;
  int count;
  MPI_Win win;
};
__attribute__((noinline)) static void make(struct field *f, int count) {
  f->count = count;
  MPI_Alloc_mem((MPI_Aint)((size_t)count * sizeof(double)), MPI_INFO_NULL,
                &f->data);
  MPI_Win_create(f->data, (MPI_Aint)((size_t)count * sizeof(double)),
                 sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &f->win);
}
__attribute__((noinline)) static void end(struct field *f) {
  MPI_Win_free(&f->win);
  MPI_Free_mem(f->data);
}
static void fields(const double *x, double *y) {
  struct field f, g;
  double got[N], sum[N];
  make(&f, N);
  make(&g, 2 * N);
  for (int i = 0; i < N; ++i)
    f.data[i] = x[i], g.data[i] = x[i] * x[i], g.data[N + i] = 1;
  MPI_Win_fence(0, f.win);
  MPI_Win_fence(0, g.win);
  MPI_Get(got, N, MPI_DOUBLE, right(), 0, N, MPI_DOUBLE, f.win);
  MPI_Win_fence(0, f.win);
  for (int i = 0; i < N; ++i)
    sum[i] = got[i] * f.data[i];
  MPI_Accumulate(sum, N, MPI_DOUBLE, left(), N, N, MPI_DOUBLE, MPI_SUM, g.win);
  MPI_Win_fence(0, g.win);
  for (int i = 0; i < N; ++i)
    y[i] = g.data[i] * g.data[2 * N - 1 - i];
  end(&g);
  end(&f);
}

// A window for each turn, of uneven sizes; what they had is used behind them.
static void turns(const double *x, double *y) {
  memset(y, 0, N * sizeof *y);
  for (int s = 0; s < STEPS; ++s) {
    const int mine = (rank + s) % 3 == 1 ? 0 : 2 + (rank + s) % 4;
    double *w, got[2] = {0}, kept[N] = {0};
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)((size_t)mine * sizeof *w), sizeof *w,
                     MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
    for (int i = 0; i < mine; ++i)
      w[i] = x[i] * x[i + 1] * (s + 1);
    const int from = (rank + s) % ranks;
    const int there = (from + s) % 3 == 1 ? 0 : 2;
    MPI_Win_fence(0, win);
    MPI_Get(got, there, MPI_DOUBLE, from, 0, there, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < mine; ++i)
      kept[i] = w[i] * w[i];
    MPI_Win_free(&win);
    for (int i = 0; i < N; ++i)
      y[i] += kept[i] + got[i % 2] * x[i];
  }
}

static void large(const double *x, double *y) {
  double *w, *got = malloc(LARGE * sizeof *got);
  MPI_Win win;
  MPI_Win_allocate(LARGE * sizeof *w, sizeof *w, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &w, &win);
  for (int i = 0; i < LARGE; ++i)
    w[i] = x[i % N] * (1 + i * 1e-5);
  MPI_Win_fence(0, win);
  MPI_Get(got, LARGE, MPI_DOUBLE, left(), 0, LARGE, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = 0;
  for (int i = 0; i < LARGE; ++i)
    y[i % N] += 1e-3 * w[i] * got[LARGE - 1 - i];
  MPI_Win_free(&win);
  free(got);
}

// Windows of integers and of constants beside it.
static void mixed(const double *x, double *y) {
  int *order;
  double *table, *w, got[N];
  MPI_Win orders, tables, win;
  MPI_Win_allocate(N * sizeof *order, sizeof *order, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &order, &orders);
  MPI_Win_allocate(N * sizeof *table, sizeof *table, MPI_INFO_NULL,
                   MPI_COMM_WORLD, &table, &tables);
  MPI_Win_allocate(N * sizeof *w, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w, &win);
  for (int i = 0; i < N; ++i) {
    order[i] = (3 * i + rank) % N;
    table[i] = i + rank;
    w[i] = x[i] * x[i];
  }
  int which[N];
  double weights[N];
  MPI_Win_fence(0, orders), MPI_Win_fence(0, tables), MPI_Win_fence(0, win);
  MPI_Get(which, N, MPI_INT, right(), 0, N, MPI_INT, orders);
  MPI_Get(weights, N, MPI_DOUBLE, left(), 0, N, MPI_DOUBLE, tables);
  MPI_Win_fence(0, tables), MPI_Win_fence(0, orders);
  for (int i = 0; i < N; ++i)
    MPI_Get(&got[i], 1, MPI_DOUBLE, left(),
            (MPI_Aint)((size_t)which[i] * sizeof *w), 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * weights[i] * w[which[i]];
  MPI_Win_free(&win), MPI_Win_free(&tables), MPI_Win_free(&orders);
}

MPI_TEST_WHOLE(heat, heat_whole, N, N)
MPI_TEST(blocks, N, N)
MPI_TEST(fields, N, N)
MPI_TEST(turns, N, N)
MPI_TEST(large, N, N)
MPI_TEST(mixed, N, N)
MPI_MAIN(&heat_test, &blocks_test, &fields_test, &turns_test, &large_test,
         &mixed_test)

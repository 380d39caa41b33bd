// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows between fences: what is put, fetched and added.
#include "check.h"
#include <stddef.h>

enum { N = 8, STEPS = 3, LARGE = 30000 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

static MPI_Win window_of(double *memory, int count) {
  MPI_Win win;
  MPI_Win_create(memory, (MPI_Aint)(count * sizeof *memory), sizeof *memory,
                 MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  return win;
}

// A row of cells on a ring, with a copy of each neighbour's outermost one.
static void step(const double *old, double *new) {
  for (int i = 1; i <= N; ++i)
    new[i] = old[i] + 0.2 * (old[i - 1] - 2 * old[i] + old[i + 1]) * old[i];
}

static void halo_put(const double *x, double *y) {
  double *u = calloc(N + 2, sizeof *u), *v = calloc(N + 2, sizeof *v);
  memcpy(u + 1, x, N * sizeof *u);
  MPI_Win win = window_of(u, N + 2);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Put(u + 1, 1, MPI_DOUBLE, left(), N + 1, 1, MPI_DOUBLE, win);
    MPI_Put(u + N, 1, MPI_DOUBLE, right(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    step(u, v);
    MPI_Win_fence(0, win);
    memcpy(u + 1, v + 1, N * sizeof *u);
    MPI_Win_fence(0, win);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_free(&win);
  for (int i = 0; i < N; ++i)
    y[i] = u[i + 1] * u[i + 1];
  free(u), free(v);
}

static void halo_get(const double *x, double *y) {
  double *u = calloc(N + 2, sizeof *u), *v = calloc(N + 2, sizeof *v);
  memcpy(u + 1, x, N * sizeof *u);
  MPI_Win win = window_of(u, N + 2);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Win_fence(0, win);
    MPI_Get(u, 1, MPI_DOUBLE, left(), N, 1, MPI_DOUBLE, win);
    MPI_Get(u + N + 1, 1, MPI_DOUBLE, right(), 1, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    step(u, v);
    memcpy(u + 1, v + 1, N * sizeof *u);
  }
  MPI_Win_free(&win);
  for (int i = 0; i < N; ++i)
    y[i] = u[i + 1] * x[i];
  free(u), free(v);
}

// A table over all ranks, to which each rank adds at many places.
static void table(const double *x, double *y) {
  double *mine = malloc(N * sizeof *mine), add[3 * N];
  for (int i = 0; i < N; ++i)
    mine[i] = x[i] * x[i];
  MPI_Win win = window_of(mine, N);
  MPI_Win_fence(0, win);
  for (int i = 0; i < 3 * N; ++i) {
    const int at = (7 * i + 3 * rank) % (N * ranks);
    add[i] = sin(x[i % N] * (i + 1));
    MPI_Accumulate(&add[i], 1, MPI_DOUBLE, at / N, at % N, 1, MPI_DOUBLE,
                   MPI_SUM, win);
  }
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = exp(0.1 * mine[i]) + mine[i] * x[i];
  MPI_Win_free(&win);
  free(mine);
}

// What was in the window is used, then comes another number, which is used,
// too, and is added to.
static void overwritten(const double *x, double *y) {
  double *w = malloc(N * sizeof *w), sum[N];
  for (int i = 0; i < N; ++i)
    w[i] = x[i] + 1, sum[i] = 0;
  MPI_Win win = window_of(w, N);
  for (int s = 0; s < STEPS; ++s) {
    double out[N], more[N];
    for (int i = 0; i < N; ++i) {
      sum[i] += w[i] * w[i] * x[i];
      out[i] = cos(w[i]) * x[i];
      more[i] = w[i] * 0.5;
    }
    MPI_Win_fence(0, win);
    MPI_Put(out, N, MPI_DOUBLE, right(), 0, N, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; ++i)
      sum[i] += sin(w[i]);
    MPI_Win_fence(0, win);
    MPI_Accumulate(more, N, MPI_DOUBLE, left(), 0, N, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_fence(0, win);
  }
  MPI_Win_free(&win);
  for (int i = 0; i < N; ++i)
    y[i] = sum[i] * w[i];
  free(w);
}

// The last value that this rank has stored is a constant.
static void constant_here(const double *x, double *y) {
  double *w = malloc(N * sizeof *w);
  MPI_Win win = window_of(w, N);
  for (int i = 0; i < N; ++i)
    w[i] = 7;
  MPI_Win_fence(0, win);
  MPI_Put(x, N / 2, MPI_DOUBLE, right(), 1, N / 2, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = w[i] * w[i];
  for (int i = 0; i < N; ++i)
    w[i] = 0;
  MPI_Win_fence(0, win);
  MPI_Get(w, 1, MPI_DOUBLE, left(), 3, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  y[0] += w[0];
  MPI_Win_free(&win);
  free(w);
}

// On the stack; fetched from oneself, too.
static void on_stack(const double *x, double *y) {
  double w[N], got[N];
  for (int i = 0; i < N; ++i)
    w[i] = x[i] * x[i], got[i] = 0;
  MPI_Win win = window_of(w, N);
  MPI_Win_fence(0, win);
  MPI_Get(got, N / 2, MPI_DOUBLE, rank, 0, N / 2, MPI_DOUBLE, win);
  MPI_Get(got + N / 2, N / 2, MPI_DOUBLE, right(), N / 2, N / 2, MPI_DOUBLE,
          win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * w[N - 1 - i];
  MPI_Win_free(&win);
}

// A vector whose parts are on all ranks.
struct shared {
  int count;
  double *part;
  MPI_Win win;
};

__attribute__((noinline)) static void make(struct shared *s, int count) {
  s->count = count;
  s->part = calloc((size_t)count, sizeof *s->part);
  s->win = window_of(s->part, count);
}
__attribute__((noinline)) static void sync(struct shared *s) {
  MPI_Win_fence(0, s->win);
}
__attribute__((noinline)) static void set(struct shared *s, int i,
                                          const double *value) {
  MPI_Put(value, 1, MPI_DOUBLE, i / s->count, i % s->count, 1, MPI_DOUBLE,
          s->win);
}
__attribute__((noinline)) static void get(struct shared *s, int i,
                                          double *value) {
  MPI_Get(value, 1, MPI_DOUBLE, i / s->count, i % s->count, 1, MPI_DOUBLE,
          s->win);
}
__attribute__((noinline)) static void end(struct shared *s) {
  MPI_Win_free(&s->win);
  free(s->part);
}

static void structures(const double *x, double *y) {
  struct shared a, b;
  double *got = calloc(2 * N, sizeof *got);
  make(&a, N);
  make(&b, N);
  sync(&a), sync(&b);
  for (int i = 0; i < N; ++i) {
    set(&a, (rank * N + 5 * i + 3) % (N * ranks) / N * N + i, &x[i]);
    if (rank == 0)
      set(&b, i, &x[N - 1 - i]);
  }
  sync(&b), sync(&a);
  for (int i = 0; i < N; ++i) {
    get(&a, (rank + 1) % ranks * N + i, &got[i]);
    get(&b, i, &got[N + i]);
  }
  sync(&a), sync(&b);
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * got[N + i] + a.part[i] * b.part[i];
  end(&b);
  end(&a);
  free(got);
}

// A window for each turn, in a communicator of its own.
static void turns(const double *x, double *y) {
  memset(y, 0, N * sizeof *y);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, (rank + s) % 2, -rank, &half);
    int me, size;
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &size);
    double *w = calloc(N, sizeof *w);
    for (int i = 0; i < N; ++i)
      w[i] = x[i] * (s + 1);
    MPI_Win win;
    MPI_Win_create(w, N * sizeof *w, 1, MPI_INFO_NULL, half, &win);
    MPI_Comm_free(&half);
    MPI_Win_fence(0, win);
    double got[3];
    MPI_Get(got, 3, MPI_DOUBLE, (me + 1) % size, (MPI_Aint)(2 * sizeof *w), 3,
            MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 3; ++i)
      y[i + s] += got[i] * w[i];
    MPI_Win_free(&win);
    free(w);
  }
}

// Each rank shows another number of cells, some none.
static void uneven(const double *x, double *y) {
  const int mine = rank % 3 == 1 ? 0 : 2 + rank % 4;
  double *w = mine ? malloc((size_t)mine * sizeof *w) : NULL;
  for (int i = 0; i < mine; ++i)
    w[i] = x[i] * x[i + 1];
  MPI_Win win = window_of(w, mine);
  double got[N] = {0};
  MPI_Win_fence(0, win);
  int at = 0;
  for (int r = 0; r < ranks && at < N; ++r) {
    const int count = r % 3 == 1 ? 0 : at ? 1 : 2;
    MPI_Get(got + at, count, MPI_DOUBLE, r, 0, count, MPI_DOUBLE, win);
    at += count;
  }
  MPI_Put(x, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(x, mine ? 1 : 0, MPI_DOUBLE, rank, mine ? mine - 1 : 0,
                 mine ? 1 : 0, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * got[i] + (i < mine ? w[i] : 0);
  MPI_Win_free(&win);
  free(w);
}

static void large(const double *x, double *y) {
  double *w = malloc(LARGE * sizeof *w), *got = malloc(LARGE * sizeof *got);
  double *add = malloc(LARGE * sizeof *add);
  for (int i = 0; i < LARGE; ++i) {
    w[i] = x[i % N] * (1 + i * 1e-5);
    add[i] = x[(i + 1) % N] * x[i % N];
  }
  MPI_Win win = window_of(w, LARGE);
  MPI_Win_fence(0, win);
  MPI_Get(got, LARGE, MPI_DOUBLE, left(), 0, LARGE, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(add, LARGE, MPI_DOUBLE, right(), 0, LARGE, MPI_DOUBLE, MPI_SUM,
                 win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = 0;
  for (int i = 0; i < LARGE; ++i)
    y[i % N] += 1e-3 * w[i] * got[LARGE - 1 - i];
  MPI_Win_fence(0, win);
  MPI_Put(got, LARGE, MPI_DOUBLE, right(), 0, LARGE, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < LARGE; ++i)
    y[i % N] += 1e-3 * w[i] * w[i];
  MPI_Win_free(&win);
  free(w), free(got), free(add);
}

// Columns of a matrix: fetched into a row, put from one.
static void columns(const double *x, double *y) {
  double *w = malloc(N * sizeof *w), row[4] = {0};
  for (int i = 0; i < N; ++i)
    w[i] = x[i] * x[i];
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Win win = window_of(w, N);
  MPI_Win_fence(0, win);
  MPI_Get(row, 4, MPI_DOUBLE, right(), 1, 1, column, win);
  MPI_Win_fence(0, win);
  MPI_Put(row, 4, MPI_DOUBLE, left(), 0, 1, column, win);
  MPI_Win_fence(0, win);
  double sums[N];
  for (int i = 0; i < N; ++i)
    sums[i] = w[i] * row[i % 4];
  MPI_Accumulate(sums, 1, column, right(), 1, 1, column, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Type_free(&column);
  for (int i = 0; i < N; ++i)
    y[i] = w[i];
  MPI_Win_free(&win);
  free(w);
}

// Particles: a number beside their places.
struct particle {
  double at[2];
  int kind;
  double mass;
};

static void particles(const double *x, double *y) {
  const int blocks[] = {2, 1, 1};
  const MPI_Aint places[] = {offsetof(struct particle, at),
                             offsetof(struct particle, kind),
                             offsetof(struct particle, mass)};
  MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_DOUBLE}, open, type;
  MPI_Type_create_struct(3, blocks, places, types, &open);
  MPI_Type_create_resized(open, 0, sizeof(struct particle), &type);
  MPI_Type_commit(&type);
  struct particle *p = calloc(4, sizeof *p), *q = calloc(4, sizeof *q);
  for (int i = 0; i < 2; ++i) {
    p[i].at[0] = x[4 * i], p[i].at[1] = x[4 * i + 1];
    p[i].kind = rank + i;
    p[i].mass = x[4 * i + 2] * x[4 * i + 3];
  }
  MPI_Win win;
  MPI_Win_create(q, 4 * sizeof *q, sizeof *q, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  MPI_Win_fence(0, win);
  MPI_Put(p, 2, type, right(), 1, 2, type, win);
  MPI_Win_fence(0, win);
  MPI_Get(p + 2, 1, type, right(), 2, 1, type, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = 0;
  for (int i = 0; i < 4; ++i)
    y[i] = q[i].at[0] * q[i].mass * (q[i].kind + 1) +
           p[i].at[1] * p[i].mass * (p[i].kind + 2);
  MPI_Win_free(&win);
  MPI_Type_free(&type);
  MPI_Type_free(&open);
  free(p), free(q);
}

// Two windows over parts of one block, and an access from within it.
static void two_of_one(const double *x, double *y) {
  double *w = malloc(2 * N * sizeof *w);
  for (int i = 0; i < N; ++i)
    w[i] = x[i], w[N + i] = x[i] * x[i];
  MPI_Win first = window_of(w, N), second = window_of(w + N, N);
  MPI_Win_fence(0, first);
  MPI_Win_fence(0, second);
  MPI_Put(w, 2, MPI_DOUBLE, right(), 4, 2, MPI_DOUBLE, first);
  MPI_Put(w + 2, 2, MPI_DOUBLE, left(), 0, 2, MPI_DOUBLE, second);
  MPI_Get(w + N + 2, 2, MPI_DOUBLE, right(), 0, 2, MPI_DOUBLE, first);
  MPI_Accumulate(w, 2, MPI_DOUBLE, rank, 5, 2, MPI_DOUBLE, MPI_SUM, second);
  MPI_Win_fence(0, first);
  MPI_Win_fence(0, second);
  for (int i = 0; i < N; ++i)
    y[i] = w[i] * w[N + i];
  MPI_Win_free(&first);
  MPI_Win_free(&second);
  free(w);
}

// Work is drawn from a counter; who draws what does not matter here.
static void counter(const double *x, double *y) {
  int *next = calloc(1, sizeof *next);
  const int one = 1;
  int drawn = 0, mine = 0;
  double *w = calloc(2, sizeof *w);
  MPI_Win work, sums = window_of(w, 2);
  MPI_Win_create(next, rank ? 0 : sizeof *next, sizeof *next, MPI_INFO_NULL,
                 MPI_COMM_WORLD, &work);
  MPI_Win_fence(0, sums);
  while (mine < 3) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, work);
    MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, work);
    MPI_Win_unlock(0, work);
    double *add = &w[1];
    *add = x[mine++] * (drawn >= 0);
    MPI_Accumulate(&x[mine], 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, sums);
  }
  MPI_Win_fence(0, sums);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, work);
  MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_NO_OP, work);
  MPI_Win_flush(0, work);
  MPI_Win_unlock_all(work);
  for (int i = 0; i < N; ++i)
    y[i] = x[i] * w[0] * drawn + w[1] * x[i];
  MPI_Win_free(&work);
  MPI_Win_free(&sums);
  free(next), free(w);
}

// The numbers of some ranks do not depend on x.
static double table_of_zero[N];
static void some_constant(const double *x, double *y) {
  double *w = rank % 2 ? table_of_zero : malloc(N * sizeof *w);
  double got[N];
  for (int i = 0; rank % 2 == 0 && i < N; ++i)
    w[i] = x[i] * x[i];
  MPI_Win win = window_of(w, N);
  MPI_Win_fence(0, win);
  MPI_Get(got, N, MPI_DOUBLE, right() / 2 * 2, 0, N, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * got[i] * x[i];
  MPI_Win_free(&win);
  if (rank % 2 == 0)
    free(w);
}

// Numbers of single precision, complex ones.
static void singles(const double *x, double *y) {
  float *w = malloc(N * sizeof *w), *got = malloc(N * sizeof *got);
  for (int i = 0; i < N; ++i)
    w[i] = (float)(x[i] * x[i]);
  MPI_Win win;
  MPI_Win_create(w, N * sizeof *w, 2 * sizeof *w, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  MPI_Win_fence(0, win);
  MPI_Get(got, N / 2, MPI_C_FLOAT_COMPLEX, right(), 0, N, MPI_FLOAT, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(got, N, MPI_FLOAT, left(), 0, N, MPI_FLOAT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = w[i] * got[i];
  MPI_Win_free(&win);
  free(w), free(got);
}

// Which cells are fetched is fetched, too.
static void indices(const double *x, double *y) {
  int *order = calloc(N, sizeof *order), *which = calloc(N, sizeof *which);
  double *w = malloc(N * sizeof *w), *got = calloc(N, sizeof *got);
  MPI_Win orders, win = window_of(w, N);
  MPI_Win_create(order, N * sizeof *order, sizeof *order, MPI_INFO_NULL,
                 MPI_COMM_WORLD, &orders);
  for (int i = 0; i < N; ++i)
    w[i] = x[i], y[i] = 0;
  for (int s = 0; s < STEPS; ++s) {
    for (int i = 0; i < N; ++i)
      order[i] = (3 * i + rank + s) % N;
    MPI_Win_fence(0, orders);
    MPI_Get(which, N, MPI_INT, right(), 0, N, MPI_INT, orders);
    MPI_Win_fence(0, orders);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; ++i)
      MPI_Get(&got[i], 1, MPI_DOUBLE, left(), which[i], 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < N; ++i)
      y[which[N - 1 - i]] += got[i] * got[i] * w[which[i]];
    for (int i = 0; i < N; ++i)
      w[i] = sin(got[which[i]]) + w[i];
  }
  MPI_Win_free(&win);
  MPI_Win_free(&orders);
  free(order), free(which), free(w), free(got);
}

// All in one function, with memory of its own.
__attribute__((noinline)) static double neighbours(const double *x, int n) {
  double shown[2] = {x[0] * x[1], x[n]}, there[2] = {0, 1}, sum[2] = {0};
  MPI_Win win = window_of(shown, 2), sums = window_of(sum, 1);
  MPI_Win_fence(0, win);
  MPI_Win_fence(0, sums);
  MPI_Get(there, 2, MPI_DOUBLE, right(), 0, 2, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  double gives[1] = {there[0] * there[1] * x[0]};
  MPI_Accumulate(gives, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_SUM, sums);
  MPI_Win_fence(0, sums);
  MPI_Put(sum, 1, MPI_DOUBLE, left(), 1, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  MPI_Win_free(&sums);
  return shown[0] * shown[1] + there[0];
}
static void in_function(const double *x, double *y) {
  const double first = neighbours(x, 1), second = neighbours(x, N - 2);
  for (int i = 0; i < N; ++i)
    y[i] = first * second * x[i];
}

MPI_TEST(halo_put, N, N)
MPI_TEST(halo_get, N, N)
MPI_TEST(table, N, N)
MPI_TEST(overwritten, N, N)
MPI_TEST(constant_here, N, N)
MPI_TEST(on_stack, N, N)
MPI_TEST(structures, N, N)
MPI_TEST(turns, N, N)
MPI_TEST(uneven, N, N)
MPI_TEST(large, N, N)
MPI_TEST(columns, N, N)
MPI_TEST(particles, N, N)
MPI_TEST(two_of_one, N, N)
MPI_TEST(counter, N, N)
MPI_TEST(some_constant, N, N)
MPI_TEST(indices, N, N)
MPI_TEST(in_function, N, N)
MPI_TEST_(singles, N, N, 1e-1, SINGLE)
MPI_MAIN(&halo_put_test, &halo_get_test, &table_test, &overwritten_test,
         &constant_here_test, &on_stack_test, &structures_test, &turns_test,
         &uneven_test, &large_test, &columns_test, &particles_test,
         &two_of_one_test, &counter_test, &some_constant_test, &singles_test,
         &indices_test, &in_function_test)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows without fences: locks, flushes, and what else tells ranks that
// others have done.
#include "check.h"
#include <stddef.h>

enum { N = 8, STEPS = 3, LARGE = 20000 };

static int right(void) { return (rank + 1) % ranks; }
static int left(void) { return (rank + ranks - 1) % ranks; }

static MPI_Win window_of(void *memory, size_t bytes, int unit) {
  MPI_Win win;
  MPI_Win_create(memory, (MPI_Aint)bytes, unit, MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  return win;
}
static MPI_Win doubles(double *memory, int count) {
  return window_of(memory, (size_t)count * sizeof *memory, sizeof *memory);
}

// ---- Halo exchange ----------------------------------------------------------

static double flow(double before, double here, double behind) {
  return here + 0.2 * (before - 2 * here + behind) * here;
}

// One epoch for all steps; the owner reads its cells while others fetch them.
static void halo_lock_all(const double *x, double *y) {
  double *u, v[N], before, behind;
  MPI_Win win;
  MPI_Win_allocate(N * sizeof *u, sizeof *u, MPI_INFO_NULL, MPI_COMM_WORLD, &u,
                   &win);
  memcpy(u, x, N * sizeof *u);
  MPI_Win_lock_all(0, win);
  MPI_Win_sync(win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Get(&before, 1, MPI_DOUBLE, left(), N - 1, 1, MPI_DOUBLE, win);
    MPI_Get(&behind, 1, MPI_DOUBLE, right(), 0, 1, MPI_DOUBLE, win);
    for (int i = 1; i < N - 1; ++i)
      v[i] = flow(u[i - 1], u[i], u[i + 1]);
    MPI_Win_flush_all(win);
    v[0] = flow(before, u[0], u[1]);
    v[N - 1] = flow(u[N - 2], u[N - 1], behind);
    MPI_Barrier(MPI_COMM_WORLD);
    memcpy(u, v, N * sizeof *u);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(win);
  for (int i = 0; i < N; ++i)
    y[i] = u[i] * u[i];
  MPI_Win_free(&win);
}

static void halo_whole(const double *x, double *y) {
  const int n = N * ranks;
  double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v);
  memcpy(u, x, (size_t)n * sizeof *u);
  for (int s = 0; s < STEPS; ++s) {
    for (int i = 0; i < n; ++i)
      v[i] = flow(u[(i + n - 1) % n], u[i], u[(i + 1) % n]);
    memcpy(u, v, (size_t)n * sizeof *u);
  }
  for (int i = 0; i < n; ++i)
    y[i] = u[i] * u[i];
  free(u), free(v);
}

// A lock for each neighbour in each step; a row with room for their cells.
struct row {
  double *u;
  MPI_Win win;
};
__attribute__((noinline)) static void fetch(struct row *r, int from, int at,
                                            double *to) {
  MPI_Win_lock(MPI_LOCK_SHARED, from, 0, r->win);
  MPI_Get(to, 1, MPI_DOUBLE, from, at, 1, MPI_DOUBLE, r->win);
  MPI_Win_unlock(from, r->win);
}
static void halo_locks(const double *x, double *y) {
  struct row r = {calloc(N + 2, sizeof *r.u), MPI_WIN_NULL};
  double v[N];
  r.win = doubles(r.u, N + 2);
  memcpy(r.u + 1, x, N * sizeof *r.u);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int s = 0; s < STEPS; ++s) {
    fetch(&r, left(), N, &r.u[0]);
    fetch(&r, right(), 1, &r.u[N + 1]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i)
      v[i] = flow(r.u[i], r.u[i + 1], r.u[i + 2]);
    memcpy(r.u + 1, v, N * sizeof *v);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (int i = 0; i < N; ++i)
    y[i] = r.u[i + 1] * r.u[i + 1];
  MPI_Win_free(&r.win);
  free(r.u);
}

// Neighbours put theirs here; messages of no numbers say when.
static void halo_tokens(const double *x, double *y) {
  double *u = calloc(N + 2, sizeof *u), v[N];
  MPI_Win win = doubles(u, N + 2);
  int token = 0, from_left = 0, from_right = 0;
  memcpy(u + 1, x, N * sizeof *u);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Win_lock_all(0, win);
    MPI_Put(u + 1, 1, MPI_DOUBLE, left(), N + 1, 1, MPI_DOUBLE, win);
    MPI_Put(u + N, 1, MPI_DOUBLE, right(), 0, 1, MPI_DOUBLE, win);
    MPI_Win_unlock_all(win);
    token = s;
    MPI_Sendrecv(&token, 1, MPI_INT, left(), 1, &from_right, 1, MPI_INT,
                 right(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&token, 1, MPI_INT, right(), 2, &from_left, 1, MPI_INT, left(),
                 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      v[i] = flow(u[i], u[i + 1], u[i + 2]) + 1e-3 * from_left * from_right;
    memcpy(u + 1, v, N * sizeof *v);
    // The neighbours have read what they were given.
    MPI_Sendrecv(&token, 1, MPI_INT, left(), 3, &from_right, 1, MPI_INT,
                 right(), 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&token, 1, MPI_INT, right(), 4, &from_left, 1, MPI_INT, left(),
                 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < N; ++i)
    y[i] = u[i + 1] * u[i + 1];
  MPI_Win_free(&win);
  free(u);
}

// ---- Sums -------------------------------------------------------------------

static int node(int e, int which) {
  const int first = (3 * e + 5 * rank) % (N * ranks);
  return which ? (first + 1 + e % 3) % (N * ranks) : first;
}

// Elements add forces to nodes of all ranks, twice; between, nodes move.
static void forces(const double *x, double *y) {
  double *at, *force;
  MPI_Win places, sums;
  MPI_Win_allocate(N * sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &at, &places);
  MPI_Win_allocate(N * sizeof *force, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &force,
                   &sums);
  memcpy(at, x, N * sizeof *at);
  MPI_Win_lock_all(0, places);
  MPI_Win_lock_all(0, sums);
  for (int s = 0; s < STEPS; ++s) {
    memset(force, 0, N * sizeof *force);
    MPI_Win_sync(sums), MPI_Win_sync(places);
    MPI_Barrier(MPI_COMM_WORLD);
    double ends[2 * N][2], f[2 * N][2];
    for (int e = 0; e < 2 * N; ++e) {
      const int a = node(e, 0), b = node(e, 1);
      MPI_Get(&ends[e][0], 1, MPI_DOUBLE, a / N, a % N, 1, MPI_DOUBLE, places);
      MPI_Get(&ends[e][1], 1, MPI_DOUBLE, b / N, b % N, 1, MPI_DOUBLE, places);
    }
    MPI_Win_flush_local_all(places);
    for (int e = 0; e < 2 * N; ++e) {
      f[e][0] = 0.1 * sin(ends[e][0] - ends[e][1]) * ends[e][0];
      f[e][1] = -f[e][0];
      for (int i = 0; i < 2; ++i)
        MPI_Accumulate(&f[e][i], 1, MPI_DOUBLE, node(e, i) / N,
                       node(e, i) % N * 8, 1, MPI_DOUBLE, MPI_SUM, sums);
    }
    MPI_Win_flush_all(sums);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(sums);
    for (int i = 0; i < N; ++i)
      at[i] += force[i] * x[i];
    MPI_Win_sync(places);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_unlock_all(sums);
  MPI_Win_unlock_all(places);
  for (int i = 0; i < N; ++i)
    y[i] = at[i] * at[i];
  MPI_Win_free(&sums);
  MPI_Win_free(&places);
}

// Work is drawn from a counter; its results go into one table.
static void counter(const double *x, double *y) {
  int *next = calloc(1, sizeof *next), drawn = 0;
  const int one = 1;
  double *w = calloc(N, sizeof *w), all[N];
  MPI_Win work = window_of(next, rank ? 0 : sizeof *next, sizeof *next);
  MPI_Win table = doubles(w, rank ? 0 : N);
  double *const whole = malloc((size_t)(N * ranks) * sizeof *whole);
  MPI_Allgather(x, N, MPI_DOUBLE, whole, N, MPI_DOUBLE, MPI_COMM_WORLD);
  for (;;) {
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, work);
    MPI_Fetch_and_op(&one, &drawn, MPI_INT, 0, 0, MPI_SUM, work);
    MPI_Win_unlock(0, work);
    if (drawn >= N * ranks)
      break;
    double add[2] = {sin(whole[drawn]), whole[drawn] * whole[drawn]};
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, table);
    MPI_Accumulate(add, 2, MPI_DOUBLE, 0, drawn % (N - 1), 2, MPI_DOUBLE,
                   MPI_SUM, table);
    MPI_Win_unlock(0, table);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, table);
  MPI_Get(all, N, MPI_DOUBLE, 0, 0, N, MPI_DOUBLE, table);
  MPI_Win_unlock(0, table);
  for (int i = 0; i < N; ++i)
    y[i] = all[i] * x[i];
  MPI_Win_free(&table);
  MPI_Win_free(&work);
  free(next), free(w), free(whole);
}

// ---- Memory and types -------------------------------------------------------

static double table_of_zero[N];
static void some_constant(const double *x, double *y) {
  double *w = rank % 2 ? table_of_zero : malloc(N * sizeof *w);
  double got[N];
  for (int i = 0; rank % 2 == 0 && i < N; ++i)
    w[i] = x[i] * x[i];
  MPI_Win win = doubles(w, N);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, right() / 2 * 2, 0, win);
  MPI_Get(got, N, MPI_DOUBLE, right() / 2 * 2, 0, N, MPI_DOUBLE, win);
  MPI_Win_unlock(right() / 2 * 2, win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * got[i] * x[i];
  MPI_Win_free(&win);
  if (rank % 2 == 0)
    free(w);
}

struct particle {
  double at[2];
  int kind;
  float mass;
};

static void particles(const double *x, double *y) {
  const int blocks[] = {2, 1};
  const MPI_Aint places[] = {offsetof(struct particle, at),
                             offsetof(struct particle, kind)};
  MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT}, open, type, masses;
  MPI_Type_create_struct(2, blocks, places, types, &open);
  MPI_Type_create_resized(open, 0, sizeof(struct particle), &type);
  MPI_Type_commit(&type);
  MPI_Type_create_resized(MPI_FLOAT, 0, sizeof(struct particle), &masses);
  MPI_Type_commit(&masses);
  struct particle *p = calloc(4, sizeof *p), q[4];
  memset(q, 0, sizeof q);
  for (int i = 0; i < 4; ++i) {
    p[i].at[0] = x[i], p[i].at[1] = x[i] * x[i + 1];
    p[i].kind = rank + i;
    p[i].mass = (float)x[i + 2];
  }
  MPI_Win win = window_of(p, 4 * sizeof *p, 1);
  MPI_Win_lock_all(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Get(q, 3, type, right(), sizeof *p, 3, type, win);
  MPI_Get(&q[0].mass, 3, masses, right(),
          (MPI_Aint)(sizeof *p + offsetof(struct particle, mass)), 3, masses,
          win);
  for (int i = 0; i < N; ++i)
    y[i] = p[i % 4].at[0] * p[i % 4].mass;
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i)
    y[i] += q[i].at[0] * q[i].at[1] * (q[i].kind + 1) * q[i].mass;
  MPI_Win_free(&win);
  MPI_Type_free(&type), MPI_Type_free(&open), MPI_Type_free(&masses);
  free(p);
}

// Many pages, of which others read some, while the owner reads all.
static void large(const double *x, double *y) {
  double *w = malloc(LARGE * sizeof *w), *got = malloc(LARGE * sizeof *got);
  for (int i = 0; i < LARGE; ++i)
    w[i] = x[i % N] * (1 + i * 1e-5);
  for (int i = 0; i < N; ++i)
    y[i] = 0;
  MPI_Win win = doubles(w, LARGE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, left(), 0, win);
  MPI_Get(got, LARGE / 2, MPI_DOUBLE, left(), 77, LARGE / 2, MPI_DOUBLE, win);
  MPI_Get(got + LARGE / 2, 1, MPI_DOUBLE, left(), LARGE - 1, 1, MPI_DOUBLE,
          win);
  for (int i = 0; i < LARGE; ++i)
    y[i % N] += 1e-4 * w[i] * w[i];
  MPI_Win_unlock(left(), win);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i <= LARGE / 2; ++i)
    y[i % N] += 1e-3 * w[i] * got[LARGE / 2 - i];
  MPI_Win_free(&win);
  free(w), free(got);
}

// Fences, locks and fences again.
static void mixed(const double *x, double *y) {
  double *w = malloc(N * sizeof *w), got[N], more[2];
  for (int i = 0; i < N; ++i)
    w[i] = x[i];
  MPI_Win win = doubles(w, N);
  MPI_Win_fence(0, win);
  MPI_Get(got, N, MPI_DOUBLE, right(), 0, N, MPI_DOUBLE, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < N; ++i)
    w[i] = got[i] * x[i];
  MPI_Barrier(MPI_COMM_WORLD);
  for (int s = 0; s < STEPS; ++s) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, left(), 0, win);
    MPI_Accumulate(got, 2, MPI_DOUBLE, left(), s, 2, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_unlock(left(), win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
  MPI_Get(more, 2, MPI_DOUBLE, rank, 1, 2, MPI_DOUBLE, win);
  MPI_Win_unlock(rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(more, 2, MPI_DOUBLE, right(), 5, 2, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  for (int i = 0; i < N; ++i)
    y[i] = w[i] * w[i] + got[i] * more[i % 2];
  MPI_Win_free(&win);
  free(w);
}

MPI_TEST_WHOLE(halo_lock_all, halo_whole, N, N)
MPI_TEST_WHOLE(halo_locks, halo_whole, N, N)
MPI_TEST(halo_tokens, N, N)
MPI_TEST(forces, N, N)
MPI_TEST(counter, N, N)
MPI_TEST(some_constant, N, N)
MPI_TEST_(particles, N, N, 1e-1, SINGLE)
MPI_TEST(large, N, N)
MPI_TEST(mixed, N, N)
MPI_MAIN(&halo_lock_all_test, &halo_locks_test, &halo_tokens_test, &forces_test,
         &counter_test, &some_constant_test, &particles_test, &large_test,
         &mixed_test)

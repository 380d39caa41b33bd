// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A test is a function that all ranks call, of N numbers to M numbers on each:
//
//   static void f(const double *x, double *y) { ... MPI_... }
//   MPI_TEST(f, N, M)
//
// Its derivative J is a matrix over all ranks. For random u and v, with sums
// over all ranks:
//
//   <u, J v> by forward mode = <J' u, v> by reverse mode = by differences
//
// and what the function computes is the same with and without a derivative.
// MPI_TEST_(f, N, M, TOLERANCE, FLAGS): of the differences; NO_DIFFERENCES at
// kinks, SINGLE where some of it is in single precision.
//
// MPI_TEST_WHOLE(f, whole, N, M): whole computes the same without MPI, on one
// rank: it takes the x of all ranks, one behind the other, and gives the y of
// all. Its gradient is that of f, number by number.
#ifndef ADZE_TEST_MPI_CHECK_H
#define ADZE_TEST_MPI_CHECK_H

#include "adze/adze.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
#ifdef __cplusplus
}
#endif

enum { NO_DIFFERENCES = 1, SINGLE = 2 };

struct mpi_test {
  const char *name;
  int n, m, flags;
  double tolerance;
  void (*primal)(const double *, double *);
  void (*reverse)(const double *, double *, double *, double *);
  void (*forward)(const double *, double *, double *, double *);
  void (*whole)(const double *, double *); // or null
  void (*whole_reverse)(const double *, double *, double *, double *);
};

static int failures, rank, ranks;
// Where the test is run: without derivative.
static double point[8];

static double number(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / (1 << 23) - 1; // [-1, 1)
}

static double *random_numbers(int n, unsigned seed, double low, double high) {
  double *a = (double *)malloc((size_t)(n + 1) * sizeof *a);
  unsigned state = seed * 7919u + (unsigned)rank * 104729u + 17u;
  for (int i = 0; i < n; ++i)
    a[i] = low + (high - low) * 0.5 * (1 + number(&state));
  return a;
}

static double over_ranks(const double *a, const double *b, int n) {
  double mine = 0, sum = 0;
  for (int i = 0; i < n; ++i)
    mine += a[i] * b[i];
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void expect_near(const char *test, const char *what, double got,
                        double want, double scale, double tolerance) {
  if (fabs(got - want) <= tolerance * (fabs(want) + scale))
    return;
  ++failures;
  if (rank == 0)
    printf("FAIL %s: %s: %.17g, expected %.17g\n", test, what, got, want);
}

static void expect_same(const char *test, const char *what, const double *got,
                        const double *want, int n) {
  int wrong = 0, any = 0;
  for (int i = 0; i < n; ++i)
    wrong |= !(fabs(got[i] - want[i]) <= 1e-13 * (1 + fabs(want[i])));
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (!any)
    return;
  ++failures;
  if (wrong)
    printf("FAIL %s: rank %d: %s differs\n", test, rank, what);
}

static void expect_close(const char *test, const char *what, const double *got,
                         const double *want, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i)
    largest = fmax(largest, fabs(want[i]));
  int wrong = -1, any = 0;
  for (int i = 0; i < n && wrong < 0; ++i)
    if (!(fabs(got[i] - want[i]) <= 1e-11 * (largest + fabs(want[i]))))
      wrong = i;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any < 0)
    return;
  ++failures;
  if (wrong >= 0)
    printf("FAIL %s: rank %d: %s[%d]: %.17g, expected %.17g\n", test, rank,
           what, wrong, got[wrong], want[wrong]);
}

// The function of all ranks' numbers on one rank, and its gradient.
static void compare_whole(const struct mpi_test *t, const double *x,
                          const double *u, const double *y, const double *dx) {
  const int n = t->n, m = t->m;
  double *xs = random_numbers(n * ranks, 0, 0, 0);
  double *dxs = random_numbers(n * ranks, 0, 0, 0);
  double *ys = random_numbers(m * ranks, 0, 0, 0);
  double *dys = random_numbers(m * ranks, 0, 0, 0);
  MPI_Allgather(x, n, MPI_DOUBLE, xs, n, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Allgather(u, m, MPI_DOUBLE, dys, m, MPI_DOUBLE, MPI_COMM_WORLD);
  memset(dxs, 0, (size_t)(n * ranks) * sizeof *dxs);
  memset(ys, 0, (size_t)(m * ranks) * sizeof *ys);
  t->whole_reverse(xs, dxs, ys, dys);
  expect_close(t->name, "the result of one rank: y", y, ys + m * rank, m);
  expect_close(t->name, "the gradient of one rank: dx", dx, dxs + n * rank, n);
  free(xs), free(dxs), free(ys), free(dys);
}

static void run_test(const struct mpi_test *t) {
  const int n = t->n, m = t->m;
  double *x = random_numbers(n, 1, 0.5, 1.5);
  double *u = random_numbers(m, 2, -1, 1), *v = random_numbers(n, 3, -1, 1);
  double *y = random_numbers(m, 4, 0, 0), *want = random_numbers(m, 4, 0, 0);
  double *moved = random_numbers(n, 4, 0, 0), *dx = random_numbers(n, 4, 0, 0);
  double *dy = random_numbers(m, 4, 0, 0);
  memcpy(point, x, sizeof *x * (size_t)(n < 8 ? n : 8));
  t->primal(x, want);
  // A receive of anyone must not get what a rank sends in its next run.
  MPI_Barrier(MPI_COMM_WORLD);

  memcpy(dx, v, (size_t)n * sizeof *x);
  t->forward(x, dx, y, dy);
  expect_same(t->name, "the result of forward mode", y, want, m);
  const double forward = over_ranks(u, dy, m);
  const double scale = sqrt(over_ranks(u, u, m) * over_ranks(dy, dy, m));

  for (int again = 0; again < 2; ++again) {
    memset(dx, 0, (size_t)n * sizeof *x);
    memset(y, 0, (size_t)m * sizeof *y);
    memcpy(dy, u, (size_t)m * sizeof *x);
    t->reverse(x, dx, y, dy);
    expect_same(t->name, "the result of reverse mode", y, want, m);
    expect_near(t->name, again ? "<J' u, v>, again" : "<J' u, v>",
                over_ranks(dx, v, n), forward, scale,
                t->flags & SINGLE ? 1e-5 : 1e-12);
  }
  if (t->whole)
    compare_whole(t, x, u, y, dx);

  if (!(t->flags & NO_DIFFERENCES)) {
    double d[2];
    for (int side = 0; side < 2; ++side) {
      for (int i = 0; i < n; ++i)
        moved[i] = x[i] + (side ? -1e-5 : 1e-5) * v[i];
      memset(y, 0, (size_t)m * sizeof *y);
      t->primal(moved, y);
      d[side] = over_ranks(u, y, m);
    }
    expect_near(t->name, "<u, J v>", forward, (d[0] - d[1]) / 2e-5,
                fabs(scale) + 1e-300, t->tolerance);
    if (scale == 0) {
      ++failures;
      if (rank == 0)
        printf("FAIL %s: no derivative at all\n", t->name);
    }
  }
  free(x), free(u), free(v), free(y), free(want), free(moved), free(dx);
  free(dy);
}

#ifdef ADZE_WIDTH
// So many directions at once: multiples of the first, and so must be the
// results.
static double factor(int direction) { return 1 - 0.75 * direction; }

static double *begin_wide(const double *first, int n) {
  double *all = (double *)malloc((size_t)(ADZE_WIDTH * n) * sizeof *all);
  for (int k = 0; k < ADZE_WIDTH; ++k)
    for (int i = 0; i < n; ++i)
      all[k * n + i] = factor(k) * first[i];
  return all;
}

static void end_wide(const char *name, double *first, double *all, int n) {
  double scale = 0;
  memcpy(first, all, (size_t)n * sizeof *first);
  for (int i = 0; i < n; ++i)
    scale = fmax(scale, fabs(first[i]));
  for (int k = 1; k < ADZE_WIDTH; ++k)
    for (int i = 0; i < n; ++i)
      if (!(fabs(all[k * n + i] - factor(k) * first[i]) <= 1e-5 * scale)) {
        ++failures;
        printf("FAIL %s: rank %d: direction %d [%d]: %.17g, expected %.17g\n",
               name, rank, k, i, all[k * n + i], factor(k) * first[i]);
      }
  free(all);
}

#define MPI_DERIVATIVE(marker, f, N, M)                                        \
  double *dxs = begin_wide(dx, N), *dys = begin_wide(dy, M);                   \
  marker((void *)f, enzyme_width, ADZE_WIDTH, enzyme_dupv,                     \
         sizeof(double) * (N), x, dxs, enzyme_dupv, sizeof(double) * (M), y,   \
         dys);                                                                 \
  end_wide(#f, dx, dxs, N);                                                    \
  end_wide(#f, dy, dys, M)
#else
#define MPI_DERIVATIVE(marker, f, N, M)                                        \
  marker((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy)
#endif

#define MPI_TEST_OF(f, N, M, TOLERANCE, FLAGS, ...)                            \
  static void f##_reverse(const double *x, double *dx, double *y,              \
                          double *dy) {                                        \
    MPI_DERIVATIVE(__enzyme_autodiff, f, N, M);                                \
  }                                                                            \
  static void f##_forward(const double *x, double *dx, double *y,              \
                          double *dy) {                                        \
    MPI_DERIVATIVE(__enzyme_fwddiff, f, N, M);                                 \
  }                                                                            \
  static const struct mpi_test f##_test = {                                    \
      #f, N, M, FLAGS, TOLERANCE, f, f##_reverse, f##_forward, __VA_ARGS__};
#define MPI_TEST_(f, N, M, TOLERANCE, FLAGS)                                   \
  MPI_TEST_OF(f, N, M, TOLERANCE, FLAGS, 0, 0)
#define MPI_TEST(f, N, M) MPI_TEST_(f, N, M, 1e-7, 0)
#define MPI_TEST_WHOLE(f, whole, N, M)                                         \
  static void f##_on_one(const double *x, double *dx, double *y, double *dy) { \
    __enzyme_autodiff((void *)whole, enzyme_dup, x, dx, enzyme_dup, y, dy);    \
  }                                                                            \
  MPI_TEST_OF(f, N, M, 1e-7, 0, whole, f##_on_one)

static inline void begin_nothing(void) {}

// Whether MPI gives programs of threads what they need.
static inline int begin_mpi(int *argc, char ***argv) {
  int provided = MPI_THREAD_MULTIPLE;
#ifdef _OPENMP
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
#else
  MPI_Init(argc, argv);
#endif
  if (provided == MPI_THREAD_MULTIPLE)
    return 1;
  printf("skipped: MPI has no MPI_THREAD_MULTIPLE\n");
  MPI_Finalize();
  return 0;
}

// begin(): called once MPI is there.
#define MPI_MAIN_(begin, ...)                                                  \
  int main(int argc, char **argv) {                                            \
    const struct mpi_test *tests[] = {__VA_ARGS__};                            \
    const int count = (int)(sizeof tests / sizeof *tests);                     \
    if (!begin_mpi(&argc, &argv))                                              \
      return 0;                                                                \
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);                                      \
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);                                     \
    begin();                                                                   \
    for (int i = 0; i < count; ++i)                                            \
      run_test(tests[i]);                                                      \
    if (rank == 0)                                                             \
      printf("%d tests, %d failures\n", count, failures);                      \
    MPI_Finalize();                                                            \
    return failures != 0;                                                      \
  }
#define MPI_MAIN(...) MPI_MAIN_(begin_nothing, __VA_ARGS__)

#endif

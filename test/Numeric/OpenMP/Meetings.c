// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Where threads meet: barriers, reductions, one thread at a time, one of them.
#include "sizes.h"

static double sums(int threads, const double *x, int n) {
  double s = 0, p = 1, most = -10;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for reduction(+ : s) reduction(* : p)
    for (int i = 0; i < n; ++i) {
      s += x[i] * x[(i + 2) % n];
      p *= 1 + 0.1 * x[i];
    }
#pragma omp for reduction(max : most)
    for (int i = 0; i < n; ++i)
      most = most < x[i] * s ? x[i] * s : most;
  }
  return s * p + most;
}

// The order of the threads matters: which one the program has taken is kept.
static double turns(int threads, const double *x, int n) {
  double state = x[0];
  double weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    for (int k = 0; k < omp_get_num_threads(); ++k) {
      if (k == me) {
#pragma omp critical
        state = state * x[k % n] + sin(state);
      }
#pragma omp barrier
    }
#pragma omp single
    state *= x[1];
#pragma omp master
    weights[0] = state * x[2];
#pragma omp barrier
    if (me)
      weights[me] += weights[0] * x[3];
  }
  for (int k = 1; k < threads; ++k)
    state += weights[k];
  return state;
}

// Any order gives the same, up to rounding.
static double shared(int threads, const double *x, int n) {
  double s = 0, products = 1, others = 1, scale = x[n - 1];
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic)
  for (int i = 0; i < n; ++i) {
    double t = exp(0.3 * x[i]) * scale;
#pragma omp atomic
    s += t;
#pragma omp critical(name)
    products *= t;
    omp_set_lock(&lock);
    others *= 1 + 0.1 * t;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return s * products * others;
}

// Sections of one name within those of another.
static double within(int threads, const double *x, int n) {
  double a = 1, b = 1, c = 1, d = 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel for num_threads(threads) ordered schedule(static, 1)
  for (int i = 0; i < n; ++i) {
    double t = sin(x[i]);
#pragma omp critical(outer)
    {
      a *= 1 + t;
#pragma omp critical(inner)
      b *= 1 - 0.5 * t;
      omp_set_lock(&lock);
      c *= 1 + 0.1 * t * t;
      omp_unset_lock(&lock);
    }
#pragma omp critical(inner)
    b *= 1 + x[i];
#pragma omp ordered
    {
      d = d * 0.5 + t;
#pragma omp critical(inner)
      b *= 1 + 0.2 * x[i];
    }
  }
  omp_destroy_lock(&lock);
  return a + b * c * d;
}

// Values of one interval are read in the next, after they were overwritten.
static double phases(int threads, const double *x, int n) {
  double a[Count], b[Count], last = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (int i = 0; i < n; ++i)
      a[i] = x[i] * x[i];
    for (int step = 0; step < 3; ++step) {
#pragma omp for
      for (int i = 0; i < n; ++i)
        b[i] = a[i] * a[(i + 1) % n] + step;
#pragma omp for
      for (int i = 0; i < n; ++i)
        a[i] = 0.3 * b[i] * b[(i + n - 1) % n];
    }
#pragma omp for ordered reduction(+ : last)
    for (int i = 0; i < n; ++i) {
      last += a[i];
#pragma omp ordered
      b[0] = b[0] * 0.5 + a[i];
    }
  }
  return last + b[0];
}

// Nested, serialized, and of one thread.
static double nested(int threads, const double *x, int n) {
  double s = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(threads) reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    double t = 0;
#pragma omp parallel for num_threads(2) reduction(+ : t) if (i % 2 == 1)
    for (int j = 0; j < n; ++j)
      t += x[i] * x[j] * x[j];
    s += t * t;
  }
  return s;
}

TEAMS(sums)
TEAMS(turns)
TEAMS(shared)
TEAMS(within)
TEAMS(phases)
// (Archer takes the ends of nested regions for races, in the primal already.)
#if !__has_feature(thread_sanitizer)
WITHIN(nested)
#endif

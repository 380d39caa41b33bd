// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// What one thread does behind another one: locks, iterations, flags.
#include "sizes.h"

static omp_nest_lock_t nested;
static void scale(double *to, double by) {
  omp_set_nest_lock(&nested);
  *to *= by;
  omp_unset_nest_lock(&nested);
}
// Locks that a thread may take again, and those that it only tries to take.
static double locks(int threads, const double *x, int n) {
  double a = 1, b = 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    omp_set_nest_lock(&nested);
    scale(&a, 1 + 0.3 * x[i]);
    scale(&a, cos(x[i]));
    omp_unset_nest_lock(&nested);
    while (!omp_test_lock(&lock))
      ;
    b *= 1 + 0.2 * x[i];
    omp_unset_lock(&lock);
  }
  omp_destroy_nest_lock(&nested);
  omp_destroy_lock(&lock);
  return a + b;
}

// Iterations that wait for others.
static double across(int threads, const double *x, int n) {
  double a[Count], g[4][4];
  a[0] = x[0];
#pragma omp parallel num_threads(threads)
  {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 1; i < n; ++i) {
      double t = sin(x[i]);
#pragma omp ordered depend(sink : i - 1)
      a[i] = a[i - 1] * x[i] + t;
#pragma omp ordered depend(source)
      a[i] += 0 * t;
    }
#pragma omp for ordered(2) schedule(dynamic)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        double up = i ? g[i - 1][j] : a[j], left = j ? g[i][j - 1] : x[i];
        g[i][j] = 0.5 * up * left + x[(i + j) % n];
#pragma omp ordered depend(source)
      }
  }
  return a[n - 1] + g[3][3];
}

// A chain of threads, each of which waits for a flag.
static double chain(int threads, const double *x, int n) {
  double state = x[0], last[8];
  int flag = 0;
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    while (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) != me)
      ;
    state = state * x[me % n] + sin(state);
    last[me] = state * state;
    __atomic_store_n(&flag, me + 1, __ATOMIC_RELEASE);
  }
  double s = 0;
  for (int k = 0; k < threads; ++k)
    s += last[k];
  return s;
}

// The same with OpenMP's own words.
static double flushed(int threads, const double *x, int n) {
  double state = x[1];
  int flag = 0;
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num(), seen;
    do {
#pragma omp atomic read
      seen = flag;
#pragma omp flush
    } while (seen != me);
    state = state * x[me % n] + cos(state);
#pragma omp flush
#pragma omp atomic write
    flag = me + 1;
  }
  return state;
}
static double ordered(int threads, const double *x, int n) {
  double state = x[1];
  int flag = 0;
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num(), seen;
    do {
#pragma omp atomic read seq_cst
      seen = flag;
    } while (seen != me);
    state = state * x[me % n] + cos(state);
#pragma omp atomic write seq_cst
    flag = me + 1;
  }
  return state;
}

// Clauses that are code by then.
static double loops(int threads, const double *x, int n) {
  double s = 0;
  int j = 1;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for simd linear(j : 2) reduction(+ : s)
    for (int i = 0; i < 4; ++i) {
      s += x[j % n] * x[i];
      j += 2;
    }
#pragma omp loop reduction(+ : s)
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i] * x[j % n];
  }
  return s;
}

TEAMS(locks)
// (Who waits for a flag gives no processor away.)
FEW(chain)
FEW(ordered)
// (Archer knows nothing of these, and takes the primal's for races.)
#if !__has_feature(thread_sanitizer)
TEAMS(across)
FEW(flushed)
#endif
TEAMS(loops)

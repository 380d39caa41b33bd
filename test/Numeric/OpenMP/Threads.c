// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Variables of threads, and what one thread gives to all.
#include "sizes.h"

static double own, table[4];
#pragma omp threadprivate(own, table)
static _Thread_local double local;

// Set in one region, used in the next.
static double kept(int threads, const double *x, int n) {
  double s = 0;
  omp_set_dynamic(0);
  own = x[0] * x[1];
#pragma omp parallel num_threads(threads) copyin(own) reduction(+ : s)
  {
    int me = omp_get_thread_num();
    own *= x[me % n];
    table[me % 4] = sin(own);
    local = own * x[2];
    s += own;
  }
#pragma omp parallel num_threads(threads) reduction(+ : s)
  {
    int me = omp_get_thread_num();
    for (int k = 0; k < 3; ++k)
      own = own * local + table[me % 4] * x[k];
    s += own * table[me % 4];
  }
  return s + own * x[3];
}

static double scratch[Count];
#pragma omp threadprivate(scratch)
static void fill(const double *x, int n, int i) {
  for (int k = 0; k < n; ++k)
    scratch[k] = x[k] * x[i];
}
static double use(int n) {
  double s = 0;
  for (int k = 0; k + 1 < n; ++k)
    s += scratch[k] * scratch[k + 1];
  return s;
}
// Memory to work in, in functions.
static double work(int threads, const double *x, int n) {
  double s = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : s)
  for (int i = 0; i < n; ++i) {
    fill(x, n, i);
    scratch[0] *= scratch[i];
    s += use(n);
  }
  return s;
}

// One thread computes what all get, several times.
static double given(int threads, const double *x, int n) {
  double s = 0;
#pragma omp parallel num_threads(threads) reduction(+ : s)
  {
    double v, u[3];
    int index;
    for (int k = 0; k < 3; ++k) {
#pragma omp single copyprivate(v, u, index)
      {
        index = k + 1;
        v = x[k] * x[k + 1];
        for (int j = 0; j < 3; ++j)
          u[j] = v * x[j] + sin(x[index]);
      }
      v *= x[omp_get_thread_num() % n];
      s += v * u[k] * x[index];
#pragma omp single copyprivate(v)
      v = x[8] * x[k];
      s += v * u[0];
    }
  }
  return s;
}

// A variable of the thread is given, too.
static double both(int threads, const double *x, int n) {
  double s = 0;
#pragma omp parallel num_threads(threads) reduction(+ : s)
  {
#pragma omp single copyprivate(own)
    own = x[1] * x[2] * x[3];
    own *= own * x[omp_get_thread_num() % n];
#pragma omp barrier
    s += own;
  }
  return s;
}

#if ADZE_REVERSE
// What an earlier gradient left in the shadows of threads is none of a later
// one: dx[1] is that of a value that nobody reads.
static _Thread_local double before = 3;
static double stale(const double *x, int n) {
  double s = 0;
#pragma omp parallel num_threads(3) reduction(+ : s)
  {
    s += before * x[0];
    before = x[1] + n;
  }
  return s;
}
extern void __enzyme_autodiff_stale(void *, ...);
ADZE_TEST_REVERSE(stale) {
  double x[2] = {2, 1};
  for (int k = 0; k < 3; ++k) {
    double dx[2] = {0, 0};
    __enzyme_autodiff_stale((void *)stale, x, dx, 2);
    adze_near("of what is read", dx[0], 9, 1e-12);
    adze_near("of what is not", dx[1], 0, 1e-12);
  }
}
#endif

TEAMS(kept)
TEAMS(work)
TEAMS(given)
TEAMS(both)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -fopenmp-version=51" libs="-fopenmp"
// skip-unless=header:omp.h Constructs of OpenMP 5: memory from allocators,
// loop, masked with a filter, scan, taskwait with dependences; locks that a
// thread only tries to take again.
#ifndef TEAMS
#include "teams.h"
static void *allocate_alone(size_t n) { return malloc(n); }
static void *zeros_alone(size_t n, size_t of) { return calloc(n, of); }
static void *aligned_alone(size_t to, size_t n) { return aligned_alloc(to, n); }
static void free_alone(void *block) { free(block); }
#define allocate_team(N) omp_alloc(N, omp_default_mem_alloc)
#define zeros_team(N, OF) omp_calloc(N, OF, omp_default_mem_alloc)
#define aligned_team(TO, N) omp_aligned_alloc(TO, N, omp_low_lat_mem_alloc)
#define free_team(B) omp_free(B, omp_null_allocator)
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(blocks) {
  double *y = IN(allocate)(n * sizeof(double)), s = 0, b;
  double *z = IN(zeros)(n, sizeof(double));
  double *w = IN(aligned)(64, n * sizeof(double));
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[(i + 1) % n];
    w[i] = sin(x[i]);
    if (i % 2)
      z[i] += y[i];
  }
  OMP(parallel for private(b) allocate(omp_default_mem_alloc : b)
          reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    b = y[i] * w[n - 1 - i];
    s += b * b + z[i];
  }
  IN(free)(y);
  IN(free)(z);
  IN(free)(w);
  return s;
}

// Memory that each thread has from an allocator.
PROGRAM(own) {
  double s = 0;
  OMP(parallel reduction(+ : s)) {
    double *y = IN(allocate)(2 * sizeof(double));
    OMP(for)
    for (int i = 0; i < n; ++i) {
      y[0] = x[i] * x[i];
      y[1] = y[0] * x[(i + 1) % n];
      s += y[0] * y[1];
    }
    IN(free)(y);
  }
  return s;
}

PROGRAM(variable) {
  double y[Numbers], s = 0;
  OMP(allocate(y) allocator(omp_default_mem_alloc))
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += y[i] * x[(i + 2) % n];
  return s;
}

PROGRAM(loops) {
  double y[Numbers], s = 0;
  OMP(parallel) {
    OMP(loop)
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[(i + 1) % n];
  }
  OMP(parallel loop reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += y[i] * y[n - 1 - i];
  return s;
}

PROGRAM(masked) {
  double a = 1;
  OMP(parallel) {
    OMP(masked filter(IN(size)() - 1))
    for (int i = 0; i < n; ++i)
      a *= 1 + 0.1 * x[i];
    OMP(barrier)
    OMP(masked)
    a *= a * x[1];
  }
  return a;
}

PROGRAM(scan) {
  double a = 0, y[Numbers], s = 0;
  OMP(parallel for reduction(inscan, + : a))
  for (int i = 0; i < n; ++i) {
    a += x[i] * x[i];
    OMP(scan inclusive(a))
    y[i] = a * x[i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * x[(i + 2) % n];
  return s + a;
}

PROGRAM(before) {
  double a = 1, y[Numbers], s = 0;
  OMP(parallel for reduction(inscan, * : a))
  for (int i = 0; i < n; ++i) {
    y[i] = a * x[i];
    OMP(scan exclusive(a))
    a *= 1 + 0.1 * x[i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * x[(i + 2) % n];
  return s;
}

// (There LLVM's runtime asserts, in the primal.)
#if !__has_feature(thread_sanitizer)
PROGRAM(waits) {
  double a = 0, b = 0;
  OMP(parallel)
  OMP(single) {
    OMP(task depend(out : a) shared(a))
    a = x[0] * x[1];
    OMP(task depend(out : b) shared(b))
    b = x[2] * x[3];
    OMP(taskwait depend(in : a))
    a *= x[4];
    OMP(taskwait)
    a *= b;
  }
  return a * b;
}
#endif

static omp_nest_lock_t IN(lock);
PROGRAM(nested) {
  double a = 1;
  omp_init_nest_lock(&IN(lock));
  OMP(parallel for schedule(dynamic))
  for (int i = 0; i < n; ++i) {
    while (!omp_test_nest_lock(&IN(lock)))
      ;
    a *= 1 + 0.1 * x[i];
    if (omp_test_nest_lock(&IN(lock)) == 2) {
      a *= cos(0.1 * x[i]);
      omp_unset_nest_lock(&IN(lock));
    }
    omp_unset_nest_lock(&IN(lock));
  }
  omp_destroy_nest_lock(&IN(lock));
  return a;
}

#endif

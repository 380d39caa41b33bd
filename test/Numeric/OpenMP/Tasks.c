// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Tasks: each runs where it is created, whatever its clauses.
#include "sizes.h"

// What a task has: variables that it shares, copies, its own; clauses.
static double clauses(int threads, const double *x, int n) {
  double s = 0, t = 0, a[4] = {1, 2, 3, 4};
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    double c = x[0] * x[1], own;
#pragma omp task shared(s) firstprivate(a, c) private(own) depend(out : s) \
    priority(2) final(n > 5)
    {
      own = c;
      a[1] *= x[0] * own;
      c = 7;
      s += sin(x[0]) * a[1];
    }
#pragma omp task shared(s, t) depend(in : s) if (n > 3) mergeable
    t = s * x[1] + c * a[1];
#pragma omp task shared(s, t) depend(inout : s) depend(in : t) if (n < 3)
    s = s * t + x[2];
#pragma omp taskwait
#pragma omp taskyield
    t += s * s;
  }
  return s + t;
}

// Tasks of several threads, each with data of its own, and tasks within tasks.
static double within(int threads, const double *x, int n) {
  double y[Count];
#pragma omp parallel num_threads(threads)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    y[i] = x[i];
#pragma omp task firstprivate(i) shared(y)
    {
      double p = y[i] * x[(i + 1) % n], q = 1;
#pragma omp task firstprivate(p) shared(q)
      q = exp(0.3 * p);
#pragma omp task shared(p)
      p *= 2;
#pragma omp taskwait
      y[i] = p * q;
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

// Recursion.
static double sum(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  double a, b;
#pragma omp task shared(a)
  a = sum(x, n / 2);
#pragma omp task shared(b) final(n < 4)
  b = sum(x + n / 2, n - n / 2);
#pragma omp taskwait
  return a + b + a * b;
}
static double recursion(int threads, const double *x, int n) {
  double s = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
  s = sum(x, n);
  return s + sum(x, n / 2);
}

// A task that is not tied to a thread runs in parts.
static double untied(int threads, const double *x, int n) {
  double s = 1;
#pragma omp parallel num_threads(threads)
#pragma omp master
  for (int i = 0; i < n; ++i) {
#pragma omp task untied shared(s)
    {
      double q = x[i] * 2, r = 0;
#pragma omp task shared(r)
      r = q * x[0];
#pragma omp taskyield
      q *= 1.5;
#pragma omp taskwait
      s += r * q;
    }
#pragma omp taskwait
    s *= 1 + 0.1 * x[i];
  }
  return s;
}

// Tasks that share a sum, and reductions of tasks.
static double sums(int threads, const double *x, int n) {
  double s = 0, p = 1, u = 0, m = -9, c = 1;
#pragma omp parallel num_threads(threads) reduction(task, + : u)
  {
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : s) task_reduction(* : p)
      for (int i = 0; i < n; ++i)
#pragma omp task in_reduction(+ : s) in_reduction(* : p) firstprivate(i)
      {
        s += x[i] * x[i];
        p *= 1 + 0.2 * x[i];
      }
#pragma omp taskloop reduction(max : m) reduction(+ : s) grainsize(2)
      for (int i = 0; i < n; ++i) {
        s += x[i] * x[(i + 1) % n];
        m = m < x[i] ? x[i] : m;
      }
    }
#pragma omp task in_reduction(+ : u) firstprivate(s)
    u += s * x[0] / omp_get_num_threads();
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; ++i)
#pragma omp task shared(s) firstprivate(i)
    {
#pragma omp atomic
      s += x[i];
#pragma omp critical
      c *= 1 + 0.1 * x[i];
    }
  }
  return s * p + u * m + c;
}

// Loops as tasks: how many iterations a task has shows in its own copies.
static double loops(int threads, const double *x, int n) {
  double a[Count] = {0}, w = 1, last = 0, s = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp taskloop grainsize(1) firstprivate(w)
    for (int i = 0; i < n; ++i) {
      w *= x[i];
      a[i] = w;
    }
#pragma omp taskloop num_tasks(4) lastprivate(last)
    for (int i = n - 1; i >= 0; i -= 2)
      last = a[i] *= x[(i + 1) % n];
#pragma omp taskloop collapse(2) shared(a) private(w)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        w = x[i * 3 + j];
        a[3 * i + j] += w * w;
      }
#pragma omp taskloop grainsize(strict : 4) firstprivate(w) shared(a)
    for (long i = 2; i < n; ++i)
      a[i] += w = w * x[i];
#pragma omp taskloop nogroup
    for (int i = n; i < n; ++i)
      a[i] = 0;
  }
  for (int i = 0; i < n; ++i)
    s += a[i] * (i + 1);
  return s + last;
}

// Blocks that depend on each other.
static double blocks(int threads, const double *x, int n) {
  double g[4][4];
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      double up = 0, left = 0;
#pragma omp task depend(in : g[i ? i - 1 : 0][j], g[i][j ? j - 1 : 0]) \
    depend(out : g[i][j]) firstprivate(i, j) private(up, left)
      {
        up = i ? g[i - 1][j] : x[j];
        left = j ? g[i][j - 1] : x[i];
        g[i][j] = 0.5 * (up * left) + x[(i + j) % n];
      }
    }
  return g[3][3];
}

// Without a team, and a branch that the compiler may join.
static double alone(int threads, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0) {
#pragma omp task shared(s)
      s += x[i] * x[i];
    } else {
#pragma omp task shared(s)
      s -= x[i] * threads;
    }
#pragma omp taskwait
    s *= x[0];
  }
  return s;
}

// Tasks that share nothing: what they read is a copy of a parameter.
static __attribute__((noinline)) void lift(double *y, int n) {
#pragma omp single
  {
    if (n > 2)
      for (int i = 0; i < 3; ++i) {
#pragma omp task
        y[i] += 0.2 * cos(0.112);
      }
  }
#pragma omp barrier
}
static double copies(int threads, const double *x, int n) {
  double y[Count], s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[0];
#pragma omp parallel num_threads(threads)
  lift(y, n);
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

TEAMS(within)
TEAMS(copies)
TEAMS(recursion)
TEAMS(sums)
TEAMS(blocks)
// (Where tasks run when they are created, LLVM's runtime fails on these, in the
// primal.)
#if !__has_feature(thread_sanitizer)
TEAMS(untied)
TEAMS(clauses)
#endif
TEAMS(loops)
TEAMS(alone)

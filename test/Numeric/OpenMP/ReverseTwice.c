// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads modes=reverse flags="-fopenmp" libs="-fopenmp"
// skip-unless=header:omp.h Second derivatives of regions, reverse mode over
// reverse mode; of teams of 1, 2, 3, 4 and 8 threads against forward mode
// without threads.
#ifndef TEAMS
#include "teams.h"
#include <stdlib.h>
#undef PROGRAM
#define PROGRAM(NAME) static double NAME##_alone(const double *x, int n)
#include __FILE__
#include "teams.h"
#undef PROGRAM

static const double *along(int other) {
  static double v[2][Numbers];
  for (int i = 0; i < Numbers; ++i)
    v[other][i] = other ? 1 - 0.1 * (i % 7) : alongOf(i);
  return v[other];
}

#define SECOND(NAME)                                                           \
  static double NAME##_tangent(const double *x, const double *v) {             \
    return __enzyme_fwddiff_team((void *)NAME##_alone, enzyme_dup, x, v,       \
                                 enzyme_const, (int)Numbers);                  \
  }                                                                            \
  static void NAME##_gradient(const double *x, double *g) {                    \
    __enzyme_autodiff_void((void *)NAME##_team, enzyme_dup, x, g,              \
                           enzyme_const, (int)Numbers);                        \
  }                                                                            \
  static double NAME##_second(const double *x) {                               \
    double g[Numbers] = {0}, gx[Numbers] = {0}, dg[Numbers], s = 0;            \
    memcpy(dg, along(0), sizeof dg);                                           \
    __enzyme_autodiff_void((void *)NAME##_gradient, enzyme_dup, x, gx,         \
                           enzyme_dup, g, dg);                                 \
    for (int i = 0; i < Numbers; ++i)                                          \
      s += gx[i] * along(1)[i];                                                \
    return s;                                                                  \
  }                                                                            \
  static double NAME##_wanted(const double *x) {                               \
    double zero[Numbers] = {0};                                                \
    return __enzyme_fwddiff_team((void *)NAME##_tangent, enzyme_dup, x,        \
                                 along(1), enzyme_dup, along(0), zero);        \
  }
#define PROGRAM(NAME)                                                          \
  static double NAME##_team(const double *x, int n);                           \
  SECOND(NAME)                                                                 \
  ADZE_TEST_REVERSE(NAME) {                                                    \
    double x[Numbers];                                                         \
    memcpy(x, Point, sizeof x);                                                \
    const double want = NAME##_wanted(x);                                      \
    for (unsigned t = 0; t < sizeof Teams / sizeof *Teams; ++t) {              \
      omp_set_num_threads(Team = Teams[t]);                                    \
      for (int again = 0; again < 2; ++again)                                  \
        check(#NAME, "second derivative", Team, NAME##_second(x), want,        \
              1e-10);                                                          \
    }                                                                          \
  }                                                                            \
  static double NAME##_team(const double *x, int n)
#include __FILE__
#else

PROGRAM(loops) {
  double y[Numbers], s = 0, k = x[0] * x[1];
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[(i + 3) % n] * k;
  OMP(parallel for reduction(+ : s) schedule(dynamic, 2))
  for (int i = 0; i < n; ++i)
    s += sin(y[i]) * y[(i + 1) % n];
  return s * s;
}
PROGRAM(products) {
  double p = 1, q = -1;
  OMP(parallel for reduction(* : p) reduction(max : q))
  for (int i = 0; i < n; ++i) {
    p *= 1 + 0.1 * x[i] * x[i];
    q = fmax(q, x[i] * x[0]);
  }
  return p * q;
}
PROGRAM(inPlace) {
  double u[Numbers], s = 0;
  memcpy(u, x, sizeof u);
  OMP(parallel)
  for (int t = 0; t < 3; ++t) {
    OMP(for)
    for (int i = 1; i < n - 1; i += 2)
      u[i] = u[i] * 0.5 + u[i - 1] * u[i + 1];
    OMP(for)
    for (int i = 2; i < n - 1; i += 2)
      u[i] = sin(u[i]) * u[i - 1];
    OMP(single)
    u[0] *= u[1];
  }
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i];
  return s;
}
// What is kept of a loop that nobody can count, in blocks that threads free.
PROGRAM(kept) {
  double s = 0;
  OMP(parallel reduction(+ : s)) {
    double *mine = malloc(n * sizeof *mine);
    OMP(for schedule(dynamic))
    for (int i = 0; i < n; ++i) {
      double t = x[i];
      for (int k = 0; k < n; ++k)
        mine[k] = x[k] * t;
      for (int k = 0; t < 3 && k < 20; ++k)
        t = t * 1.2 + 0.1 * mine[k % n] * sin(t);
      s += t * t;
    }
    free(mine);
  }
  return s;
}
__attribute__((noinline)) static void IN(step)(const double *from, double *to,
                                               int n) {
  OMP(for)
  for (int i = 1; i < n - 1; ++i)
    to[i] = from[i] + 0.1 * from[i] * (from[i - 1] - from[i + 1]);
}
PROGRAM(calls) {
  double u[Numbers], v[Numbers], s = 0;
  memcpy(u, x, sizeof u);
  memcpy(v, x, sizeof v);
  for (int t = 0; t < 2; ++t) {
    OMP(parallel) {
      IN(step)(u, v, n);
      IN(step)(v, u, n);
    }
  }
  for (int i = 0; i < n; ++i)
    s += u[i] * v[i];
  return s;
}
PROGRAM(nested) {
  double s = 0;
  omp_set_max_active_levels(2);
  OMP(parallel for num_threads(2) reduction(+ : s))
  for (int i = 0; i < 4; ++i) {
    double t = 0;
    OMP(parallel for num_threads(3) reduction(+ : t))
    for (int j = 0; j < n; ++j)
      t += x[j] * x[i] * x[j];
    s += t * t;
  }
  return s;
}
#endif

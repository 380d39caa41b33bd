// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads modes=reverse flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Second derivatives of regions: forward mode over forward mode, over reverse
// mode, and reverse mode over forward mode; of teams of 1, 2, 3, 4 and 8 threads
// against the same without threads.
#ifndef TEAMS
#include "teams.h"
#undef PROGRAM
#define PROGRAM(NAME) static double NAME##_alone(const double *x, int n)
#include __FILE__
#include "teams.h"
#undef PROGRAM

typedef void Second(const double *x, double out[3]);
static const double *along(int other) {
  static double v[2][Numbers];
  for (int i = 0; i < Numbers; ++i)
    v[other][i] = other ? 1 - 0.1 * (i % 7) : alongOf(i);
  return v[other];
}

/// What its three ways say of the second derivative along both directions.
#define SECOND(NAME)                                                           \
  static double NAME##_tangent(const double *x, const double *v) {             \
    return __enzyme_fwddiff_team((void *)NAME, enzyme_dup, x, v, enzyme_const, \
                                 (int)Numbers);                                \
  }                                                                            \
  static void NAME##_gradient(const double *x, double *g) {                    \
    __enzyme_autodiff_void((void *)NAME, enzyme_dup, x, g, enzyme_const,       \
                           (int)Numbers);                                      \
  }                                                                            \
  static void NAME##_second(const double *x, double out[3]) {                  \
    double zero[Numbers] = {0}, g[Numbers] = {0}, dg[Numbers] = {0},           \
           gx[Numbers] = {0}, gv[Numbers] = {0};                               \
    const double *v = along(0), *w = along(1);                                 \
    out[0] = __enzyme_fwddiff_team((void *)NAME##_tangent, enzyme_dup, x, w,   \
                                   enzyme_dup, v, zero);                       \
    __enzyme_fwddiff_void((void *)NAME##_gradient, enzyme_dup, x, w,           \
                          enzyme_dup, g, dg);                                  \
    __enzyme_autodiff_void((void *)NAME##_tangent, enzyme_dup, x, gx,          \
                           enzyme_dup, v, gv);                                 \
    out[1] = out[2] = 0;                                                       \
    for (int i = 0; i < Numbers; ++i) {                                        \
      out[1] += dg[i] * v[i];                                                  \
      out[2] += gx[i] * w[i];                                                  \
    }                                                                          \
  }
static void compare(const char *name, Second *alone, Second *team) {
  double x[Numbers], want[3], got[3];
  memcpy(x, Point, sizeof x);
  alone(x, want);
  for (unsigned t = 0; t < sizeof Teams / sizeof *Teams; ++t) {
    omp_set_num_threads(Team = Teams[t]);
    team(x, got);
    for (int k = 0; k < 3; ++k)
      check(name, "second derivative", Team, got[k], want[0], 1e-10);
  }
  check(name, "of one thread", 0, want[1], want[0], 1e-10);
  check(name, "of one thread", 0, want[2], want[0], 1e-10);
}
#define PROGRAM(NAME)                                                          \
  static double NAME##_team(const double *x, int n);                           \
  SECOND(NAME##_alone)                                                         \
  SECOND(NAME##_team)                                                          \
  ADZE_TEST_REVERSE(NAME) {                                                    \
    compare(#NAME, NAME##_alone_second, NAME##_team_second);                   \
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
PROGRAM(exclusive) {
  double p = 1, d = 0.5, y[4] = {0};
  OMP(parallel for ordered schedule(static, 2))
  for (int i = 0; i < n; ++i) {
    double t = x[i] * x[(i + 1) % n];
    OMP(critical)
    p *= 1 + 0.1 * t * x[0];
    OMP(atomic)
    y[i % 4] += t * t;
    OMP(ordered)
    d = d * t * 0.5 + sin(d);
  }
  return p * d * y[1] * y[2] + y[0];
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

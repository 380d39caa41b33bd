// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many programs a file, each
//
//   PROGRAM(name) { ... }     double name(const double *x, int n)
//
// twice in one translation unit: with OpenMP, and without, where OMP(...) is
// nothing. Gradients of the first, by teams of 1, 2, 3, 4 and 8 threads, are
// compared with that of the second, with its own forward mode, and with
// differences. A file includes this one between two inclusions of itself:
//
//   #ifndef TEAMS
//   #include "teams.h"          the programs without OpenMP
//   #include __FILE__
//   #include "teams.h"          with it
//   #include __FILE__
//   #else
//   ... programs ...
//   #endif
//
// IN(name): a name at file level, once for each of both. IN(me)(), IN(size)():
// the number of this thread, and how many there are.
// STEADY(name): a program whose gradient is the same to the last bit each time.
#ifndef TEAMS
#define TEAMS 1
#include "check.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Numbers = 24 };
static const double Point[Numbers] = {
    0.30, 0.85, 1.40, 0.75, 1.30, 0.65, 1.20, 0.55, 1.10, 0.45, 1.00, 0.35,
    0.90, 1.45, 0.80, 1.35, 0.70, 1.25, 0.60, 1.15, 0.50, 1.05, 0.40, 0.95};
static const int Teams[] = {1, 2, 3, 4, 8};
static int Team;

typedef double Primal(const double *x, int n);
typedef void Gradient(const double *x, double *dx);
typedef double Tangent(const double *x, const double *dx);

static double alongOf(int i) { return 0.3 + 0.1 * ((i * 7) % 11); }

static void check(const char *name, const char *what, int team, double got,
                  double want, double tolerance) {
  // Written so that NaN is wrong.
  const int good = fabs(got - want) <= tolerance * (1 + fabs(want));
  if (!good)
    printf("%s, %s, %d threads: %.17g, not %.17g\n", name, what, team, got,
           want);
  adze_true(name, good);
}

/// The slope along alongOf, by differences of the program without threads.
static double slopeOf(Primal *f) {
  const double h = 1e-3;
  double at[4], x[Numbers];
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < Numbers; ++i)
      x[i] = Point[i] + h * (k < 2 ? k - 2 : k - 1) * alongOf(i);
    at[k] = f(x, Numbers);
  }
  return (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * h);
}

__attribute__((unused)) static void
checkGradients(const char *name, Primal *alone, Primal *team,
               Gradient *ofAlone, Gradient *ofTeam, int steady) {
  double x[Numbers], want[Numbers] = {0}, slope = 0;
  memcpy(x, Point, sizeof x);
  ofAlone(x, want);
  for (int i = 0; i < Numbers; ++i)
    slope += want[i] * alongOf(i);
  check(name, "differences", 0, slope, slopeOf(alone), 1e-7);
  const double value = alone(x, Numbers);
  for (unsigned t = 0; t < sizeof Teams / sizeof *Teams; ++t) {
    omp_set_num_threads(Team = Teams[t]);
    check(name, "value", Team, team(x, Numbers), value, 1e-11);
    double got[Numbers] = {0}, again[Numbers] = {0};
    ofTeam(x, got);
    for (int i = 0; i < Numbers; ++i)
      check(name, "gradient", Team, got[i], want[i], 1e-11);
    if (!steady)
      continue;
    ofTeam(x, again);
    adze_true(name, !memcmp(got, again, sizeof got));
  }
  adze_true(name, !memcmp(x, Point, sizeof x));
}

__attribute__((unused)) static void checkTangents(const char *name,
                                                  Primal *alone, Tangent *of) {
  double x[Numbers], dx[Numbers];
  memcpy(x, Point, sizeof x);
  for (int i = 0; i < Numbers; ++i)
    dx[i] = alongOf(i);
  for (unsigned t = 0; t < sizeof Teams / sizeof *Teams; ++t) {
    omp_set_num_threads(Team = Teams[t]);
    check(name, "tangent", Team, of(x, dx), slopeOf(alone), 1e-7);
  }
}

/// The number of this thread.
__attribute__((unused)) static int me_alone(void) { return 0; }
__attribute__((unused)) static int size_alone(void) { return 1; }
__attribute__((unused)) static int me_team(void) {
  return omp_get_thread_num();
}
__attribute__((unused)) static int size_team(void) {
  return omp_get_num_threads();
}

ADZE_EXTERN double __enzyme_fwddiff_team(void *, ...);
#define OMP(...)
#define IN(NAME) NAME##_alone
#define PROGRAM(NAME) static double NAME##_alone(const double *x, int n)
#define STEADY(NAME) PROGRAM(NAME)

#else
#undef OMP
#undef IN
#undef PROGRAM
#undef STEADY
#define OMP_(...) _Pragma(#__VA_ARGS__)
#define OMP(...) OMP_(omp __VA_ARGS__)
#define IN(NAME) NAME##_team
#define GRADIENT(NAME)                                                         \
  static void NAME##_gradient(const double *x, double *dx) {                   \
    __enzyme_autodiff_void((void *)NAME, enzyme_dup, x, dx, enzyme_const,      \
                           (int)Numbers);                                      \
  }
#define TANGENT(NAME)                                                          \
  static double NAME##_tangent(const double *x, const double *dx) {            \
    return __enzyme_fwddiff_team((void *)NAME, enzyme_dup, x, dx,              \
                                 enzyme_const, (int)Numbers);                  \
  }
#define PROGRAM_(NAME, IS_STEADY)                                              \
  static double NAME##_team(const double *x, int n);                           \
  ADZE_IF_REVERSE(GRADIENT(NAME##_alone) GRADIENT(NAME##_team)                 \
                      ADZE_TEST_REVERSE(NAME) {                                \
    checkGradients(#NAME, NAME##_alone, NAME##_team, NAME##_alone_gradient,    \
                   NAME##_team_gradient, IS_STEADY);                           \
  })                                                                           \
  ADZE_IF_FORWARD(TANGENT(NAME##_team) ADZE_TEST_FORWARD(NAME##_f) {           \
    checkTangents(#NAME, NAME##_alone, NAME##_team_tangent);                   \
  })                                                                           \
  static double NAME##_team(const double *x, int n)
#define PROGRAM(NAME) PROGRAM_(NAME, 0)
#define STEADY(NAME) PROGRAM_(NAME, 1)
#endif

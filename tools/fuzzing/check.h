/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What every generated program stands on: the types REAL, SMALL and WIDE, the
 * point and direction at which it is looked at, and PROGRAM, which evaluates
 * one program
 *
 *   static REAL f_NAME(REAL *x, REAL *y, REAL a, REAL b, int n, int steps,
 *                      const int *at, const REAL *c)
 *
 * (x, y, a and b active, c constant), as the scalar
 *
 *   S = f + <u, x after> + <w, y after>
 *
 * With -DORACLE, in C++: dual numbers, which print S and its derivative. With
 * -DPRIMAL: S alone, without markers, for the sanitizers. Otherwise: forward
 * mode, and reverse mode twice; with -DSPLIT the second time in two halves.
 * A line for each program, flushed: one that dies has begun, but not ended.
 */
#ifndef ADZE_FUZZING_CHECK_H
#define ADZE_FUZZING_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ORACLE
#include "dual.h"
typedef Dual<double> REAL;
typedef Dual<float> SMALL;
typedef Dual<long double> WIDE;
#else
typedef double REAL;
typedef float SMALL;
typedef long double WIDE;
#endif

enum { MOST = 64 };

struct Point {
  double x[MOST], y[MOST], a, b;     /* where */
  double vx[MOST], vy[MOST], va, vb; /* in which direction */
  double u[MOST], w[MOST];           /* weights of the results */
  int at[MOST];
};

static double point_number(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return ((*state >> 16) % 2000) / 1000.0 - 1;
}

static void point_fill(struct Point *p, REAL *c, int count, unsigned state) {
  for (int i = 0; i < count; i++) {
    p->x[i] = point_number(&state);
    p->y[i] = point_number(&state);
    p->vx[i] = point_number(&state);
    p->vy[i] = point_number(&state);
    p->u[i] = point_number(&state);
    p->w[i] = point_number(&state);
    c[i] = point_number(&state);
    p->at[i] = (int)((point_number(&state) + 1) * 0.5 * count) % count;
  }
  p->a = point_number(&state);
  p->b = point_number(&state);
  p->va = point_number(&state);
  p->vb = point_number(&state);
}

#define PROGRAM_BEGIN(name, count, laps, seed)                                 \
  static struct Point p;                                                       \
  static REAL c[MOST], x[MOST], y[MOST];                                       \
  volatile int opaque[2] = {count, laps};                                      \
  const int n = opaque[0], steps = opaque[1];                                  \
  point_fill(&p, c, n, seed);

#if defined(ORACLE)

#define PROGRAM(name, count, laps, seed)                                       \
  static void run_##name(void) {                                               \
    PROGRAM_BEGIN(name, count, laps, seed)                                     \
    for (int i = 0; i < n; i++)                                                \
      x[i] = REAL(p.x[i], p.vx[i]), y[i] = REAL(p.y[i], p.vy[i]);              \
    const REAL r =                                                             \
        f_##name(x, y, REAL(p.a, p.va), REAL(p.b, p.vb), n, steps, p.at, c);   \
    REAL s = 0.0;                                                              \
    for (int i = 0; i < n; i++)                                                \
      s += p.u[i] * x[i] + p.w[i] * y[i];                                      \
    printf("%.17g %.17g\n", r.d + s.d, s.v);                                   \
  }

#elif defined(PRIMAL)

#define PROGRAM(name, count, laps, seed)                                       \
  static void run_##name(void) {                                               \
    PROGRAM_BEGIN(name, count, laps, seed)                                     \
    for (int i = 0; i < n; i++)                                                \
      x[i] = p.x[i], y[i] = p.y[i];                                            \
    REAL s = f_##name(x, y, p.a, p.b, n, steps, p.at, c);                      \
    for (int i = 0; i < n; i++)                                                \
      s += p.u[i] * x[i] + p.w[i] * y[i];                                      \
    printf("%.17g\n", s);                                                      \
  }

#else

int enzyme_const, enzyme_dup, enzyme_out;
struct Numbers {
  double a, b;
};
struct Numbers __enzyme_autodiff();
struct Numbers __enzyme_reverse();
void *__enzyme_augmentfwd();
double __enzyme_fwddiff();

#define PROGRAM_REST                                                           \
  enzyme_const, n, enzyme_const, steps, enzyme_const, p.at, enzyme_const, c
#define PROGRAM_ARGUMENTS                                                      \
  enzyme_dup, x, gx, enzyme_dup, y, gy, enzyme_out, p.a, enzyme_out, p.b,      \
      PROGRAM_REST
#ifdef SPLIT
#define PROGRAM_AGAIN(f, g)                                                    \
  {                                                                            \
    void *tape = __enzyme_augmentfwd((void *)f, PROGRAM_ARGUMENTS);            \
    g = __enzyme_reverse((void *)f, PROGRAM_ARGUMENTS, 1.0, tape);             \
  }
#else
#define PROGRAM_AGAIN(f, g) g = __enzyme_autodiff((void *)f, PROGRAM_ARGUMENTS);
#endif

#define PROGRAM(name, count, laps, seed)                                       \
  static void run_##name(void) {                                               \
    PROGRAM_BEGIN(name, count, laps, seed)                                     \
    static REAL gx[MOST], gy[MOST];                                            \
    double value[3], size = 0;                                                 \
    for (int k = 0; k < 3; k++) {                                              \
      for (int i = 0; i < n; i++) {                                            \
        x[i] = p.x[i], y[i] = p.y[i];                                          \
        gx[i] = k ? p.u[i] : p.vx[i], gy[i] = k ? p.w[i] : p.vy[i];            \
      }                                                                        \
      double sum = 0;                                                          \
      if (k == 0) {                                                            \
        sum = __enzyme_fwddiff((void *)f_##name, enzyme_dup, x, gx,            \
                               enzyme_dup, y, gy, enzyme_dup, p.a, p.va,       \
                               enzyme_dup, p.b, p.vb, PROGRAM_REST);           \
        for (int i = 0; i < n; i++)                                            \
          sum += p.u[i] * gx[i] + p.w[i] * gy[i];                              \
        printf("%.17g", sum);                                                  \
      } else {                                                                 \
        struct Numbers g;                                                      \
        if (k == 1)                                                            \
          g = __enzyme_autodiff((void *)f_##name, PROGRAM_ARGUMENTS);          \
        else                                                                   \
          PROGRAM_AGAIN(f_##name, g)                                           \
        sum = g.a * p.va + g.b * p.vb;                                         \
        size = fabs(g.a * p.va) + fabs(g.b * p.vb);                            \
        for (int i = 0; i < n; i++) {                                          \
          sum += gx[i] * p.vx[i] + gy[i] * p.vy[i];                            \
          size += fabs(gx[i] * p.vx[i]) + fabs(gy[i] * p.vy[i]);               \
        }                                                                      \
        printf(" %.17g", sum);                                                 \
      }                                                                        \
      value[k] = 0;                                                            \
      for (int i = 0; i < n; i++)                                              \
        value[k] += p.u[i] * x[i] + p.w[i] * y[i];                             \
    }                                                                          \
    printf(" %.17g %.17g %.17g %.17g\n", value[0], value[1], value[2], size);  \
  }

#endif

struct Entry {
  const char *name;
  void (*run)(void);
};

/* main: runs the programs of a table from the one whose number is given. */
static int run_all(const struct Entry *entries, int count, int argc,
                   char **argv) {
  for (int i = argc > 1 ? atoi(argv[1]) : 0; i < count; i++) {
    printf("= %s ", entries[i].name);
    fflush(stdout);
    entries[i].run();
    fflush(stdout);
  }
  return 0;
}

#endif /* ADZE_FUZZING_CHECK_H */

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What every generated program stands on: the types REAL, SMALL and WIDE, the
 * point and directions at which it is looked at, the markers, and what prints
 * and runs. Each program is evaluated by program.h.
 *
 * With -DORACLE, in C++: dual numbers. With -DPRIMAL: the program alone,
 * without markers, for the sanitizers. Otherwise its derivatives.
 */
#ifndef ADZE_FUZZING_CHECK_H
#define ADZE_FUZZING_CHECK_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ORACLE
#include "dual.h"
#ifdef SECOND /* some program of the unit has second derivatives */
template <typename T> using Number = Dual<Dual<T>>;
#else
template <typename T> using Number = Dual<T>;
#endif
typedef Number<double> REAL;
typedef Number<float> SMALL;
typedef Number<long double> WIDE;
#else
typedef double REAL;
typedef float SMALL;
typedef long double WIDE;
#endif

/* For programs of threads; without -fopenmp there is one. */
#ifdef _OPENMP
#include <omp.h>
#define THREAD omp_get_thread_num()
#define THREADS omp_get_num_threads()
#define SET_THREADS(count) omp_set_num_threads(count)
#else
#define THREAD 0
#define THREADS 1
#define SET_THREADS(count) (void)(count)
#endif

enum { MOST = 64 };

struct Point {
  double x[MOST], y[MOST], c[MOST], a, b;      /* where */
  double vx[MOST], vy[MOST], vc[MOST], va, vb; /* in which direction */
  double ox[MOST], oy[MOST], oa, ob;           /* and in which other one */
  double u[MOST], w[MOST];                     /* weights of the results */
  int at[MOST];
};

static double point_number(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return ((*state >> 16) % 2000) / 1000.0 - 1;
}

static void point_fill(struct Point *p, int count, unsigned state) {
  for (int i = 0; i < count; i++) {
    p->x[i] = point_number(&state);
    p->y[i] = point_number(&state);
    p->vx[i] = point_number(&state);
    p->vy[i] = point_number(&state);
    p->u[i] = point_number(&state);
    p->w[i] = point_number(&state);
    p->c[i] = point_number(&state);
    p->at[i] = (int)((point_number(&state) + 1) * 0.5 * count) % count;
  }
  p->a = point_number(&state);
  p->b = point_number(&state);
  p->va = point_number(&state);
  p->vb = point_number(&state);
  for (int i = 0; i < count; i++) {
    p->vc[i] = point_number(&state);
    p->ox[i] = point_number(&state);
    p->oy[i] = point_number(&state);
  }
  p->oa = point_number(&state);
  p->ob = point_number(&state);
}

#if !defined(ORACLE)

/* to += <a, b>, and size += the sum of the terms' sizes. */
static void dot(double *to, double *size, const double *a, const double *b,
                int count) {
  for (int i = 0; i < count; i++) {
    *to += a[i] * b[i];
    *size += fabs(a[i] * b[i]);
  }
}

/* What the program left in x and y. */
static void print_after(const char *mode, const struct Point *p,
                        const double *x, const double *y, int count) {
  double size = 0, sum = 0;
  dot(&sum, &size, p->u, x, count);
  printf(" %s-x %.17g", mode, sum);
  if (!y)
    return;
  sum = 0;
  dot(&sum, &size, p->w, y, count);
  printf(" %s-y %.17g", mode, sum);
}

#endif

#if !defined(ORACLE) && !defined(PRIMAL)

int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out;
int enzyme_primal_return, enzyme_runtime_activity, enzyme_width;

struct Numbers {
  double a, b;
};
struct ValueNumbers {
  double value, a, b;
};
/* In two directions: an other one, and that which is looked at. */
struct TwoNumbers {
  double other_a, a, other_b, b;
};
struct ValueTwoNumbers {
  double value, other_a, a, other_b, b;
};

#ifdef __cplusplus
#define ANY void *, ...
extern "C" {
#else
#define ANY
#endif
/* Named after how many of the scalars a and b are active. */
struct Numbers __enzyme_autodiff_2(ANY);
double __enzyme_autodiff_1(ANY);
void __enzyme_autodiff_0(ANY);
struct ValueNumbers __enzyme_autodiff_value(ANY);
struct Numbers __enzyme_reverse_2(ANY);
double __enzyme_reverse_1(ANY);
void __enzyme_reverse_0(ANY);
void *__enzyme_augmentfwd(ANY);
double __enzyme_fwddiff(ANY);
void __enzyme_fwddiff_0(ANY);
struct Numbers __enzyme_fwddiff_value(ANY);
struct TwoNumbers __enzyme_autodiff_two_2(ANY);
struct Numbers __enzyme_autodiff_two_1(ANY);
void __enzyme_autodiff_two_0(ANY);
struct ValueTwoNumbers __enzyme_autodiff_two_value(ANY);
struct Numbers __enzyme_fwddiff_two(ANY);
struct ValueNumbers __enzyme_fwddiff_two_value(ANY);
#ifdef __cplusplus
}
#endif
#undef ANY

#endif

struct Entry {
  const char *name;
  void (*run)(void);
};

/* main: runs the programs of a table from the one whose number is given. A
 * line for each, flushed: one that dies has begun, but not ended. */
static int run_all(const struct Entry *entries, int count, int argc,
                   char **argv) {
  for (int i = argc > 1 ? atoi(argv[1]) : 0; i < count; i++) {
    printf("= %s ", entries[i].name);
    fflush(stdout);
    entries[i].run();
    printf(" .\n");
    fflush(stdout);
  }
  return 0;
}

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#endif /* ADZE_FUZZING_CHECK_H */

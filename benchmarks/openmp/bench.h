// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each of the threaded benchmarks, one file each, defines:
//
//   int inputs(void)                       active inputs
//   void setup(double *x)                  makes the data, and the inputs
//   double objective(const double *x)      the primal
//   void hand(const double *x, double *dx) adjoint written by hand: dx +=
//   gradient
//
// and this file the rest of the program: it checks the gradient by the marker
// call against the one written by hand, and prints, as "name value" lines, the
// medians of what one call takes, in ms, and of the ratios within a round.
//
//   PROGRAM [--rounds N] [--cpu]     --cpu: processor time of all threads
#ifndef ADZE_BENCHMARKS_OPENMP_BENCH_H
#define ADZE_BENCHMARKS_OPENMP_BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int inputs(void);
void setup(double *x);
static double objective(const double *x);
static void hand(const double *x, double *dx);

void __enzyme_autodiff_void(void *, ...);

static double *array(size_t count) {
  double *a = malloc(count * sizeof(double));
  if (!a)
    exit(2);
  for (size_t k = 0; k < count; ++k)
    a[k] = 0;
  return a;
}

/// Numbers between 0 and 1, the same on every machine.
static double number(void) {
  static unsigned long state = 1;
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(state >> 11) / 9007199254740992.0;
}

/// What no compiler knows: sizes that are constants in the serial program alone
/// would make it another one.
static int unknown(int size) {
  __asm__("" : "+r"(size));
  return size;
}

static clockid_t bench_clock = CLOCK_MONOTONIC;
static double now(void) {
  struct timespec t;
  clock_gettime(bench_clock, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int bench_order(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double bench_median(double *values, int count) {
  qsort(values, (size_t)count, sizeof(double), bench_order);
  return values[count / 2];
}

int main(int argc, char **argv) {
  int rounds = 15;
  for (int k = 1; k < argc; ++k)
    if (!strcmp(argv[k], "--cpu"))
      bench_clock = CLOCK_PROCESS_CPUTIME_ID;
    else if (!strcmp(argv[k], "--rounds") && k + 1 < argc)
      rounds = atoi(argv[++k]);
  const int n = inputs();
  double *x = array((size_t)n), *dx = array((size_t)n),
         *by_hand = array((size_t)n);
  setup(x);
  double *times[5];
  for (int k = 0; k < 5; ++k)
    times[k] = array((size_t)rounds);
  volatile double value = 0;
  for (int r = -1; r < rounds; ++r) {
    memset(dx, 0, (size_t)n * sizeof(double));
    memset(by_hand, 0, (size_t)n * sizeof(double));
    const double t0 = now();
    value = objective(x);
    const double t1 = now();
    __enzyme_autodiff_void((void *)objective, x, dx);
    const double t2 = now();
    hand(x, by_hand);
    const double t3 = now();
    if (r < 0)
      continue; // pages are touched, threads are made
    times[0][r] = t1 - t0;
    times[1][r] = t2 - t1;
    times[2][r] = t3 - t2;
    times[3][r] = (t2 - t1) / (t1 - t0);
    times[4][r] = (t2 - t1) / (t3 - t2);
  }
  double off = 0, most = 0;
  for (int k = 0; k < n; ++k) {
    off = fmax(off, fabs(dx[k] - by_hand[k]));
    most = fmax(most, fabs(by_hand[k]));
  }
  static const char *const names[] = {"primal", "gradient", "hand",
                                      "gradient/primal", "gradient/hand"};
  for (int k = 0; k < 5; ++k)
    printf("%s %.6g\n", names[k], bench_median(times[k], rounds));
  printf("off-hand %.2g\nvalue %.17g\n", off / most, value);
  return !(off <= 1e-10 * most);
}

#endif

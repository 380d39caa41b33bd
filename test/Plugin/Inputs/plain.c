/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A file without markers in which many parts of the compiler have work. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int enzyme_const; /* a tag alone is no marker */
_Thread_local double per_thread = 1.5;
static jmp_buf way_back;

struct Body {
  double position[3], mass;
  struct Body *next;
};

static double energy(const struct Body *b) {
  double sum = 0;
  for (; b; b = b->next)
    for (int i = 0; i < 3; ++i)
      sum += b->mass * b->position[i] * b->position[i];
  return sum;
}

void axpy(int n, double a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

double apply(double (*f)(double), double x) { return f(x) + per_thread; }

int count_bits(unsigned x) {
  int n = 0;
#if defined(__x86_64__)
  __asm__("bsr %1, %0" : "=r"(n) : "r"(x | 1u) : "cc");
#endif
  return n + __builtin_popcount(x);
}

double total(int n, ...) {
  va_list list;
  double sum = 0;
  va_start(list, n);
  while (n--)
    sum += va_arg(list, double);
  va_end(list);
  return sum;
}

const char *name_of(int month) {
  switch (month) {
  case 1: return "January";
  case 2: return "February";
  case 7: return "July";
  case 12: return "December";
  default: return month > 12 ? "none" : "other";
  }
}

double complex rotate(double complex z, double angle) {
  return z * cexp(I * angle);
}

int recover(int code) {
  if (setjmp(way_back))
    return -1;
  if (code)
    longjmp(way_back, code);
  return 0;
}

int main(int argc, char **argv) {
  struct Body second = {{4, 5, 6}, 0.5, NULL};
  struct Body first = {{1, 2, 3}, 2.0, &second};
  double x[16], y[16];
  char *copy = malloc(64);
  memset(y, 0, sizeof y);
  for (int i = 0; i < 16; ++i)
    x[i] = sin(i) + argc;
  axpy(16, 0.5, x, y);
  strncpy(copy, name_of(argc), 63);
  printf("%g %g %g %d %s %g %d\n", energy(&first), y[3], apply(cos, x[1]),
         count_bits((unsigned)argc), copy, creal(rotate(1 + I, total(2, 1., 2.))),
         recover(argc > 1));
  free(copy);
  return (int)(size_t)argv[argc];
}

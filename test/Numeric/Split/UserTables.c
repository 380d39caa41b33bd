// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of the program's own functions as shadows of pointers to functions:
// they are called in place of derivatives of the function, which have other
// slopes here. Null, the pointer itself and tables of
// __enzyme_virtualreverse mean those of the function.
#include "check.h"
#include <stdlib.h>

typedef double function(double);
typedef void kernel(const double *, double *, int);
struct operation {
  function *f;
  double factor;
};
double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }
void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}
double twice(function *f, double x) { return 2 * f(x); }
double chain(const struct operation *o, int n, double x) {
  for (int i = 0; i < n; i++)
    x = o[i].factor * o[i].f(x);
  return x;
}
double copied(const struct operation *o, double x) {
  struct operation c = *o, *p = malloc(sizeof c);
  c.factor *= x;
  *p = c;
  double r = chain(p, 1, x);
  free(p);
  return r;
}
void kernels(kernel *const *k, const double *x, double *y, int n) {
  double t[4];
  (*k)(x, t, n);
  (*k)(t, y, n);
}

#if ADZE_REVERSE
double __enzyme_autodiff(void *, ...);
void *__enzyme_virtualreverse(void *, ...);
struct first {
  void *tape;
  double value;
} __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
struct two {
  double a, b;
} __enzyme_autodiff_two(void *, ...);
extern int enzyme_width;

struct first square_first(double x) {
  struct first r = {malloc(sizeof x), x * x};
  *(double *)r.tape = x;
  return r;
}
double square_second(double x, double d, void *tape) {
  double kept = *(double *)tape;
  free(tape);
  return 100 * kept * d;
}
struct first cube_first(double x) { return (struct first){0, 7}; }
double cube_second(double x, double d, void *tape) { return 10 * x * d; }
void *square_table[] = {(void *)square_first, (void *)square_second};
static void *const cube_table[] = {(void *)cube_first, (void *)cube_second};
void *squares_first(const double *x, double *dx, double *y, double *dy, int n) {
  squares(x, y, n);
  return 0;
}
void squares_second(const double *x, double *dx, double *y, double *dy, int n,
                    void *tape) {
  for (int i = 0; i < n; i++) {
    dx[i] += 100 * x[i] * dy[i];
    dy[i] = 0;
  }
}

ADZE_TEST_REVERSE(arguments) {
  adze_near(
      "table",
      __enzyme_autodiff((void *)twice, enzyme_dup, square, square_table, 3.0),
      600, 0);
  adze_near(
      "constant table",
      __enzyme_autodiff((void *)twice, enzyme_dup, square, cube_table, 3.0), 60,
      0);
  adze_near("itself",
            __enzyme_autodiff((void *)twice, enzyme_dup, square, square, 3.0),
            12, 0);
  adze_near(
      "null",
      __enzyme_autodiff((void *)twice, enzyme_dup, square, (void *)0, 3.0), 12,
      0);
  void *ours = __enzyme_virtualreverse((void *)square);
  adze_near("ours",
            __enzyme_autodiff((void *)twice, enzyme_dup, square, ours, 3.0), 12,
            0);
}

ADZE_TEST_REVERSE(members) {
  void *local[2];
  local[0] = (void *)square_first;
  local[1] = (void *)square_second;
  struct operation o[3] = {{square, 2}, {cube, 3}, {square, 1}};
  struct operation d[3] = {
      {(function *)local, 0}, {(function *)cube_table, 0}, {square, 0}};
  double dx =
      __enzyme_autodiff((void *)chain, enzyme_dup, o, d, enzyme_const, 3, 3.0);
  adze_near("x", dx, 2 * 21.0 * (3 * 10 * 18) * (2 * 300), 1e-15);
  adze_near("first factor", d[0].factor, 9 * (3 * 10 * 18) * 42.0, 1e-15);
  adze_near("second factor", d[1].factor, 7 * 42, 1e-15);
  adze_near("third factor", d[2].factor, 441, 1e-15);
  struct operation p = {square, 5}, q = {(function *)square_table, 0};
  dx = __enzyme_autodiff((void *)copied, enzyme_dup, &p, &q, 3.0);
  adze_near("x of a copy", dx, 5 * 9 + 15 * 300, 1e-15);
  adze_near("factor of a copy", q.factor, 27, 1e-15);
}

ADZE_TEST_REVERSE(memory) {
  void *table[] = {(void *)squares_first, (void *)squares_second};
  kernel *k = squares, *dk = (kernel *)table;
  double x[2] = {2, 3}, dx[2] = {0}, y[2], dy[2] = {1, 10};
  __enzyme_autodiff((void *)kernels, enzyme_dup, &k, &dk, enzyme_dup, x, dx,
                    enzyme_dup, y, dy, enzyme_const, 2);
  adze_near("y", y[1], 81, 0);
  adze_near("first", dx[0], 100 * 2 * 100 * 4.0, 1e-15);
  adze_near("second", dx[1], 10 * 100 * 3 * 100 * 9.0, 1e-15);
  adze_near("taken", dy[0], 0, 0);
}

ADZE_TEST_REVERSE(halves) {
  struct operation o = {square, 5}, d = {(function *)square_table, 0};
  struct first r = __enzyme_augmentfwd((void *)chain, enzyme_dup, &o, &d,
                                       enzyme_const, 1, 3.0);
  adze_near("value", r.value, 45, 0);
  double dx = __enzyme_reverse((void *)chain, enzyme_dup, &o, &d, enzyme_const,
                               1, 3.0, 0.5, r.tape);
  adze_near("x", dx, 750, 0);
  struct two w =
      __enzyme_autodiff_two((void *)twice, enzyme_width, 2, enzyme_dup, square,
                            cube_table, cube_table, 3.0);
  adze_near("in two directions", w.a + 100 * w.b, 60 * 101, 0);
}

double slope(double x) {
  function *f = square, *d = (function *)cube_table;
  return __enzyme_autodiff((void *)twice, enzyme_dup, f, d, x);
}
ADZE_TEST_REVERSE(nested) {
  adze_near("slope", __enzyme_autodiff((void *)slope, 3.0), 20, 0);
}
#endif

#if ADZE_FORWARD
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
double square_tangent(double x, double dx) { return 50 * dx; }
struct both {
  double value, tangent;
} square_both(double x, double dx) {
  return (struct both){x * x, 60 * dx};
}
void squares_tangent(const double *x, const double *dx, double *y, double *dy,
                     int n) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    dy[i] = 1000 * dx[i];
  }
}
void *tangent_table[] = {(void *)square_tangent};
struct both (*both_table)(double, double) = square_both;
void *kernel_table[] = {(void *)squares_tangent};

ADZE_TEST_FORWARD(tangents) {
  adze_near(
      "itself",
      __enzyme_fwddiff((void *)twice, enzyme_dup, square, square, 3.0, 1.0), 12,
      0);
  adze_near("function",
            __enzyme_fwddiff((void *)twice, enzyme_dup, square, square_tangent,
                             3.0, 1.0),
            100, 0);
  adze_near("table",
            __enzyme_fwddiff((void *)twice, enzyme_dup, square, tangent_table,
                             3.0, 1.0),
            100, 0);
  adze_near("both",
            __enzyme_fwddiff((void *)twice, enzyme_dup, square, &both_table,
                             3.0, 1.0),
            120, 0);
  kernel *k = squares, *dk = (kernel *)kernel_table;
  double x[2] = {2, 3}, dx[2] = {1, 2}, y[2], dy[2];
  __enzyme_fwddiff_void((void *)kernels, enzyme_dup, &k, &dk, enzyme_dup, x, dx,
                        enzyme_dup, y, dy, enzyme_const, 2);
  adze_near("memory", dy[0] + dy[1], 3e6, 0);
  dk = 0;
  __enzyme_fwddiff_void((void *)kernels, enzyme_dup, &k, &dk, enzyme_dup, x, dx,
                        enzyme_dup, y, dy, enzyme_const, 2);
  adze_near("null", dy[0], 32, 0);
}
#endif

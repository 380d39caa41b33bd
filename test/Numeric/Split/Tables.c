// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __enzyme_virtualreverse: as the shadow of pointers to functions, and called by the program.
// ADZE: modes=reverse
#include "check.h"

typedef double function(double);
struct operation {
  function *f;
  double factor;
};
struct pair {
  double a, b;
};
double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }
double apply(const struct operation *o, int n, double x) {
  for (int i = 0; i < n; i++)
    x = o[i].factor * o[i].f(x);
  return x;
}
void squares(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] *= x[i];
}
struct pair both(double x) { return (struct pair){x * x, x * x * x}; }

#if ADZE_REVERSE
void *__enzyme_virtualreverse(void *, ...);
double __enzyme_autodiff(void *, ...);
struct number {
  void *tape;
  double value;
};

ADZE_TEST_REVERSE(shadows) {
  struct operation o[2] = {{square, 2}, {cube, 3}};
  struct operation d[2] = {{(function *)__enzyme_virtualreverse((void *)square), 0},
                           {(function *)__enzyme_virtualreverse((void *)cube), 0}};
  double dx = __enzyme_autodiff((void *)apply, enzyme_dup, o, d, enzyme_const, 2, 1.5);
  adze_near("x", dx, 3 * 3 * 4.5 * 4.5 * 6, 1e-15);
  adze_near("first factor", d[0].factor, 9 * 4.5 * 4.5 * 2.25, 1e-15);
  adze_near("second factor", d[1].factor, 4.5 * 4.5 * 4.5, 1e-15);
}

ADZE_TEST_REVERSE(called) {
  void **t = __enzyme_virtualreverse((void *)cube);
  adze_near("one table", t != __enzyme_virtualreverse((void *)cube), 0, 0);
  struct number r = ((struct number(*)(double))t[0])(2.0);
  adze_near("value", r.value, 8, 0);
  adze_near("derivative", ((double (*)(double, double, void *))t[1])(2.0, 1.5, r.tape), 18, 0);
  double x[2] = {3, 4}, dx[2] = {1, 10};
  void **s = __enzyme_virtualreverse((void *)squares, enzyme_dup, enzyme_const);
  void *tape = ((void *(*)(double *, double *, int))s[0])(x, dx, 2);
  adze_near("squared", x[1], 16, 0);
  ((void (*)(double *, double *, int, void *))s[1])(x, dx, 2, tape);
  adze_near("in memory", dx[1], 80, 0);
}
#endif

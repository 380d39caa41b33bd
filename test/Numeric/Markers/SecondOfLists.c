// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives of a program whose gradient keeps arrays that grow and
// puts off what the program frees: the inner derivative's tape and list are
// memory like other for the outer one, which has its own.
// ADZE: modes=forward
#include "check.h"
#include <math.h>
#include <stdlib.h>

struct Node {
  double v;
  struct Node *next;
};

double f(double a, int n) {
  double s = 0;
  struct Node *head = 0;
  for (int t = 0; t < n; ++t) {
    struct Node *m = (struct Node *)malloc(sizeof *m);
    m->v = a * a * (t + s);
    m->next = head;
    head = m;
    s += 0.1 * m->v + a;
  }
  for (struct Node *m = head; m; m = m->next)
    s = 0.7 * s + m->v * m->v;
  while (head) {
    struct Node *rest = head->next;
    free(head);
    head = rest;
  }
  return s;
}

#if ADZE_FORWARD
extern double __enzyme_autodiff_inner(void *, ...);
extern double __enzyme_fwddiff_inner(void *, ...);
extern double __enzyme_autodiff_outer(void *, ...);
extern double __enzyme_fwddiff_outer(void *, ...);

double byReverse(double a, int n) {
  return __enzyme_autodiff_inner((void *)f, enzyme_out, a, enzyme_const, n);
}
double byForward(double a, int n) {
  return __enzyme_fwddiff_inner((void *)f, enzyme_dup, a, 1.0, enzyme_const, n);
}

ADZE_TEST_FORWARD(second) {
  for (int n = 0; n < 20; n += 6) {
    double a = 0.4, step = 1e-5;
    double by = (byReverse(a + step, n) - byReverse(a - step, n)) / (2 * step);
    double second = __enzyme_fwddiff_outer((void *)byForward, enzyme_dup, a,
                                           1.0, enzyme_const, n);
    double near = 1e-12 * (1 + fabs(second));
    adze_near("difference", second, by, 1e-6 * (1 + fabs(second)));
    adze_near("forward over reverse",
              __enzyme_fwddiff_outer((void *)byReverse, enzyme_dup, a, 1.0,
                                     enzyme_const, n),
              second, near);
    adze_near("reverse over forward",
              __enzyme_autodiff_outer((void *)byForward, enzyme_out, a,
                                      enzyme_const, n),
              second, near);
    adze_near("reverse over reverse",
              __enzyme_autodiff_outer((void *)byReverse, enzyme_out, a,
                                      enzyme_const, n),
              second, near);
  }
}
#endif

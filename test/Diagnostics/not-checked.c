// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -adze-check a warning tells of each derivative that is not checked, and
// why; the derivative itself is as it would be without the option.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-check -lm
// RUN: %clang -g -O0 %{adze} %s -o %t 2>&1 | FileCheck %s
// RUN: %t 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: %clang -g -O2 %{adze} %s -o %t 2>&1 | FileCheck %s
// RUN: %t 2>&1 | FileCheck --check-prefix=OUT %s
#include <stdio.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double square(double x) { return x * x; }
static double slope(double x) { return __enzyme_autodiff((void *)square, x); }
static double says(double x) {
  putchar('.');
  return x * x;
}
__attribute__((noinline)) static double power(double x, int n) { return n ? x * power(x, n - 1) : 1; }
static double recursive(double x) { return power(x, 3); }
struct list {
  double x;
  struct list *next;
};
struct long_one {
  long double x;
};
__attribute__((noinline)) static void writes(struct list *l) {
  for (; l; l = l->next)
    l->x *= l->x;
}
__attribute__((noinline)) static double reads(struct list *l) {
  double s = 0;
  for (; l; l = l->next)
    s += l->x * l->x;
  return s;
}
__attribute__((noinline)) static double wide(struct long_one *l) { return l->x * l->x; }
__attribute__((noinline)) static double texts(const double *x, const char *text) { return *x * strlen(text); }
__attribute__((noinline)) static double device(volatile double *x) { return *x * *x; }

int main(void) {
  // CHECK-DAG: not-checked.c:[[#@LINE-29]]:{{.*}}warning: the derivative of 'square' is not checked: it is part of another derivative
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'square' is not checked: it is computed in two halves
  void *tape = __enzyme_augmentfwd((void *)square, 3.0);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'square' is not checked: it is computed in two halves
  double r = __enzyme_reverse((void *)square, 3.0, 1.0, tape);
  r += __enzyme_fwddiff((void *)slope, 1.0, 1.0);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'says' is not checked: it calls 'putc
  r += __enzyme_autodiff((void *)says, 1.0);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'recursive' is not checked: 'power' cannot be inlined: recursive call
  r += __enzyme_autodiff((void *)recursive, 1.0);
  double behind = 2, dbehind = 1;
  char text[4] = "abc";
  struct list last = {2, 0}, dlast = {1, 0}, l = {3, &last}, dl = {1, &dlast};
  struct long_one w = {3}, dw = {0};
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'writes' is not checked: it writes through pointers that it finds in memory
  __enzyme_autodiff((void *)writes, &l, &dl);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'reads' is not checked: it reads through pointers that it finds in memory
  r += __enzyme_fwddiff((void *)reads, &l, &dl);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'wide' is not checked: memory holds numbers that are neither float nor double
  __enzyme_autodiff((void *)wide, &w, &dw);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'texts' is not checked: memory of its caller is passed to 'strlen'
  __enzyme_autodiff((void *)texts, enzyme_dup, &behind, &dbehind, enzyme_const, text);
  // CHECK-DAG: not-checked.c:[[#@LINE+1]]:{{.*}}warning: the derivative of 'device' is not checked: it accesses volatile memory
  __enzyme_autodiff((void *)device, &behind, &dbehind);
  // The rest of it is compared in reverse mode: that is no warning.
  // CHECK-NOT: [[#@LINE+1]]:3: warning
  __enzyme_autodiff((void *)reads, &l, &dl);
  // OUT-NOT: adze:
  // OUT: .153 24 8
  printf("%g %g %g\n", r, dl.x, dbehind);
}

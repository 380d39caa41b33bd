// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer in a global variable that derivatives set too has a shadow there.
// Where the program set it before, there is none behind it: the derivative ends
// with a message, in all modes, and also if the variable comes as an argument.
// To release such memory, and to compare the pointer, is right as it is, and so
// are pointers in variables that derivatives do not set: they lead to constants.
//
// RUN: %clang -O0 -g %adze %s -o %t -lm
// RUN: %t inside | FileCheck --check-prefix=FINE %s
// RUN: %t grown | FileCheck --check-prefix=FINE %s
// RUN: not --crash %t reverse 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not --crash %t forward 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not --crash %t split 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not --crash %t argument 2>&1 | FileCheck --check-prefix=PASSED %s
// RUN: %clang -O2 -g %adze %s -o %t -lm
// RUN: %t inside | FileCheck --check-prefix=FINE %s
// RUN: %t grown | FileCheck --check-prefix=FINE %s
// RUN: not --crash %t reverse 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not --crash %t forward 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not --crash %t split 2>&1 | FileCheck --check-prefix=OUTSIDE %s
// RUN: not --crash %t argument 2>&1 | FileCheck --check-prefix=PASSED %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

struct space {
  double *at;
  int size;
};
static struct space work, kept;
static double *factors;

static void need(int n) {
  if (work.size >= n)
    return;
  free(work.at);
  work.at = malloc(n * sizeof(double));
  work.size = n;
}

// OUTSIDE: adze: {{.*}}global-pointer.c:{{48|49}}:{{[0-9]+}}: a pointer in 'work{{.*}}' was set outside of the derivative, where the memory behind it got no shadow: pass the pointer as an argument, with a shadow or as enzyme_const
__attribute__((noinline)) double cubes(const double *x, int n) {
  need(n);
  for (int i = 0; i < n; i++)
    work.at[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++)
    s += work.at[i] * x[i] * factors[i];
  return s;
}

// PASSED: adze: {{.*}}global-pointer.c:[[#@LINE+8]]:{{[0-9]+}}: a pointer in 'kept{{.*}}' was set outside
__attribute__((noinline)) static void fill(struct space *s, const double *x, int n) {
  if (s->size < n) {
    free(s->at);
    s->at = malloc(n * sizeof(double));
    s->size = n;
  }
  for (int i = 0; i < n; i++)
    s->at[i] = x[i] * x[i];
}
__attribute__((noinline)) static double total(struct space *s, const double *x, int n) {
  double t = 0;
  for (int i = 0; i < n; i++)
    t += s->at[i] * x[i];
  return t;
}
double passed(const double *x, int n) {
  fill(&kept, x, n);
  return total(&kept, x, n);
}

// FINE: reverse 3 12 27
// FINE: split 3 12 27
// FINE: argument 3 12 27
// FINE: forward 42
int main(int argc, char **argv) {
  const char *mode = argv[1];
  double x[3] = {1, 2, 3}, ones[3] = {1, 1, 1};
  int all = !strcmp(mode, "inside") || !strcmp(mode, "grown");
  factors = ones;
  if (!strcmp(mode, "grown")) {
    cubes(x, 2);
    passed(x, 2);
  } else if (!all) {
    cubes(x, 3);
    passed(x, 3);
  }
  if (all || !strcmp(mode, "reverse")) {
    double d[3] = {0};
    __enzyme_autodiff((void *)cubes, x, d, 3);
    printf("reverse %g %g %g\n", d[0], d[1], d[2]);
  }
  if (all || !strcmp(mode, "split")) {
    double d[3] = {0};
    void *tape = __enzyme_augmentfwd((void *)cubes, x, d, 3);
    __enzyme_reverse((void *)cubes, x, d, 3, 1.0, tape);
    printf("split %g %g %g\n", d[0], d[1], d[2]);
  }
  if (all || !strcmp(mode, "argument")) {
    double d[3] = {0};
    __enzyme_autodiff((void *)passed, x, d, 3);
    printf("argument %g %g %g\n", d[0], d[1], d[2]);
  }
  if (all || !strcmp(mode, "forward"))
    printf("forward %g\n", __enzyme_fwddiff((void *)cubes, x, ones, 3));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that may lead to functions of this file has a derivative; where it
// leads elsewhere when the program runs, it stops with a message.
//
// RUN: %clang -O0 -g %adze %s -o %t -lm
// RUN: %t 0 | FileCheck --check-prefix=KNOWN %s
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=ELSEWHERE %s
// RUN: %clang -O2 -g %adze %s -o %t -lm
// RUN: %t 0 | FileCheck --check-prefix=KNOWN %s
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=ELSEWHERE %s
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

typedef double (*function)(double);
double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }
function known[2] = {square, cube};
function strange = (function)drand48;

// ELSEWHERE: adze: {{.*}}indirect-call-run.c:[[#@LINE+2]]:10: the function called through a pointer is not defined in this file
double apply(function g, double x) {
  return g(x * x);
}

// KNOWN: 8 6
int main(int argc, char **argv) {
  function a = atoi(argv[1]) ? strange : known[0], b = known[argc - 1];
  printf("%g ", __enzyme_autodiff((void *)apply, enzyme_const, a, 1.0) * 2);
  printf("%g\n", __enzyme_autodiff((void *)apply, enzyme_const, b, 1.0));
  return 0;
}

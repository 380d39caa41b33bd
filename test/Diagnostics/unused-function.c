// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A marker in a function that is never compiled asks for nothing: a static
// function without uses, and an inline function of which another file has the
// body. Where the optimizer uses the inline body, its marker works.
//
// RUN: %clang -O0 %adze -c %s -o %t.o
// RUN: %clang -O2 %adze -c %s -o %t.o
// RUN: llvm-nm %t.o | FileCheck %s
// CHECK-NOT: __enzyme
double __enzyme_autodiff(void *, ...);
double unknown(double);

static double never(double x) { return __enzyme_autodiff((void *)unknown, x); }

static double square(double x) { return x * x; }
inline double elsewhere(double x) {
  return __enzyme_autodiff((void *)square, x);
}

double used(double x) { return elsewhere(x); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Giving the plugin more than once is harmless.
//
// The same file twice, and loaded early for its options as well:
// RUN: %clang -O2 %adze %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O0 %adze %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -Xclang -load -Xclang %plugin %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -Xclang -load -Xclang %plugin -Xclang -load -Xclang %plugin %adze %adze \
// RUN:   -mllvm -adze-strong-zero=none -I%include %s -o %t && %t | FileCheck %s
//
// Another copy of it, which brings its own set of options:
// RUN: cp %plugin %t.copy.so
// RUN: %clang -O2 %adze -fpass-plugin=%t.copy.so -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -Xclang -load -Xclang %plugin -Xclang -load -Xclang %t.copy.so \
// RUN:   %adze -fpass-plugin=%t.copy.so -mllvm -adze-strong-zero=none -I%include %s -o %t \
// RUN:   && %t | FileCheck %s
// RUN: opt -load-pass-plugin=%plugin -load-pass-plugin=%t.copy.so -passes=adze --version
//
// An error is shown once:
// RUN: not %clang -O2 %adze %adze -fpass-plugin=%t.copy.so -DBROKEN -I%include -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=ERROR %s
//
// CHECK: 12
// ERROR: error: {{.*}}elsewhere
// ERROR-NOT: error: {{.*}}elsewhere
// ERROR: 1 error generated
#include <adze/adze.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double elsewhere(double);

#ifdef BROKEN
static double f(double x) { return elsewhere(x); }
#else
static double f(double x) { return x * x * x; }
#endif

int main(int argc, char **argv) {
  printf("%g\n", __enzyme_autodiff((void *)f, 1.0 + argc));
  return 0;
}

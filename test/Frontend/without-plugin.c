// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A marker that the plugin never saw would be an undefined symbol that does not
// say why. ADZE_MARKER makes the compiler say so, at the call; with the plugin
// it changes nothing, and a refusal is told alone.
//
// RUN: not %clang -O0 -I %include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -I %include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -I %include -x c++ -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -I %include %adze -Werror %s -o %t.exe && %t.exe
// RUN: %clang -O2 -I %include %adze -Werror %s -o %t.exe && %t.exe
// RUN: not %clang -O2 -I %include -DBAD %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefix=BAD %s
#include <adze/adze.h>

#ifdef __cplusplus
extern "C"
#endif
ADZE_MARKER double __enzyme_autodiff(void *, ...);

#ifdef BAD
double f(double x);
#else
double f(double x) { return x * x; }
#endif

int main(void) {
  // CHECK: without-plugin.c:[[#@LINE+1]]:10: error: call to '__enzyme_autodiff' declared with 'error' attribute: compiled without Adze, give the compiler -fpass-plugin=/path/to/Adze.so
  return __enzyme_autodiff((void *)f, 3.0) != 6;
}
// CHECK: 1 error generated

// BAD: error: cannot differentiate 'f': the body is not visible here
// BAD: 1 error generated

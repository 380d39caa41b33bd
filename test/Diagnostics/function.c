// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First arguments that are no function, or none that is known.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);

double variable;
typedef double Function(double);
double sum(double x, ...) { return x; }

// CHECK: function.c:[[#@LINE+3]]:10: error: the first argument of '__enzyme_autodiff' is not a function: it is the variable 'variable'
// CHECK: to fix: pass the function to differentiate first, as in __enzyme_autodiff((void *)f, x)
double of_variable(double x) {
  return __enzyme_autodiff(&variable, x);
}

// CHECK: function.c:[[#@LINE+2]]:10: error: the first argument of '__enzyme_autodiff' is not a function: it is null
double of_null(double x) {
  return __enzyme_autodiff(0, x);
}

// CHECK: function.c:[[#@LINE+3]]:10: error: the function to differentiate is not known at compile time: {{.*}}'f'
// CHECK: to fix: pass the function's name itself, or make the pointer a constant
double of_pointer(Function *f, double x) {
  return __enzyme_autodiff((void *)f, x);
}

// CHECK: function.c:[[#@LINE+3]]:10: error: cannot differentiate 'sum': it takes a variable number of arguments
// CHECK: to fix: call it from a function with fixed parameters and differentiate that one
double of_variadic(double x) {
  return __enzyme_autodiff((void *)sum, x);
}
// CHECK: 4 errors generated

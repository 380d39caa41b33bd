// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registrations that cannot be understood.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
double f(double x) { return x * x; }
double variable;

// CHECK-DAG: error: cannot make use of '__enzyme_inactivefn_a' ({{.*}}registration.c:[[#@LINE+1]]): 'variable' is no function
void *__enzyme_inactivefn_a[] = {(void *)f, &variable};
// CHECK-DAG: to fix: write void *__enzyme_inactivefn_a[] = {(void *)function};

// CHECK-DAG: error: cannot make use of '__enzyme_inactivefn_b' ({{.*}}): it has no value at compile time
void *__enzyme_inactivefn_b[2];

// CHECK-DAG: error: cannot make use of '__enzyme_inactive_global_c' ({{.*}}): 'f' is no global variable
// CHECK-DAG: to fix: write void *__enzyme_inactive_global_c[] = {&variable};
void *__enzyme_inactive_global_c = (void *)f;

// CHECK-DAG: error: cannot make use of '__enzyme_function_like_d' ({{.*}}): no function 'sine' is known that is called as 'f' is
// CHECK-DAG: to fix: write void *__enzyme_function_like_d[] = {(void *)function, "sin"};
void *__enzyme_function_like_d[] = {(void *)f, "sine"};
// CHECK-DAG: error: cannot make use of '__enzyme_function_like_e' ({{.*}}): no function 'pow' is known that is called as 'f' is
void *__enzyme_function_like_e[] = {(void *)f, "pow"};
// CHECK-DAG: error: cannot make use of '__enzyme_function_like_f' ({{.*}}): no name follows 'f'
void *__enzyme_function_like_f[] = {(void *)f};
// Memory is not the business of this registration.
// CHECK-DAG: error: cannot make use of '__enzyme_function_like_g' ({{.*}}): no function 'malloc' is known that is called as 'f' is
void *__enzyme_function_like_g[] = {(void *)f, "malloc"};

// CHECK-DAG: error: '__enzyme_allocation_like_h' ({{.*}}) is not supported yet
void *__enzyme_allocation_like_h[] = {(void *)f};
// CHECK-DAG: error: '__enzyme_shouldrecompute_i' ({{.*}}) is not supported yet
void *__enzyme_shouldrecompute_i[] = {(void *)f};

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

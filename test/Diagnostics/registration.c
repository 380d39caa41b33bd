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

// CHECK-DAG: error: cannot make use of '__enzyme_allocation_like_h' ({{.*}}): it has not four members
// CHECK-DAG: to fix: write void *__enzyme_allocation_like_h[] = {(void *)allocate, (void *)0, (void *)"-1", (void *)release};
void *__enzyme_allocation_like_h[] = {(void *)f};
void *allocate(int kind, long bytes);
void release(void *block);
void release2(void *block, int kind);
// CHECK-DAG: error: cannot make use of '__enzyme_allocation_like_i' ({{.*}}): 'allocate' does not take a number of bytes there, or does not return a pointer
void *__enzyme_allocation_like_i[] = {(void *)allocate, (void *)2, "-1", (void *)release};
// CHECK-DAG: error: cannot make use of '__enzyme_allocation_like_j' ({{.*}}): 'release2' must take the block alone, and be said to by "-1"
void *__enzyme_allocation_like_j[] = {(void *)allocate, (void *)1, "-1,0", (void *)release2};
// CHECK-DAG: error: cannot make use of '__enzyme_allocation_like_k' ({{.*}}): it does not name two functions
void *__enzyme_allocation_like_k[] = {(void *)allocate, (void *)1, "-1", (void *)"nobody"};
// CHECK-DAG: error: cannot make use of '__enzyme_deallocation_like_l' ({{.*}}): it does not name functions that take the block alone
void *__enzyme_deallocation_like_l[] = {(void *)release2};
// CHECK-DAG: error: cannot make use of '__enzyme_shouldrecompute_m' ({{.*}}): 'variable' is no function
void *__enzyme_shouldrecompute_m[] = {(void *)&variable};

// CHECK-DAG: error: cannot make use of '__enzyme_register_splitderivative_n' ({{.*}}): it does not name three functions
// CHECK-DAG: to fix: write void *__enzyme_register_splitderivative_n[] = {(void *)function, (void *)augmented, (void *)forward};
void *__enzyme_register_splitderivative_n[] = {(void *)f, (void *)f};
double g(double x);
double tangent(double x, double dx, double tape);
// CHECK-DAG: error: cannot make use of '__enzyme_register_splitderivative_o' ({{.*}}): 'f' is 'double (double)', where one is wanted that returns { { double }, double } (what the other one takes at its end, then the result)
void *__enzyme_register_splitderivative_o[] = {(void *)g, (void *)f, (void *)tangent};

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

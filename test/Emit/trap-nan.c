// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an adjoint or a tangent first stops being finite though the primal is,
// the program says so, once, and goes on. Each case runs in a process of its
// own, two times.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-trap-nan
// RUN: %clang -g -O0 %{adze} %s -o %t -lm && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O3 %{adze} %s -o %t -lm && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O1 %{adze} -mllvm -adze-force-split %s -o %t -lm && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 -ffast-math %{adze} %s -o %t -lm && %t 2>&1 | FileCheck --check-prefix=FAST %s
// RUN: %clang -g0 -O0 %{adze} %s -o %t -lm && %t 2>&1 | FileCheck --check-prefix=BARE %s
// RUN: %clang -g0 -O2 %{adze} %s -o %t -lm && %t 2>&1 | FileCheck --check-prefix=BARE %s
//
// Without the option nothing is there.
// RUN: %clang -g -O2 %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: adze.trap
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
float __enzyme_autodiff_float(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
extern int enzyme_dup;

// CHECK-LABEL: root reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+8]]:10: the adjoint of operand 1 of '{{(llvm.)?}}sqrt' in 'root' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
// CHECK-NEXT: root forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+5]]:10: the tangent of '{{(llvm.)?}}sqrt' in 'root' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
// FAST: adze: {{.*}}trap-nan.c:[[#@LINE+3]]:10: the adjoint of operand 1 of '{{.*}}sqrt' in 'root' becomes infinite; the primal is finite
// BARE: adze: the adjoint of operand 1 of '{{.*}}call {{.*}}sqrt{{.*}}' in 'root' becomes infinite; the primal is finite
static double root(double x) {
  return sqrt(x);
}

// What comes of it is not reported again.
// CHECK-LABEL: norm reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+5]]:10: the adjoint of operand 1 of '{{(llvm.)?}}sqrt' in 'norm' becomes infinite; the primal is finite
// CHECK-NEXT: {{-?}}nan {{-?}}nan
// CHECK-NEXT: norm forward
// CHECK-NEXT: 0 0{{$}}
static double norm(double x) {
  return sqrt(x * x + 2 * x * x);
}

// The two contributions are finite.
// CHECK-LABEL: two reverse
// CHECK-NEXT: adze: {{.*}}the sum of the adjoints of 'x' in 'two' becomes infinite; its terms are finite
// CHECK-NEXT: inf inf{{$}}
// CHECK-NEXT: two forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+5]]:{{[0-9]+}}: the tangent of '{{fadd|llvm.fmuladd}}' in 'two' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
// BARE: two reverse
// BARE-NEXT: adze: the sum of the adjoints of {{.*}} in 'two' becomes infinite; its terms are finite
static double two(double x) {
  return 1.5e308 * x + 1.6e308 * x;
}

// The same where the sum is in memory.
// CHECK-LABEL: many reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+9]]:{{[0-9]+}}: the sum of the adjoints of the value loaded from 'p' in 'at' becomes infinite; its terms are finite
// CHECK-NEXT: inf inf{{$}}
// CHECK-NEXT: many forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+6]]:{{[0-9]+}}: the tangent of '{{fadd|llvm.fmuladd}}' in 'at' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
int step = 0;
__attribute__((noinline)) static double at(const double *p, int k) {
  double s = 0;
  for (int i = 0; i < 4; i++)
    s = s + 1.5e308 * p[i * k];
  return s;
}
static double many(double x) {
  double y[1] = {x};
  return at(y, step);
}

// CHECK-LABEL: element reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+12]]:{{[0-9]+}}: the adjoint of operand 2 of 'fdiv' in 'element' becomes infinite; the primal is finite
// CHECK-NEXT: -inf -inf{{$}}
// CHECK-NEXT: element forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+9]]:{{[0-9]+}}: the tangent of 'fdiv' in 'element' becomes infinite; the primal is finite
// CHECK-NEXT: -inf -inf{{$}}
// FAST: element reverse
// FAST-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+6]]
// BARE: element reverse
// BARE-NEXT: adze: the adjoint of operand 2 of '{{.*}}fdiv {{.*}}' in 'element' becomes infinite; the primal is finite
typedef double pair __attribute__((vector_size(16)));
static double element(double x) {
  pair a = {0.5, 1.0}, b = {2 + x, 1e-200 + x};
  pair c = a / b;
  return c[0] + c[1];
}

// 1e39 is too large for a float.
// CHECK-LABEL: narrow reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+6]]:{{[0-9]+}}: the adjoint of operand 1 of 'fpext' in 'narrow' becomes infinite; what it is computed from is finite
// CHECK-NEXT: inf inf{{$}}
// CHECK-NEXT: narrow forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+3]]:{{[0-9]+}}: the tangent of 'fptrunc' in 'narrow' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
static float narrow(float x) {
  return (float)(x * 1e39);
}

// The function that is called is to blame, not the caller.
// CHECK-LABEL: caller reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+6]]:10: the adjoint of operand 1 of 'cbrt' in 'callee' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
// CHECK-NEXT: caller forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+3]]:10: the tangent of 'cbrt' in 'callee' becomes infinite; the primal is finite
// CHECK-NEXT: inf inf{{$}}
__attribute__((noinline)) static double callee(const double *x) {
  return cbrt(*x);
}
static double caller(double x) {
  double y[1] = {3 * x};
  return 2 * callee(y);
}

// CHECK-LABEL: pole reverse
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+6]]:{{[0-9]+}}: the adjoint of operand {{.}} of 'csqrt' in 'pole' becomes {{NaN|infinite}}; the primal is finite
// CHECK-NEXT: {{-?(nan|inf) -?(nan|inf)$}}
// CHECK-NEXT: pole forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+3]]:{{[0-9]+}}: the tangent of 'csqrt' in 'pole' becomes {{NaN|infinite}}; the primal is finite
// CHECK-NEXT: {{-?(nan|inf) -?(nan|inf)$}}
static double pole(double x) {
  return creal(csqrt(x + 2 * x * I));
}

// Here the primal is infinite, too.
// CHECK-LABEL: infinite reverse
// CHECK-NEXT: -inf -inf{{$}}
// CHECK-NEXT: infinite forward
// CHECK-NEXT: -inf -inf{{$}}
static double infinite(double x) {
  return 1 / x;
}

// An adjoint of exactly zero stays zero. (The tangent of r is not zero.)
// CHECK-LABEL: strong reverse
// CHECK-NEXT: 1 1{{$}}
// CHECK-NEXT: strong forward
// CHECK-NEXT: adze: {{.*}}trap-nan.c:[[#@LINE+3]]:{{[0-9]+}}: the tangent of '{{(llvm.)?}}sqrt' in 'strong' becomes infinite; the primal is finite
// CHECK-NEXT: {{-?}}nan {{-?}}nan
static double strong(double x) {
  double r = sqrt(x);
  return x + r * r * r;
}

#define CASES                                                                  \
  CASE(root, 0.0, , 1.0)                                                       \
  CASE(norm, 0.0, , 1.0)                                                       \
  CASE(two, 1e-10, , 1.0)                                                      \
  CASE(many, 1e-10, , 1.0)                                                     \
  CASE(element, 0.0, , 1.0)                                                    \
  CASE(narrow, 1e-30f, _float, 1.0f)                                           \
  CASE(caller, 0.0, , 1.0)                                                     \
  CASE(pole, 0.0, , 1.0)                                                       \
  CASE(infinite, 0.0, , 1.0)                                                   \
  CASE(strong, 0.0, , 1.0)

#define CASE(f, at, type, along)                                               \
  static void f##_reverse(void) {                                              \
    for (int i = 0; i < 2; i++)                                                \
      printf("%g%c", (double)__enzyme_autodiff##type((void *)f, at), " \n"[i]); \
  }                                                                            \
  static void f##_forward(void) {                                              \
    for (int i = 0; i < 2; i++)                                                \
      printf("%g%c", (double)__enzyme_fwddiff##type((void *)f, at, along), " \n"[i]); \
  }
CASES

static void run(const char *name, const char *mode, void (*test)(void)) {
  printf("%s %s\n", name, mode);
  fflush(stdout);
  if (fork() == 0) {
    test();
    exit(0);
  }
  int status;
  wait(&status);
  if (status)
    printf("failed\n");
}

int main(void) {
#undef CASE
#define CASE(f, at, type, along)                                               \
  run(#f, "reverse", f##_reverse);                                             \
  run(#f, "forward", f##_forward);
  CASES
  return 0;
}

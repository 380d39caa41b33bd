// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A conflict about a variable that only a callee's callee uses: the message
// shows how the derivative came there, once, although two ways lead there.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);
extern double elsewhere[];

__attribute__((noinline)) static double deep(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    elsewhere[i] = x[i];
  return elsewhere[n / 2] * elsewhere[n / 3];
}
__attribute__((noinline)) static double middle(const double *x, int n) {
  return 2 * deep(x, n);
}
double top(const double *x, int n) { return middle(x, n) + deep(x, n + 1); }

// CHECK: activity-conflict-chain.c:[[#@LINE-8]]:{{[0-9]+}}: error: active data reaches memory that was declared inactive: global variable 'elsewhere' of another file
// CHECK-NEXT: active data is stored there ({{.*}}chain.c:[[#@LINE-9]]:
// CHECK-NEXT: and read from there to an active result ({{.*}}chain.c:[[#@LINE-9]]:
// CHECK-NEXT: in 'deep', called
// CHECK: in the derivative that '__enzyme_autodiff' asks for at {{.*}}chain.c:[[#@LINE+4]]:3 in 'gradient'
// CHECK: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it
// CHECK: 1 error generated
void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)top, enzyme_dup, x, dx, n);
}

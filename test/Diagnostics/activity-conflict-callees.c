// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constant buffer is filled two calls down and read in another function:
// the message shows the lines where that is done.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static void put(double *where, double value) {
  where[1] = value * value; // PUT
}
__attribute__((noinline)) static void fill(const double *x, double *buffer) {
  put(buffer, x[0]);
  put(buffer + 1, x[1]);
}
__attribute__((noinline)) static double sum(const double *buffer) {
  return buffer[1] + buffer[2]; // SUM
}
double f(const double *x, double *buffer) {
  fill(x, buffer);
  return sum(buffer);
}

// CHECK: activity-conflict-callees.c:[[#@LINE-14]]:{{[0-9]+}}: error: active data reaches memory that was declared inactive: {{.*}}'buffer' of 'f'
// CHECK-NEXT: active data is stored there ({{.*}}activity-conflict-callees.c:[[#@LINE-15]]:{{[0-9]+}})
// CHECK-NEXT: and read from there to an active result ({{.*}}activity-conflict-callees.c:[[#@LINE-9]]:{{[0-9]+}})
// CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for at {{.*}}activity-conflict-callees.c:[[#@LINE+4]]:3 in 'gradient'
// CHECK-NEXT: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it
// CHECK-NOT: error:
void gradient(double *x, double *dx, double *buffer) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, buffer);
}

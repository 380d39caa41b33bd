// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer to active memory kept in memory that is declared constant, and used
// again, in callees: the message shows the lines there.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

struct workspace {
  double *data;
};
__attribute__((noinline)) static double use(struct workspace *w) {
  return w->data[0] * w->data[0]; // USED
}
__attribute__((noinline)) static double run(struct workspace *w, double *x) {
  w->data = x; // KEPT
  x[0] = x[0] * x[1];
  return use(w);
}
double f(double *x, struct workspace *w) { return run(w, x); }

// CHECK: error: active data reaches memory that was declared inactive: {{.*}}'w' of 'f'
// CHECK-NEXT: active data is stored there ({{.*}}activity-conflict-pointer.c:[[#@LINE-7]]:{{[0-9]+}})
// CHECK-NEXT: and read from there to an active result ({{.*}}activity-conflict-pointer.c:[[#@LINE-11]]:{{[0-9]+}})
// CHECK: in the derivative that '__enzyme_autodiff' asks for at {{.*}}activity-conflict-pointer.c:[[#@LINE+4]]:3 in 'gradient'
// CHECK-NEXT: to fix: pass a shadow for it (enzyme_dup), or keep active data out of it
// CHECK-NOT: error: active
void gradient(double *x, double *dx, struct workspace *w) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, w);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active data written through a pointer that may lead to constant memory, and read again there: both
// places, also where they are in a callee. Reading alone is right, and so is what is not read again.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double sum(const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}

// CHECK: error: active data reaches memory that was declared inactive: {{.*}}'other'
// CHECK-NEXT: active data is stored there ({{.*}}activity-conflict-merge.c:[[#@LINE+5]]:
// CHECK-NEXT: and read from there to an active result ({{.*}}activity-conflict-merge.c:[[#@LINE-6]]:
double merged(const double *x, double *out, double *other, int n, int which) {
  double *p = which ? out : other;
  for (int i = 0; i < n; ++i)
    p[i] = x[i] * x[i];
  return sum(p, n);
}

// CHECK-NOT: error: {{.*}}'table'
double only_read(const double *x, const double *table, int n, int which) {
  return sum(which ? x : table, n);
}

// CHECK-NOT: error: {{.*}}'log'
double only_written(const double *x, double *out, double *log, int which) {
  *(which ? out : log) = x[0] * x[0];
  return x[1];
}

void gradients(double *x, double *dx, double *y, double *dy, double *c, int n) {
  __enzyme_autodiff((void *)merged, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, c, n, n);
  __enzyme_autodiff((void *)only_read, enzyme_dup, x, dx, enzyme_const, c, n, n);
  __enzyme_autodiff((void *)only_written, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, c,
                    n);
}
// CHECK: 1 error generated

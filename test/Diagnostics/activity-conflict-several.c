// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several conflicts in one function, a conflict of another request, and a
// problem of another kind: all are told together, each once, although two
// markers ask for the same.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
extern double elsewhere[];
extern int places[];
double unknown(double);

double two(const double *x, double *a, double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    a[places[i]] = x[i] * x[i]; // A
    b[places[i]] = x[i] * 3;    // B
  }
  for (int i = 0; i < n; ++i)
    sum += a[n - i] * // A
           b[n - i];  // B
  return sum;
}
double one(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    elsewhere[i] = x[i]; // E
  return elsewhere[n / 2] * elsewhere[n / 3];
}
double other(const double *x) { return unknown(x[0]); }

// CHECK: activity-conflict-several.c:[[#@LINE-15]]:{{[0-9]+}}: error: active data reaches memory that was declared inactive: argument 'a' of 'two'
// CHECK-NEXT: active data is stored there ({{.*}}several.c:[[#@LINE-16]]:
// CHECK-NEXT: and read from there to an active result ({{.*}}several.c:[[#@LINE-13]]:
// CHECK: activity-conflict-several.c:[[#@LINE-17]]:{{[0-9]+}}: error: active data reaches memory that was declared inactive: argument 'b' of 'two'
// CHECK-NEXT: active data is stored there ({{.*}}several.c:[[#@LINE-18]]:
// CHECK-NEXT: and read from there to an active result ({{.*}}several.c:[[#@LINE-15]]:
// CHECK: activity-conflict-several.c:[[#@LINE-11]]:{{[0-9]+}}: error: active data reaches memory that was declared inactive: global variable 'elsewhere' of another file
// CHECK-NOT: 'a' of 'two'
// CHECK-NOT: 'b' of 'two'
// CHECK: error: cannot differentiate 'unknown'
// CHECK: 4 errors generated
void gradient(double *x, double *dx, double *a, double *b, int n) {
  __enzyme_autodiff((void *)two, enzyme_dup, x, dx, enzyme_const, a,
                    enzyme_const, b, n);
  __enzyme_autodiff((void *)two, enzyme_dup, x, dx, enzyme_const, a,
                    enzyme_const, b, n);
  __enzyme_autodiff((void *)one, enzyme_dup, x, dx, n);
  __enzyme_autodiff((void *)other, enzyme_dup, x, dx);
}

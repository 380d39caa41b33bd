// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activities that arguments have without a tag, in both modes, whatever
// the optimizer did before.
//
// RUN: %clang -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang -O2 -g -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double f(double x, const double *p, int n, float y) { return x * p[n] * y; }
int count(double x) { return (int)x; }
double *next(double *p) { return p + 1; }
double *__enzyme_fwddiff_pointer(void *, ...);

struct Two {
  double x;
  float y;
};
struct Two __enzyme_autodiff_two(void *, ...);

// CHECK-LABEL: in 'reverse'
// CHECK-NEXT: reverse of 'f'
// CHECK-NEXT: arg 0: double out =
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: i32 const = 3
// CHECK-NEXT: arg 3: float out = 2.000000e+00
// CHECK-NEXT: return: double active
// CHECK-NEXT: result: 16 bytes
// CHECK-NEXT: at 0: double element 0
// CHECK-NEXT: at 8: float element 1
struct Two reverse(double x, double *p, double *d) {
  return __enzyme_autodiff_two((void *)f, x, p, d, 3, 2.0f);
}

// CHECK-LABEL: in 'forward'
// CHECK-NEXT: forward of 'f'
// CHECK-NEXT: arg 0: double dup = {{.*}}, shadow 1.000000e+00
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: i32 const = 3
// CHECK-NEXT: arg 3: float dup = 2.000000e+00, shadow 0.000000e+00
// CHECK-NEXT: return: double active
// CHECK-NEXT: result: 8 bytes
// CHECK-NEXT: at 0: double element 0
double forward(double x, double *p, double *d) {
  return __enzyme_fwddiff((void *)f, x, 1.0, p, d, 3, 2.0f, 0.0f);
}

// An integer has no derivative.
// CHECK-LABEL: in 'integer_result'
// CHECK: return: i32 const
double integer_result(double x) { return __enzyme_autodiff((void *)count, x); }

// CHECK-LABEL: in 'pointer_result'
// CHECK: arg 0: ptr dup =
// CHECK-NEXT: return: ptr dup
// CHECK-NEXT: result: 8 bytes
// CHECK-NEXT: at 0: ptr element 0
double *pointer_result(double *p, double *d) {
  return __enzyme_fwddiff_pointer((void *)next, p, d);
}

// In reverse mode nothing flows back through a returned pointer.
// CHECK-LABEL: in 'pointer_result_reverse'
// CHECK: return: ptr const
// CHECK-NEXT: result: 0 bytes
void pointer_result_reverse(double *p, double *d) {
  __enzyme_autodiff((void *)next, p, d);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has rounding errors that nobody knows is not left out of the bound.
//
// RUN: not %clang -O1 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern double __enzyme_error_estimate(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
double unknown(double);
typedef double pair __attribute__((vector_size(16)));

static double calls(double x) {
  // CHECK-DAG: error-estimate.c:[[#@LINE+1]]:{{.*}}: error: cannot estimate the rounding errors of 'calls': a call of 'unknown', of which no rounding errors are known
  return unknown(x) + 1;
}
static double (*volatile pointer)(double) = unknown;
static double by_pointer(double x) {
  // CHECK-DAG: error-estimate.c:[[#@LINE+1]]:{{.*}}: error: cannot estimate the rounding errors of 'by_pointer': a call by a pointer, of which the function is not known
  return pointer(x);
}
static double vectors(double x) {
  pair p = {x, 2 * x};
  // CHECK-DAG: error-estimate.c:[[#@LINE+1]]:{{.*}}: error: cannot estimate the rounding errors of 'vectors': a call of 'llvm.vector.reduce.fmax.v2f64', of which no rounding errors are known
  return __builtin_reduce_max(p);
}
static double square(double x) { return x * x; }
static double nested(double x) {
  // CHECK-DAG: error-estimate.c:[[#@LINE+1]]:{{.*}}: error: cannot estimate the rounding errors of 'nested': a derivative, which is not made yet
  return __enzyme_fwddiff((void *)square, x, 1.0);
}

typedef double Function(double);
extern Function *__enzyme_truncate_op_func(void *, ...);
// CHECK-DAG: error: cannot estimate the rounding errors of 'square{{.*}}': rounding to a format that no type has

double all(double x) {
  return __enzyme_error_estimate((void *)calls, x, 0.0) +
         __enzyme_error_estimate((void *)by_pointer, x, 0.0) +
         __enzyme_error_estimate((void *)vectors, x, 0.0) +
         __enzyme_error_estimate((void *)nested, x, 0.0) +
         __enzyme_error_estimate(
             (void *)__enzyme_truncate_op_func((void *)square, 64, 8, 7), x,
             0.0) +
         // CHECK-DAG: error-estimate.c:[[#@LINE+1]]:{{.*}}: error: cannot estimate the rounding errors of 'unknown': its body is not visible
         __enzyme_error_estimate((void *)unknown, x, 0.0);
}
// CHECK: 6 errors generated

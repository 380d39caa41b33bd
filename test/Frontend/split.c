// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The markers of split mode, in the forms that programs use.
//
// RUN: %clang -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
#include <stddef.h>
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_noret, enzyme_allocated, enzyme_tape,
    enzyme_nofree;
struct both {
  void *tape;
  double result;
};
void *__enzyme_augmentfwd(void *, ...);
struct both __enzyme_augmentfwd_both(void *, ...);
double __enzyme_augmentfwd_result(void *, ...);
void __enzyme_augmentfwd_void(void *, ...);
double __enzyme_reverse(void *, ...);
size_t __enzyme_augmentsize(void *, ...);

double f(double x, double *p) { return x * p[0]; }

// CHECK-LABEL: in 'tape_alone'
// CHECK-NEXT: first half of split reverse of 'f'
// CHECK-NEXT: arg 0: double out = {{.*}}
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: return: double active, primal too
// CHECK: result: 8 bytes
// CHECK-NEXT: at 0: ptr element 0
void *tape_alone(double x, double *p, double *d) {
  return __enzyme_augmentfwd((void *)f, x, p, d);
}

// CHECK-LABEL: in 'tape_and_result'
// CHECK: result: 16 bytes
// CHECK-NEXT: at 0: ptr element 0
// CHECK-NEXT: at 8: double element 1
struct both tape_and_result(double x, double *p, double *d) {
  return __enzyme_augmentfwd_both((void *)f, x, p, d);
}

// CHECK-LABEL: in 'provided'
// CHECK: also: ptr {{.*}}
// CHECK-NEXT: also: i64 {{.*}}
// CHECK-NEXT: the tape lies in memory of the caller
// CHECK: result: 8 bytes
// CHECK-NEXT: at 0: double element 1
double provided(double x, double *p, double *d, char *memory, int size) {
  return __enzyme_augmentfwd_result((void *)f, enzyme_allocated, size, enzyme_tape, memory, x, p,
                                    d);
}

// CHECK-LABEL: in 'variable'
// CHECK: also: ptr {{.*}}
// CHECK-NEXT: the tape's address is in a variable of the caller
// CHECK: result: 0 bytes
void variable(double x, double *p, double *d, void **tape) {
  __enzyme_augmentfwd_void((void *)f, enzyme_tape, tape, x, p, d);
}

// CHECK-LABEL: in 'last'
// CHECK-NEXT: second half of split reverse of 'f'
// CHECK: also: double {{.*}}
// CHECK-NEXT: also: ptr {{.*}}
// CHECK-NEXT: return: double active, primal too
// CHECK: result: 8 bytes
// CHECK-NEXT: at 0: double element 0
double last(double x, double *p, double *d, double adjoint, void *tape) {
  return __enzyme_reverse((void *)f, x, p, d, adjoint, tape);
}

// CHECK-LABEL: in 'tagged'
// CHECK: also: double 1.000000e+00
// CHECK-NEXT: also: ptr {{.*}}
// CHECK-NEXT: the tape lies in memory of the caller
// CHECK-NEXT: the tape is left as it is
double tagged(double x, double *p, double *d, void *tape, size_t size) {
  return __enzyme_reverse((void *)f, enzyme_nofree, enzyme_allocated, size, enzyme_tape, tape, x,
                          p, d);
}

// CHECK-LABEL: in 'size'
// CHECK-NEXT: size of the tape of split reverse of 'f'
// CHECK-NEXT: arg 0: double out = any
// CHECK-NEXT: arg 1: ptr dup = any
size_t size(void) { return __enzyme_augmentsize((void *)f, enzyme_out, enzyme_dup); }

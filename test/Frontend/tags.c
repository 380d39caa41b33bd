// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every tag, by value, through a variable, by address, and in the old spelling.
//
// RUN: %clang -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_noret,
    enzyme_primal_return;
extern int diffe_const, diffe_dup, diffe_dupnoneed, diffe_out;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double f(double x, double *p, double *q) { return q[0] = x * p[0]; }

// CHECK-LABEL: in 'by_value'
// CHECK-NEXT: reverse of 'f'
// CHECK-NEXT: arg 0: double out = {{.*}}
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: ptr dupnoneed = {{.*}}, shadow {{.*}}
// CHECK-NEXT: return: double active
double by_value(double x, double *p, double *dp, double *q, double *dq) {
  return __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_dup, p, dp,
                           enzyme_dupnoneed, q, dq);
}

// CHECK-LABEL: in 'old_spelling'
// CHECK: arg 0: double out = {{.*}}
// CHECK-NEXT: arg 1: ptr const = {{.*}}
// CHECK-NEXT: arg 2: ptr dupnoneed = {{.*}}, shadow {{.*}}
double old_spelling(double x, double *p, double *dp, double *q, double *dq) {
  return __enzyme_autodiff((void *)f, diffe_out, x, diffe_const, p,
                           diffe_dupnoneed, q, dq);
}

// CHECK-LABEL: in 'by_address'
// CHECK: arg 0: double const = {{.*}}
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: ptr const = {{.*}}
// CHECK: result: 0 bytes
void by_address(double x, double *p, double *dp, double *q) {
  __enzyme_autodiff((void *)f, &enzyme_const, x, &diffe_dup, p, dp,
                    &enzyme_const, q);
}

// CHECK-LABEL: in 'through_variables'
// CHECK: reverse of 'f'
// CHECK-NEXT: arg 0: double const = {{.*}}
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: ptr const = {{.*}}
void through_variables(double x, double *p, double *dp, double *q) {
  int keep = enzyme_const;
  int twin = enzyme_dup;
  double (*function)(double, double *, double *) = f;
  void *again = (void *)function;
  __enzyme_autodiff(again, keep, x, twin, p, dp, keep, q);
}

// Tags may be left out one by one.
// CHECK-LABEL: in 'some'
// CHECK: arg 0: double const = {{.*}}
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: ptr const = {{.*}}
void some(double x, double *p, double *dp, double *q) {
  __enzyme_autodiff((void *)f, enzyme_const, x, p, dp, enzyme_const, q);
}

// CHECK-LABEL: in 'no_return'
// CHECK: arg 0: double out
// CHECK: return: double const
// CHECK-NEXT: result: 8 bytes
double no_return(double x, double *p, double *dp, double *q, double *dq) {
  return __enzyme_autodiff((void *)f, enzyme_noret, x, p, dp, q, dq);
}

struct Both {
  double value, derivative;
};
struct Both __enzyme_autodiff_both(void *, ...);
struct Both __enzyme_fwddiff_both(void *, ...);

// CHECK-LABEL: in 'primal_reverse'
// CHECK: return: double active, primal too
// CHECK-NEXT: result: 16 bytes
// CHECK-NEXT: at 0: double element 0
// CHECK-NEXT: at 8: double element 1
struct Both primal_reverse(double x, double *p, double *q) {
  return __enzyme_autodiff_both((void *)f, enzyme_primal_return, enzyme_out, x,
                                enzyme_const, p, enzyme_const, q);
}

// CHECK-LABEL: in 'primal_forward'
// CHECK: arg 0: double dup = {{.*}}, shadow 1.000000e+00
// CHECK: return: double active, primal too
// CHECK-NEXT: result: 16 bytes
struct Both primal_forward(double x, double *p, double *q) {
  return __enzyme_fwddiff_both((void *)f, enzyme_primal_return, enzyme_dup, x,
                               1.0, enzyme_const, p, enzyme_const, q);
}

// CHECK-LABEL: in 'primal_alone'
// CHECK: return: double const, primal too
// CHECK-NEXT: result: 8 bytes
double primal_alone(double x, double *p, double *dp, double *q) {
  return __enzyme_autodiff((void *)f, enzyme_primal_return, enzyme_noret,
                           enzyme_const, x, enzyme_dup, p, dp, enzyme_const, q);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What __enzyme_fwdsplit refuses.
//
// RUN: not %clang -O1 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O1 -DALONE %adze -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %clang -O1 -DRUNS %adze %s -o %t.exe
// RUN: not --crash %t.exe 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not --crash %t.exe tape 2>&1 | FileCheck %s --check-prefix=NONE
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_nofree;
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_fwdsplit(void *, ...);

#ifndef RUNS
double given(double x);
struct dual {
  double value, tangent;
};
struct dual given_tangent(double x, double dx) { return (struct dual){2 * x, 2 * dx}; }
void *__enzyme_register_derivative_given[] = {(void *)given, (void *)given_tangent};
// CHECK-DAG: error: cannot compute tangents from a tape: there is a call of 'given', whose derivative the program gives, and the function may write memory
// CHECK-DAG: to fix: use __enzyme_fwddiff
double caller(double x) { return given(x) * x; }
double by_given(double x) {
  void *tape = __enzyme_augmentfwd((void *)caller, x);
  return __enzyme_fwdsplit((void *)caller, x, 1.0, tape);
}

double norm(const double *x);
double norm_augmented(const double *x, const double *dx);
double norm_tangent(const double *x, const double *dx);
void *__enzyme_register_splitderivative_norm[] = {(void *)norm, (void *)norm_augmented, (void *)norm_tangent};
// CHECK-DAG: error: cannot compute tangents from a tape: there is a call of 'norm', whose derivative the program gives, and it takes shadows, which a tape does not know
double of_norm(const double *x) { return 2 * norm(x); }
double by_norm(const double *x, const double *dx) {
  void *tape = __enzyme_augmentfwd((void *)of_norm, x, dx);
  return __enzyme_fwdsplit((void *)of_norm, x, dx, tape);
}

// CHECK-DAG: error: cannot compute tangents from a tape: there is an atomic operation
void add(double *to, double x) { __atomic_fetch_add(to, x, __ATOMIC_SEQ_CST); }
void by_atomic(double *p, double *dp, double x) {
  void *tape = __enzyme_augmentfwd((void *)add, p, dp, x);
  __enzyme_fwdsplit((void *)add, p, dp, x, 1.0, tape);
}

// CHECK-DAG: error: '__enzyme_fwdsplit' asks for another derivative of 'scale' than the marker that makes the tape: one tape cannot serve __enzyme_reverse and __enzyme_fwdsplit
double scale(const double *x) { return x[0] * x[0]; }
double by_both(double *x, double *dx) {
  void *tape = __enzyme_augmentfwd((void *)scale, x, dx);
  double d = __enzyme_fwdsplit((void *)scale, enzyme_nofree, x, dx, tape);
  __enzyme_reverse((void *)scale, x, dx, 1.0, tape);
  return d;
}

// CHECK-DAG: error: '__enzyme_fwdsplit' asks for another derivative of 'product' than the marker that makes the tape: argument 2 is enzyme_dup here and enzyme_const there
double product(double x, const double *y) { return x * *y; }
double by_tags(double x, double *y, double *dy) {
  void *tape = __enzyme_augmentfwd((void *)product, x, enzyme_const, y);
  return __enzyme_fwdsplit((void *)product, x, 1.0, y, dy, tape);
}

#ifdef ALONE
// ALONE: error: '__enzyme_fwdsplit' cannot be used like this: there is no tape
double square(double x) { return x * x; }
double without(double x) { return __enzyme_fwdsplit((void *)square, x, 1.0); }
#endif
#else
double power(double x, int n) {
  double r = 1;
  volatile double factor = x;
  for (int i = 0; i < n; i++)
    r *= factor;
  return r;
}
int main(int argc, char **argv) {
  // OTHER: adze: __enzyme_fwdsplit went another way than __enzyme_augmentfwd: its arguments by value are others
  // NONE: adze: __enzyme_fwdsplit was given what is no tape, or no longer one, of 'power' for these arguments
  void *tape = __enzyme_augmentfwd((void *)power, 2.0, 3);
  long other[8] = {0};
  return __enzyme_fwdsplit((void *)power, 2.0, 1.0, argc > 1 ? 3 : 4, argc > 1 ? (void *)other : tape) != 0;
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registered derivatives that do not fit their function, or a call of it.
//
// RUN: rm -rf %t && mkdir %t
// RUN: not %clang -O0 -g %adze -DSHAPE -c %s -o %t/s.o 2>&1 | FileCheck --check-prefix=SHAPE %s
// RUN: not %clang -O2 -g %adze -DSHAPE -c %s -o %t/s.o 2>&1 | FileCheck --check-prefix=SHAPE %s
// RUN: not %clang -O0 -g -fopenmp %adze -c %s -o %t/s.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -c %s -o %t/s.o 2>&1 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_v(void *, ...), __enzyme_fwddiff_v(void *, ...);
extern int enzyme_dup, enzyme_const;

#ifdef SHAPE
double f(double x) { return x; }
float floatOf(double x) { return (float)x; }
double reverse(double x, double d) { return d; }
double reverseFloat(double x, float d) { return d; }
double reverseTape(double x, double d, void *tape) { return d; }
// SHAPE-DAG: error: cannot make use of '__enzyme_register_gradient_a' ({{.*}}given-derivatives.c:[[#@LINE+2]]): 'floatOf' is 'float (double)', where one is wanted that returns double (what the other one takes at its end, then the result)
// SHAPE-DAG: to fix: write void *__enzyme_register_gradient_a[] = {(void *)function, (void *)augmented, (void *)reverse};
void *__enzyme_register_gradient_a[] = {(void *)f, (void *)floatOf, (void *)reverse};
// SHAPE-DAG: '__enzyme_register_gradient_b' ({{.*}}): 'reverseFloat' is 'double (double, float)', where one is wanted that takes (double, double, ...)
void *__enzyme_register_gradient_b[] = {(void *)f, (void *)f, (void *)reverseFloat};
// SHAPE-DAG: '__enzyme_register_gradient_c' ({{.*}}): it does not name three functions
void *__enzyme_register_gradient_c[] = {(void *)f, (void *)f};
// SHAPE-DAG: '__enzyme_register_gradient_d' ({{.*}}): 'f' is 'double (double)', where one is wanted that returns { { ptr }, double } (what the other one takes at its end, then the result)
void *__enzyme_register_gradient_d[] = {(void *)f, (void *)f, (void *)reverseTape};
// SHAPE-DAG: '__enzyme_register_derivative_e' ({{.*}}): 'f' is 'double (double)', where one is wanted that takes (double, double)
void *__enzyme_register_derivative_e[] = {(void *)f, (void *)f};
// SHAPE-DAG: '__enzyme_register_derivative_f' ({{.*}}): it does not name two functions
void *__enzyme_register_derivative_f[] = {(void *)f};
struct Large {
  double d[4];
} large(struct Large x) {
  return x;
}
// SHAPE-DAG: '__enzyme_register_derivative_g' ({{.*}}): 'large' passes or returns a structure or a vector by value
void *__enzyme_register_derivative_g[] = {(void *)large, (void *)large};
double slope(double x) { return __enzyme_autodiff((void *)f, x); }
#else

double weighted(const double *x, const double *w) { return x[0] * w[0]; }
double reads(const double *x, double *dx, const double *w, double *dw) {
  return weighted(x, w);
}
void reverseWeighted(const double *x, double *dx, const double *w, double *dw, double d) {
  dx[0] += w[0] * d, dw[0] += x[0] * d;
}
void *__enzyme_register_gradient_w[] = {(void *)weighted, (void *)reads,
                                        (void *)reverseWeighted};
static double caller(const double *x, const double *w) { return weighted(x, w); }
// CHECK-DAG: error: cannot use the derivatives that are registered for 'weighted': no derivative goes through what is passed as argument 2, so there is no shadow to pass
// CHECK-DAG: to fix: pass memory with a shadow (enzyme_dup), or declare the parameter inactive (enzyme_inactive) and leave its shadow out
void inactive(const double *x, double *dx, const double *w) {
  __enzyme_autodiff_v((void *)caller, enzyme_dup, x, dx, enzyme_const, w);
}

static void threads(const double *x, double *y) {
#pragma omp parallel for
  for (int i = 0; i < 9; ++i)
    y[i] = weighted(x, x + 1);
}
// CHECK-DAG: registered for 'weighted': threads of a parallel region call it, and would add to shadows that they share
void inTeam(const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff_v((void *)threads, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// The tangent alone, and the function writes memory.
double counts(double *x) { return x[1] = x[0]; }
double forwardCounts(double *x, double *dx) { return dx[0]; }
void *__enzyme_register_derivative_c[] = {(void *)counts, (void *)forwardCounts};
static double twice(double *x) { return 2 * counts(x); }
// CHECK-DAG: registered for 'counts': the function may write memory, so it cannot be called beside its derivative for the result
// CHECK-DAG: to fix: return the result, too, in front of the tangent
void both(double *x, double *dx) {
  __enzyme_fwddiff_v((void *)twice, enzyme_dup, x, dx);
}
#endif

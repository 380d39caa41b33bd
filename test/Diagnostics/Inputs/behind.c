// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The refusal comes from a function that the marker does not mention, but that
// the pointer could lead to.
double __enzyme_autodiff(void *, ...);
double outside(double);
double behind(double x) { return outside(x); }
double (*chosen(int n))(double) { return n ? behind : 0; }

double through(double (*g)(double), double x) { return g(x); }

double slope(double (*g)(double), double x) {
  return __enzyme_autodiff((void *)through, g, g, x);
}

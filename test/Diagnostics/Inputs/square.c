// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double slope(double x) {
#ifdef BAD
  return __enzyme_autodiff(0, x);
#else
  return __enzyme_autodiff((void *)square, x);
#endif
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
double __enzyme_autodiff(void *, ...);
double exp(double);

__attribute__((noinline)) static double grown(double x) {
  return exp(x) * x; // exp keeps this from being made twice
}
static double square(double x) { return x * x; }

__attribute__((noinline)) double f(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += square(x[i]) * grown(x[i]);
  return s;
}

int main(void) {
  double x[2] = {1, 2}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)f, x, dx, 2);
  return dx[0] == 0;
}

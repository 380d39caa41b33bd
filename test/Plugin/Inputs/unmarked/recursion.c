// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static long odd(long n);
static long even(long n) { return n == 0 ? 1 : odd(n - 1); }
static long odd(long n) { return n == 0 ? 0 : even(n - 1); }
long parity(long n) { return even(n); }
unsigned ackermann(unsigned m, unsigned n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
double simpson(double (*f)(double), double a, double b, int depth) {
  double m = (a + b) / 2, rule = (b - a) / 6 * (f(a) + 4 * f(m) + f(b));
  return depth == 0 ? rule : simpson(f, a, m, depth - 1) + simpson(f, m, b, depth - 1);
}

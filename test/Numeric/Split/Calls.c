// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tapes inside the tape: calls in loops of known and unknown length, recursion, and a callee
// that could run at reverse time in a fused gradient but not here, where its memory changes.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>
#include <string.h>

enum { N = 9 };

__attribute__((noinline)) static double step(double *x, double a) {
  double s = 0;
  for (int i = 0; i < 3; i++) {
    x[i] = x[i] * x[i] * a + sin(x[i]);
    s += x[i];
  }
  return s;
}
__attribute__((noinline)) static double reader(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}

__attribute__((noinline)) double known(double *x, int n) {
  double s = 0.5;
  for (int i = 0; i + 3 <= n; i++)
    s = step(x + i, 1 / (1 + s * s)) + reader(x, n);
  return s;
}

__attribute__((noinline)) double unknown(double *x, int n) {
  double s = 0.5;
  int rounds = 0;
  while (s < 4 && rounds < 50) {
    s += step(x + rounds % (n - 2), 0.1) * 0.3 + 0.05 * s * s;
    rounds++;
  }
  return s * s;
}

__attribute__((noinline)) double halves(double *x, int n) {
  if (n == 1) {
    *x *= *x;
    return sin(*x);
  }
  double left = halves(x, n / 2), right = halves(x + n / 2, n - n / 2);
  x[0] += right;
  return left * right + x[n - 1];
}

static double odd(double x, int n);
__attribute__((noinline)) static double even(double x, int n) {
  return n == 0 ? x : odd(x * x, n - 1) * x;
}
__attribute__((noinline)) static double odd(double x, int n) {
  return n == 0 ? 1 : even(sin(x), n - 1) + x;
}
__attribute__((noinline)) double turns(double *x, int n) { return even(x[0], n) + x[1]; }

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);

static void fill(double *x) {
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + 0.07 * i;
}

#define COMPARE(f)                                                                         \
  ADZE_TEST_REVERSE(of_##f) {                                                              \
    double x[N], got[N] = {0}, want[N] = {0};                                              \
    fill(x);                                                                               \
    __enzyme_autodiff((void *)f, x, want, N);                                              \
    fill(x);                                                                               \
    void *tape = __enzyme_augmentfwd((void *)f, x, got, N);                                \
    memset(x, 0xff, sizeof x);                                                             \
    __enzyme_reverse((void *)f, x, got, N, 1.0, tape);                                     \
    for (int i = 0; i < N; i++)                                                            \
      adze_near(#f, got[i], want[i], 1e-12);                                               \
  }

COMPARE(known)
COMPARE(unknown)
COMPARE(halves)
COMPARE(turns)
#endif

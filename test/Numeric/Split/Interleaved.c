// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many tapes at a time, used in the order they were made, in the opposite one, and in none;
// with fused gradients in between.
// ADZE: modes=reverse skip-unless=header:malloc.h
#include "check.h"
#include <malloc.h>
#include <math.h>
#include <stdlib.h>

// Some memory of tapes is kept for further ones.
enum { TAPES = 40, SLACK = 32768 };

__attribute__((noinline)) static double inner(double *t, double x) {
  for (int i = 0; i < 4; i++)
    t[i] = sin(t[i] * x) + i;
  return t[0] * t[1] + t[2] * t[3];
}
__attribute__((noinline)) double chain(double x, int n) {
  double *t = malloc(4 * sizeof *t), s = 0;
  for (int i = 0; i < 4; i++)
    t[i] = x * i;
  for (int i = 0; s < 1e3 && i < n; i++)
    s += inner(t, x) * x;
  free(t);
  return s;
}
__attribute__((noinline)) double depth(double x, int n) {
  return n ? sin(x) * depth(x * x + 0.1, n - 1) + x : x;
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_autodiff(void *, ...);

static double at(int i) { return 0.2 + 0.013 * i; }

/// The sum of all relative differences.
static double check(int (*order)(int)) {
  double all = 0;
  static void *chains[TAPES], *depths[TAPES];
  for (int i = 0; i < TAPES; i++) {
    chains[i] = __enzyme_augmentfwd((void *)chain, at(i), 3 + i);
    depths[i] = __enzyme_augmentfwd((void *)depth, at(i), i);
  }
  for (int i = 0; i < TAPES; i++) {
    int k = order(i);
    double want = __enzyme_autodiff((void *)chain, at(k), 3 + k);
    double got = __enzyme_reverse((void *)chain, at(k), 3 + k, 1.0, chains[k]);
    all += fabs(got / want - 1);
    k = order(TAPES - 1 - i);
    want = __enzyme_autodiff((void *)depth, at(k), k);
    got = __enzyme_reverse((void *)depth, at(k), k, 1.0, depths[k]);
    all += fabs(got / want - 1);
  }
  return all;
}

static int forwards(int i) { return i; }
static int backwards(int i) { return TAPES - 1 - i; }
static int mixed(int i) { return i * 17 % TAPES; }

ADZE_TEST_REVERSE(orders) {
  size_t used = 0;
  for (int round = 0; round < 20; round++) {
    if (round == 6)
      used = mallinfo2().uordblks + mallinfo2().hblkhd;
    adze_near("in the same order", check(forwards), 0, 1e-11);
    adze_near("in the opposite order", check(backwards), 0, 1e-11);
    adze_near("in no order", check(mixed), 0, 1e-11);
  }
  adze_true("no memory is left", mallinfo2().uordblks + mallinfo2().hblkhd < used + SLACK);
}
#endif

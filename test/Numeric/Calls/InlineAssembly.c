// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly beside active data: numbers of the machine, and barriers.
// ADZE: skip-unless=arch:x86_64
#include "check.h"

static int machine(void) {
  unsigned a = 0, b, c = 0, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  return a > 0 && b != 0 ? 2 : 3;
}

double assembly(const double *x, int n) {
  double t[4], s = 0;
  for (int i = 0; i < n; ++i) {
    t[i] = x[i] * x[n - 1 - i];
    __asm__ volatile("" ::: "memory");
    s += t[i] * x[i] * machine();
    __asm__ volatile("" : : "r"(t), "x"(s) : "memory");
  }
  return s;
}

ADZE_TEST_ARRAY(assembly, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

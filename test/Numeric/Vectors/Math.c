// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions per lane by elementwise builtins.
#include "check.h"

typedef double d4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]};
  d4 s = __builtin_elementwise_sin(a) * __builtin_elementwise_cos(a.yzwx);
  s += __builtin_elementwise_exp(-a * a) + __builtin_elementwise_log(a * a + 1);
  s *= __builtin_elementwise_sqrt(s * s + 1) + __builtin_elementwise_pow(a * a + 1, a);
  s += __builtin_elementwise_abs(a) + __builtin_elementwise_max(a, s);
  s = __builtin_elementwise_min(s, 3 * a * a + 20) + __builtin_elementwise_floor(a) * a;
  s += __builtin_elementwise_fma(a, s, s) + __builtin_elementwise_copysign(a, s);
  s += __builtin_elementwise_exp2(a) + __builtin_elementwise_log2(a * a + 2) +
       __builtin_elementwise_log10(a * a + 3);
  for (int i = 0; i < 4; ++i)
    y[i] = s[i];
}

ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.25, -0.5, -1.3))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions as compiler builtins: elementwise, abs, minimum, maximum, expect, assume.
#include "check.h"

double builtins(double x, double y) {
  double a = __builtin_fabs(x) + __builtin_sqrt(y * y + 1);
  a += __builtin_elementwise_max(x, y) * __builtin_elementwise_min(x, 2 * y);
  a *= __builtin_elementwise_sin(x) + __builtin_elementwise_exp(y);
  a -= __builtin_elementwise_copysign(x, y) * __builtin_elementwise_fma(x, y, a);
  if (__builtin_expect(a > -1e9, 1))
    a += __builtin_elementwise_floor(a) * x;
  __builtin_assume(a == a);
  __builtin_prefetch(&a);
  return a + __builtin_elementwise_abs(y) * y;
}

ADZE_TEST_SCALAR2(builtins, ADZE_AT(0.7, 1.4, -0.4, 0.3))

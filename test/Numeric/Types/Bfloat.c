// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __bf16: eight bits of precision.
// ADZE: skip-unless=type:__bf16 flags="--rtlib=compiler-rt -Wno-unused-command-line-argument" no-jit
#include "check.h"

void work(const bfloat16 *x, bfloat16 *y) {
  bfloat16 s = (bfloat16)1.0f;
  for (int i = 0; i < 2; ++i)
    s = s * x[i] + x[1 - i];
  y[0] = s;
}
static void twin(const long double *x, long double *y) {
  long double s = 1;
  for (int i = 0; i < 2; ++i)
    s = s * x[i] + x[1 - i];
  y[0] = s;
}
ADZE_TEST_MAP_T(bfloat16, work, 2, 1, ADZE_AT(0.75, 1.25, -0.5, 2.0), .twin = twin,
                .tolerance = 5e-2)

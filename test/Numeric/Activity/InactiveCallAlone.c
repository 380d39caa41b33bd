// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __enzyme_call_inactive in code that nobody differentiates is a call.
#include "check.h"
#include <string.h>

#ifndef ADZE_PRIMAL_ONLY
float __enzyme_call_inactive_f(void *, ...);
void __enzyme_call_inactive_v(void *, ...);
static float sum(float a, char b, float c) { return a + b + c; }
static void put(char *to, short s) { memcpy(to, &s, sizeof s); }

static void check(void) {
  adze_near("sum", __enzyme_call_inactive_f((void *)sum, 1.5f, (char)-2, 4.25f), 3.75, 0);
  char bytes[3] = {0, 0, 77};
  __enzyme_call_inactive_v((void *)put, bytes, (short)258);
  adze_near("low", bytes[0], 2, 0);
  adze_near("high", bytes[1], 1, 0);
  adze_near("beyond", bytes[2], 77, 0);
}
#endif
#if ADZE_REVERSE
ADZE_TEST_REVERSE(reverse) { check(); }
#endif
#if ADZE_FORWARD
ADZE_TEST_FORWARD(forward) { check(); }
#endif

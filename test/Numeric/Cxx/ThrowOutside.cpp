// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// throw and catch outside the differentiated function behave as before.
#include "check.h"
#include <stdexcept>
#include <string>

static double f(double x) { return x * x; }
static int risky(int i) {
  if (i % 2)
    throw std::runtime_error("odd " + std::to_string(i));
  return i;
}
static int caught() {
  int n = 0;
  for (int i = 0; i < 4; ++i)
    try {
      n += risky(i);
    } catch (const std::exception &e) {
      n += 100 * (e.what()[0] == 'o');
    }
  return n;
}

#if ADZE_REVERSE
extern "C" double __enzyme_autodiff_f(void *, double);
ADZE_TEST_REVERSE(reverse) {
  adze_near("caught", caught(), 202, 0);
  try {
    adze_near("gradient", __enzyme_autodiff_f((void *)f, 3.0), 6, 0);
    risky(1);
    adze_true("not reached", 0);
  } catch (const std::runtime_error &) {
    adze_true("caught", 1);
  }
}
#endif
#if ADZE_FORWARD
extern "C" double __enzyme_fwddiff_f(void *, double, double);
ADZE_TEST_FORWARD(forward) {
  adze_near("caught", caught(), 202, 0);
  try {
    adze_near("tangent", __enzyme_fwddiff_f((void *)f, 3.0, 1.0), 6, 0);
    risky(1);
    adze_true("not reached", 0);
  } catch (const std::runtime_error &) {
    adze_true("caught", 1);
  }
}
#endif

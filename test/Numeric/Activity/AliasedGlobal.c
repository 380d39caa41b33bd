// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One global variable with two names: active data is stored under the one and
// read under the other.
#include "check.h"

double storage;
extern double other __attribute__((alias("storage")));

__attribute__((noinline)) static void put(double v) { other = v; }
__attribute__((noinline)) static double get(void) { return storage; }

double through(double x, double y) {
  put(x * y);
  return get() * x;
}
ADZE_TEST_SCALAR2(through, ADZE_AT(0.9, 1.1))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves of a float by calls that are calls (others may define these functions):
// the low half's adjoint comes back alone, and cannot be added to the other's.
// RUN: %clang -O0 %adze %s -o %t
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck %s
// RUN: %clang -O2 %adze %s -o %t
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 2 2>&1 | FileCheck %s
// CHECK: adze: a float was moved in parts, or as bytes of unknown type, and is used elsewhere too: adjoints of its parts cannot be added
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);

static uint64_t bitsOf(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}
static double ofBits(uint64_t u) {
  double v;
  memcpy(&v, &u, sizeof v);
  return v;
}
#define APART __attribute__((weak, noinline))

APART uint32_t low(double v) { return (uint32_t)bitsOf(v); }
APART uint32_t high(double v) { return (uint32_t)(bitsOf(v) >> 32); }
APART double join(uint32_t lo, uint32_t hi) { return ofBits((uint64_t)hi << 32 | lo); }
static double halves(double x) {
  double v = x * x * 0.3;
  return join(low(v), high(v)) * x;
}

APART uint32_t lowWord(uint64_t u) { return (uint32_t)u; }
APART uint32_t highWord(uint64_t u) { return (uint32_t)(u >> 32); }
static double words(double x) {
  uint64_t u = bitsOf(x * x * 0.3);
  return join(lowWord(u), highWord(u)) * x;
}

int main(int argc, char **argv) {
  double d = atoi(argv[1]) == 1 ? __enzyme_autodiff((void *)halves, 0.7)
                                : __enzyme_autodiff((void *)words, 0.7);
  return d != 0;
}

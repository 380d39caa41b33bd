// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of floats as numbers: exponents added, replaced and taken apart, and
// guesses made by integer arithmetic, which are piecewise linear functions.
// ADZE: skip-unless=arch:x86_64
#include "check.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t bitsOf(double x) {
  uint64_t u;
  memcpy(&u, &x, 8);
  return u;
}
static double ofBits(uint64_t u) {
  double x;
  memcpy(&x, &u, 8);
  return x;
}

// ln x = ln m + e ln 2
double logarithm(double x) {
  union {
    double d;
    uint64_t u;
  } c = {x};
  int e = (int)((c.u >> 52) & 0x7ff) - 1022;
  c.u &= ~(0x7ffull << 52);
  c.u |= 1022ull << 52;
  return log(c.d) + e * 0.6931471805599453;
}
static double inverse(double x) { return 1 / x; }
ADZE_TEST_SCALAR1(logarithm, ADZE_AT(1.5, 10.3, 0.3), .derivative = inverse)

double signedMantissa(double x) {
  double m =
      ofBits((bitsOf(x) & 0x800fffffffffffffull) | 0x3ff0000000000000ull);
  return m * m + m;
}
static double ofMantissa(double x) {
  int e;
  double m = 2 * frexp(x, &e);
  return (2 * m + 1) * ldexp(1, 1 - e);
}
ADZE_TEST_SCALAR1(signedMantissa, ADZE_AT(1.5, -10.3, 0.3),
                  .derivative = ofMantissa)

double scaled(double x, double y) {
  uint64_t n = (uint64_t)(long)floor(y);
  return ofBits(bitsOf(x) + (3ull << 52)) * x +
         ofBits(bitsOf(x * y) + (n << 52)) +
         ofBits(bitsOf(y) + 1) * ofBits((bitsOf(x) & 0xfffffffffffffull) |
                                        (bitsOf(y) & 0xfff0000000000000ull));
}
ADZE_TEST_SCALAR2(scaled, ADZE_AT(1.5, 2.3, -3.2, 5.7))

// The guess is piecewise linear; what iterations make of it has the derivative
// of the root.
double inverseRoot(double x) {
  double y = ofBits(0x5fe6eb50c7b537a9ull - (bitsOf(x) >> 1));
  for (int i = 0; i < 5; ++i)
    y = y * (1.5 - 0.5 * x * y * y);
  return y;
}
static double ofInverseRoot(double x) { return -0.5 / (x * sqrt(x)); }
ADZE_TEST_SCALAR1(inverseRoot, ADZE_AT(1.5, 10.3, 0.3),
                  .derivative = ofInverseRoot)

double cubeRoot(double x) {
  double y = ofBits(bitsOf(x) / 3 + 0x2a9f7893782da1ceull);
  for (int i = 0; i < 6; ++i)
    y = (2 * y + x / (y * y)) / 3;
  return y;
}
static double ofCubeRoot(double x) { return 1 / (3 * cbrt(x * x)); }
ADZE_TEST_SCALAR1(cubeRoot, ADZE_AT(1.5, 10.3, 0.3), .derivative = ofCubeRoot)

double guess(double x, double y) {
  uint64_t mean = (bitsOf(x) >> 1) + (bitsOf(y) >> 1);
  return ofBits(mean) * y +
         (double)(int64_t)(bitsOf(x) - 0x3ff0000000000000ull) * 0x1p-52;
}
ADZE_TEST_SCALAR2(guess, ADZE_AT(1.3, 2.7, 0.6, 9.1), .tolerance = 1e-6)

float fastLog2(float x) {
  union {
    float f;
    uint32_t i;
  } v = {x}, m = {0};
  m.i = (v.i & 0x007fffff) | 0x3f000000;
  float y = v.i;
  y *= 1.1920928955078125e-7f;
  return y - 124.22551499f - 1.498030302f * m.f -
         1.72587999f / (0.3520887068f + m.f);
}
static double ofLog2(double x) { return 1 / (x * 0.6931471805599453); }
ADZE_TEST_SCALAR1_T(float, fastLog2, ADZE_AT(1.5, 10.3, 3.3),
                    .derivative = ofLog2, .flags = ADZE_NO_DIFFERENCES,
                    .exact = 3e-3)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums and products of all halves with others, and what storage in bfloat16
// leaves of floats, to the last bit: by the bits, and as clang's own types do.
//
// RUN: %clang -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %adze %s -o %t && %t | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double Two(double, double);
typedef float TwoFloats(float, float);
Two *__enzyme_truncate_op_func(void *, ...);
Two *__enzyme_truncate_func(void *, int, int, int);
TwoFloats *__enzyme_truncate_func_float(void *, int, int, int, int);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_truncate_mem_value_pair(double, int, int, int);

double sum(double x, double y) { return x + y; }
double product(double x, double y) { return x * y; }
double quotient(double x, double y) { return x / y; }
float sumOfFloats(float x, float y) { return x + y; }

static int same(double x, double y) {
  return (x == y && !signbit(x) == !signbit(y)) || (x != x && y != y);
}

static double half(unsigned bits) {
  unsigned short b = (unsigned short)bits;
  _Float16 h;
  memcpy(&h, &b, sizeof h);
  return (double)(float)h;
}

static double toHalf(double x) { return (double)(float)(_Float16)(float)x; }

// bfloat16 by the definition: the upper half of a float, ties to even.
static float toBrain(float x) {
  unsigned b;
  memcpy(&b, &x, 4);
  b = (b + 0x7fff + (b >> 16 & 1)) & 0xffff0000u;
  memcpy(&x, &b, 4);
  return x;
}

int main(void) {
  Two *add = __enzyme_truncate_op_func((void *)sum, 64, 16);
  Two *times = __enzyme_truncate_func((void *)product, 64, 5, 10);
  Two *over = __enzyme_truncate_op_func((void *)quotient, 64, 0, 16);
  TwoFloats *addBrain =
      __enzyme_truncate_func_float((void *)sumOfFloats, 32, 1, 8, 7);
  int sums = 0, products = 0, quotients = 0, brains = 0;
  for (unsigned i = 0; i < 65536; ++i) {
    double x = half(i), y = half(i * 40503u + 7);
    // A sum or product of halves is exact as a float, or rounds once more
    // without harm.
    sums += !same(add(x, y), toHalf(x + y));
    products += !same(times(x, y), toHalf(x * y));
    quotients += !same(over(x, y), toHalf((float)x / (float)y));
    float a = toBrain((float)x), b = toBrain((float)y);
    float both = a + b;
    brains += isfinite(both) && !same(addBrain(a, b), toBrain(both));
  }
  // CHECK: wrong: 0 0 0 0
  printf("wrong: %d %d %d %d\n", sums, products, quotients, brains);
  // The edges of the range: largest, infinite, least normal, least of all,
  // half of that, more than that, signs of zeros.
  double at[] = {65504, 65519.99, 65520,  0x1p-14, 0x1.ffcp-15,
                 0x1p-24, 0x1p-25, 0x1.8p-25, -0x1p-25, -0x1p300};
  // CHECK-NEXT: 65504 65504 inf 0x1p-14 0x1p-14 0x1p-24 0x0p+0 0x1p-24 -0x0p+0 -inf
  for (unsigned i = 0; i < 3; ++i)
    printf("%g ", __enzyme_truncate_mem_value(at[i], 64, 16));
  for (unsigned i = 3; i < 9; ++i)
    printf("%a ", __enzyme_truncate_mem_value_pair(at[i], 64, 5, 10));
  printf("%g\n", __enzyme_truncate_mem_value(at[9], 64, 16));
  // All bits of the significand, a smaller range; and the other way round.
  // CHECK-NEXT: inf 0x1.0000000000001p+0 0x1.8p+0 0x0.008p-1022
  printf("%g %a %a %a\n", __enzyme_truncate_mem_value_pair(0x1p128, 64, 8, 52),
         __enzyme_truncate_mem_value_pair(0x1.0000000000001p0, 64, 8, 52),
         __enzyme_truncate_mem_value_pair(0x1.6p0, 64, 11, 1),
         __enzyme_truncate_mem_value_pair(0x1.8p-1032, 64, 11, 10));
  return 0;
}

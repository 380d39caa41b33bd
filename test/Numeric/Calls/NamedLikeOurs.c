// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the program whose names look like those of derivatives, called directly and
// through pointers that only the run knows.
#include "check.h"
#include <math.h>

double square(double x) __asm__("adze.square");
double wave(double x) __asm__("adze.grad.wave");
double plain(double x);
__attribute__((noinline)) double square(double x) { return x * x; }
__attribute__((noinline)) double wave(double x) { return sin(x); }
__attribute__((noinline)) double plain(double x) { return 3 * x; }

double (*table[3])(double);
__attribute__((constructor)) static void fill(void) {
  table[0] = square, table[1] = wave, table[2] = plain;
}

double named(double x, double y) {
  double s = square(x) * wave(y);
  for (int i = 0; i < 3; i++)
    s += table[i](x + i) * y;
  return s;
}
ADZE_TEST_SCALAR2(named, ADZE_AT(0.9, 1.3))

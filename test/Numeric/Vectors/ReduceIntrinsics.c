// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// llvm.vector.reduce of sum, product, minimum and maximum, and a fused multiply-add of vectors.
// ADZE: flags="-mavx2" skip-unless=cpu:avx2
#include "check.h"

typedef double d4 __attribute__((ext_vector_type(4)));
double sum(double, d4) __asm__("llvm.vector.reduce.fadd.v4f64");
double product(double, d4) __asm__("llvm.vector.reduce.fmul.v4f64");
double highest(d4) __asm__("llvm.vector.reduce.fmax.v4f64");
double lowest(d4) __asm__("llvm.vector.reduce.fmin.v4f64");
d4 fused(d4, d4, d4) __asm__("llvm.fma.v4f64");
d4 sines(d4) __asm__("llvm.sin.v4f64");

void reduce(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]};
  y[0] = sum(x[0], a * a);
  y[1] = product(x[1], a + 1.5);
  y[2] = highest(a * a) * x[0];
  y[3] = lowest(sines(a)) - x[1];
  y[4] = sum(0, fused(a, a.wzyx, a));
}

ADZE_TEST_MAP(reduce, 4, 5, ADZE_AT(0.5, 0.75, -0.25, 0.3, 1.2, -0.4, 0.9, -0.1))

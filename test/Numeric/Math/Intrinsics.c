// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's own scalar functions, called by name: maximum and minimum (NaN wins), exp10, ldexp,
// powi, tan, asin, acos, atan, sinh, cosh, tanh, fmuladd, arithmetic fence.
#include "check.h"

double maximum(double, double) __asm__("llvm.maximum.f64");
double minimum(double, double) __asm__("llvm.minimum.f64");
double scale2(double, int) __asm__("llvm.ldexp.f64.i32");
double powi(double, int) __asm__("llvm.powi.f64.i32");
double ten(double) __asm__("llvm.exp10.f64");
double muladd(double, double, double) __asm__("llvm.fmuladd.f64");
double fence(double) __asm__("llvm.arithmetic.fence.f64");
double vtan(double) __asm__("llvm.tan.f64");
double vasin(double) __asm__("llvm.asin.f64");
double vacos(double) __asm__("llvm.acos.f64");
double vatan(double) __asm__("llvm.atan.f64");
double vsinh(double) __asm__("llvm.sinh.f64");
double vcosh(double) __asm__("llvm.cosh.f64");
double vtanh(double) __asm__("llvm.tanh.f64");

void intrinsics(const double *x, double *y) {
  y[0] = maximum(x[0] * x[0], x[1]) * minimum(x[0], x[1] * x[1]);
  y[1] = scale2(x[0], 3) * powi(x[1], -2);
  y[2] = ten(x[0]) + muladd(x[0], x[1], x[0]);
  y[3] = fence(x[0] * x[1]) * x[0];
  y[4] = vtan(x[0]) + vasin(x[0]) * vacos(x[1]);
  y[5] = vatan(x[0]) * vsinh(x[1]) + vcosh(x[0]) * vtanh(x[1]);
}

ADZE_TEST_MAP(intrinsics, 2, 6, ADZE_AT(0.5, 0.75, -0.25, 0.3))

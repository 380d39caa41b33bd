// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of a device has one direction.
//
// RUN: not %clang --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -O2 %adze
// %s -S -o %t.s 2>&1 | FileCheck %s
#include "Inputs/gpu.h"
extern int enzyme_width, enzyme_dupv;
void __enzyme_autodiff(void *, ...);

void square(const double *x, double *y) { y[THREAD] = x[THREAD] * x[THREAD]; }
// CHECK: error: cannot carry several directions (enzyme_width) through this:
// code of a device CHECK: to fix: call the marker once for each direction,
// without enzyme_width
KERNEL void reverse(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)square, enzyme_width, 2, enzyme_dupv, 80, x, dx,
                    enzyme_dupv, 80, y, dy);
}

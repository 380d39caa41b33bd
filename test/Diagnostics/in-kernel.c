// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is refused where threads run a derivative together is told in terms of
// kernels, not of parallel regions.
//
// RUN: not %clang -O2 -g --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s
#include "Inputs/gpu.h"
void __enzyme_autodiff();
extern int enzyme_dup, enzyme_const;
extern void elsewhere(int);

// CHECK-NOT: parallel region
// CHECK: in-kernel.c:[[#@LINE+4]]:{{.*}} error: no derivative rule for this in a kernel: a call of 'elsewhere', of which nobody knows whether threads wait there
// CHECK: to fix: give each thread places of its own, with barriers between those that write and those that read, or use forward mode
void calls(const double *x, double *y) {
  y[THREAD] = x[THREAD] * x[THREAD];
  elsewhere(3);
}

KERNEL void gradient(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)calls, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
// CHECK-NOT: parallel region

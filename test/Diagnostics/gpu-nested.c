// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tape of a loop in code for a GPU, in a derivative that is differentiated
// again.
//
// RUN: not %clang -O2 -g --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: %clang -O2 -g --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 -DCONSTANT %adze -S %s -o %t.s
#include "Inputs/gpu.h"
void __enzyme_autodiff();
void __enzyme_fwddiff();
extern int enzyme_dup, enzyme_const;

void squares(const double *x, double *y) {
  double a = x[THREAD];
#ifdef CONSTANT
  int k;
  for (k = 0; k < 3; ++k)
#else
  while (a * a < 10000)
#endif
    a = a * a + a + 1;
  y[THREAD] = a;
}

void gradient(const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// CHECK: error: cannot differentiate 'a derivative with a tape that is differentiated again
// CHECK: to fix: differentiate code whose loops have a constant number of iterations, or nest forward modes
KERNEL void second(double *x, double *vx, double *dx, double *vdx, double *y,
                   double *vy, double *dy, double *vdy) {
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, vx, enzyme_dup, dx, vdx,
                   enzyme_dup, y, vy, enzyme_dup, dy, vdy);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly that is not known is refused where active data goes through it.
//
// RUN: not %clang --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 -Wno-deprecated-non-prototype %adze -O2 %s -S -o %t.s 2>&1 | FileCheck %s
#include "../Diagnostics/Inputs/gpu.h"
void __enzyme_autodiff();
extern int enzyme_dup;

// CHECK: error: {{.*}}cannot differentiate inline assembly 'tanh.approx.f32 $0, $1;'
void unknown(const float *x, float *y) {
  float f;
  asm("tanh.approx.f32 %0, %1;" : "=f"(f) : "f"(x[THREAD]));
  y[THREAD] = f;
}
KERNEL void reverse(float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff((void *)unknown, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of AMDGPU.
//
// DEFINE: %{compile} = %clang --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 -Wno-deprecated-non-prototype %adze
// RUN: %{compile} -O0 %s -S -o %t.s
// RUN: %{compile} -O3 %s -S -o %t.s
// RUN: %{compile} -O2 %s -S -emit-llvm -o - | FileCheck %s
#include "../Diagnostics/Inputs/gpu.h"
void __enzyme_autodiff();
void __enzyme_fwddiff();
extern int enzyme_dup;

void wave(const float *x, float *y) {
  float v = x[THREAD];
  float w = __builtin_amdgcn_sinf(v) + __builtin_amdgcn_fmed3f(v, 0.0f, 1.0f);
  y[THREAD] = w * __builtin_amdgcn_rcpf(v) + __builtin_amdgcn_fractf(v) +
              __builtin_amdgcn_rsqf(v) + __builtin_amdgcn_mbcnt_lo(~0u, 0u);
}
/* CHECK-LABEL: define {{.*}}void @reverse(
   CHECK: call {{.*}}@llvm.amdgcn.cos.f32(
   CHECK: atomicrmw fadd ptr
   CHECK: ret void
 */
KERNEL void reverse(float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff((void *)wave, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

/* The pieces of a division: the derivative of the division. */
void divides(const double *x, double *y) {
  double a = x[2 * THREAD], b = x[2 * THREAD + 1], r = __builtin_amdgcn_rcp(b);
  y[THREAD] = __builtin_amdgcn_div_fixup(a * r, b, a);
}
/* CHECK-LABEL: define {{.*}}void @forward(
   CHECK: fdiv
   CHECK: ret void
 */
KERNEL void forward(double *x, double *dx, double *y, double *dy) {
  __enzyme_fwddiff((void *)divides, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits, halves and addresses that device code moves by intrinsics and by
// assembly, as the headers of CUDA do: duals move likewise. What counts and
// prints is done once.
//
// DEFINE: %{compile} = %clang --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 -Wno-deprecated-non-prototype %adze
// RUN: %{compile} -O0 %s -S -o %t.s
// RUN: %{compile} -O3 %s -S -o %t.s
// RUN: %{compile} -O2 %s -S -emit-llvm -o - | FileCheck %s
#include "../Diagnostics/Inputs/gpu.h"
void __enzyme_autodiff();
void __enzyme_fwddiff();
extern int enzyme_dup;
int vprintf(const char *, void *);

/* Halves of a double and back: x again, so 2 x. */
void halves(const double *x, double *y) {
  int high = __nvvm_d2i_hi(x[THREAD]), low = __nvvm_d2i_lo(x[THREAD]);
  double again = __nvvm_lohi_i2d(low, high);
  y[THREAD] = again * again;
}
/* CHECK-LABEL: define {{.*}}void @reverseHalves(
   CHECK-NOT: @llvm.nvvm.d2i
   CHECK: atomicrmw fadd ptr %{{.*}}, double
   CHECK: ret void
 */
KERNEL void reverseHalves(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)halves, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

/* __half's operators: x x, and the conversion to float and back. */
void half(const unsigned short *x, unsigned short *y) {
  unsigned short a = x[THREAD], b;
  float f;
  asm("{ mul.f16 %0,%1,%2; }" : "=h"(b) : "h"(a), "h"(a));
  asm("{  cvt.f32.f16 %0, %1;}" : "=f"(f) : "h"(b));
  f = f * 3;
  asm("{  cvt.rn.f16.f32 %0, %1;}" : "=h"(b) : "f"(f));
  y[THREAD] = b;
}
/* CHECK-LABEL: define {{.*}}void @forwardHalf(
   CHECK: load half
   CHECK: fmul half
   CHECK: store half
   CHECK: ret void
 */
KERNEL void forwardHalf(void *x, void *dx, void *y, void *dy) {
  __enzyme_fwddiff((void *)half, enzyme_dup, (unsigned short *)x, (unsigned short *)dx, enzyme_dup, (unsigned short *)y, (unsigned short *)dy);
}

/* Fast instructions: their slopes are fast, too. */
void fast(const float *x, float *y) {
  y[THREAD] = __nvvm_sin_approx_f(x[THREAD]);
}
/* CHECK-LABEL: define {{.*}}void @reverseFast(
   CHECK: call {{.*}}@llvm.nvvm.cos.approx.f(
   CHECK: ret void
 */
KERNEL void reverseFast(float *x, float *dx, float *y, float *dy) {
  __enzyme_autodiff((void *)fast, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

/* Time is taken, and text printed, once. */
void prints(const double *x, double *y) {
  double v = x[THREAD];
  unsigned long long t = __nvvm_read_ptx_sreg_clock64();
  vprintf("%f\n", &v);
  y[THREAD] = v * v + (t == 0);
}
/* CHECK-LABEL: define {{.*}}void @reversePrints(
   CHECK-COUNT-1: clock64
   CHECK-COUNT-1: @vprintf
   CHECK-NOT: clock64
   CHECK-NOT: @vprintf
   CHECK: ret void
 */
KERNEL void reversePrints(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)prints, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

/* Functions of integers whose bodies are not there: the program's own. */
unsigned __nv_umulhi(unsigned, unsigned);
int __nv_min(int, int);
int __nv_abs(int);
void integers(const double *x, double *y) {
  int i = __nv_min(__nv_abs((int)__nv_umulhi(0x80000000u, THREAD)), 31);
  y[THREAD] = x[i] * x[THREAD];
}
/* CHECK-LABEL: define {{.*}}void @reverseIntegers(
   CHECK: call i32 @llvm.{{[us]}}min.i32(
   CHECK: atomicrmw fadd ptr %{{.*}}, double
   CHECK: ret void
 */
KERNEL void reverseIntegers(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)integers, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

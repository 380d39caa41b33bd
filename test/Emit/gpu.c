// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In code for a GPU all threads run a reverse pass on the same shadows: sums of
// adjoints are atomic, but to what belongs to the thread.
//
// RUN: %clang -O2 --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 %adze -S %s -o %t.s
// RUN: %clang -O2 --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 %adze -S %s -o %t.s
#include "../Diagnostics/Inputs/gpu.h"
void __enzyme_autodiff();
void __enzyme_fwddiff();
extern int enzyme_dup, enzyme_const;

void scaled(const double *x, const double *w, double *y) {
  double t[4];
  int k;
  for (k = 0; k < 4; ++k)
    t[k] = x[4 * THREAD + k] * w[k];
  y[THREAD] = t[0] * t[1] + t[2] * t[3];
}
/* CHECK-LABEL: define {{.*}}void @gradient(
   CHECK-COUNT-8: atomicrmw fadd
   CHECK-NOT: atomicrmw
   CHECK-NOT: adze.tape
   CHECK: ret void
 */
KERNEL void gradient(double *x, double *dx, double *w, double *dw, double *y,
                     double *dy) {
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, dx, enzyme_dup, w, dw,
                    enzyme_dup, y, dy);
}

/* What threads add together is read together; clang gives atomicAdd the order
   seq_cst, and CUDA none. */
void sum(const double *x, double *s) {
  double t = x[THREAD] * x[THREAD], old;
  (void)__c11_atomic_fetch_add((_Atomic(double) *)s, t, __ATOMIC_SEQ_CST);
}
/* CHECK-LABEL: define {{.*}}void @ofSum(
   CHECK: atomicrmw fadd ptr {{.*}}seq_cst
   CHECK: load double
   CHECK: atomicrmw fadd ptr {{.*}}monotonic
   CHECK: ret void
 */
KERNEL void ofSum(double *x, double *dx, double *s, double *ds) {
  __enzyme_autodiff((void *)sum, enzyme_dup, x, dx, enzyme_dup, s, ds);
}

/* Tangents pass a barrier as the numbers do. */
void exchange(const double *x, double *t, double *y) {
  t[THREAD] = x[THREAD];
  WAIT;
  y[THREAD] = t[THREAD ^ 1] * x[THREAD];
}
/* CHECK-LABEL: define {{.*}}void @tangent(
   CHECK: store double
   CHECK: store double
   CHECK: {{bar.sync|s.barrier}}
   CHECK: fmul
   CHECK: ret void
 */
KERNEL void tangent(double *x, double *dx, double *t, double *dt, double *y,
                    double *dy) {
  __enzyme_fwddiff((void *)exchange, enzyme_dup, x, dx, enzyme_dup, t, dt,
                   enzyme_dup, y, dy);
}

/* What goes through memory of the block comes back through its shadow, and
   barriers stand at the mirrored places. */
static __attribute__((address_space(3), loader_uninitialized)) double tile[64];
void turned(const double *x, double *y) {
  tile[THREAD] = x[THREAD] * x[THREAD];
  WAIT;
  y[THREAD] = tile[63 - THREAD];
}
/* CHECK-LABEL: define {{.*}}void @ofTurned(
   CHECK: {{bar.sync|barrier0|s.barrier}}
   CHECK: store i64 0, {{.*}}addrspace(3)
   CHECK: {{bar.sync|barrier0|s.barrier}}
   CHECK: {{bar.sync|barrier0|s.barrier}}
   CHECK: load double
   CHECK: atomicrmw fadd ptr addrspace
   CHECK: {{bar.sync|barrier0|s.barrier}}
   CHECK: getelementptr {{.*}}@tile.adze.shadow
   CHECK: load double, {{.*}}addrspace(3)
   CHECK: store double 0{{.*}}addrspace(3)
   CHECK: atomicrmw fadd ptr {{.*}}monotonic
   CHECK: ret void
 */
KERNEL void ofTurned(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)turned, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

/* What a loop keeps lies on the tape of the thread, in memory that the host has
   given: the elements of 32 (64) lanes side by side. */
void squares(const double *x, double *y) {
  double a = x[THREAD];
  while (a * a < 10000)
    a = a * a + a + 1;
  y[THREAD] = a;
}
/* CHECK-LABEL: define {{.*}}@ofSquares(
   CHECK-NOT: addrspace(3)
   CHECK: cmpxchg ptr addrspace(1) {{.*}}i32 0, i32
   CHECK-NOT: addrspace(3)
   CHECK: getelementptr [{{256|512}} x i8]
   CHECK-NOT: addrspace(3)
   CHECK: atomicrmw sub ptr addrspace(1)
   CHECK-NOT: addrspace(3)
   CHECK: ret void
 */
KERNEL void ofSquares(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)squares, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a device's library are differentiated by their rows, whatever
// their bodies are like, and inlined afterwards. Derivatives get those that the
// program does not call.
//
// DEFINE: %{plain} = %clang --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 -Wno-deprecated-non-prototype -Xclang -mlink-builtin-bitcode -Xclang %t.bc
// DEFINE: %{compile} = %{plain} %adze
//
// RUN: llvm-as %S/Inputs/libdevice.ll -o %t.bc
// RUN: %{compile} -O2 %s -S -emit-llvm -o - | FileCheck %s
// RUN: %{compile} -O1 %s -S -o %t.s
// RUN: FileCheck %s --check-prefix=PTX < %t.s
// RUN: %{compile} -O0 %s -S -o %t.s
// RUN: FileCheck %s --check-prefix=PTX < %t.s
//
// The library that the compiler is given is not the one that the option names.
// RUN: not %{compile} -O2 -Xclang -load -Xclang %plugin -mllvm -adze-device-library=%t.none %s -S -o %t.s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: derivatives call '__nv_cos', which the GPU's library has and this module lacks
// NONE: to fix: name its files:
//
// Without markers, the module is the same with and without the plugin.
// RUN: %{plain} -O2 -DPLAIN %s -S -emit-llvm -o %t.1.ll
// RUN: %{compile} -O2 -DPLAIN %s -S -emit-llvm -o %t.2.ll
// RUN: diff %t.1.ll %t.2.ll
#include "../Diagnostics/Inputs/gpu.h"
void __enzyme_autodiff();
void __enzyme_fwddiff();
extern int enzyme_dup;
double __nv_sin(double);
double __nv_exp(double);

// CHECK-NOT: call {{.*}}@__nv_
// PTX-NOT: call.uni {{.*}}__nv_
void wave(const double *x, double *y) {
  y[THREAD] = __nv_sin(x[THREAD]) * 2;
}

KERNEL void plain(const double *x, double *y) {
  y[THREAD] = __nv_sin(x[THREAD]) + __nv_exp(x[THREAD]);
}

#ifndef PLAIN
// The slope is that of the row: 2 cos, which is slow(x) + 1.
// CHECK-LABEL: define {{.*}}void @reverse(
// CHECK: %[[SLOW:.*]] = {{.*}}call {{.*}}double @slow{{.*}}(
// CHECK: fadd double %{{.*}}, 1.0
// CHECK-NOT: @slow{{[0-9]}}
KERNEL void reverse(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)wave, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
KERNEL void forward(double *x, double *dx, double *y, double *dy) {
  __enzyme_fwddiff((void *)wave, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
#endif

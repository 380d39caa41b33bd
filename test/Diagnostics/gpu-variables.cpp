// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of variables of the device that the program declares (ADZE_SHADOW).
//
// RUN: not %clang -x cuda -std=c++17 -nocudainc -nocudalib
// --cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version --cuda-device-only -O2 -g
// %adze -S %s -o %t.s 2>&1 | FileCheck %s
#define DEVICE __attribute__((device))
#define KERNEL __attribute__((global))
#include "../../include/adze/gpu/Shadows.h"

extern DEVICE int enzyme_dup;
template <class... T> DEVICE void __enzyme_autodiff(void *, T...);

DEVICE double weights[4], dweights[4];
ADZE_SHADOW(weights, dweights)
DEVICE double few[4];
DEVICE float dfew[4];
// CHECK-DAG: error: {{.*}}__adze_register_shadow_few{{.*}}they must be two
// variables of one type
ADZE_SHADOW(few, dfew)
DEVICE double *pointers[2], *dpointers[2];
// CHECK-DAG: error: {{.*}}__adze_register_shadow_pointers{{.*}}they hold
// pointers
ADZE_SHADOW(pointers, dpointers)
__attribute__((constant)) double fixed[4], dfixed[4];
// CHECK-DAG: error: {{.*}}__adze_register_shadow_fixed{{.*}}the shadow must be a
// __device__ variable
ADZE_SHADOW(fixed, dfixed)
__attribute__((shared)) double tile[4];
DEVICE double dtile[4];
// CHECK-DAG: error: {{.*}}__adze_register_shadow_tile{{.*}}only variables that
// the host may change have such shadows
ADZE_SHADOW(tile, dtile)

DEVICE void changes(double *x) {
  weights[1] = x[0] * x[0];
  x[1] = weights[1] * x[0];
}

DEVICE int number;
DEVICE __attribute__((noinline)) void note() {
  __nvvm_atom_add_gen_i(&number, 1);
}
DEVICE void counts(double *x) {
  note();
  x[0] *= x[1];
}

namespace adze::gpu { // as adze/gpu.hpp makes kernels of launches
// CHECK-DAG: gpu-variables.cpp:[[#@LINE-5]]:{{.*}} error: cannot differentiate
// 'weights, a variable of the device that a kernel changes, in a file with
// kernels that differentiated code launches' CHECK-DAG: to fix: pass its
// address as an argument
KERNEL void gradient(double *x, double *dx) {
  __enzyme_autodiff((void *)changes, enzyme_dup, x, dx);
}
// CHECK-DAG: error: cannot differentiate 'number, a variable of the device that
// a kernel changes, in a file
KERNEL void counted(double *x, double *dx) {
  __enzyme_autodiff((void *)counts, enzyme_dup, x, dx);
}
} // namespace adze::gpu

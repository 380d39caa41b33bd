// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx %clang-adze -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -Wno-unknown-cuda-version -S -emit-llvm -fno-discard-value-names -Xclang -disable-llvm-passes %s -o - | %opt -passes=adze-import,verify -S | FileCheck %s
// Code for a device: variables in its address spaces, expressions.
#define DEVICE __attribute__((device))
DEVICE void __enzyme_autodiff(void *, ...);

// CHECK: @table = {{.*}}addrspace(1){{.*}} !adze.type ![[TABLE:[0-9]+]]
// CHECK: @{{.*}}shared = {{.*}}addrspace(3){{.*}} !adze.type ![[SHARED:[0-9]+]]
// CHECK: define{{.*}} @_Z1fPdPvi(ptr noundef "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" %x, ptr noundef %raw,
// CHECK: load ptr, ptr %raw.addr{{.*}} !adze.type ![[ROW:[0-9]+]]
// CHECK-DAG: ![[TABLE]] = !{!"{[0]:Pointer? -> {[*8x4]:Float@double?}}"}
// CHECK-DAG: ![[SHARED]] = !{!"{[0]:Pointer? -> {[*4x32]:Float@float?}}"}
// CHECK-DAG: ![[ROW]] = !{!"{[0]:Pointer? -> {[*4]:Float@float?}}"}
// CHECK-NOT: llvm.metadata
DEVICE double table[4];
DEVICE void f(double *x, void *raw, int n) {
  __attribute__((shared)) static float shared[32];
  shared[n] = x[n] * table[1];
  x[n] = shared[n] + ((float *)raw)[n];
}
__attribute__((global)) void kernel(double *x, double *dx) {
  __enzyme_autodiff((void *)f, x, dx, x, x, 1);
}

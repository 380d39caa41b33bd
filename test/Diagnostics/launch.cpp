// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels without ADZE_KERNEL, and functions of CUDA of which
// nothing is known, also where no derivative goes through them. Split mode.
//
// RUN: not %clang -x cuda --cuda-host-only -nocudainc -nocudalib -O1 -g %adze -I%srcroot/test/GpuHost/include -I%srcroot/include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -x cuda --cuda-host-only -nocudainc -nocudalib -O1 -g %adze -I%srcroot/test/GpuHost/include -I%srcroot/include -c %s -o %t.o -DSPLIT 2>&1 | FileCheck %s --check-prefix=SPLIT
// RUN: not %clang -x cuda --cuda-host-only -nocudainc -nocudalib -O0 -g %adze -I%srcroot/test/GpuHost/include -I%srcroot/include -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -x cuda --cuda-host-only -nocudainc -nocudalib -O0 -g %adze -I%srcroot/test/GpuHost/include -I%srcroot/include -c %s -o %t.o -DSPLIT 2>&1 | FileCheck %s --check-prefix=SPLIT
#include <cuda_runtime.h>

#include <adze/gpu.hpp>
#include <cublas_v2.h>

template <class... T> void __enzyme_autodiff(void *, T...);
template <class... T> double __enzyme_fwddiff(void *, T...);

__global__ void with(double *x) { *x *= *x; }
ADZE_KERNEL(with, dup)
namespace inside {
template <class T> __global__ void without(T *i) { ++*i; }
} // namespace inside

static void count(int *numbers) {
  // CHECK: launch.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate the launch of kernel '{{.*}}inside::without<int>': no derivative of it is given
  inside::without<<<1, 1>>>(numbers);
}
// CHECK: to fix: include <adze/gpu.hpp>, and put ADZE_KERNEL({{.*}}inside::without<int>, ...) behind the kernel, with one of dup, const and out for each parameter, in the file that launches it
double launches(double *x, int *numbers) {
  with<<<1, 1>>>(x);
  count(numbers);
  return 0;
}

double calls(double *x) {
  with<<<1, 1>>>(x);
  const double two = 2;
  // CHECK: launch.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate the call of 'cudaMemcpy2D': nothing is known of this function of CUDA
  cudaMemcpy2D(x, sizeof(two), &two, sizeof(two), sizeof(two), 1, cudaMemcpyHostToDevice);
  return 0;
}
// CHECK: to fix: include <adze/gpu.hpp>, which has derivatives of copies and fills, or <adze/cublas.hpp> for those of cuBLAS; for others see docs/GpuLaunches.md, or declare it inactive if it leaves memory of the device as it is

double rotates(double *x) {
  with<<<1, 1>>>(x);
  const double c = 0.6, s = 0.8;
  // CHECK: launch.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate the call of 'cublasDrot_v2': nothing is known of this function of cuBLAS
  cublasDrot(nullptr, 2, x, 1, x + 2, 1, &c, &s);
  return 0;
}

double right(double *x) {
  with<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  return 0;
}

extern int enzyme_dup;
template <class... T> void *__enzyme_augmentfwd(void *, T...);
template <class... T> void __enzyme_reverse(void *, T...);

double main_of(double *x, double *dx, int *numbers) {
#ifndef SPLIT
  __enzyme_autodiff((void *)launches, x, dx, numbers, numbers);
  __enzyme_autodiff((void *)right, x, dx);
  __enzyme_fwddiff((void *)calls, x, dx);
  // CHECK: 3 errors generated
  return __enzyme_fwddiff((void *)rotates, x, dx);
#else
  // SPLIT: launch.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: '__enzyme_augmentfwd' cannot be used like this: 'right(double*)' launches kernels or copies memory of a device, which must stay as it is until the second half has read it again
  // SPLIT: to fix: use __enzyme_autodiff, which makes both passes in one call
  void *tape = __enzyme_augmentfwd((void *)right, x, dx);
  __enzyme_reverse((void *)right, x, dx, 1.0, tape);
  return 0;
#endif
}


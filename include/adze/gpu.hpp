// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of host functions that launch kernels of CUDA and HIP
// (docs/GpuLaunches.md). Include it where such a function is differentiated,
// and say of each kernel that it launches what its parameters are:
//
//   __global__ void step(const double *u, double *next, int n, double dt);
//   ADZE_KERNEL(step, dup, dup, const, out)
//
//   double energy(const double *start, int n, double dt) {
//     ... cudaMalloc, cudaMemcpy, step<<<blocks, 256>>>(u, next, n, dt) ...
//   }
//   __enzyme_autodiff((void *)energy, start, dstart, n, dt);
//
//   dup    a pointer whose memory has a shadow
//   const  a pointer or a number without derivative
//   out    a floating-point number with a derivative
//
// ADZE_KERNEL stands behind the kernel, outside of namespaces, in the file that
// has the kernel's body. A kernel with commas in its name has parentheses:
// ADZE_KERNEL((step<double, 2>), dup, dup).
#ifndef ADZE_GPU_HPP
#define ADZE_GPU_HPP

#if defined(__CUDA__) || defined(__HIP__)

#include "adze/gpu/Launches.hpp"

#endif
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivatives of host functions that call cuBLAS (docs/GpuLaunches.md). Include
// it where such a function is differentiated:
//
//   #include <adze/cublas.hpp>
//
//   double energy(const double *a, int n) {
//     ... cudaMalloc, cudaMemcpy, cublasDgemm, cublasDdot ...
//   }
//   __enzyme_autodiff((void *)energy, a, da, n);
#ifndef ADZE_CUBLAS_HPP
#define ADZE_CUBLAS_HPP

#include "adze/gpu.hpp"

#if defined(__CUDA__)

#include "adze/gpu/BlasMatrices.hpp"
#include "adze/gpu/BlasTransfers.hpp"
#include "adze/gpu/BlasVectors.hpp"

#endif
#endif

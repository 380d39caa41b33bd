// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's spelling for the kernels of test/Gpu, without the headers of CUDA and
// HIP: these tests run where no toolkit is installed. What CUDA and HIP spell
// differently stands in gpu_nvptx.h and gpu_amdgcn.h, as their own headers do
// it.
#ifndef ADZE_TEST_GPU_H
#define ADZE_TEST_GPU_H

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __attribute__((always_inline)) inline
#define __noinline__ __attribute__((noinline))
#define GPU_API static __device__ __forceinline__

typedef unsigned long size_t;

struct uint3 {
  unsigned x, y, z;
};
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};

GPU_API uint3 gpuIndex(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

#ifdef __AMDGCN__
#include "gpu_amdgcn.h"
#else
#include "gpu_nvptx.h"
#endif
#include "gpu_math.h"
#include "gpu_warp.h"

GPU_API float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
GPU_API float2 make_float2(float x, float y) { return {x, y}; }
GPU_API double2 make_double2(double x, double y) { return {x, y}; }

// The thread's number in a grid of one dimension, and the number of all
// threads.
GPU_API int globalThread() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}
GPU_API int globalThreads() { return static_cast<int>(gridDim.x * blockDim.x); }

#endif

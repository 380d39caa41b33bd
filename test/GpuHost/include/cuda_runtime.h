// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much of CUDA's interface as the programs here call. runtime.cpp stands for
// the library.
#ifndef ADZE_TEST_CUDA_RUNTIME_H
#define ADZE_TEST_CUDA_RUNTIME_H

#include <stddef.h>

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#else // runtime.cpp
#define __device__
#define __host__
#endif

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1,
                                     unsigned z = 1)
      : x(x), y(y), z(z) {}
};

#ifdef __CUDA_ARCH__
#include <__clang_cuda_builtin_vars.h>
#else
extern const dim3 threadIdx, blockIdx, blockDim, gridDim;
#endif

enum cudaError_t {
  cudaSuccess,
  cudaErrorInvalidValue,
  cudaErrorMemoryAllocation
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaMemoryType {
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
  cudaMemoryType type;
};
using cudaStream_t = struct CUstream_st *;
using cudaEvent_t = struct CUevent_st *;

extern "C" {
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaMallocManaged(void **, size_t, unsigned = 1);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind,
                            cudaStream_t = nullptr);
// Nothing is known of its derivative.
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t,
                         cudaMemcpyKind);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = nullptr);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t,
                                    cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t,
                                      cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaGetSymbolSize(size_t *, const void *);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
const char *cudaGetErrorString(cudaError_t);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t,
                             cudaStream_t);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = nullptr);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void * = nullptr);
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
}

template <class T> cudaError_t cudaMalloc(T **to, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(to), bytes);
}
template <class T> cudaError_t cudaMallocManaged(T **to, size_t bytes) {
  return cudaMallocManaged(reinterpret_cast<void **>(to), bytes);
}
template <class T> cudaError_t cudaMallocHost(T **to, size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void **>(to), bytes);
}

// Variables of the device, by their names.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &variable, const void *from,
                               size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void *>(&variable), from, bytes,
                            offset, kind);
}
template <class T>
cudaError_t
cudaMemcpyToSymbolAsync(const T &variable, const void *from, size_t bytes,
                        size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                        cudaStream_t stream = nullptr) {
  return cudaMemcpyToSymbolAsync(static_cast<const void *>(&variable), from,
                                 bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &variable, size_t bytes,
                                 size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, static_cast<const void *>(&variable), bytes,
                              offset, kind);
}
template <class T>
cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const T &variable, size_t bytes,
                          size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                          cudaStream_t stream = nullptr) {
  return cudaMemcpyFromSymbolAsync(to, static_cast<const void *>(&variable),
                                   bytes, offset, kind, stream);
}
template <class T, class V>
cudaError_t cudaGetSymbolAddress(T **to, const V &variable) {
  return cudaGetSymbolAddress(reinterpret_cast<void **>(to),
                              static_cast<const void *>(&variable));
}

#endif

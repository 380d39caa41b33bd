// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime interface of CUDA or HIP, under one name, and how a derivative
// ends a program whose calls of it fail.
#ifndef ADZE_GPU_API_HPP
#define ADZE_GPU_API_HPP

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__HIP__)
#define ADZE_GPU(NAME) hip##NAME
#else
#define ADZE_GPU(NAME) cuda##NAME
#endif

#define ADZE_GPU_KERNEL __attribute__((global))
#define ADZE_GPU_DEVICE __attribute__((device))
#define ADZE_GPU_BOTH __attribute__((host)) __attribute__((device))

extern "C" {
#if defined(__HIP__)
hipError_t __hipPopCallConfiguration(dim3 *, dim3 *, size_t *, hipStream_t *);
#else
cudaError_t __cudaPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
// Of the driver, which the runtime has loaded.
int adze_gpu_address_range(
    unsigned long long *, size_t *,
    unsigned long long) __asm__("cuMemGetAddressRange_v2")
    __attribute__((weak));
void *dlopen(const char *, int);
void *dlsym(void *, const char *);
#endif
}

namespace adze::gpu {

using status = ADZE_GPU(Error_t);
using stream = ADZE_GPU(Stream_t);

[[noreturn]] __attribute__((cold)) inline void stop(const char *who,
                                                    const char *why) {
  fprintf(stderr, "derivative of '%s': %s\n", who, why);
  abort();
}

inline void check(status error, const char *who) {
  if (error != ADZE_GPU(Success))
    stop(who, ADZE_GPU(GetErrorString)(error));
}

/// What the reverse pass does, it does in order: in the stream that waits for
/// all others.
inline stream in_order() {
#if defined(__HIP__)
  return nullptr;
#else
  return reinterpret_cast<stream>(0x1); // cudaStreamLegacy
#endif
}

/// A launch as <<<>>> has it.
struct configuration {
  dim3 grid, block;
  size_t shared = 0;
  gpu::stream stream = nullptr;

  /// What stands in front of the call of a kernel's stub.
  static configuration pop() {
    configuration c;
#if defined(__HIP__)
    (void)__hipPopCallConfiguration(&c.grid, &c.block, &c.shared, &c.stream);
#else
    __cudaPopCallConfiguration(&c.grid, &c.block, &c.shared, &c.stream);
#endif
    return c;
  }
};

enum class memory_of { host, device, both };

/// Whose memory \p pointer leads into: of both, if it is managed.
inline memory_of owner_of(const void *pointer) {
#if defined(__HIP__)
  hipPointerAttribute_t attributes;
  if (hipPointerGetAttributes(&attributes, pointer) != hipSuccess) {
    (void)hipGetLastError();
    return memory_of::host;
  }
  return attributes.isManaged     ? memory_of::both
         : attributes.hostPointer ? memory_of::host
                                  : memory_of::device;
#else
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) {
    (void)cudaGetLastError();
    return memory_of::host;
  }
  return attributes.type == cudaMemoryTypeManaged  ? memory_of::both
         : attributes.type == cudaMemoryTypeDevice ? memory_of::device
                                                   : memory_of::host;
#endif
}

inline bool is_device(const void *pointer) {
  return owner_of(pointer) != memory_of::host;
}

/// The allocation of a device that \p pointer leads into; false if it cannot be
/// found.
inline bool range_of(const void *pointer, char *&begin, size_t &bytes) {
#if defined(__HIP__)
  hipDeviceptr_t base = nullptr;
  const bool found =
      hipMemGetAddressRange(&base, &bytes, const_cast<void *>(pointer)) ==
      hipSuccess;
  begin = static_cast<char *>(base);
  if (!found)
    (void)hipGetLastError();
  return found;
#else
  static auto *const query = [] {
    if (&adze_gpu_address_range != nullptr)
      return &adze_gpu_address_range;
    constexpr int lazily = 1;
    void *driver = dlopen("libcuda.so.1", lazily);
    return reinterpret_cast<decltype(&adze_gpu_address_range)>(
        driver ? dlsym(driver, "cuMemGetAddressRange_v2") : nullptr);
  }();
  unsigned long long base = 0;
  const bool found =
      query &&
      query(&base, &bytes, reinterpret_cast<unsigned long long>(pointer)) == 0;
  begin = reinterpret_cast<char *>(base);
  return found;
#endif
}

inline void synchronize(const char *who) {
  check(ADZE_GPU(DeviceSynchronize)(), who);
}

inline void zero(void *memory, size_t bytes, const char *who) {
  check(ADZE_GPU(MemsetAsync)(memory, 0, bytes, in_order()), who);
}

} // namespace adze::gpu
#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for the tapes of gradients in kernels of CUDA and HIP (docs/Gpu.md).
 *
 * A gradient that must keep what a loop computes, as often as only the run
 * knows, writes it to memory that the host gives: so many bytes for each thread
 * that the device can run at the same time, however many threads a launch has.
 *
 *   #include <adze/gpu.h>
 *   adze_gpu_tape(4096);           // once, for the device that is current
 *   gradient<<<blocks, 256>>>(..);
 *
 * Where that does not do, the kernel ends with an error, as at an assertion. A
 * host that wants to go on asks itself:
 *
 *   size_t bytes = 1024;
 *   do {
 *     adze_gpu_tape_checked(bytes);
 *     ... zero the shadows, launch the kernel ...
 *   } while ((bytes = adze_gpu_tape_needed()));
 *
 * A __device__ or __constant__ variable with active data has a shadow that the
 * program declares beside it: derivatives add to it, or read tangents there, as
 * with the shadow of an argument, and the program seeds it and makes it zero.
 *
 *   __constant__ double weights[64];
 *   __device__ double dweights[64];
 *   ADZE_SHADOW(weights, dweights)
 *
 * Without relocatable device code, each file with such kernels has memory of
 * its own: call these functions there.
 */
#ifndef ADZE_GPU_H
#define ADZE_GPU_H

#include <adze/gpu/Shadows.h>

#include <stddef.h>
#include <stdint.h>

/** With so many bytes of dynamic shared memory a kernel is launched that
 * computes a derivative of code which uses @p bytes (extern __shared__): the
 * shadows lie behind. A kernel that finds another number ends with an error. */
static inline size_t adze_gpu_shared(size_t bytes) {
  return 2 * ((bytes + 15) & ~(size_t)15) + 4;
}

/** As lib/Runtime/LaneTape.c has it: what the kernels know of the memory. */
struct adze_gpu_tape_memory {
  char *memory;
  uint64_t segment_bytes; /* of one warp */
  uint32_t segments;
  uint32_t ends_thread;
  uint32_t *users;
  uint64_t *needed; /* memory of the host that the device sees */
};

#if defined(__CUDA__) || defined(__CUDACC__)
#define ADZE_GPU_API(NAME) cuda##NAME
#elif defined(__HIP__)
#define ADZE_GPU_API(NAME) hip##NAME
#endif

#ifdef ADZE_GPU_API

extern "C" {
/* One for all files where device code is linked, else one for each. */
#ifdef __CLANG_RDC__
__device__
    __attribute__((weak)) struct adze_gpu_tape_memory adze_gpu_tape_state;
#else
static __device__ struct adze_gpu_tape_memory
    adze_gpu_tape_state __asm__("adze_gpu_tape_state");
#endif
}

/** What adze_gpu_tape() has given; of this file. */
static inline struct adze_gpu_tape_memory *adze_gpu_tape_given(void) {
  static struct adze_gpu_tape_memory Given;
  return &Given;
}

/** Gives the memory back. Returns an error of the API, or 0. */
static inline int adze_gpu_tape_release(void) {
  struct adze_gpu_tape_memory *given = adze_gpu_tape_given();
  int error = 0;
  if (given->memory)
    error |= (int)ADZE_GPU_API(Free)(given->memory);
  if (given->users)
    error |= (int)ADZE_GPU_API(Free)(given->users);
#ifdef __HIP__
  if (given->needed)
    error |= (int)hipHostFree(given->needed);
#else
  if (given->needed)
    error |= (int)cudaFreeHost(given->needed);
#endif
  *given = adze_gpu_tape_memory();
  return error;
}

/** @p bytes for each thread; @p ends_thread: see above. Returns an error of the
 * API, or 0. Waits for the device. */
static inline int adze_gpu_tape_give(size_t bytes, int ends_thread) {
  struct adze_gpu_tape_memory *given = adze_gpu_tape_given();
  int device = 0, processors = 0, threads = 0, warp = 0;
  int error = (int)ADZE_GPU_API(DeviceSynchronize)();
  error |= adze_gpu_tape_release();
  error |= (int)ADZE_GPU_API(GetDevice)(&device);
#ifdef __HIP__
  error |= (int)hipDeviceGetAttribute(
      &processors, hipDeviceAttributeMultiprocessorCount, device);
  error |= (int)hipDeviceGetAttribute(
      &threads, hipDeviceAttributeMaxThreadsPerMultiProcessor, device);
  error |=
      (int)hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, device);
#else
  error |= (int)cudaDeviceGetAttribute(&processors,
                                       cudaDevAttrMultiProcessorCount, device);
  error |= (int)cudaDeviceGetAttribute(
      &threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  error |= (int)cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
#endif
  if (error)
    return error;
  given->segments = (uint32_t)(processors * (threads / warp));
  given->segment_bytes = ((bytes + 7) & ~(size_t)7) * (uint64_t)warp;
  given->ends_thread = (uint32_t)ends_thread;
  error |= (int)ADZE_GPU_API(Malloc)((void **)&given->memory,
                                     given->segments * given->segment_bytes);
  const size_t users = given->segments * sizeof(uint32_t);
  error |= (int)ADZE_GPU_API(Malloc)((void **)&given->users, users);
  error |= (int)ADZE_GPU_API(HostAlloc)(
      (void **)&given->needed, sizeof(uint64_t), ADZE_GPU_API(HostAllocMapped));
  if (error) {
    adze_gpu_tape_release();
    return error;
  }
  *given->needed = 0;
  error |= (int)ADZE_GPU_API(Memset)(given->users, 0, users);
  struct adze_gpu_tape_memory seen = *given;
  error |= (int)ADZE_GPU_API(HostGetDevicePointer)((void **)&seen.needed,
                                                   given->needed, 0);
  error |= (int)ADZE_GPU_API(MemcpyToSymbol)(adze_gpu_tape_state, &seen,
                                             sizeof(seen));
  return error;
}

/** Gives kernels @p bytes of tape for each thread. A gradient that needs more
 * ends with an error. Returns an error of the API, or 0. */
static inline int adze_gpu_tape(size_t bytes) {
  return adze_gpu_tape_give(bytes, 0);
}

/** The same, but the threads that need more end, and the host must ask
 * adze_gpu_tape_needed() behind each launch. */
static inline int adze_gpu_tape_checked(size_t bytes) {
  return adze_gpu_tape_give(bytes, 1);
}

/** Waits for the device. 0 if the tape did for all threads since the memory was
 * given; else so many bytes as to try again with: what the kernels have
 * computed is not complete. */
static inline size_t adze_gpu_tape_needed(void) {
  struct adze_gpu_tape_memory *given = adze_gpu_tape_given();
  (void)ADZE_GPU_API(DeviceSynchronize)();
  if (!given->needed || !*given->needed)
    return 0;
  /* A loop that goes on will ask for twice as much the next time. */
  return 2 * (size_t)*given->needed;
}

#undef ADZE_GPU_API
#endif

#endif

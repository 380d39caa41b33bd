// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of __device__ variables (adze/gpu.h).
#ifndef ADZE_GPU_SHADOWS_H
#define ADZE_GPU_SHADOWS_H

/** @p SHADOW is the shadow of the variable @p VARIABLE, in all kernels of this
 * file. Stands at file scope. */
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ADZE_SHADOW(VARIABLE, SHADOW)                                          \
  static __attribute__((device,                                                \
                        used)) void *__adze_register_shadow_##VARIABLE[] = {   \
      (void *)&VARIABLE, (void *)&SHADOW};
#else
#define ADZE_SHADOW(VARIABLE, SHADOW)                                          \
  static_assert(sizeof(VARIABLE) == sizeof(SHADOW), "a shadow is as large");
#endif

#endif

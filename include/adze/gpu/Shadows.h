// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of __device__ and __constant__ variables (adze/gpu.h).
#ifndef ADZE_GPU_SHADOWS_H
#define ADZE_GPU_SHADOWS_H

namespace adze::gpu {

/// A variable of the device with a shadow, or one that needs none.
struct symbol {
  const void *variable, *shadow; // by which the host names them
  unsigned holds;                // contains
  symbol *next;

  symbol(const void *variable, const void *shadow, unsigned holds)
      : variable(variable), shadow(shadow), holds(holds), next(first()) {
    first() = this;
  }
  static symbol *&first() {
    static symbol *All = nullptr;
    return All;
  }
  static const symbol *of(const void *variable) {
    const symbol *s = first();
    while (s && s->variable != variable)
      s = s->next;
    return s;
  }
};

} // namespace adze::gpu

/** @p SHADOW, a __device__ variable, is the shadow of the variable @p VARIABLE,
 * in all kernels of this file, and in code of the host that copies there.
 * Stands at file scope.
 *
 * ADZE_NO_SHADOW(VARIABLE): what it holds has no derivative. */
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define ADZE_SHADOW(VARIABLE, SHADOW)                                          \
  static __attribute__((device,                                                \
                        used)) void *__adze_register_shadow_##VARIABLE[] = {   \
      (void *)&VARIABLE, (void *)&SHADOW};
#define ADZE_NO_SHADOW(VARIABLE)                                               \
  static_assert(sizeof(VARIABLE) != 0, "a variable");
#else
#include "adze/gpu/Contents.hpp"

#define ADZE_SHADOW(VARIABLE, SHADOW)                                          \
  static_assert(sizeof(VARIABLE) == sizeof(SHADOW), "a shadow is as large");   \
  static adze::gpu::symbol adze_shadow_of_##VARIABLE(                          \
      (const void *)&VARIABLE, (const void *)&SHADOW,                          \
      adze::gpu::contents<                                                     \
          std::remove_all_extents_t<decltype(VARIABLE)>>::value);
#define ADZE_NO_SHADOW(VARIABLE)                                               \
  static adze::gpu::symbol adze_shadow_of_##VARIABLE(                          \
      (const void *)&VARIABLE, nullptr, adze::gpu::numbers);
#endif

#endif

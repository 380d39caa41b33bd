// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of a device: where they are, and their shadows (ADZE_SHADOW).
#ifndef ADZE_GPU_VARIABLES_HPP
#define ADZE_GPU_VARIABLES_HPP

#include "adze/gpu/Api.hpp"
#include "adze/gpu/Shadows.h"

namespace adze::gpu {

/// The shadow of a variable, as the host names it; null if it has none.
inline const void *shadow_of_variable(const void *variable, const char *who) {
  const symbol *s = symbol::of(variable);
  if (!s)
    stop(who, "a variable of the device without a shadow: declare one "
              "(ADZE_SHADOW of adze/gpu.h), or say that it needs none "
              "(ADZE_NO_SHADOW)");
  return s->shadow;
}

inline char *address_of_variable(const void *variable, const char *who) {
  void *address = nullptr;
  check(ADZE_GPU(GetSymbolAddress)(&address, variable), who);
  return static_cast<char *>(address);
}

/// The variable, of those that the program declares, that \p pointer leads
/// into; null if there is none.
inline const symbol *range_of_variable(const void *pointer, char *&begin,
                                       size_t &bytes, const char *who) {
  for (const symbol *s = symbol::first(); s; s = s->next) {
    begin = address_of_variable(s->variable, who);
    check(ADZE_GPU(GetSymbolSize)(&bytes, s->variable), who);
    auto *at = static_cast<const char *>(pointer);
    if (at >= begin && at < begin + bytes)
      return s;
  }
  return nullptr;
}

/// Where in the shadow of \p variable; null if it has none.
inline void *place_in_shadow(const void *variable, size_t offset,
                             const char *who) {
  const symbol *s = symbol::of(variable);
  return s && s->shadow ? address_of_variable(s->shadow, who) + offset
                        : nullptr;
}

/// \p shadow, of what \p pointer leads to. If there is none, and that is a
/// variable of the device, it is in the variable's shadow: the compiler does
/// not know of addresses that the interface tells.
template <class T>
T *shadow_at(const void *pointer, T *shadow, const char *who) {
  char *begin = nullptr;
  size_t bytes = 0;
  if (shadow || !pointer || !symbol::first() || !is_device(pointer))
    return shadow;
  const symbol *s = range_of_variable(pointer, begin, bytes, who);
  if (!s || !s->shadow)
    return nullptr;
  return reinterpret_cast<T *>(address_of_variable(s->shadow, who) +
                               (static_cast<const char *>(pointer) - begin));
}

} // namespace adze::gpu
#endif

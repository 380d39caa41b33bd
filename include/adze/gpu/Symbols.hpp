// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of copies to and from variables of a device (v), whose shadows
// the program declares (ADZE_SHADOW):
//
//   v = copy(x)        x' += v'; v' = 0
//   y = copy(v)        v' += y'; y' = 0
//   p = address(v)     p' = address(v')
#ifndef ADZE_GPU_SYMBOLS_HPP
#define ADZE_GPU_SYMBOLS_HPP

#include "adze/gpu/Copies.hpp"

namespace adze::gpu {

/// Something without a derivative may go to a variable without a shadow.
inline void check_shadow(const void *variable, const void *other_shadow,
                         const char *who) {
  if (other_shadow)
    (void)shadow_of_variable(variable, who);
}

inline move begin_to_variable(const char *who, const void *variable,
                              const void *from, const void *from_shadow,
                              stream in) {
  memory &m = memory::of_thread();
  check_shadow(variable, from_shadow, who);
  m.forward(in, who);
  block &b = m.of_variable(variable);
  if (block *source = m.find(from))
    b.holds |= source->holds;
  return {who, m.write(b)};
}

inline void to_variable_back(const move &done, const void *variable,
                             const void *from, const void *from_shadow,
                             size_t bytes, size_t offset) {
  copy_back(done, address_of_variable(variable, done.who) + offset,
            place_in_shadow(variable, offset, done.who), from,
            const_cast<void *>(from_shadow), bytes);
}

/// The tangent of what goes to a variable.
inline void carry_to_variable(const void *variable, const void *from_shadow,
                              size_t bytes, size_t offset,
                              ADZE_GPU(MemcpyKind) kind, stream in,
                              const char *who) {
  check_shadow(variable, from_shadow, who);
  void *shadow = place_in_shadow(variable, offset, who);
  if (shadow && from_shadow)
    check(ADZE_GPU(MemcpyAsync)(shadow, from_shadow, bytes, kind, in), who);
  else if (shadow)
    check(ADZE_GPU(MemsetAsync)(shadow, 0, bytes, in), who);
}

/// The tangent of what comes from one.
inline void carry_from_variable(void *to_shadow, const void *variable,
                                size_t bytes, size_t offset,
                                ADZE_GPU(MemcpyKind) kind, stream in,
                                const char *who) {
  const void *shadow = place_in_shadow(variable, offset, who);
  if (to_shadow && shadow)
    check(ADZE_GPU(MemcpyAsync)(to_shadow, shadow, bytes, kind, in), who);
  else if (to_shadow && is_device(to_shadow))
    check(ADZE_GPU(MemsetAsync)(to_shadow, 0, bytes, in), who);
  else if (to_shadow)
    memset(to_shadow, 0, bytes);
}

struct to_symbol_derivative {
  static constexpr const char *who = "cudaMemcpyToSymbol";
  static moved augmented(const void *variable, const void *from,
                         const void *from_shadow, size_t bytes, size_t offset,
                         direction kind) {
    const move m = begin_to_variable(who, variable, from, from_shadow, nullptr);
    return {keep(m),
            ADZE_GPU(MemcpyToSymbol)(variable, from, bytes, offset, kind)};
  }
  static void reverse(const void *variable, const void *from,
                      const void *from_shadow, size_t bytes, size_t offset,
                      direction, move *done) {
    to_variable_back(*done, variable, from, from_shadow, bytes, offset);
    free(done);
  }
  static status forward(const void *variable, const void *from,
                        const void *from_shadow, size_t bytes, size_t offset,
                        direction kind) {
    carry_to_variable(variable, from_shadow, bytes, offset, kind, nullptr, who);
    return ADZE_GPU(MemcpyToSymbol)(variable, from, bytes, offset, kind);
  }
  static void *__adze_register_exchange[];
};

struct to_symbol_async_derivative {
  static constexpr const char *who = "cudaMemcpyToSymbolAsync";
  static moved augmented(const void *variable, const void *from,
                         const void *from_shadow, size_t bytes, size_t offset,
                         direction kind, stream in) {
    const move m = begin_to_variable(who, variable, from, from_shadow, in);
    return {keep(m), ADZE_GPU(MemcpyToSymbolAsync)(variable, from, bytes,
                                                   offset, kind, in)};
  }
  static void reverse(const void *variable, const void *from,
                      const void *from_shadow, size_t bytes, size_t offset,
                      direction, stream, move *done) {
    to_variable_back(*done, variable, from, from_shadow, bytes, offset);
    free(done);
  }
  static status forward(const void *variable, const void *from,
                        const void *from_shadow, size_t bytes, size_t offset,
                        direction kind, stream in) {
    carry_to_variable(variable, from_shadow, bytes, offset, kind, in, who);
    return ADZE_GPU(MemcpyToSymbolAsync)(variable, from, bytes, offset, kind,
                                         in);
  }
  static void *__adze_register_exchange[];
};

/// y = copy(v) begins: \p to gets another content.
inline move begin_from_variable(const char *who, void *to, const void *variable,
                                stream in) {
  memory &m = memory::of_thread();
  m.forward(in, who);
  const block &source = m.of_variable(variable);
  block *b = m.find(to);
  if (b)
    b->holds |= source.holds;
  return {who, b ? m.write(*b) : nullptr};
}

inline void from_variable_back(const move &done, void *to, void *to_shadow,
                               const void *variable, size_t bytes,
                               size_t offset) {
  copy_back(done, to, to_shadow,
            address_of_variable(variable, done.who) + offset,
            place_in_shadow(variable, offset, done.who), bytes);
}

struct from_symbol_derivative {
  static constexpr const char *who = "cudaMemcpyFromSymbol";
  static moved augmented(void *to, void *, const void *variable, size_t bytes,
                         size_t offset, direction kind) {
    const move m = begin_from_variable(who, to, variable, nullptr);
    return {keep(m),
            ADZE_GPU(MemcpyFromSymbol)(to, variable, bytes, offset, kind)};
  }
  static void reverse(void *to, void *to_shadow, const void *variable,
                      size_t bytes, size_t offset, direction, move *done) {
    from_variable_back(*done, to, to_shadow, variable, bytes, offset);
    free(done);
  }
  static status forward(void *to, void *to_shadow, const void *variable,
                        size_t bytes, size_t offset, direction kind) {
    carry_from_variable(to_shadow, variable, bytes, offset, kind, nullptr, who);
    return ADZE_GPU(MemcpyFromSymbol)(to, variable, bytes, offset, kind);
  }
  static void *__adze_register_exchange[];
};

struct from_symbol_async_derivative {
  static constexpr const char *who = "cudaMemcpyFromSymbolAsync";
  static moved augmented(void *to, void *, const void *variable, size_t bytes,
                         size_t offset, direction kind, stream in) {
    const move m = begin_from_variable(who, to, variable, in);
    return {keep(m), ADZE_GPU(MemcpyFromSymbolAsync)(to, variable, bytes,
                                                     offset, kind, in)};
  }
  static void reverse(void *to, void *to_shadow, const void *variable,
                      size_t bytes, size_t offset, direction, stream,
                      move *done) {
    from_variable_back(*done, to, to_shadow, variable, bytes, offset);
    free(done);
  }
  static status forward(void *to, void *to_shadow, const void *variable,
                        size_t bytes, size_t offset, direction kind,
                        stream in) {
    carry_from_variable(to_shadow, variable, bytes, offset, kind, in, who);
    return ADZE_GPU(MemcpyFromSymbolAsync)(to, variable, bytes, offset, kind,
                                           in);
  }
  static void *__adze_register_exchange[];
};

struct symbol_address_derivative {
  static constexpr const char *who = "cudaGetSymbolAddress";
  static status put(void **to, void **to_shadow, const void *variable) {
    const void *shadow = shadow_of_variable(variable, who);
    if (to_shadow)
      *to_shadow = shadow ? address_of_variable(shadow, who) : nullptr;
    return ADZE_GPU(GetSymbolAddress)(to, variable);
  }
  static moved augmented(void **to, void **to_shadow, const void *variable) {
    return {nullptr, put(to, to_shadow, variable)};
  }
  static void reverse(void **, void **, const void *, move *) {}
  static status forward(void **to, void **to_shadow, const void *variable) {
    return put(to, to_shadow, variable);
  }
  static void *__adze_register_exchange[];
};

// As ADZE_GPU_REGISTER; the interfaces have templates of these names, too.
#define ADZE_GPU_REGISTER_AS(DERIVATIVE, FUNCTION, ROLES, ...)                 \
  __attribute__((                                                              \
      used)) inline void *DERIVATIVE::__adze_register_exchange[] = {           \
      reinterpret_cast<void *>(                                                \
          static_cast<status (*)(__VA_ARGS__)>(&FUNCTION)),                    \
      reinterpret_cast<void *>(&DERIVATIVE::augmented),                        \
      reinterpret_cast<void *>(&DERIVATIVE::reverse),                          \
      reinterpret_cast<void *>(&DERIVATIVE::forward),                          \
      const_cast<char *>(ROLES)};

ADZE_GPU_REGISTER_AS(to_symbol_derivative, ADZE_GPU(MemcpyToSymbol), "irnnn",
                     const void *, const void *, size_t, size_t, direction)
ADZE_GPU_REGISTER_AS(to_symbol_async_derivative, ADZE_GPU(MemcpyToSymbolAsync),
                     "iRnnni", const void *, const void *, size_t, size_t,
                     direction, stream)
ADZE_GPU_REGISTER_AS(from_symbol_derivative, ADZE_GPU(MemcpyFromSymbol),
                     "winnn", void *, const void *, size_t, size_t, direction)
ADZE_GPU_REGISTER_AS(from_symbol_async_derivative,
                     ADZE_GPU(MemcpyFromSymbolAsync), "Winnni", void *,
                     const void *, size_t, size_t, direction, stream)
ADZE_GPU_REGISTER_AS(symbol_address_derivative, ADZE_GPU(GetSymbolAddress),
                     "wi", void **, const void *)

} // namespace adze::gpu
#endif

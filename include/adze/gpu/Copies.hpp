// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of copies and fills of memory:
//
//   y = copy(x)     x' += y'; y' = 0
//   y = fill(c)     y' = 0
//
// What the elements of a device's memory are, launches tell: it is what their
// kernels take them for. Going back all happens in one stream, in order.
#ifndef ADZE_GPU_COPIES_HPP
#define ADZE_GPU_COPIES_HPP

#include "adze/gpu/Memory.hpp"
#include "adze/gpu/Variables.hpp"

namespace adze::gpu {

template <class T>
ADZE_GPU_KERNEL void add_kernel(T *to, const T *from, size_t count) {
#if defined(__HIP__)
  const size_t threads = __builtin_amdgcn_workgroup_size_x(),
               i = __builtin_amdgcn_workgroup_id_x() * threads +
                   __builtin_amdgcn_workitem_id_x();
#elif defined(__CUDA_ARCH__)
  const size_t threads = __nvvm_read_ptx_sreg_ntid_x(),
               i = __nvvm_read_ptx_sreg_ctaid_x() * threads +
                   __nvvm_read_ptx_sreg_tid_x();
#else
  const size_t i = count;
#endif
  if (i < count)
    to[i] += from[i];
}

/// A copy, or a fill, on its way through a derivative.
struct move {
  const char *who;
  content *written; // of the destination; null if that is the host's

  /// Reading from memory of the host, or a device.
  static move begin(const char *who, void *to, const void *from, stream in) {
    memory &m = memory::of_thread();
    m.forward(in, who);
    block *b = m.find(to), *source = m.find(from);
    if (b && source)
      b->holds |= source->holds;
    return {who, b ? m.write(*b) : nullptr};
  }
};

template <class T>
void add_on_device(T *to, const T *from, size_t count, const char *who) {
  constexpr unsigned threads = 256;
  void *arguments[] = {&to, &from, &count};
  check(ADZE_GPU(LaunchKernel)(reinterpret_cast<const void *>(&add_kernel<T>),
                               dim3(unsigned((count + threads - 1) / threads)),
                               dim3(threads), arguments, 0, in_order()),
        who);
}

/// Adds \p from to \p to, each in memory of the host or of a device.
template <class T>
void add(void *to, const void *from, size_t bytes, const char *who) {
  const size_t count = bytes / sizeof(T);
  if (bytes % sizeof(T) != 0)
    stop(who, "it copies a part of a floating-point number");
  const bool to_device = is_device(to), from_device = is_device(from);
  void *staged = nullptr;
  if (to_device && !from_device) {
    check(ADZE_GPU(Malloc)(&staged, bytes), who);
    check(ADZE_GPU(Memcpy)(staged, from, bytes, ADZE_GPU(MemcpyHostToDevice)),
          who);
    add_on_device(static_cast<T *>(to), static_cast<const T *>(staged), count,
                  who);
    check(ADZE_GPU(Free)(staged), who);
    return;
  }
  if (to_device)
    return add_on_device(static_cast<T *>(to), static_cast<const T *>(from),
                         count, who);
  if (from_device) {
    staged = malloc(bytes);
    if (!staged)
      stop(who, "no memory");
    check(ADZE_GPU(Memcpy)(staged, from, bytes, ADZE_GPU(MemcpyDeviceToHost)),
          who);
    from = staged;
  }
  for (size_t i = 0; i < count; ++i)
    static_cast<T *>(to)[i] += static_cast<const T *>(from)[i];
  free(staged);
}

/// Memory of the host, or of a device.
inline void zero_anywhere(void *to, size_t bytes, const char *who) {
  if (is_device(to))
    zero(to, bytes, who);
  else
    memset(to, 0, bytes);
}

inline bool is_zero(const void *memory, size_t bytes, const char *who) {
  auto *read = static_cast<unsigned char *>(malloc(bytes));
  if (!read)
    stop(who, "no memory");
  if (is_device(memory))
    check(ADZE_GPU(Memcpy)(read, memory, bytes, ADZE_GPU(MemcpyDeviceToHost)),
          who);
  else
    memcpy(read, memory, bytes);
  bool zero = true;
  for (size_t i = 0; i < bytes; ++i)
    zero &= read[i] == 0;
  free(read);
  return zero;
}

/// What launches take the memory at the ends of a copy for.
inline unsigned holds_of(block *to, block *from) {
  const unsigned both = (to ? to->holds : 0) | (from ? from->holds : 0);
  if (to)
    to->holds |= both;
  if (from)
    from->holds |= both;
  return both;
}

/// x' += y'; y' = 0. A shadow that is null: nothing to do there.
inline void copy_back(const move &done, void *to, void *to_shadow,
                      const void *from, void *from_shadow, size_t bytes) {
  memory &m = memory::of_thread();
  m.reverse(done.who);
  block *target = m.find(to), *source = m.find(from);
  to_shadow = shadow_at(to, to_shadow, done.who);
  from_shadow = shadow_at(from, from_shadow, done.who);
  const unsigned holds = holds_of(target, source);
  if (to_shadow && bytes) {
    if (from_shadow && holds != numbers) {
      if (holds == doubles)
        add<double>(from_shadow, to_shadow, bytes, done.who);
      else if (holds == floats)
        add<float>(from_shadow, to_shadow, bytes, done.who);
      else if (!is_zero(to_shadow, bytes, done.who))
        stop(done.who,
             holds == 0
                 ? "nothing tells what the memory that it copies holds: no "
                   "kernel of ADZE_KERNEL takes it"
                 : "kernels take the memory that it copies for elements of "
                   "several types, or of one without sums");
    }
    zero_anywhere(to_shadow, bytes, done.who);
  }
  m.end();
}

struct moved {
  move *done;
  status error;
};

inline move *keep(const move &m) {
  auto *kept = static_cast<move *>(malloc(sizeof(move)));
  if (!kept)
    stop(m.who, "no memory");
  *kept = m;
  return kept;
}

//===----------------------------------------------------------------------===//
// Functions of the interface
//===----------------------------------------------------------------------===//

using direction = ADZE_GPU(MemcpyKind);

struct memcpy_derivative {
  static constexpr const char *who = "cudaMemcpy";
  static moved augmented(void *to, void *, const void *from, const void *,
                         size_t bytes, direction kind) {
    const move m = move::begin(who, to, from, nullptr);
    return {keep(m), ADZE_GPU(Memcpy)(to, from, bytes, kind)};
  }
  static void reverse(void *to, void *to_shadow, const void *from,
                      const void *from_shadow, size_t bytes, direction,
                      move *done) {
    copy_back(*done, to, to_shadow, from, const_cast<void *>(from_shadow),
              bytes);
    free(done);
  }
  static status forward(void *to, void *to_shadow, const void *from,
                        const void *from_shadow, size_t bytes, direction kind) {
    to_shadow = shadow_at(to, to_shadow, who);
    from_shadow = shadow_at(from, from_shadow, who);
    if (to_shadow && from_shadow)
      check(ADZE_GPU(Memcpy)(to_shadow, from_shadow, bytes, kind), who);
    else if (to_shadow)
      zero_anywhere(to_shadow, bytes, who);
    return ADZE_GPU(Memcpy)(to, from, bytes, kind);
  }
  static void *__adze_register_exchange[];
};

struct memcpy_async_derivative {
  static constexpr const char *who = "cudaMemcpyAsync";
  static moved augmented(void *to, void *, const void *from, const void *,
                         size_t bytes, direction kind, stream in) {
    const move m = move::begin(who, to, from, in);
    return {keep(m), ADZE_GPU(MemcpyAsync)(to, from, bytes, kind, in)};
  }
  static void reverse(void *to, void *to_shadow, const void *from,
                      const void *from_shadow, size_t bytes, direction, stream,
                      move *done) {
    copy_back(*done, to, to_shadow, from, const_cast<void *>(from_shadow),
              bytes);
    free(done);
  }
  static status forward(void *to, void *to_shadow, const void *from,
                        const void *from_shadow, size_t bytes, direction kind,
                        stream in) {
    to_shadow = shadow_at(to, to_shadow, who);
    from_shadow = shadow_at(from, from_shadow, who);
    if (to_shadow && from_shadow)
      check(ADZE_GPU(MemcpyAsync)(to_shadow, from_shadow, bytes, kind, in),
            who);
    else if (to_shadow && is_device(to_shadow))
      check(ADZE_GPU(MemsetAsync)(to_shadow, 0, bytes, in), who);
    else if (to_shadow)
      memset(to_shadow, 0, bytes);
    return ADZE_GPU(MemcpyAsync)(to, from, bytes, kind, in);
  }
  static void *__adze_register_exchange[];
};

/// y' = 0
inline void fill_back(const move &done, void *shadow, size_t bytes) {
  memory &m = memory::of_thread();
  m.reverse(done.who);
  if (shadow && bytes)
    zero_anywhere(shadow, bytes, done.who);
  m.end();
}

struct memset_derivative {
  static constexpr const char *who = "cudaMemset";
  static moved augmented(void *to, void *, int byte, size_t bytes) {
    const move m = move::begin(who, to, nullptr, nullptr);
    return {keep(m), ADZE_GPU(Memset)(to, byte, bytes)};
  }
  static void reverse(void *to, void *shadow, int, size_t bytes, move *done) {
    fill_back(*done, shadow_at(to, shadow, who), bytes);
    free(done);
  }
  static status forward(void *to, void *shadow, int byte, size_t bytes) {
    shadow = shadow_at(to, shadow, who);
    if (shadow)
      check(ADZE_GPU(Memset)(shadow, 0, bytes), who);
    return ADZE_GPU(Memset)(to, byte, bytes);
  }
  static void *__adze_register_exchange[];
};

struct memset_async_derivative {
  static constexpr const char *who = "cudaMemsetAsync";
  static moved augmented(void *to, void *, int byte, size_t bytes, stream in) {
    const move m = move::begin(who, to, nullptr, in);
    return {keep(m), ADZE_GPU(MemsetAsync)(to, byte, bytes, in)};
  }
  static void reverse(void *to, void *shadow, int, size_t bytes, stream,
                      move *done) {
    fill_back(*done, shadow_at(to, shadow, who), bytes);
    free(done);
  }
  static status forward(void *to, void *shadow, int byte, size_t bytes,
                        stream in) {
    shadow = shadow_at(to, shadow, who);
    if (shadow)
      check(ADZE_GPU(MemsetAsync)(shadow, 0, bytes, in), who);
    return ADZE_GPU(MemsetAsync)(to, byte, bytes, in);
  }
  static void *__adze_register_exchange[];
};

// The function, its derivatives, and what its parameters are: w is memory that
// it writes and r that it reads, until it returns (W, R: until something else
// waits), n a number, i memory without derivative.
#define ADZE_GPU_REGISTER(DERIVATIVE, FUNCTION, ROLES)                         \
  __attribute__((                                                              \
      used)) inline void *DERIVATIVE::__adze_register_exchange[] = {           \
      reinterpret_cast<void *>(&FUNCTION),                                     \
      reinterpret_cast<void *>(&DERIVATIVE::augmented),                        \
      reinterpret_cast<void *>(&DERIVATIVE::reverse),                          \
      reinterpret_cast<void *>(&DERIVATIVE::forward),                          \
      const_cast<char *>(ROLES)};

ADZE_GPU_REGISTER(memcpy_derivative, ADZE_GPU(Memcpy), "wrnn")
ADZE_GPU_REGISTER(memcpy_async_derivative, ADZE_GPU(MemcpyAsync), "WRnni")
ADZE_GPU_REGISTER(memset_derivative, ADZE_GPU(Memset), "Wnn")
ADZE_GPU_REGISTER(memset_async_derivative, ADZE_GPU(MemsetAsync), "Wnni")

} // namespace adze::gpu
#endif

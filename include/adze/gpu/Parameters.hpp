// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of kernels: what ADZE_KERNEL says of them, and what kernels that
// are derivatives take in their place.
#ifndef ADZE_GPU_PARAMETERS_HPP
#define ADZE_GPU_PARAMETERS_HPP

#include "adze/gpu/Memory.hpp"
#include <utility>

namespace adze::gpu {

// What ADZE_KERNEL calls dup, const and out.
struct tag_dup {};
struct tag_const {};
struct tag_out {};

template <class... T> struct list {};

/// A parameter, for functions that know no types.
struct parameter {
  char role; // as of ADZE_GPU_REGISTER; f: a number with a derivative
  bool is_pointer, is_written;
  unsigned holds; // contains
  unsigned bytes;
};

template <class A, class Tag> constexpr parameter describe() {
  static_assert(!std::is_class_v<A> && !std::is_union_v<A>,
                "ADZE_KERNEL: a kernel that takes a structure by value is not "
                "supported: pass its members as parameters");
  if constexpr (std::is_pointer_v<A>) {
    using element = std::remove_pointer_t<A>;
    static_assert(!std::is_pointer_v<element>,
                  "ADZE_KERNEL: a kernel that reads pointers in memory of the "
                  "device is not supported: pass the pointers as parameters");
    static_assert(contents<std::remove_cv_t<element>>::value != unknown,
                  "ADZE_KERNEL: what this structure holds is not known: "
                  "specialize adze::gpu::contents for it "
                  "(docs/GpuLaunches.md)");
    static_assert(!std::is_same_v<Tag, tag_out>,
                  "ADZE_KERNEL: a pointer is dup or const");
    constexpr bool reads_only = std::is_const_v<element>;
    return {std::is_same_v<Tag, tag_const> ? 'i'
            : reads_only                   ? 'R'
                                           : 'M',
            true, !reads_only, contents<std::remove_cv_t<element>>::value,
            sizeof(A)};
  } else if constexpr (std::is_same_v<Tag, tag_out>) {
    static_assert(std::is_same_v<A, float> || std::is_same_v<A, double>,
                  "ADZE_KERNEL: only a float or a double is out");
    return {'f', false, false, 0, sizeof(A)};
  } else {
    static_assert(std::is_same_v<Tag, tag_const>,
                  "ADZE_KERNEL: a number is const or out");
    return {std::is_floating_point_v<A> ? 'i' : 'n', false, false, 0,
            sizeof(A)};
  }
}

/// What a derivative kernel takes for parameter I.
template <unsigned I, class A, class Tag> struct slot {
  A value;
};
template <unsigned I, class T> struct slot<I, T *, tag_dup> {
  T *value;
  std::remove_cv_t<T> *shadow;
};
template <unsigned I, class A> struct slot<I, A, tag_out> {
  A value, tangent;
  A *adjoint;
};

template <unsigned I, class A, class Tag>
ADZE_GPU_BOTH const slot<I, A, Tag> &at(const slot<I, A, Tag> &s) {
  return s;
}
template <unsigned I, class A, class Tag>
ADZE_GPU_BOTH slot<I, A, Tag> &at(slot<I, A, Tag> &s) {
  return s;
}

template <class Indices, class Parameters, class Tags> struct slots;
template <unsigned... I, class... A, class... Tag>
struct slots<std::integer_sequence<unsigned, I...>, list<A...>, list<Tag...>>
    : slot<I, A, Tag>... {};

/// Adjoints of numbers by value, as a gradient returns them.
template <class... T> struct adjoints;
template <> struct adjoints<> {
  using type = void;
};
template <class A> struct adjoints<A> {
  using type = A;
};
template <class A, class B> struct adjoints<A, B> {
  struct type {
    A a;
    B b;
  };
};
template <class A, class B, class C> struct adjoints<A, B, C> {
  struct type {
    A a;
    B b;
    C c;
  };
};

/// The types of parameters that are out.
template <class Done, class Parameters, class Tags> struct outs_of;
template <class... D> struct outs_of<list<D...>, list<>, list<>> {
  using type = typename adjoints<D...>::type;
};
template <class... D, class A, class... As, class... Tags>
struct outs_of<list<D...>, list<A, As...>, list<tag_out, Tags...>>
    : outs_of<list<D..., A>, list<As...>, list<Tags...>> {};
template <class... D, class A, class... As, class Tag, class... Tags>
struct outs_of<list<D...>, list<A, As...>, list<Tag, Tags...>>
    : outs_of<list<D...>, list<As...>, list<Tags...>> {};

/// The parameters of a derivative of the kernel's stub: shadows behind what has
/// them, Forward: tangents, too.
template <bool Forward, class Done, class Parameters, class Tags>
struct flattened;
template <bool Forward, class... D>
struct flattened<Forward, list<D...>, list<>, list<>> {
  using type = list<D...>;
};
template <bool Forward, class... D, class A, class... As, class Tag,
          class... Tags>
struct flattened<Forward, list<D...>, list<A, As...>, list<Tag, Tags...>>
    : flattened<
          Forward,
          std::conditional_t<std::is_same_v<Tag, tag_dup> ||
                                 (Forward && std::is_same_v<Tag, tag_out>),
                             list<D..., A, A>, list<D..., A>>,
          list<As...>, list<Tags...>> {};

/// The parameters of a derivative kernel: what the slots have.
template <bool Forward, class A, class Tag> struct taken {
  using type = list<A>;
};
template <bool Forward, class T> struct taken<Forward, T *, tag_dup> {
  using type = list<T *, std::remove_cv_t<T> *>;
};
template <bool Forward, class A> struct taken<Forward, A, tag_out> {
  using type = list<A, std::conditional_t<Forward, A, A *>>;
};
template <class... Lists> struct joined;
template <> struct joined<> {
  using type = list<>;
};
template <class... A> struct joined<list<A...>> {
  using type = list<A...>;
};
template <class... A, class... B, class... Lists>
struct joined<list<A...>, list<B...>, Lists...>
    : joined<list<A..., B...>, Lists...> {};

/// Goes through the slots with the addresses of such parameters.
template <bool Forward> struct slot_reader {
  const void *const *where;

  template <unsigned I, class A, class Tag>
  ADZE_GPU_DEVICE void operator()(slot<I, A, Tag> &s) {
    const_cast<std::remove_const_t<A> &>(s.value) = next<A>();
    if constexpr (std::is_same_v<Tag, tag_dup>) {
      s.shadow = next<decltype(s.shadow)>();
    } else if constexpr (std::is_same_v<Tag, tag_out>) {
      if constexpr (Forward)
        s.tangent = next<A>();
      else
        s.adjoint = next<A *>();
    }
  }
  template <class T> ADZE_GPU_DEVICE T next() {
    return *static_cast<const T *>(*where++);
  }
};
template <bool Forward> struct slot_writer {
  void **where;

  template <unsigned I, class A, class Tag>
  void operator()(slot<I, A, Tag> &s) {
    next(&s.value);
    if constexpr (std::is_same_v<Tag, tag_dup>) {
      next(&s.shadow);
    } else if constexpr (std::is_same_v<Tag, tag_out>) {
      if constexpr (Forward)
        next(&s.tangent);
      else
        next(&s.adjoint);
    }
  }
  void next(const volatile void *value) {
    *where++ = const_cast<void *>(value);
  }
};

} // namespace adze::gpu
#endif

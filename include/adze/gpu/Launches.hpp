// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of launches. Each kernel of ADZE_KERNEL gets
//
//   gradient_kernel    runs the primal once more, and goes back through it
//   tangent_kernel     carries tangents beside it
//
// in the code of the device, and in that of the host three functions for its
// stub, by which <<<>>> launches it:
//
//   augmented   remembers what memory holds that the kernel reads, launches it
//   reverse     brings that back, launches gradient_kernel
//   forward     launches tangent_kernel
//
// Both compilations make them of the same templates, so they agree.
#ifndef ADZE_GPU_LAUNCHES_HPP
#define ADZE_GPU_LAUNCHES_HPP

#include "adze/gpu/Copies.hpp"
#include "adze/gpu/Parameters.hpp"
#include "adze/gpu/Symbols.hpp"

namespace adze::gpu {

// The markers and their tags. (Code of the device has no variable arguments.)
template <class R, class... T>
ADZE_GPU_DEVICE R __enzyme_autodiff_launch(void *, T...);
template <class... T>
ADZE_GPU_DEVICE void __enzyme_fwddiff_launch(void *, T...);
extern ADZE_GPU_DEVICE int enzyme_dup, enzyme_const, enzyme_out;

/// The address of a kernel. (Functions of the device may not take it.)
template <auto Kernel> struct address {
  static constexpr auto value = Kernel;
};

/// What ADZE_KERNEL says of a kernel.
template <auto Kernel> struct derivatives_of;

template <auto Kernel, class... Tags> struct signature;
template <class... A, void (*Kernel)(A...), class... Tags>
struct signature<Kernel, Tags...> {
  static_assert(sizeof...(A) == sizeof...(Tags),
                "ADZE_KERNEL: there must be one of dup, const and out for each "
                "parameter of the kernel");
  static constexpr unsigned count = sizeof...(A);
  using parameters = list<A...>;
  using tags = list<Tags...>;
  using indices = std::make_integer_sequence<unsigned, count>;
  using arguments = slots<indices, parameters, tags>;
  template <bool Forward>
  using taken =
      typename joined<typename gpu::taken<Forward, A, Tags>::type...>::type;
  using adjoints = typename outs_of<list<>, parameters, tags>::type;

  static constexpr parameter described[count + 1] = {describe<A, Tags>()...,
                                                     {}};
  /// For the compiler plugin.
  static constexpr char roles[count + 1] = {describe<A, Tags>().role..., 0};
  static constexpr auto kernel = Kernel;
};

template <class F, unsigned... I, class... A, class... Tag>
ADZE_GPU_BOTH void for_each(
    slots<std::integer_sequence<unsigned, I...>, list<A...>, list<Tag...>> &a,
    F f) {
  (f(at<I>(a)), ...);
}

template <class D, class... P> ADZE_GPU_KERNEL void gradient_kernel(P... p) {
  const void *where[] = {&p..., nullptr};
  typename D::arguments a;
  for_each(a, slot_reader<false>{where});
  D::gradient(a);
}
template <class D, class... P> ADZE_GPU_KERNEL void tangent_kernel(P... p) {
  const void *where[] = {&p..., nullptr};
  typename D::arguments a;
  for_each(a, slot_reader<true>{where});
  D::tangent(a);
}

/// Adds what one thread has to the adjoint of a number that all take.
template <class T> ADZE_GPU_DEVICE void add_adjoint(T *to, T adjoint) {
  __atomic_fetch_add(to, adjoint, __ATOMIC_RELAXED);
}
/// What adds: called for each parameter that is out, in order.
struct adder {
  unsigned next = 0;
  template <class S, class R>
  ADZE_GPU_DEVICE void operator()(const S &, const R &) {}
  template <unsigned I, class A, class R>
  ADZE_GPU_DEVICE void operator()(const slot<I, A, tag_out> &s, const R &r) {
    if constexpr (std::is_arithmetic_v<R>) {
      add_adjoint(s.adjoint, r);
    } else {
      if (next == 0)
        add_adjoint(s.adjoint, A(r.a));
      else if (next == 1)
        add_adjoint(s.adjoint, A(r.b));
      else if constexpr (requires_third<R>(0))
        add_adjoint(s.adjoint, A(r.c));
      ++next;
    }
  }
  template <class R>
  static constexpr auto requires_third(int) -> decltype(R::c, true) {
    return true;
  }
  template <class R> static constexpr bool requires_third(long) {
    return false;
  }
};
template <unsigned... I, class... A, class... Tag, class R>
ADZE_GPU_DEVICE void
add_adjoints(const slots<std::integer_sequence<unsigned, I...>, list<A...>,
                         list<Tag...>> &a,
             const R &r) {
  adder add;
  (add(at<I>(a), r), ...);
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// What a launch does with an allocation.
struct use {
  block *of;
  content *before, *after; // null: it is not read; it is not written
};

/// On its way through a gradient.
struct launch {
  const char *who;
  configuration with;
  unsigned count;
  use uses[1]; // as many
};

/// Before the kernel runs. \p values: where the arguments are.
inline launch *begin_launch(const char *who, const parameter *parameters,
                            unsigned count, void *const *values) {
  const configuration with = configuration::pop();
  memory &m = memory::of_thread();
  m.forward(with.stream, who);
  unsigned most = count;
  m.for_each_variable([&](block &) { ++most; });
  auto *l = static_cast<launch *>(malloc(sizeof(launch) + most * sizeof(use)));
  if (!l)
    stop(who, "no memory");
  *l = {who, with, 0, {}};
  bool written[64] = {};
  for (unsigned i = 0; i < count; ++i) {
    void *pointer =
        parameters[i].is_pointer ? *static_cast<void **>(values[i]) : nullptr;
    if (!pointer)
      continue;
    block *b = m.find(pointer);
    if (!b)
      stop(who, "a kernel is passed memory that is none of a device");
    b->holds |= parameters[i].holds;
    unsigned k = 0;
    while (k < l->count && l->uses[k].of != b)
      ++k;
    if (k == l->count)
      l->uses[l->count++] = {b, nullptr, nullptr};
    written[k] |= parameters[i].is_written;
  }
  const unsigned passed = l->count;
  // What a kernel reads by name, nobody says.
  m.for_each_variable([&](block &b) {
    for (unsigned k = 0; k < passed; ++k)
      if (l->uses[k].of == &b)
        return;
    l->uses[l->count++] = {&b, nullptr, nullptr};
  });
  for (unsigned k = 0; k < l->count; ++k) {
    use &u = l->uses[k];
    u.before = m.read(*u.of);
    if (k < passed && written[k])
      u.after = m.write(*u.of);
  }
  return l;
}

/// Brings back what the kernel read. Whether memory is managed.
inline bool restore_uses(const launch &l) {
  memory &m = memory::of_thread();
  bool managed = false;
  // Variables that nobody knew yet held what they did at the begin.
  m.for_each_variable([&](block &b) {
    bool known = false;
    for (unsigned k = 0; k < l.count; ++k)
      known |= l.uses[k].of == &b;
    if (!known)
      m.restore(b, b.first);
  });
  for (unsigned k = 0; k < l.count; ++k) {
    const use &u = l.uses[k];
    m.restore(*u.of, u.before);
    if (u.after)
      m.rewrite(*u.of, u.after);
    managed |= u.of->managed;
  }
  return managed;
}

inline void start(const char *who, const void *kernel, const configuration &c,
                  void **arguments) {
  const status error = ADZE_GPU(LaunchKernel)(kernel, c.grid, c.block,
                                              arguments, c.shared, c.stream);
  if (error != ADZE_GPU(Success)) {
    fprintf(stderr,
            "derivative of '%s': its kernel cannot be launched with blocks of "
            "%u threads (give the kernel's file -maxrregcount or fewer threads "
            "a block, if these are too many)\n",
            who, c.block.x * c.block.y * c.block.z);
    check(error, who);
  }
}

/// Shadows for memory that has none here: nobody reads them.
class spare_shadows {
public:
  explicit spare_shadows(const char *who) : who(who) {}
  template <class T> T *of(T *pointer) {
    char *begin = nullptr;
    size_t bytes = 0;
    if (!pointer)
      return nullptr;
    if (!range_of_variable(pointer, begin, bytes, who) &&
        !range_of(pointer, begin, bytes))
      stop(who, "a kernel is passed memory that is none of a device");
    char *made = nullptr;
    check(ADZE_GPU(Malloc)(reinterpret_cast<void **>(&made), bytes), who);
    zero(made, bytes, who);
    blocks[count++] = made;
    return reinterpret_cast<T *>(made +
                                 (reinterpret_cast<char *>(pointer) - begin));
  }
  void release() {
    while (count)
      check(ADZE_GPU(Free)(blocks[--count]), who);
  }

private:
  const char *who;
  void *blocks[64];
  unsigned count = 0;
};

/// Adjoints of numbers that kernels take by value, in memory of the device.
class sums {
public:
  explicit sums(const char *who) : who(who) {}
  template <class T> T *add() {
    if (!memory) {
      check(ADZE_GPU(Malloc)(reinterpret_cast<void **>(&memory), 8 * most),
            who);
      zero(memory, 8 * most, who);
    }
    return reinterpret_cast<T *>(memory + 8 * count++);
  }
  void read() {
    if (!memory)
      return;
    check(ADZE_GPU(Memcpy)(values, memory, 8 * most,
                           ADZE_GPU(MemcpyDeviceToHost)),
          who);
    check(ADZE_GPU(Free)(memory), who);
  }
  template <class T> T value(unsigned i) const {
    T result;
    memcpy(&result, values + 8 * i, sizeof(T));
    return result;
  }

private:
  static constexpr unsigned most = 3;
  const char *who;
  char *memory = nullptr;
  unsigned count = 0;
  char values[8 * most];
};

/// Where in the parameters of a derivative of the stub parameter \p i is.
template <class D> constexpr unsigned place(unsigned i, bool forward) {
  unsigned at = 0;
  for (unsigned k = 0; k < i; ++k)
    at += D::described[k].role == 'R' || D::described[k].role == 'M' ||
                  (forward && D::described[k].role == 'f')
              ? 2
              : 1;
  return at;
}

template <class D, class... P> const void *gradient_kernel_of(list<P...>) {
  return reinterpret_cast<const void *>(&gradient_kernel<D, P...>);
}
template <class D, class... P> const void *tangent_kernel_of(list<P...>) {
  return reinterpret_cast<const void *>(&tangent_kernel<D, P...>);
}

/// Fills the slots of a derivative kernel from \p values, where the parameters
/// of a derivative of the stub are.
template <class D> struct filler {
  void *const *values;
  spare_shadows spare;
  sums adjoints;
  bool forward;

  filler(void *const *values, bool forward)
      : values(values), spare(D::name), adjoints(D::name), forward(forward) {}

  template <unsigned I, class A, class Tag>
  void operator()(slot<I, A, Tag> &s) {
    constexpr unsigned backward_at = place<D>(I, false),
                       forward_at = place<D>(I, true);
    void *const *at = values + (forward ? forward_at : backward_at);
    memcpy(const_cast<std::remove_const_t<A> *>(&s.value), at[0], sizeof(A));
    if constexpr (std::is_same_v<Tag, tag_dup>) {
      memcpy(&s.shadow, at[1], sizeof(s.shadow));
      s.shadow =
          shadow_at(const_cast<decltype(s.shadow)>(s.value), s.shadow, D::name);
      if (!s.shadow)
        s.shadow = spare.of(const_cast<decltype(s.shadow)>(s.value));
    } else if constexpr (std::is_same_v<Tag, tag_out>) {
      s.tangent = 0;
      s.adjoint = nullptr;
      if (forward)
        memcpy(&s.tangent, at[1], sizeof(A));
      else
        s.adjoint = adjoints.template add<A>();
    }
  }

  template <unsigned... I>
  typename D::arguments all(std::integer_sequence<unsigned, I...>) {
    typename D::arguments a;
    ((*this)(at<I>(a)), ...);
    return a;
  }
};

template <class D,
          class Backward = typename flattened<
              false, list<>, typename D::parameters, typename D::tags>::type,
          class Forward = typename flattened<
              true, list<>, typename D::parameters, typename D::tags>::type>
struct registration;

template <class D, class... B, class... F>
struct registration<D, list<B...>, list<F...>> {
  static launch *augmented(B... b) {
    void *all[] = {&b..., nullptr};
    void *arguments[D::count + 1];
    for (unsigned i = 0; i < D::count; ++i)
      arguments[i] = all[place<D>(i, false)];
    launch *l = begin_launch(D::name, D::described, D::count, arguments);
    start(D::name, reinterpret_cast<const void *>(D::kernel), l->with,
          arguments);
    return l;
  }

  static typename D::adjoints reverse(B... b, launch *l) {
    memory &m = memory::of_thread();
    m.reverse(D::name);
    void *all[] = {&b..., nullptr};
    filler<D> fill(all, false);
    typename D::arguments slots = fill.all(typename D::indices());
    const bool managed = restore_uses(*l);
    configuration with = l->with;
    with.stream = in_order();
    void *arguments[2 * D::count + 1];
    for_each(slots, slot_writer<false>{arguments});
    start(D::name, gradient_kernel_of<D>(typename D::template taken<false>()),
          with, arguments);
    for (unsigned k = 0; k < l->count; ++k)
      m.drop(l->uses[k].before);
    free(l);
    fill.adjoints.read();
    fill.spare.release();
    if (managed)
      synchronize(D::name);
    m.end();
    using R = typename D::adjoints;
    if constexpr (std::is_arithmetic_v<R>) {
      return fill.adjoints.template value<R>(0);
    } else if constexpr (!std::is_void_v<R>) {
      R result;
      result.a = fill.adjoints.template value<decltype(R::a)>(0);
      result.b = fill.adjoints.template value<decltype(R::b)>(1);
      if constexpr (adder::requires_third<R>(0))
        result.c = fill.adjoints.template value<decltype(R::c)>(2);
      return result;
    }
  }

  static void forward(F... f) {
    void *all[] = {&f..., nullptr};
    filler<D> fill(all, true);
    const configuration with = configuration::pop();
    typename D::arguments slots = fill.all(typename D::indices());
    void *arguments[2 * D::count + 1];
    for_each(slots, slot_writer<true>{arguments});
    start(D::name, tangent_kernel_of<D>(typename D::template taken<true>()),
          with, arguments);
    fill.spare.release();
  }

  static void *__adze_register_exchange[];
};

template <class D, class... B, class... F>
__attribute__((used)) void
    *registration<D, list<B...>, list<F...>>::__adze_register_exchange[] = {
        reinterpret_cast<void *>(D::kernel),
        reinterpret_cast<void *>(&augmented),
        reinterpret_cast<void *>(&reverse), reinterpret_cast<void *>(&forward),
        const_cast<char *>(D::roles)};

} // namespace adze::gpu

//===----------------------------------------------------------------------===//
// ADZE_KERNEL
//===----------------------------------------------------------------------===//

#define ADZE_GPU_PASS_dup(I) , enzyme_dup, at<I>(a).value, at<I>(a).shadow
#define ADZE_GPU_PASS_const(I) , enzyme_const, at<I>(a).value
#define ADZE_GPU_PASS_out(I) , enzyme_out, at<I>(a).value
#define ADZE_GPU_PASS(I, TAG) ADZE_GPU_PASS_##TAG(I)
#define ADZE_GPU_CARRY_dup(I) ADZE_GPU_PASS_dup(I)
#define ADZE_GPU_CARRY_const(I) ADZE_GPU_PASS_const(I)
#define ADZE_GPU_CARRY_out(I) , enzyme_dup, at<I>(a).value, at<I>(a).tangent
#define ADZE_GPU_CARRY(I, TAG) ADZE_GPU_CARRY_##TAG(I)
#define ADZE_GPU_TAG(I, TAG) , adze::gpu::tag_##TAG

// M(0, first) M(1, second) ...
// clang-format off
#define ADZE_GPU_EACH_1(M, T0) M(0, T0)
#define ADZE_GPU_EACH_2(M, T0, T1) M(0, T0) M(1, T1)
#define ADZE_GPU_EACH_3(M, T0, T1, T2) M(0, T0) M(1, T1) M(2, T2)
#define ADZE_GPU_EACH_4(M, T0, T1, T2, T3) M(0, T0) M(1, T1) M(2, T2) M(3, T3)
#define ADZE_GPU_EACH_5(M, T0, T1, T2, T3, T4) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4)
#define ADZE_GPU_EACH_6(M, T0, T1, T2, T3, T4, T5) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5)
#define ADZE_GPU_EACH_7(M, T0, T1, T2, T3, T4, T5, T6) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6)
#define ADZE_GPU_EACH_8(M, T0, T1, T2, T3, T4, T5, T6, T7) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7)
#define ADZE_GPU_EACH_9(M, T0, T1, T2, T3, T4, T5, T6, T7, T8) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8)
#define ADZE_GPU_EACH_10(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9)
#define ADZE_GPU_EACH_11(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9) M(10, T10)
#define ADZE_GPU_EACH_12(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9) M(10, T10) M(11, T11)
#define ADZE_GPU_EACH_13(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9) M(10, T10) M(11, T11) M(12, T12)
#define ADZE_GPU_EACH_14(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9) M(10, T10) M(11, T11) M(12, T12) M(13, T13)
#define ADZE_GPU_EACH_15(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9) M(10, T10) M(11, T11) M(12, T12) M(13, T13) M(14, T14)
#define ADZE_GPU_EACH_16(M, T0, T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15) M(0, T0) M(1, T1) M(2, T2) M(3, T3) M(4, T4) M(5, T5) M(6, T6) M(7, T7) M(8, T8) M(9, T9) M(10, T10) M(11, T11) M(12, T12) M(13, T13) M(14, T14) M(15, T15)
#define ADZE_GPU_COUNTED(T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, N, ...) N
#define ADZE_GPU_COUNT(...) \
  ADZE_GPU_COUNTED(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
// clang-format on
#define ADZE_GPU_JOINED(A, B) A##B
#define ADZE_GPU_JOIN(A, B) ADZE_GPU_JOINED(A, B)
#define ADZE_GPU_EACH(M, ...)                                                  \
  ADZE_GPU_JOIN(ADZE_GPU_EACH_, ADZE_GPU_COUNT(__VA_ARGS__))(M, __VA_ARGS__)

#define ADZE_KERNEL(KERNEL, ...)                                               \
  template <>                                                                  \
  struct adze::gpu::derivatives_of<&(KERNEL)>                                  \
      : adze::gpu::signature<&(KERNEL)ADZE_GPU_EACH(ADZE_GPU_TAG,              \
                                                    __VA_ARGS__)> {            \
    static constexpr char name[] = #KERNEL;                                    \
    template <class R>                                                         \
    static ADZE_GPU_DEVICE void gradient_of(const arguments &a) {              \
      auto *kernel = (void *)address<&(KERNEL)>::value;                        \
      if constexpr (std::is_void_v<R>)                                         \
        __enzyme_autodiff_launch<R>(                                           \
            kernel ADZE_GPU_EACH(ADZE_GPU_PASS, __VA_ARGS__));                 \
      else                                                                     \
        add_adjoints(a, __enzyme_autodiff_launch<R>(kernel ADZE_GPU_EACH(      \
                            ADZE_GPU_PASS, __VA_ARGS__)));                     \
    }                                                                          \
    static ADZE_GPU_DEVICE void gradient(const arguments &a) {                 \
      gradient_of<adjoints>(a);                                                \
    }                                                                          \
    static ADZE_GPU_DEVICE void tangent(const arguments &a) {                  \
      __enzyme_fwddiff_launch((void *)address<&(KERNEL)>::value ADZE_GPU_EACH( \
          ADZE_GPU_CARRY, __VA_ARGS__));                                       \
    }                                                                          \
  };                                                                           \
  template struct adze::gpu::registration<adze::gpu::derivatives_of<&(KERNEL)>>;

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of each argument of the function: tags that the user writes, and
// the operands of markers that follow from them.
#ifndef ADZE_CPP_ARGUMENTS_HPP
#define ADZE_CPP_ARGUMENTS_HPP

#include "adze/cpp/shadow.hpp"

namespace adze {

/// An argument that is not differentiated.
template <class T> struct constant_argument {
  T &&value;
};
template <class T> ADZE_INLINE constant_argument<T> constant(T &&x) {
  return {static_cast<T &&>(x)};
}

/// An argument that is differentiated, which those with floating-point numbers
/// are anyway. Makes the state of a functor an argument.
template <class T> struct active_argument {
  T &&value;
};
template <class T> ADZE_INLINE active_argument<T> active(T &&x) {
  return {static_cast<T &&>(x)};
}

/// An argument with a shadow of the user: a tangent in forward mode; in reverse
/// mode the derivative is added to it.
template <class T, class D, bool Needed> struct duplicated_argument {
  T &&value;
  D &&shadow;
};
template <class T, class D>
ADZE_INLINE duplicated_argument<T, D, true> duplicated(T &&x, D &&dx) {
  return {static_cast<T &&>(x), static_cast<D &&>(dx)};
}
/// The same; what the function writes to \p x itself is not needed.
template <class T, class D>
ADZE_INLINE duplicated_argument<T, D, false> no_need(T &&x, D &&dx) {
  return {static_cast<T &&>(x), static_cast<D &&>(dx)};
}

namespace detail {

enum class role { constant, duplicated, no_need };

template <role Role> ADZE_INLINE void *tag_of() {
  if constexpr (Role == role::constant)
    return &enzyme_const;
  else if constexpr (Role == role::duplicated)
    return &enzyme_dup;
  else
    return &enzyme_dupnoneed;
}

// A slot is an argument on its way: `pieces` parameters of the function that a
// marker is given, of the types of `piece<I>`; `operands` of the marker; and
// the argument that is put together of the pieces again (`receive`).

// The slots of constant arguments are of the type `unchanged`.

/// A number or pointer by value.
template <class T> struct value_slot {
  using transport =
      typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>,
                                  std::common_type<T>>::type;
  using unchanged = value_slot;
  static constexpr int pieces = 1, operands = 2;
  template <int> using piece = transport;
  transport value;

  template <int I> ADZE_INLINE auto operand() const {
    if constexpr (I == 0)
      return tag_of<role::constant>();
    else if constexpr (std::is_pointer_v<transport>)
      return operand_of(value);
    else
      return value;
  }
  ADZE_INLINE auto all_pieces() const { return std::tuple<transport>(value); }
  ADZE_INLINE static T receive(transport x) { return static_cast<T>(x); }
  ADZE_INLINE static value_slot with(transport x) { return {x}; }
};

/// An object by its address.
template <class T, role Role> struct object_slot {
  using unchanged = object_slot<const T, Role>;
  static constexpr bool has_shadow = Role != role::constant;
  static constexpr int pieces = 1, operands = has_shadow ? 3 : 2;
  template <int> using piece = T *;
  T *value;
  std::remove_const_t<T> *shadow;

  template <int I> ADZE_INLINE void *operand() const {
    if constexpr (I == 0)
      return tag_of<Role>();
    else
      return operand_of(I == 1 ? value : shadow);
  }
  ADZE_INLINE auto all_pieces() const { return std::tuple<T *>(value); }
  ADZE_INLINE static T &receive(T *x) { return *x; }
  ADZE_INLINE static object_slot with(T *x) { return {x, nullptr}; }
  ADZE_INLINE auto shadowed_by(std::remove_const_t<T> *dx) const {
    return object_slot<T, role::duplicated>{value, dx};
  }
};

/// A pointer whose shadow is a pointer.
template <class T, role Role> struct pointer_slot {
  using unchanged = pointer_slot<const T, Role>;
  static constexpr bool has_shadow = Role != role::constant;
  static constexpr int pieces = 1, operands = has_shadow ? 3 : 2;
  template <int> using piece = T *;
  T *value;
  std::remove_const_t<T> *shadow;

  template <int I> ADZE_INLINE void *operand() const {
    if constexpr (I == 0)
      return tag_of<Role>();
    else
      return operand_of(I == 1 ? value : shadow);
  }
  ADZE_INLINE auto all_pieces() const { return std::tuple<T *>(value); }
  ADZE_INLINE static T *receive(T *x) { return x; }
  ADZE_INLINE static pointer_slot with(T *x) { return {x, nullptr}; }
  ADZE_INLINE auto shadowed_by(std::remove_const_t<T> *dx) const {
    return pointer_slot<T, role::duplicated>{value, dx};
  }
};

/// A view: a pointer and a number of elements.
template <class View, role Role> struct view_slot {
  using unchanged = view_slot<unchanged_view<View>, Role>;
  using T = typename is_view<View>::element;
  static constexpr bool has_shadow = Role != role::constant;
  static constexpr int pieces = 2, operands = has_shadow ? 5 : 4;
  template <int I> using piece = std::conditional_t<I == 0, T *, std::size_t>;
  T *value;
  std::size_t size;
  std::remove_const_t<T> *shadow;

  template <int I> ADZE_INLINE auto operand() const {
    if constexpr (I == 0)
      return tag_of<Role>();
    else if constexpr (I == operands - 2)
      return tag_of<role::constant>();
    else if constexpr (I == operands - 1)
      return size;
    else
      return operand_of(I == 1 ? value : shadow);
  }
  ADZE_INLINE auto all_pieces() const {
    return std::tuple<T *, std::size_t>(value, size);
  }
  ADZE_INLINE static View receive(T *x, std::size_t n) { return View(x, n); }
  ADZE_INLINE static view_slot with(T *x, std::size_t n) {
    return {x, n, nullptr};
  }
  ADZE_INLINE auto shadowed_by(std::remove_const_t<T> *dx) const {
    return view_slot<View, role::duplicated>{value, size, dx};
  }
};

// How an argument is passed, by its type: `slot<Role>`, made of the argument
// and the address of its shadow.

template <class T> struct passed_as_object {
  template <role Role> using slot = object_slot<T, Role>;
  template <role Role> ADZE_INLINE static slot<Role> make(T &x, bare<T> *dx) {
    return {&x, dx};
  }
  ADZE_INLINE static bare<T> *address(bare<T> &dx) { return &dx; }
};

template <class View> struct passed_as_view {
  using T = std::remove_cv_t<typename is_view<View>::element>;
  template <role Role> using slot = view_slot<View, Role>;
  template <role Role>
  ADZE_INLINE static slot<Role> make(const View &x, T *dx) {
    return {x.data(), x.size(), dx};
  }
  template <class Shadow> ADZE_INLINE static T *address(Shadow &dx) {
    return dx.data();
  }
};

/// The function takes the pointer; how much it points to is for us.
template <class T> struct passed_as_buffer {
  using E = std::remove_const_t<T>;
  template <role Role> using slot = pointer_slot<T, Role>;
  template <role Role>
  ADZE_INLINE static slot<Role> make(const buffer<T> &x, E *dx) {
    return {x.data(), dx};
  }
  template <class Shadow> ADZE_INLINE static E *address(Shadow &dx) {
    return dx.data();
  }
};

template <class P> struct passed_as_pointer {
  using T = std::remove_pointer_t<P>;
  template <role Role> using slot = pointer_slot<T, Role>;
  template <role Role>
  ADZE_INLINE static slot<Role> make(P x, std::remove_const_t<T> *dx) {
    return {x, dx};
  }
  ADZE_INLINE static std::remove_const_t<T> *
  address(std::remove_const_t<T> *dx) {
    return dx;
  }
};

/// \p A is the type of an argument without its reference.
template <class A, class P> struct passing_type {
  using type = std::conditional_t<
      is_view<P>::value, passed_as_view<P>,
      std::conditional_t<std::is_pointer_v<P>, passed_as_pointer<P>,
                         passed_as_object<A>>>;
};
template <class A, class T> struct passing_type<A, buffer<T>> {
  using type = passed_as_buffer<T>;
};
template <class A>
using passing = typename passing_type<A, std::remove_cv_t<A>>::type;

template <class T>
inline constexpr bool goes_by_value =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;

template <class T> ADZE_INLINE auto constant_slot(T &x) {
  using V = std::remove_cv_t<T>;
  if constexpr (goes_by_value<V>)
    return value_slot<V>{static_cast<typename value_slot<V>::transport>(x)};
  else
    return passing<T>::template make<role::constant>(x, nullptr);
}

/// What an argument is without its tag, and what its tag says.
enum class wish { none, constant, active, duplicated, no_need };
template <class A> struct tagged {
  static constexpr wish is = wish::none;
  using type = A;
};
template <class T> struct tagged<constant_argument<T>> {
  static constexpr wish is = wish::constant;
  using type = std::remove_reference_t<T>;
};
template <class T> struct tagged<active_argument<T>> {
  static constexpr wish is = wish::active;
  using type = std::remove_reference_t<T>;
};
template <class T, class D, bool Needed>
struct tagged<duplicated_argument<T, D, Needed>> {
  static constexpr wish is = Needed ? wish::duplicated : wish::no_need;
  using type = std::remove_reference_t<T>;
};

template <class A>
using untagged =
    typename std::conditional_t<tagged<std::remove_cv_t<A>>::is == wish::none,
                                tagged<A>, tagged<std::remove_cv_t<A>>>::type;
template <class A> ADZE_INLINE auto &value_of(A &a) {
  if constexpr (tagged<std::remove_cv_t<A>>::is == wish::none)
    return a;
  else
    return a.value;
}

/// What a marker of a kind makes of an argument: constant, with a shadow of
/// ours, or with a shadow of the user.
template <class A> constexpr wish meaning_of() {
  using Tagged = tagged<std::remove_cv_t<A>>;
  using T = std::remove_cv_t<untagged<A>>;
  if constexpr (Tagged::is != wish::none) {
    if constexpr (Tagged::is == wish::active && !is_view<T>::value)
      static_assert(!std::is_pointer_v<T>,
                    "adze: a raw pointer does not say how much it points to: "
                    "pass adze::buffer(p, n), or adze::duplicated(p, dp)");
    return Tagged::is;
  } else if constexpr (is_view<T>::value) {
    return holds_floats<typename is_view<T>::element> ? wish::active
                                                      : wish::constant;
  } else if constexpr (is_inert<T>() || std::is_same_v<T, std::nullptr_t>) {
    return wish::constant;
  } else {
    static_assert(
        !std::is_pointer_v<T>,
        "adze: a raw pointer does not say how much it points to: pass "
        "adze::buffer(p, n), adze::duplicated(p, dp), or "
        "adze::constant(p)");
    static_assert(!std::is_array_v<T>,
                  "adze: an array is passed as a pointer, and nothing returns "
                  "one: pass adze::buffer(x, n), or a std::array");
    return holds_floats<T> ? wish::active : wish::constant;
  }
}
template <class A>
inline constexpr bool is_active_argument = meaning_of<A>() == wish::active;
template <class A>
inline constexpr bool is_duplicated_argument =
    meaning_of<A>() == wish::duplicated || meaning_of<A>() == wish::no_need;

struct no_shadow {};
/// The shadow that we make for an argument, or nothing.
template <class A> ADZE_INLINE auto own_shadow(A &a) {
  if constexpr (is_active_argument<A>)
    return make_zero(std::as_const(value_of(a)));
  else
    return no_shadow();
}

/// The slot of an argument.
template <class A, class Shadow>
ADZE_INLINE auto slot_of(A &a, Shadow &shadow) {
  using T = untagged<A>;
  constexpr wish is = meaning_of<A>();
  if constexpr (is == wish::constant) {
    return constant_slot(value_of(a));
  } else if constexpr (is == wish::active) {
    return passing<T>::template make<role::duplicated>(
        value_of(a), passing<T>::address(shadow));
  } else {
    constexpr role as = is == wish::no_need ? role::no_need : role::duplicated;
    using D = std::remove_reference_t<decltype(a.shadow)>;
    static_assert(is_view<bare<T>>::value || std::is_pointer_v<bare<T>> ||
                      std::is_same_v<bare<D>, bare<T>>,
                  "adze: in adze::duplicated(x, dx), dx has the type of x");
    return passing<T>::template make<as>(
        a.value, passing<T>::address(const_cast<bare<D> &>(a.shadow)));
  }
}

/// The I-th of the operands that all slots have together.
template <int I, class Slot, class... Slots>
ADZE_INLINE auto operand(const Slot &slot, const Slots &...slots) {
  if constexpr (I < Slot::operands)
    return slot.template operand<I>();
  else
    return operand<I - Slot::operands>(slots...);
}
template <class... Slots>
using all_operands =
    std::make_integer_sequence<int, (0 + ... + Slots::operands)>;

} // namespace detail
} // namespace adze
#endif

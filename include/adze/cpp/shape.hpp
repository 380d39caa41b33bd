// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the floating-point numbers of an object are: what a type is made of,
// and the walk over objects of equal shape.
#ifndef ADZE_CPP_SHAPE_HPP
#define ADZE_CPP_SHAPE_HPP

#include "adze/cpp/aggregate.hpp"

#include <array>
#include <bitset>
#include <chrono>
#include <complex>
#include <memory>
#include <optional>
#include <string_view>
#include <valarray>
#include <variant>
#include <vector>
#if __cplusplus >= 202002L && __has_include(<span>)
#include <span>
#endif

namespace adze {

/// A pointer to `size` elements, for functions that take a pointer.
template <class T> struct buffer {
  T *pointer;
  std::size_t length;
  buffer(T *p, std::size_t n) : pointer(p), length(n) {}
  T *data() const { return pointer; }
  std::size_t size() const { return length; }
};

namespace detail {

template <class T> using bare = std::remove_cv_t<std::remove_reference_t<T>>;

// Views: memory that belongs to others.
template <class T> struct is_view : std::false_type {};
template <class T> struct is_view<buffer<T>> : std::true_type {
  using element = T;
};
#ifdef __cpp_lib_span
template <class T, std::size_t N>
struct is_view<std::span<T, N>> : std::true_type {
  using element = T;
};
#endif

/// A view that cannot write.
template <class View> struct unchanged_view_type;
template <class T> struct unchanged_view_type<buffer<T>> {
  using type = buffer<const T>;
};
#ifdef __cpp_lib_span
template <class T, std::size_t N> struct unchanged_view_type<std::span<T, N>> {
  using type = std::span<const T, N>;
};
#endif
template <class View>
using unchanged_view = typename unchanged_view_type<View>::type;

template <class T> struct is_complex : std::false_type {};
template <class T> struct is_complex<std::complex<T>> : std::true_type {};
template <class T> struct is_optional : std::false_type {};
template <class T> struct is_optional<std::optional<T>> : std::true_type {};
template <class T> struct is_variant : std::false_type {};
template <class... T> struct is_variant<std::variant<T...>> : std::true_type {};
template <class T> struct is_valarray : std::false_type {};
template <class T> struct is_valarray<std::valarray<T>> : std::true_type {};
template <class T> struct is_vector : std::false_type {};
template <class T> struct is_vector<std::vector<T>> : std::true_type {};
template <class T> struct is_owner : std::false_type {};
template <class T>
struct is_owner<std::unique_ptr<T>>
    : std::bool_constant<!std::is_polymorphic_v<T> && !std::is_array_v<T>> {};

// Classes of the standard library that hold no number with a derivative, or
// only look at text.
template <class T> struct is_inert_class : std::is_empty<T> {};
template <class C>
struct is_inert_class<std::basic_string_view<C>> : std::true_type {};
template <std::size_t N>
struct is_inert_class<std::bitset<N>> : std::true_type {};
template <class R, class P>
struct is_inert_class<std::chrono::duration<R, P>> : std::is_integral<R> {};
template <class C, class D>
struct is_inert_class<std::chrono::time_point<C, D>> : is_inert_class<D> {};

// Members that the user names: adze_members(T &) returns a std::tie of them.
template <class T, class = void> struct has_members : std::false_type {};
template <class T>
struct has_members<T, std::void_t<decltype(adze_members(std::declval<T &>()))>>
    : std::true_type {};

// Containers of the standard library own their elements.
template <class T, class = void> struct is_container : std::false_type {};
template <class T>
struct is_container<
    T, std::void_t<typename T::allocator_type, typename T::value_type,
                   decltype(std::declval<T &>().begin())>> : std::true_type {};
template <class T, class = void> struct is_map : std::false_type {};
template <class T>
struct is_map<T, std::void_t<typename T::mapped_type>> : is_container<T> {};

// Elements of a set cannot be changed.
template <class T, class = void> struct is_set : std::false_type {};
template <class T>
struct is_set<T, std::void_t<typename T::key_type>>
    : std::bool_constant<!is_map<T>::value> {};

// Eigen's matrices and arrays that own their coefficients.
template <class T, class = void> struct is_matrix : std::false_type {};
template <class T>
struct is_matrix<T, std::void_t<typename T::PlainObject, typename T::Scalar,
                                decltype(std::declval<T &>().data())>>
    : std::is_same<T, typename T::PlainObject> {};

template <class T, class = void> struct is_tuple : std::false_type {};
template <class T>
struct is_tuple<T, std::void_t<decltype(std::tuple_size<T>::value)>>
    : std::true_type {};

enum class category {
  number,    // floating-point
  complex,   // two of them
  inert,     // nothing with a derivative
  array,     // T[n]
  tuple,     // pair, tuple, array
  optional,  //
  variant,   // what it holds
  owner,     // unique_ptr
  map,       // container whose values matter, not its keys
  container, //
  matrix,    // Eigen
  members,   // the user says
  aggregate, // the compiler says
  unknown
};

template <class T> constexpr bool is_inert() {
  if constexpr (std::is_pointer_v<T>) {
    using To = std::remove_cv_t<std::remove_pointer_t<T>>;
    return std::is_function_v<To> || std::is_integral_v<To> ||
           std::is_enum_v<To>;
  } else if constexpr (std::is_class_v<T>) {
    return is_inert_class<T>::value && !has_members<T>::value;
  } else {
    return std::is_integral_v<T> || std::is_enum_v<T> ||
           std::is_null_pointer_v<T>;
  }
}

template <class T> constexpr category category_of() {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_floating_point_v<U>)
    return category::number;
  else if constexpr (is_complex<U>::value)
    return category::complex;
  else if constexpr (is_inert<U>())
    return category::inert;
  else if constexpr (has_members<U>::value)
    return category::members;
  else if constexpr (std::is_array_v<U>)
    return category::array;
  else if constexpr (is_tuple<U>::value)
    return category::tuple;
  else if constexpr (is_optional<U>::value)
    return category::optional;
  else if constexpr (is_variant<U>::value)
    return category::variant;
  else if constexpr (is_owner<U>::value)
    return category::owner;
  else if constexpr (is_map<U>::value)
    return category::map;
  else if constexpr (is_container<U>::value || is_valarray<U>::value)
    return category::container;
  else if constexpr (is_matrix<U>::value)
    return category::matrix;
  else if constexpr (std::is_aggregate_v<U> && !is_view<U>::value)
    return category::aggregate;
  else
    return category::unknown;
}

/// What is known of the numbers in a type.
struct contents {
  bool floats = false;  // there are some
  bool unknown = false; // something is not known
};
constexpr contents operator+(contents a, contents b) {
  return {a.floats || b.floats, a.unknown || b.unknown};
}

// A type that contains itself, as a tree its branches, adds nothing by that:
// Around are the types that one is a part of.
template <class T, class... Around> constexpr contents contents_of();
template <class Tuple, class... Around, std::size_t... I>
constexpr contents contents_of_elements(std::index_sequence<I...>) {
  return (contents{} + ... +
          contents_of<std::tuple_element_t<I, Tuple>, Around...>());
}
template <class Tuple, class... Around> constexpr contents contents_of_tuple() {
  return contents_of_elements<Tuple, Around...>(
      std::make_index_sequence<std::tuple_size_v<Tuple>>());
}
template <class V> struct variant_elements;
template <class... T> struct variant_elements<std::variant<T...>> {
  using type = std::tuple<T...>;
};
template <class V>
using elements_of_variant = typename variant_elements<V>::type;

template <class T, class... Around> constexpr contents contents_of() {
  using U = bare<T>;
  constexpr category is = category_of<U>();
  if constexpr ((false || ... || std::is_same_v<U, Around>))
    return {};
  else if constexpr (is == category::number || is == category::complex)
    return {true, false};
  else if constexpr (is == category::inert)
    return {};
  else if constexpr (is == category::array)
    return contents_of<std::remove_all_extents_t<U>, U, Around...>();
  else if constexpr (is == category::tuple)
    return contents_of_tuple<U, U, Around...>();
  else if constexpr (is == category::variant)
    return contents_of_tuple<elements_of_variant<U>, U, Around...>();
  else if constexpr (is == category::owner)
    return contents_of<typename U::element_type, U, Around...>();
  else if constexpr (is == category::map)
    return contents_of<typename U::mapped_type, U, Around...>() +
           contents{false, contents_of<typename U::key_type>().floats};
  else if constexpr (is == category::optional)
    return contents_of<typename U::value_type, U, Around...>();
  else if constexpr (is == category::container)
    return contents_of<typename U::value_type, U, Around...>() +
           contents{false, is_set<U>::value &&
                               contents_of<typename U::value_type>().floats};
  else if constexpr (is == category::matrix)
    return contents_of<typename U::Scalar>();
  else if constexpr (is == category::members)
    return contents_of_tuple<decltype(adze_members(std::declval<U &>())), U,
                             Around...>();
  else if constexpr (is == category::aggregate)
    return contents_of_tuple<decltype(aggregate_members(std::declval<U &>())),
                             U, Around...>();
  else
    return {true, true};
}

template <class T> inline constexpr bool holds_floats = contents_of<T>().floats;
template <class T> inline constexpr bool is_known = !contents_of<T>().unknown;

/// Whether objects can be copied. Containers say that they can, whatever their
/// elements are.
template <class T, class... Around> constexpr bool is_copyable();
template <class Tuple, class... Around, std::size_t... I>
constexpr bool are_copyable(std::index_sequence<I...>) {
  return (true && ... &&
          is_copyable<bare<std::tuple_element_t<I, Tuple>>, Around...>());
}
template <class Tuple, class... Around> constexpr bool are_copyable() {
  return are_copyable<Tuple, Around...>(
      std::make_index_sequence<std::tuple_size_v<Tuple>>());
}
template <class T, class... Around> constexpr bool is_copyable() {
  constexpr category is = category_of<T>();
  if constexpr ((false || ... || std::is_same_v<T, Around>))
    return true;
  else if constexpr (is == category::map)
    return is_copyable<typename T::mapped_type, T, Around...>();
  else if constexpr (is == category::container || is == category::optional)
    return is_copyable<typename T::value_type, T, Around...>();
  else if constexpr (is == category::tuple)
    return are_copyable<T, T, Around...>();
  else if constexpr (is == category::variant)
    return are_copyable<elements_of_variant<T>, T, Around...>();
  else if constexpr (is == category::aggregate)
    return std::is_copy_constructible_v<T> &&
           are_copyable<decltype(aggregate_members(std::declval<T &>())), T,
                        Around...>();
  else
    return std::is_copy_constructible_v<T> || std::is_array_v<T>;
}

/// Whether all objects of a type have the same shape.
template <class T> constexpr bool has_fixed_shape();
template <class Tuple, std::size_t... I>
constexpr bool have_fixed_shape(std::index_sequence<I...>) {
  return (true && ... &&
          has_fixed_shape<bare<std::tuple_element_t<I, Tuple>>>());
}
template <class T> constexpr bool has_fixed_shape() {
  constexpr category is = category_of<T>();
  if constexpr (is == category::tuple)
    return have_fixed_shape<T>(
        std::make_index_sequence<std::tuple_size_v<T>>());
  else if constexpr (is == category::array)
    return has_fixed_shape<std::remove_all_extents_t<T>>();
  else if constexpr (is == category::aggregate)
    return have_fixed_shape<decltype(aggregate_members(std::declval<T &>()))>(
        std::make_index_sequence<member_count<T>()>());
  else
    return is == category::number || is == category::complex ||
           is == category::inert;
}

/// Whether pointers alone tell the shape of an object. Derivatives make the
/// pointers of shadows, but not their integers, such as a size.
template <class T> constexpr bool pointers_tell_shape() {
  if constexpr (has_fixed_shape<T>())
    return true;
  else if constexpr (is_vector<T>::value)
    return pointers_tell_shape<typename T::value_type>();
  else if constexpr (category_of<T>() == category::owner)
    return pointers_tell_shape<typename T::element_type>();
  else
    return false;
}

/// The program was wrong about shapes.
[[noreturn]] inline void shapes_differ() { __builtin_trap(); }

/// Calls \p fn with the numbers that stand at the same place of objects of one
/// shape, in order.
template <class Fn, class T, class... Ts>
ADZE_INLINE void zip(const Fn &fn, T &x, Ts &...others);

template <class Fn, std::size_t... I, class T, class... Ts>
ADZE_INLINE void zip_elements(const Fn &fn, std::index_sequence<I...>, T &&x,
                              Ts &&...others) {
  const auto at = [&](auto index, auto &&...one) {
    constexpr std::size_t i = decltype(index)::value;
    zip(fn, std::get<i>(one)...);
  };
  (at(std::integral_constant<std::size_t, I>(), x, others...), ...);
}

/// A list that does not know its length.
template <class T, class = void> struct has_size : std::false_type {};
template <class T>
struct has_size<T, std::void_t<decltype(std::declval<T &>().size())>>
    : std::true_type {};
template <class T> ADZE_INLINE std::size_t size_of(const T &x) {
  if constexpr (has_size<const T>::value)
    return x.size();
  else
    return std::size_t(std::distance(x.begin(), x.end()));
}

template <class Fn, class T, class... Ts>
ADZE_INLINE void zip_range(const Fn &fn, T &x, Ts &...others) {
  if ((false || ... || (size_of(x) != size_of(others))))
    shapes_differ();
  auto its = std::make_tuple(x.begin(), others.begin()...);
  for (; std::get<0>(its) != x.end();
       std::apply([](auto &...it) { (++it, ...); }, its))
    std::apply(
        [&](auto &...it) {
          if constexpr (category_of<T>() == category::map)
            zip(fn, it->second...);
          else
            zip(fn, *it...);
        },
        its);
}

template <class Fn, class T, class... Ts>
ADZE_INLINE void zip_data(const Fn &fn, T &x, Ts &...others) {
  if ((false || ... || (x.size() != others.size())))
    shapes_differ();
  const auto n = x.size();
  for (std::remove_const_t<decltype(n)> i = 0; i != n; ++i)
    zip(fn, x.data()[i], others.data()[i]...);
}

/// The same by index.
template <class Fn, class T, class... Ts>
ADZE_INLINE void zip_indexed(const Fn &fn, T &x, Ts &...others) {
  if ((false || ... || (x.size() != others.size())))
    shapes_differ();
  for (std::size_t i = 0; i != x.size(); ++i)
    zip(fn, x[i], others[i]...);
}

template <std::size_t I = 0, class Fn, class T, class... Ts>
ADZE_INLINE void zip_variant(const Fn &fn, T &x, Ts &...others) {
  if constexpr (I != std::variant_size_v<std::remove_const_t<T>>) {
    if (x.index() == I)
      zip(fn, *std::get_if<I>(&x), *std::get_if<I>(&others)...);
    else
      zip_variant<I + 1>(fn, x, others...);
  }
}

/// Elements of a container that lie in a row.
template <class T, class = void> struct has_row : std::false_type {};
template <class T>
struct has_row<T, std::void_t<decltype(*std::declval<T &>().data())>>
    : std::true_type {};

template <class Fn, class T, class... Ts>
ADZE_INLINE void zip(const Fn &fn, T &x, Ts &...others) {
  using U = std::remove_cv_t<T>;
  constexpr category is = category_of<U>();
  static_assert(is_known<U>,
                "adze: this type, or a member of it, is not known (a raw "
                "pointer, a view, a class with private members): write a "
                "function adze_members(T &) beside it that returns "
                "std::tie(...) of the members that matter");
  if constexpr (is == category::number) {
    fn(x, others...);
  } else if constexpr (!holds_floats<U>) {
  } else if constexpr (is == category::complex) {
    using V = typename U::value_type;
    for (int part = 0; part != 2; ++part)
      fn(reinterpret_cast<
             std::conditional_t<std::is_const_v<T>, const V, V>(&)[2]>(x)[part],
         reinterpret_cast<
             std::conditional_t<std::is_const_v<Ts>, const V, V>(&)[2]>(
             others)[part]...);
  } else if constexpr (is == category::array) {
    for (std::size_t i = 0; i != std::extent_v<U>; ++i)
      zip(fn, x[i], others[i]...);
  } else if constexpr (is == category::matrix ||
                       (has_row<U>::value && is == category::container)) {
    zip_data(fn, x, others...);
  } else if constexpr (is == category::tuple && has_row<U>::value) {
    zip_data(fn, x, others...);
  } else if constexpr (is == category::tuple) {
    zip_elements(fn, std::make_index_sequence<std::tuple_size_v<U>>(), x,
                 others...);
  } else if constexpr (is == category::optional || is == category::owner) {
    if ((false || ... || (bool(x) != bool(others))))
      shapes_differ();
    if (x)
      zip(fn, *x, *others...);
  } else if constexpr (is == category::variant) {
    if ((false || ... || (x.index() != others.index())))
      shapes_differ();
    zip_variant(fn, x, others...);
  } else if constexpr (is_valarray<U>::value) {
    zip_indexed(fn, x, others...);
  } else if constexpr (is == category::map || is == category::container) {
    zip_range(fn, x, others...);
  } else if constexpr (is == category::members) {
    using Tie = decltype(adze_members(const_cast<U &>(x)));
    zip_elements(fn, std::make_index_sequence<std::tuple_size_v<Tie>>(),
                 adze_members(const_cast<U &>(x)),
                 adze_members(const_cast<std::remove_cv_t<Ts> &>(others))...);
  } else if constexpr (is == category::aggregate) {
    zip_elements(fn, std::make_index_sequence<member_count<U>()>(),
                 aggregate_members(x), aggregate_members(others)...);
  }
}

} // namespace detail
} // namespace adze
#endif

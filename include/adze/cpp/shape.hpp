// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the floating-point numbers of an object are: what a type is made of,
// and the walk over objects of equal shape.
#ifndef ADZE_CPP_SHAPE_HPP
#define ADZE_CPP_SHAPE_HPP

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
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

template <class T> inline constexpr bool always_false = false;
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
template <class T> struct is_vector : std::false_type {};
template <class T> struct is_vector<std::vector<T>> : std::true_type {};
template <class T> struct is_owner : std::false_type {};
template <class T>
struct is_owner<std::unique_ptr<T>>
    : std::bool_constant<!std::is_polymorphic_v<T> && !std::is_array_v<T>> {};

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

/// The numbers of members of an aggregate: as many as can be given `{}`.
#define ADZE_EACH_COUNT(X)                                                     \
  X(1, {})                                                                     \
  X(2, {}, {})                                                                 \
  X(3, {}, {}, {})                                                             \
  X(4, {}, {}, {}, {})                                                         \
  X(5, {}, {}, {}, {}, {})                                                     \
  X(6, {}, {}, {}, {}, {}, {})                                                 \
  X(7, {}, {}, {}, {}, {}, {}, {})                                             \
  X(8, {}, {}, {}, {}, {}, {}, {}, {})                                         \
  X(9, {}, {}, {}, {}, {}, {}, {}, {}, {})                                     \
  X(10, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                                \
  X(11, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                            \
  X(12, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})                        \
  X(13, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {})
template <int N> struct count_tag {};
template <class T> std::false_type takes(...);
#define ADZE_TAKES(N, ...)                                                     \
  template <class T>                                                           \
  auto takes(count_tag<N>)->decltype(T{__VA_ARGS__}, std::true_type());
ADZE_EACH_COUNT(ADZE_TAKES)
#undef ADZE_TAKES
#undef ADZE_EACH_COUNT

inline constexpr int max_members = 12;
template <class T, int N = max_members + 1> constexpr int member_count() {
  if constexpr (N == 0)
    return 0;
  else if constexpr (decltype(takes<T>(count_tag<N>()))::value)
    return N;
  else
    return member_count<T, N - 1>();
}

/// References to the members of an aggregate.
template <class T> constexpr auto aggregate_members(T &x) {
  constexpr int n = member_count<std::remove_cv_t<T>>();
  if constexpr (n == 0) {
    return std::tie();
#define ADZE_MEMBERS(N, ...)                                                   \
  }                                                                            \
  else if constexpr (n == N) {                                                 \
    auto &[__VA_ARGS__] = x;                                                   \
    return std::tie(__VA_ARGS__);
    ADZE_MEMBERS(1, a)
    ADZE_MEMBERS(2, a, b)
    ADZE_MEMBERS(3, a, b, c)
    ADZE_MEMBERS(4, a, b, c, d)
    ADZE_MEMBERS(5, a, b, c, d, e)
    ADZE_MEMBERS(6, a, b, c, d, e, f)
    ADZE_MEMBERS(7, a, b, c, d, e, f, g)
    ADZE_MEMBERS(8, a, b, c, d, e, f, g, h)
    ADZE_MEMBERS(9, a, b, c, d, e, f, g, h, i)
    ADZE_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
    ADZE_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
    ADZE_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
#undef ADZE_MEMBERS
  } else {
    static_assert(always_false<T>,
                  "adze: a structure of more than 12 members: write a function "
                  "adze_members(T &) beside it that returns std::tie(...) of "
                  "those that matter");
  }
}

enum class category {
  number,    // floating-point
  complex,   // two of them
  inert,     // nothing with a derivative
  array,     // T[n]
  tuple,     // pair, tuple, array
  optional,  //
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
  else if constexpr (is_owner<U>::value)
    return category::owner;
  else if constexpr (is_map<U>::value)
    return category::map;
  else if constexpr (is_container<U>::value)
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

template <class T> constexpr contents contents_of();
template <class Tuple, std::size_t... I>
constexpr contents contents_of_elements(std::index_sequence<I...>) {
  return (contents{} + ... + contents_of<std::tuple_element_t<I, Tuple>>());
}
template <class Tuple> constexpr contents contents_of_tuple() {
  return contents_of_elements<Tuple>(
      std::make_index_sequence<std::tuple_size_v<Tuple>>());
}

template <class T> constexpr contents contents_of() {
  using U = bare<T>;
  constexpr category is = category_of<U>();
  if constexpr (is == category::number || is == category::complex)
    return {true, false};
  else if constexpr (is == category::inert)
    return {};
  else if constexpr (is == category::array)
    return contents_of<std::remove_all_extents_t<U>>();
  else if constexpr (is == category::tuple)
    return contents_of_tuple<U>();
  else if constexpr (is == category::owner)
    return contents_of<typename U::element_type>();
  else if constexpr (is == category::map)
    return contents_of<typename U::mapped_type>() +
           contents{false, contents_of<typename U::key_type>().floats};
  else if constexpr (is == category::optional)
    return contents_of<typename U::value_type>();
  else if constexpr (is == category::container)
    return contents_of<typename U::value_type>() +
           contents{false, is_set<U>::value &&
                               contents_of<typename U::value_type>().floats};
  else if constexpr (is == category::matrix)
    return contents_of<typename U::Scalar>();
  else if constexpr (is == category::members)
    return contents_of_tuple<decltype(adze_members(std::declval<U &>()))>();
  else if constexpr (is == category::aggregate)
    return contents_of_tuple<decltype(aggregate_members(
        std::declval<U &>()))>();
  else
    return {true, true};
}

template <class T> inline constexpr bool holds_floats = contents_of<T>().floats;
template <class T> inline constexpr bool is_known = !contents_of<T>().unknown;

/// Whether objects can be copied. Containers say that they can, whatever their
/// elements are.
template <class T> constexpr bool is_copyable();
template <class Tuple, std::size_t... I>
constexpr bool are_copyable(std::index_sequence<I...>) {
  return (true && ... && is_copyable<bare<std::tuple_element_t<I, Tuple>>>());
}
template <class T> constexpr bool is_copyable() {
  constexpr category is = category_of<T>();
  if constexpr (is == category::map)
    return is_copyable<typename T::mapped_type>();
  else if constexpr (is == category::container || is == category::optional)
    return is_copyable<typename T::value_type>();
  else if constexpr (is == category::tuple)
    return are_copyable<T>(std::make_index_sequence<std::tuple_size_v<T>>());
  else if constexpr (is == category::aggregate)
    return std::is_copy_constructible_v<T> &&
           are_copyable<decltype(aggregate_members(std::declval<T &>()))>(
               std::make_index_sequence<member_count<T>()>());
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

template <class Fn, class T, class... Ts>
ADZE_INLINE void zip_range(const Fn &fn, T &x, Ts &...others) {
  if ((false || ... || (x.size() != others.size())))
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a gradient in three ways that share little: reverse mode, forward
// mode, and differences.
#ifndef ADZE_CPP_CHECK_HPP
#define ADZE_CPP_CHECK_HPP

#include "adze/cpp/fixed.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace adze {

/// Derivatives along one direction, and whether they agree.
struct gradient_check {
  bool agrees = true;
  double reverse = 0, forward = 0, differences = 0; // where they agree least
  double modes_differ = 0;       // forward and reverse mode, relative
  double differences_differ = 0; // reverse mode and differences, relative
  explicit operator bool() const { return agrees; }
  std::string text() const {
    return std::string(agrees ? "gradient is right: " : "gradient is WRONG: ") +
           "along a random direction reverse mode has " +
           std::to_string(reverse) + ", forward mode " +
           std::to_string(forward) + ", differences " +
           std::to_string(differences) + "; modes differ by " +
           shortly(modes_differ) + ", differences by " +
           shortly(differences_differ) + " (relative)";
  }

private:
  static std::string shortly(double x) {
    if (!(x > 0))
      return x == 0 ? "0" : "nan";
    const int digits = int(std::floor(std::log10(x)));
    return std::to_string(int(x * std::pow(10.0, -digits))) + "e" +
           std::to_string(digits);
  }
};

/// What check_gradient calls equal, relative to the size of the derivatives:
/// 0 is what the type of the numbers allows.
struct tolerances {
  double modes = 0, differences = 0;
  int directions = 3;
};

namespace detail {

/// The same numbers everywhere, between -1 and 1.
class pseudo_random {
public:
  double operator()() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return double(state >> 11) / double(std::uint64_t(1) << 52) - 1;
  }

private:
  std::uint64_t state = 88172645463325252u;
};

/// An argument of which a check needs copies; constants stay where they are.
template <class A> class checked {
  using T = untagged<A>;
  using V = std::remove_const_t<fixed<T>>;

public:
  static constexpr bool active = is_active_argument<A>;
  explicit checked(A &a)
      : value(fix(value_of(a))), point(numbers_copied(value)), moved(point),
        direction(make_zero(value)), gradient(make_zero(value)) {}

  ADZE_INLINE auto with_gradient() { return fixed_slot(value, gradient); }
  ADZE_INLINE auto with_direction() { return fixed_slot(value, direction); }
  ADZE_INLINE auto beside() {
    if constexpr (is_view<V>::value)
      return constant_slot(view = V(moved.data(), moved.size()));
    else
      return fixed_slot(static_cast<const V &>(moved), gradient);
  }
  void choose(pseudo_random &random) {
    zip([&](auto &number) { number = random(); }, direction);
    set_zero(gradient);
  }
  double along() {
    double sum = 0;
    zip([&](auto &g, auto &d) { sum += double(g) * double(d); }, gradient,
        direction);
    return sum;
  }
  /// The sum of the sizes of what along() adds.
  double size() {
    double sum = 0;
    zip([&](auto &g, auto &d) { sum += std::abs(double(g) * double(d)); },
        gradient, direction);
    return sum;
  }
  void move(double by) {
    zip([&](auto &to, const auto &from, auto &d) { to = from + by * d; }, moved,
        point, direction);
  }

private:
  static shadow_of<V> numbers_copied(const V &x) {
    if constexpr (is_view<V>::value)
      return shadow_of<V>(x.data(), x.data() + x.size());
    else
      return x;
  }
  V value;
  shadow_of<V> point, moved, direction, gradient;
  std::conditional_t<is_view<V>::value, V, no_shadow> view = initial();
  auto initial() {
    if constexpr (is_view<V>::value)
      return value;
    else
      return no_shadow();
  }
};
template <class A> struct unchecked {
  A &a;
  explicit unchecked(A &a) : a(a) {}
  ADZE_INLINE auto with_gradient() { return constant_slot(value_of(a)); }
  ADZE_INLINE auto with_direction() { return constant_slot(value_of(a)); }
  ADZE_INLINE auto beside() { return constant_slot(value_of(a)); }
  void choose(pseudo_random &) {}
  double along() { return 0; }
  double size() { return 0; }
  void move(double) {}
};
template <class A>
using check_argument =
    std::conditional_t<is_active_argument<A>, checked<A>, unchecked<A>>;

/// Central differences with ever smaller steps; the two that agree best.
template <class At> double difference(const At &at, double step) {
  double best = std::numeric_limits<double>::infinity(), found = 0, last = 0;
  for (int i = 0; i != 8; ++i, step /= 4) {
    const double wide = (at(step) - at(-step)) / (2 * step);
    const double narrow = (at(step / 2) - at(-step / 2)) / step;
    const double now = (4 * narrow - wide) / 3;
    if (i > 0 && std::abs(now - last) < best) {
      best = std::abs(now - last);
      found = now;
    }
    last = now;
  }
  return found;
}

template <class F, class... C>
ADZE_INLINE gradient_check check_with(F &f, tolerances allowed, C &...c) {
  using R = value_type<F, decltype(c.with_gradient())...>;
  const double epsilon = double(std::numeric_limits<R>::epsilon());
  if (allowed.modes <= 0)
    allowed.modes = std::pow(epsilon, 0.75);
  if (allowed.differences <= 0)
    allowed.differences = std::pow(epsilon, 0.375);
  gradient_check worst;
  pseudo_random random;
  double badness = -1;
  for (int i = 0; i != allowed.directions; ++i) {
    (c.choose(random), ...);
    add_gradient(&f, c.with_gradient()...);
    gradient_check now;
    now.reverse = (0.0 + ... + c.along());
    now.forward = double(forward_pass(&f, c.with_direction()...).tangent);
    now.differences = difference(
        [&](double by) {
          (c.move(by), ...);
          return double(evaluate(f, c.beside()...));
        },
        0.02);
    double scale = (0.0 + ... + c.size());
    scale = scale > 0 ? scale : 1;
    now.modes_differ = std::abs(now.forward - now.reverse) / scale;
    now.differences_differ = std::abs(now.differences - now.reverse) / scale;
    // Not a number is nowhere near.
    now.agrees = now.modes_differ <= allowed.modes &&
                 now.differences_differ <= allowed.differences;
    const double bad = now.agrees ? now.differences_differ
                                  : std::numeric_limits<double>::infinity();
    if (bad > badness) {
      badness = bad;
      worst = now;
    }
  }
  return worst;
}

} // namespace detail

/// Compares the gradient of \p f with forward mode and differences, along
/// random directions. The result says whether they agree, and text() what was
/// found.
template <class F, class... A>
gradient_check check_gradient(const tolerances &allowed, F &&f, A &&...a) {
  using namespace detail;
  check_reverse_arguments<std::remove_reference_t<A>...>();
  static_assert(
      (true && ... && !is_duplicated_argument<std::remove_reference_t<A>>),
      "adze: a check makes the shadows itself: pass x, not "
      "adze::duplicated(x, dx)");
  std::tuple<check_argument<std::remove_reference_t<A>>...> all{
      check_argument<std::remove_reference_t<A>>(a)...};
  return std::apply(
      [&](auto &...c) {
        check_gradient_call<callable<F>, false,
                            decltype(c.with_gradient())...>();
        return check_with(f, allowed, c...);
      },
      all);
}
template <
    class F, class... A,
    class = std::enable_if_t<!std::is_same_v<detail::bare<F>, tolerances>>>
gradient_check check_gradient(F &&f, A &&...a) {
  return check_gradient(tolerances(), static_cast<F &&>(f),
                        static_cast<A &&>(a)...);
}

} // namespace adze
#endif

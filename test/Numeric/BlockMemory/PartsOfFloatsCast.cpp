// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of doubles in arrays and structures that functions return by value, as C++ spells it.
#include "check.h"
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace {

template <class To, class From> To castBits(const From &v) { return __builtin_bit_cast(To, v); }

using Bytes = std::array<std::uint8_t, 8>;
using Halves = std::array<std::uint32_t, 2>;
using Quarters = std::array<std::uint16_t, 4>;

template <class Parts> double through(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    Parts p = castBits<Parts>(std::sin(x[i]) * x[(i + 1) % n]);
    Parts q;
    for (unsigned k = 0; k < p.size(); ++k)
      q[k] = p[k];
    s = 0.7 * s + castBits<double>(q) * x[i];
  }
  return s;
}

[[gnu::noinline]] std::pair<std::uint32_t, std::uint32_t> pairOf(double v) {
  auto u = castBits<std::uint64_t>(v);
  return {std::uint32_t(u), std::uint32_t(u >> 32)};
}
[[gnu::noinline]] double ofPair(std::pair<std::uint32_t, std::uint32_t> p) {
  return castBits<double>(std::uint64_t(p.second) << 32 | p.first);
}

struct Writer {
  std::vector<std::uint8_t> bytes;
  template <class T> void put(T v) {
    std::uint64_t u = 0;
    std::memcpy(&u, &v, sizeof v);
    for (unsigned k = 0; k < sizeof v; ++k)
      bytes.push_back(std::uint8_t(u >> (8 * k)));
  }
};
struct Reader {
  const std::vector<std::uint8_t> &bytes;
  std::size_t at = 0;
  template <class T> T get() {
    std::uint64_t u = 0;
    for (unsigned k = 0; k < sizeof(T); ++k)
      u |= std::uint64_t(bytes[at++]) << (8 * k);
    T v;
    std::memcpy(&v, &u, sizeof v);
    return v;
  }
};

} // namespace

extern "C" double castToBytes(const double *x, int n) { return through<Bytes>(x, n); }
ADZE_TEST_ARRAY(castToBytes, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

extern "C" double castToHalves(const double *x, int n) { return through<Halves>(x, n); }
ADZE_TEST_ARRAY(castToHalves, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

extern "C" double castToQuarters(const double *x, int n) { return through<Quarters>(x, n); }
ADZE_TEST_ARRAY(castToQuarters, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

extern "C" double pairsOfHalves(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = 0.7 * s + ofPair(pairOf(x[i] * x[(i + 1) % n])) * x[i];
  return s;
}
ADZE_TEST_ARRAY(pairsOfHalves, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

extern "C" double archive(const double *x, int n) {
  Writer to;
  for (int i = 0; i < n; ++i) {
    to.put(std::uint32_t(7 + i));
    to.put(x[i] * x[(i + 1) % n]);
  }
  Reader from{to.bytes};
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double k = from.get<std::uint32_t>();
    s = 0.7 * s + from.get<double>() * x[i] * k;
  }
  return s;
}
ADZE_TEST_ARRAY(archive, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats in bytes and words, as programs in C++ write them.
// ADZE: flags="-std=c++20"
#include "check.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <stdint.h>
#include <string.h>
#include <vector>

// std::byte by std::bit_cast.
namespace {
template <class T> void put(std::vector<std::byte> &b, const T &v) {
  auto a = std::bit_cast<std::array<std::byte, sizeof(T)>>(v);
  b.insert(b.end(), a.begin(), a.end());
}
template <class T> T get(const std::vector<std::byte> &b, size_t &at) {
  std::array<std::byte, sizeof(T)> a;
  std::memcpy(a.data(), b.data() + at, sizeof(T));
  at += sizeof(T);
  return std::bit_cast<T>(a);
}
} // namespace
double bytesVector(const double *x, int n) {
  std::vector<std::byte> b;
  for (int i = 0; i < n; i++) {
    put(b, i);
    put(b, x[i] * x[i]);
    put(b, (short)i);
  }
  size_t at = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {
    int k = get<int>(b, at);
    double v = get<double>(b, at);
    short q = get<short>(b, at);
    s += v * v * (k + 1 + q);
  }
  return s;
}
ADZE_TEST_ARRAY(bytesVector, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Storage of a value of any type.
namespace {
struct Any {
  int kind = 0;
  alignas(8) unsigned char s[32];
  template <class T> void set(int k, const T &t) {
    kind = k;
    memcpy(s, &t, sizeof t);
  }
  template <class T> T get() const {
    T t;
    memcpy(&t, s, sizeof t);
    return t;
  }
};
struct AnyVector {
  double a, b, c;
};
struct AnyRecord {
  int i;
  float q;
  double d;
};
} // namespace
double anyValues(const double *x, int n) {
  std::vector<Any> v(2 * n);
  for (int i = 0; i < n; i++) {
    v[i].set(1, x[i] * x[i]);
    if (i % 2)
      v[n + i].set(2, AnyVector{x[i], x[0], 1});
    else
      v[n + i].set(3, AnyRecord{i, 1.f, x[i] * x[1]});
  }
  std::vector<Any> w(v);
  double s = 0;
  for (size_t i = 0; i < w.size(); i++) {
    Any &a = w[i];
    if (a.kind == 1)
      s += a.get<double>() * (i + 1);
    else if (a.kind == 2) {
      AnyVector t = a.get<AnyVector>();
      s += t.a * t.b * t.c;
    } else {
      AnyRecord m = a.get<AnyRecord>();
      s += m.d * (m.i + 1) * m.q;
    }
  }
  return s;
}
ADZE_TEST_ARRAY(anyValues, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// An arena of std::byte, with offsets for links.
namespace {
struct Node {
  double v;
  uint32_t left, right;
  int key;
};
struct Arena {
  std::unique_ptr<std::byte[]> mem;
  size_t at = 8;
  Arena() : mem(new std::byte[2048]) {}
  template <class T, class... A> uint32_t make(A... a) {
    at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
    uint32_t o = at;
    new (mem.get() + at) T{a...};
    at += sizeof(T);
    return o;
  }
  template <class T> T &get(uint32_t o) {
    return *std::launder(reinterpret_cast<T *>(mem.get() + o));
  }
};
void insert(Arena &a, uint32_t root, uint32_t n) {
  for (;;) {
    Node &r = a.get<Node>(root);
    uint32_t &c = a.get<Node>(n).key < r.key ? r.left : r.right;
    if (!c) {
      c = n;
      return;
    }
    root = c;
  }
}
double sum(Arena &a, uint32_t n, int d) {
  if (!n)
    return 0;
  Node &r = a.get<Node>(n);
  return r.v * r.v * d + sum(a, r.left, d + 1) + sum(a, r.right, d + 2);
}
} // namespace
double byteArena(const double *x, int n) {
  Arena a;
  uint32_t root = a.make<Node>(x[0] * x[1], 0u, 0u, 5);
  for (int i = 0; i < 2 * n; i++) {
    a.make<char>('c');
    insert(a, root, a.make<Node>(x[i % n] * (i + 1), 0u, 0u, (i * 7) % 11));
  }
  return sum(a, root, 1);
}
ADZE_TEST_ARRAY(byteArena, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// The halves of doubles in vectors of characters, in a map.
namespace {
struct Q {
  float a, b;
};
struct D2 {
  uint32_t lo, hi;
};
} // namespace
double halvesInBytes(const double *x, int n) {
  std::map<int, std::vector<char>> m;
  for (int i = 0; i < n; i++) {
    D2 w = std::bit_cast<D2>(x[i] * x[i]);
    std::vector<char> s(8);
    memcpy(&s[0], &w.lo, 4);
    memcpy(&s[4], &w.hi, 4);
    m[i] = s;
  }
  double s = 0;
  for (auto &[k, v] : m) {
    D2 w;
    memcpy(&w.lo, v.data(), 4);
    memcpy(&w.hi, v.data() + 4, 4);
    s += std::bit_cast<double>(w) * (k + 1);
  }
  return s;
}
ADZE_TEST_ARRAY(halvesInBytes, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Messages of words, copied to bytes by std::copy.
namespace {
struct Msg {
  uint8_t type;
  uint8_t pad[7];
  uint64_t payload[3];
};
Msg mk(int t, double a, double b, uint64_t c) {
  Msg m;
  memset(&m, 0, sizeof m);
  m.type = t;
  memcpy(&m.payload[0], &a, 8);
  memcpy(&m.payload[1], &b, 8);
  m.payload[2] = c;
  return m;
}
} // namespace
double messages(const double *x, int n) {
  std::deque<Msg> q;
  for (int i = 0; i < n; i++)
    q.push_back(mk(i % 3, x[i] * x[i], x[0], i));
  std::vector<uint8_t> wire;
  while (!q.empty()) {
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&q.front());
    std::copy(p, p + sizeof(Msg), std::back_inserter(wire));
    q.pop_front();
  }
  double s = 0;
  for (size_t at = 0; at < wire.size(); at += sizeof(Msg)) {
    Msg m;
    std::copy(wire.begin() + at, wire.begin() + at + sizeof(Msg),
              reinterpret_cast<uint8_t *>(&m));
    double a, b;
    memcpy(&a, &m.payload[0], 8);
    memcpy(&b, &m.payload[1], 8);
    s += a * b * (m.payload[2] + 1) + m.type * a;
  }
  return s;
}
ADZE_TEST_ARRAY(messages, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

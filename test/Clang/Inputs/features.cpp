// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bit of everything, without a marker.
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
int counter = 0;
struct Init {
  Init() { ++counter; }
} first, second;
} // namespace

thread_local std::vector<double> scratch;
inline double tag = 4;

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
  union {
    double d;
    long l;
  };
};
struct Disc : virtual Shape {
  double area() const override { return 3 * d * d; }
};

template <class T> T *grow(T *from, int n) {
  static int calls;
  static int other;
  ++calls, ++other;
  T *to = new T[2 * n];
  __builtin_memcpy((void *)to, from, n * sizeof(T));
  return to;
}

int twice(int n) {
  static int x = 1;
  {
    static int x = 2;
    n += x++;
  }
  return x += n;
}

double work(const std::map<std::string, double> &m) {
  double s = 0, *raw = static_cast<double *>(::operator new(64));
  for (auto &[name, value] : m)
    s += value * double(name.size());
  try {
    if (s < 0)
      throw std::runtime_error("negative: " + std::to_string(s));
    scratch.push_back(s);
  } catch (const std::exception &e) {
    std::puts(e.what());
  }
  auto l = [&](float f) { return f + s + m.at("key"); };
  std::unique_ptr<Shape> shape(new Disc);
  shape->d = raw[0] = l(1.f);
  raw = grow(raw, 8);
  s += shape->area() + raw[1] + tag + twice(3);
  ::operator delete(raw);
  return s;
}

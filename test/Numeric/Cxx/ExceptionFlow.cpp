// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers within differentiated code: which way a call was left is control flow, destructors and
// handlers have derivatives, and the reverse pass goes back along what ran.
#include "check.h"
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#define APART __attribute__((noinline))

APART static double root(double x) {
  if (x < 0)
    throw 1;
  return std::sin(x);
}

static double by_value(double x) {
  double y;
  try {
    y = root(x) * x;
  } catch (int i) {
    y = x * x * i;
  }
  return y;
}
ADZE_TEST_SCALAR1(by_value, ADZE_AT(2, -2))

// Thrown and caught in one function.
static double at_once(double x) {
  double y = x;
  try {
    y *= x;
    if (x < 0)
      throw 2;
    y *= x;
  } catch (int i) {
    y = y * x * x * i;
  }
  return y;
}
ADZE_TEST_SCALAR1(at_once, ADZE_AT(2, -2))

APART static double between(double x) {
  double y = root(x * 0.5);
  return y * y + std::exp(x);
}
static double several_frames(double x) {
  double y = 1;
  try {
    y = between(x) * x;
  } catch (...) {
    y = y * x * x;
  }
  return y;
}
ADZE_TEST_SCALAR1(several_frames, ADZE_AT(2, -3))

struct Deeper : std::out_of_range {
  using std::out_of_range::out_of_range;
};
static double by_type(double x) {
  double y;
  try {
    if (x < -3)
      throw 1.5;
    if (x < -2)
      throw std::runtime_error("a");
    if (x < -1)
      throw Deeper("b");
    if (x < 0)
      throw "text";
    y = x;
  } catch (double d) {
    y = d * x * x;
  } catch (const std::logic_error &e) {
    y = x * x * x * (e.what()[0] - 'a');
  } catch (const std::exception &) {
    y = std::exp(x);
  } catch (const char *text) {
    y = x * x * text[0];
  }
  return y;
}
ADZE_TEST_SCALAR1(by_type, ADZE_AT(1, -0.5, -1.5, -2.5, -4))

static double nested_rethrow(double x) {
  double y = x;
  try {
    try {
      y = root(x) * x;
    } catch (int) {
      y = y * y;
      if (x < -1)
        throw;
      y *= x;
    }
  } catch (int j) {
    y = y * x * x * j;
  }
  return y;
}
ADZE_TEST_SCALAR1(nested_rethrow, ADZE_AT(2, -0.5, -2))

// Inside of a handler another exception is thrown and caught, then the first one thrown again.
static double while_handling(double x) {
  double y = x;
  try {
    try {
      root(-1);
    } catch (int) {
      try {
        y = root(x) * y;
      } catch (int) {
        y = y * x;
      }
      throw;
    }
  } catch (int) {
    y = y * x;
  }
  return y;
}
ADZE_TEST_SCALAR1(while_handling, ADZE_AT(2, -2))

static double in_loop(double x) {
  double s = 0;
  for (int i = 0; i < 6; ++i) {
    try {
      s += root(x * (i - 2.5)) * s + x;
    } catch (int) {
      s = s * x + 1;
      if (i == 1)
        continue;
      s = s * s;
    }
  }
  return s;
}
ADZE_TEST_SCALAR1(in_loop, ADZE_AT(0.7))

// The loop is left by the exception.
static double leaves_loop(double x) {
  double s = 1;
  int n = 0;
  try {
    for (;; ++n)
      s = s * x + root(2.5 - n * x) * s;
  } catch (int) {
    s = s * n * x;
  }
  return s;
}
ADZE_TEST_SCALAR1(leaves_loop, ADZE_AT(0.7, 1.1))

// Destructors run where the exception passes, in their order.
struct Scale {
  double &r;
  double x;
  ~Scale() { r = r * x; }
};
struct Add {
  double &r;
  double x;
  ~Add() { r = r + x * x; }
};
APART static double guarded(double x, double &acc) {
  Scale outer{acc, x};
  acc = acc + x;
  Add inner{acc, x};
  return root(x) * acc;
}
static double destructors(double x) {
  double acc = x, y = 0;
  try {
    y = guarded(x, acc);
  } catch (int) {
    y = acc * acc;
  }
  return y * acc;
}
ADZE_TEST_SCALAR1(destructors, ADZE_AT(0.5, -0.5))

// What was written before the exception counts, what would have come after does not.
APART static double writes(double x, double *out) {
  *out = x * x;
  std::vector<double> copies(3, *out);
  if (*out > 4)
    throw 7;
  *out = *out * copies[1];
  return x;
}
static double written(double x) {
  double t = 1, y = 0;
  try {
    y = writes(x, &t);
  } catch (int) {
    y = 2;
  }
  return y * t;
}
ADZE_TEST_SCALAR1(written, ADZE_AT(1.5, 3))

// A reference comes back, or nothing.
APART static double element(const std::vector<double> &v, int i) { return v.at(i); }
static double elements(double x) {
  std::vector<double> v(2, x);
  double s = x;
  for (int i = 0; i < 4; ++i) {
    try {
      s += element(v, i) * x;
    } catch (const std::exception &) {
      s *= x;
    }
  }
  return s;
}
ADZE_TEST_SCALAR1(elements, ADZE_AT(0.7))

static double library(double x) {
  std::vector<double> v(3, x);
  const char *texts[] = {"2", "x", "99999999999999", "3"};
  double s = x;
  for (int i = 0; i < 5; ++i) {
    try {
      s += v.at(i) * v.at(i);
    } catch (const std::out_of_range &) {
      s *= x;
    }
  }
  for (const char *text : texts) {
    try {
      s *= x * std::stoi(text);
    } catch (const std::invalid_argument &) {
      s = s + x;
    } catch (const std::out_of_range &) {
      s = s + x * x;
    }
  }
  std::optional<double> o;
  if (x > 1)
    o = s * x;
  try {
    return o.value() * x;
  } catch (const std::bad_optional_access &) {
    return s;
  }
}
ADZE_TEST_SCALAR1(library, ADZE_AT(0.6, 1.3))

APART static double deep(double x, int n) {
  if (n == 0)
    return root(x);
  double y = deep(x - 0.25, n - 1) * x;
  return y + x;
}
APART static double deep_caught(double x, int n) {
  double y = x;
  if (n == 0)
    return root(x);
  try {
    y = deep_caught(x - 0.25, n - 1) * x;
  } catch (int) {
    y = x * x * n;
    if (n % 2)
      throw;
  }
  return y + x;
}
static double recursion(double x) {
  double y = 0;
  try {
    y = deep(x, 5) + x;
  } catch (...) {
    y = x * x;
  }
  try {
    y += deep_caught(x, 4);
  } catch (...) {
    y *= x;
  }
  return y;
}
ADZE_TEST_SCALAR1(recursion, ADZE_AT(2, 0.9))

// A call through a pointer, and a virtual one.
struct Shape {
  virtual double area(double x) const = 0;
  virtual ~Shape() = default;
};
struct Good final : Shape {
  double area(double x) const override { return x * x; }
};
struct Bad final : Shape {
  double area(double x) const override { return root(-x * x) * x; }
};
static double through_pointer(double x) {
  static const Good good;
  static const Bad bad;
  const Shape *shapes[] = {&good, &bad, &good};
  double (*const calls[])(double) = {root, by_value};
  double y = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      y += shapes[i]->area(x) * calls[i % 2](x);
    } catch (int) {
      y = y * x + 1;
    }
  }
  return y;
}
ADZE_TEST_SCALAR1(through_pointer, ADZE_AT(1.2, -1.2))

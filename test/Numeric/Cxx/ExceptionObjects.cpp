// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is thrown holds active data: it has a shadow, which handlers find.
// ADZE: leaks reason="memory that an exception's members own is ended by the library, its shadow is not (docs/Exceptions.md)"
#include "check.h"
#include <cmath>
#include <stdexcept>
#include <vector>

#define APART __attribute__((noinline))

static double number(double x) {
  try {
    if (x < 0)
      throw x;
    return x * x * x;
  } catch (double d) {
    return d * d * x;
  }
}
ADZE_TEST_SCALAR1(number, ADZE_AT(2, -2))

struct Error {
  double v;
  int code;
};
APART static double fails(double x) {
  if (x < 0)
    throw Error{x * x, 3};
  return x * x;
}
static double by_reference(double x) {
  try {
    return fails(x) + x;
  } catch (const Error &e) {
    return e.v * x * e.code;
  }
}
ADZE_TEST_SCALAR1(by_reference, ADZE_AT(2, -2))
static double by_value(double x) {
  try {
    return fails(x) + x;
  } catch (Error e) {
    e.v *= e.v;
    return e.v * x;
  }
}
ADZE_TEST_SCALAR1(by_value, ADZE_AT(2, -2))

// The handler changes what it throws again.
APART static double changes(double x) {
  try {
    return fails(x);
  } catch (Error &e) {
    e.v *= x;
    throw;
  }
}
static double changed(double x) {
  try {
    return changes(x);
  } catch (const Error &e) {
    return e.v * x;
  }
}
ADZE_TEST_SCALAR1(changed, ADZE_AT(2, -2))

// Only the handler makes it active.
APART static double sets(double x) {
  try {
    if (x < 0)
      throw Error{1, 2};
    return x;
  } catch (Error &e) {
    e.v = x * x;
    throw;
  }
}
static double set_later(double x) {
  try {
    return sets(x);
  } catch (const Error &e) {
    return e.v * x;
  }
}
ADZE_TEST_SCALAR1(set_later, ADZE_AT(2, -2))

// A base that is not the first one.
struct Base {
  int k = 1;
  virtual ~Base() = default;
};
struct Value {
  double v = 0;
  virtual double get() const { return v; }
  virtual ~Value() = default;
};
struct Derived : Base, Value {
  double w;
  explicit Derived(double x) : w(x) { v = x * x; }
  double get() const override { return v * w; }
};
APART static double derived(double x) {
  if (x < 0)
    throw Derived(x);
  return x;
}
static double by_base(double x) {
  try {
    return derived(x);
  } catch (const Value &e) {
    return e.v * x;
  }
}
ADZE_TEST_SCALAR1(by_base, ADZE_AT(2, -2))
static double by_class(double x) {
  try {
    return derived(x);
  } catch (const Derived &e) {
    return e.w * x * e.v;
  }
}
ADZE_TEST_SCALAR1(by_class, ADZE_AT(2, -2))

// What is thrown is a pointer.
static double pointers(double x) {
  Error e{x * x, 2};
  double y;
  try {
    if (x < 0)
      throw &e;
    throw new Error{x * x * x, 1};
  } catch (Error *p) {
    y = p->v * x * p->code;
    if (p != &e)
      delete p;
  }
  return y;
}
ADZE_TEST_SCALAR1(pointers, ADZE_AT(2, -2))

// Objects follow each other in the same memory; some are constant, and some thrown by code that has
// no derivative.
APART static int counts(int i) {
  if (i % 2)
    throw Error{0.25 * i, i};
  return i;
}
static double mixed(double x) {
  double y = x;
  for (int i = 0; i < 6; ++i) {
    try {
      y += counts(i) * x;
      if (i > 1)
        throw Error{y * x, i};
    } catch (const Error &e) {
      y = y + e.v * e.v * x;
    }
  }
  return y;
}
ADZE_TEST_SCALAR1(mixed, ADZE_AT(0.3))

// Two live at the same time.
static double both(double x) {
  double y = 0;
  try {
    fails(-x);
  } catch (const Error &e) {
    try {
      fails(-x * x);
    } catch (const Error &f) {
      y = e.v * f.v * x;
    }
    y += e.v;
  }
  return y;
}
ADZE_TEST_SCALAR1(both, ADZE_AT(1.3))

struct Samples : std::runtime_error {
  std::vector<double> v;
  explicit Samples(double x) : std::runtime_error("samples"), v(3, x) { v[1] *= x; }
};
APART static double samples(double x) {
  if (x < 0)
    throw Samples(x * x);
  return x;
}
static double members(double x) {
  try {
    return samples(x);
  } catch (const Samples &e) {
    return e.v[0] * x + e.v[1];
  }
}
ADZE_TEST_SCALAR1(members, ADZE_AT(2, -2))

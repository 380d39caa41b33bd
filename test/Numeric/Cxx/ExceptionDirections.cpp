// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is thrown holds active data, in 2, 3 and 8 directions: it has a shadow
// in each of them. Compared with single directions.
#include "check.h"
#include <cmath>
#include <stdexcept>

enum { Size = 4 };
#include "directions.h" // of Size

extern int enzyme_dup, enzyme_dupv, enzyme_width, enzyme_tape;
template <class... T> void __enzyme_autodiff(T...);
template <class... T> void __enzyme_fwddiff(T...);
template <class... T> void *__enzyme_augmentfwd(T...);
template <class... T> void __enzyme_reverse(T...);

#define APART __attribute__((noinline))

// Of a size that is no multiple of 16: shadows are kept apart.
struct Payload {
  double v;
  int code;
  double more[3];
  char end;
};
struct Base {
  virtual ~Base() {}
  double b;
};
struct Derived : Base {
  Payload p;
};

static APART void throws(const double *x, int i) {
  switch (i) {
  case 0:
    throw x[0] * x[1];
  case 1:
    throw Payload{x[1] * x[1], 2, {x[0], x[2] * x[3], sin(x[3])}, 1};
  case 2: {
    Derived d;
    d.b = x[2] * x[0];
    d.p.v = exp(x[1]);
    d.p.more[1] = x[3];
    throw d;
  }
  default: {
    static Payload kept;
    kept.v = x[3] * x[2];
    throw &kept;
  }
  }
}

static void caught(const double *x, double *y) {
  for (int i = 0; i < Size; ++i)
    try {
      throws(x, i);
      y[i] = 0;
    } catch (double d) {
      y[i] = d * x[3];
    } catch (Payload &p) {
      p.v *= x[0];
      y[i] = p.v * p.code + p.more[0] * p.more[1] + p.more[2];
    } catch (const Base &b) {
      const Derived &d = static_cast<const Derived &>(b);
      y[i] = b.b * b.b + d.p.v * d.p.more[1];
    } catch (const Payload *p) {
      y[i] = p->v * p->v;
    }
}

// Thrown again, and one exception within the handler of another.
static void within(const double *x, double *y) {
  for (int i = 0; i < Size; ++i)
    try {
      try {
        throw Payload{x[i] * x[i], i, {x[0], x[1], x[2]}, 0};
      } catch (Payload &p) {
        try {
          if (i % 2)
            throw x[3] * p.v;
        } catch (double d) {
          p.more[2] *= d;
        }
        p.v *= x[1];
        throw;
      }
    } catch (const Payload &p) {
      y[i] = p.v + p.more[0] * p.more[2];
    }
}

static double x[Size] = {0.4, -0.7, 1.2, 0.3};

#if ADZE_REVERSE
template <void (*F)(const double *, double *), int W> static void back() {
  double y[Size];
  Block<W> got, want, halves, single, wide, split;
  got.zero(), want.zero(), halves.zero();
  for (int k = 0; k < W; ++k)
    __enzyme_autodiff((void *)F, enzyme_dup, x, want.of[k], enzyme_dup, y,
                      single.of[k]);
  __enzyme_autodiff((void *)F, enzyme_width, W, enzyme_dupv, sizeof wide.of[0],
                    x, got.of[0], enzyme_dupv, sizeof wide.of[0], y,
                    wide.of[0]);
  compare<W>("back", got, want);
  void *tape = __enzyme_augmentfwd(
      (void *)F, enzyme_width, W, enzyme_dupv, sizeof split.of[0], x,
      halves.of[0], enzyme_dupv, sizeof split.of[0], y, split.of[0]);
  __enzyme_reverse((void *)F, enzyme_width, W, enzyme_dupv, sizeof split.of[0],
                   x, halves.of[0], enzyme_dupv, sizeof split.of[0], y,
                   split.of[0], enzyme_tape, tape);
  compare<W>("split", halves, want);
}
ADZE_TEST_REVERSE(exceptions_back) {
  back<caught, 2>();
  back<caught, 3>();
  back<within, 3>();
  back<within, 8>();
}
#endif

#if ADZE_FORWARD
template <void (*F)(const double *, double *), int W> static void along() {
  double y[Size];
  Block<W> seeds, got, want;
  for (int k = 0; k < W; ++k)
    __enzyme_fwddiff((void *)F, enzyme_dup, x, seeds.of[k], enzyme_dup, y,
                     want.of[k]);
  __enzyme_fwddiff((void *)F, enzyme_width, W, enzyme_dupv, sizeof got.of[0], x,
                   seeds.of[0], enzyme_dupv, sizeof got.of[0], y, got.of[0]);
  compare<W>("along", got, want);
}
ADZE_TEST_FORWARD(exceptions_along) {
  along<caught, 2>();
  along<caught, 3>();
  along<within, 3>();
  along<within, 8>();
}
#endif

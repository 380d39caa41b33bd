// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions that leave the derivative: destructors run on the way, memory of
// the function, of its shadows and of the tape is given back, the marker's
// caller gets what was thrown, and further derivatives are right.
// ADZE: skip-unless=header:malloc.h
#include "check.h"
#include <malloc.h>
#include <memory>
#include <stdexcept>
#include <vector>

static int alive;
struct Guard {
  double *p;
  Guard(double v) : p(new double(v)) { ++alive; }
  ~Guard() {
    delete p;
    --alive;
  }
};
static double inner(double x, int n) {
  Guard g(x * x);
  std::vector<double> v;
  for (int i = 0; i < n; ++i) {
    v.push_back(*g.p * x + i);
    if (v.back() > 20)
      throw std::domain_error("too large");
  }
  double s = 0;
  for (double d : v)
    s += d * d;
  return s + v.at(n - 1) * v.at(n / 5);
}
static double outer(double x, int n) {
  auto p = std::make_unique<double>(x);
  Guard g(*p);
  return inner(*p * 2, n) * *g.p;
}

/// 0: returned; else which exception left it.
template <class Call> static int leaves(Call call, double x, int n, double *d) {
  try {
    *d = call(x, n);
  } catch (const std::domain_error &) {
    return 1;
  } catch (const std::out_of_range &) {
    return 2;
  }
  return 0;
}
template <class Call> static void run(Call call) {
  double first = 0, last = 0, unused;
  adze_near("returns", leaves(call, 0.5, 3, &first), 0, 0);
  size_t before = 0;
  int loops = 0, ats = 0;
  for (int k = 0; k < 60; ++k) {
    if (k == 30) // what the C library keeps has been allocated
      before = mallinfo2().uordblks;
    loops += leaves(call, 3.0, 4, &unused) == 1;
    ats += leaves(call, 0.5, 0, &unused) == 2;
  }
  double grown = double(mallinfo2().uordblks) - double(before);
  adze_near("memory", grown, 0, 0);
  adze_near("thrown in a loop", loops, 60, 0);
  adze_near("thrown by at()", ats, 60, 0);
  adze_near("objects", alive, 0, 0);
  adze_near("returns", leaves(call, 0.5, 3, &last), 0, 0);
  adze_near("derivative", last, first, 0);
}
#if ADZE_REVERSE
extern "C" double __enzyme_autodiff_o(void *, double, int);
ADZE_TEST_REVERSE(reverse) {
  run([](double x, int n) { return __enzyme_autodiff_o((void *)outer, x, n); });
}
#endif
#if ADZE_FORWARD
extern "C" double __enzyme_fwddiff_o(void *, double, double, int);
ADZE_TEST_FORWARD(forward) {
  run([](double x, int n) {
    return __enzyme_fwddiff_o((void *)outer, x, 1.0, n);
  });
}
#endif

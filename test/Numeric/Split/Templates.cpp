// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split mode from C++: markers as templates, references, a class with a vector inside; markers
// in a block that catches exceptions; nothing active.
// ADZE: modes=reverse
#include "check.h"
#include <cmath>
#include <vector>

template <typename Return, typename... Args> Return __enzyme_augmentfwd(Args...);
template <typename Return, typename... Args> Return __enzyme_reverse(Args...);
template <typename Return, typename... Args> Return __enzyme_augmentsize(Args...);
template <typename Return, typename... Args> Return __enzyme_autodiff(Args...);

struct model {
  std::vector<double> weights;
  __attribute__((noinline)) double run(const double &x) const {
    std::vector<double> hidden;
    for (double w : weights)
      hidden.push_back(std::tanh(w * x));
    double s = 0;
    for (double h : hidden)
      s += h * h;
    return s;
  }
};
static double run(const model *m, double x) { return m->run(x); }

#if ADZE_REVERSE
ADZE_TEST_REVERSE(vectors) {
  model m{{0.5, -0.3, 0.8}}, got{{0, 0, 0}}, want{{0, 0, 0}};
  double wanted = __enzyme_autodiff<double>((void *)run, &m, &want, 0.7);
  void *tape = __enzyme_augmentfwd<void *>((void *)run, &m, &got, 0.7);
  double derivative = __enzyme_reverse<double>((void *)run, &m, &got, 0.7, 1.0, tape);
  adze_near("x", derivative, wanted, 1e-14);
  for (int i = 0; i < 3; i++)
    adze_near("weights", got.weights[i], want.weights[i], 1e-14);
}

static double square(double x) { return x * x; }
static double *same(double *p) { return p; }

ADZE_TEST_REVERSE(within_try) {
  double caught = 0;
  try {
    size_t size = __enzyme_augmentsize<size_t>((void *)square, enzyme_out);
    std::vector<char> memory(size);
    __enzyme_augmentfwd<void>((void *)square, enzyme_allocated, size, enzyme_tape, memory.data(),
                              3.0);
    double d = __enzyme_reverse<double>((void *)square, enzyme_allocated, size, enzyme_tape,
                                        memory.data(), 3.0, 1.0);
    if (d > 0)
      throw d;
  } catch (double d) {
    caught = d;
  }
  adze_near("derivative", caught, 6, 0);
}

ADZE_TEST_REVERSE(nothing_active) {
  void *tape = __enzyme_augmentfwd<void *>((void *)square, enzyme_const, 3.0);
  __enzyme_reverse<void>((void *)square, enzyme_const, 3.0, tape);
  double x = 1;
  tape = __enzyme_augmentfwd<void *>((void *)same, enzyme_const, &x);
  __enzyme_reverse<void>((void *)same, enzyme_const, &x, tape);
  adze_near("x", x, 1, 0);
}
#endif

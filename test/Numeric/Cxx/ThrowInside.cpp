// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions that the differentiated function, or what it calls, throws on bad input and does not
// catch reach the handlers around the gradient, and the next gradient is right again.
// ADZE: leaks reason="an exception leaves behind the tape of what it ends (docs/SplitMode.md)"
#include "check.h"
#include <cmath>
#include <exception>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static double root(double x) {
  if (x < 0)
    throw std::domain_error("negative");
  return std::sqrt(x);
}

// Keeps values in memory of the heap while it throws: once within its own loop, once below.
static double sum(const double *x, int n) {
  double s = 0.5;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 100)
      throw std::range_error("large");
    s += root(x[i]) * x[i] * s;
  }
  return s;
}
static double single(double x) { return root(x) * x; }

// Recursion: each level has a tape.
__attribute__((noinline)) static double deep(double x, int n) {
  if (n == 0)
    return root(x);
  return std::sin(deep(x - 0.25, n - 1)) * x;
}

// Handlers within differentiated code hold those back that they are made for, and throw others.
static double guarded(double x) {
  try {
    if (x > 100)
      throw std::range_error("large");
    return root(x) * x;
  } catch (const std::domain_error &) {
    if (x < -1)
      throw;
    return 2 * x;
  }
}

// noexcept ends the program, with a handler around it or without.
static double promised(double x) noexcept { return root(x) * x; }
static double outer(double x) { return promised(x) * x; }
static double around(double x) {
  try {
    return root(promised(x) - 4) * x;
  } catch (const std::exception &) {
    return x;
  }
}
template <typename Body> static int ends(Body run) {
  pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] { _exit(42); });
    try {
      run();
    } catch (...) {
    }
    _exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 42;
}

// 0: no exception, 1: domain_error, 2: range_error, 3: another.
template <typename Body> static int kindOf(Body run) {
  try {
    run();
    return 0;
  } catch (const std::domain_error &e) {
    return e.what()[0] == 'n' ? 1 : 3;
  } catch (const std::range_error &) {
    return 2;
  }
}

static const double good[4] = {1, 2, 3, 0.5}, negative[4] = {1, 2, 3, -1},
                    large[4] = {1, 2, 300, 4};

#if ADZE_REVERSE
template <typename Return, typename... Args> Return __enzyme_autodiff(Args...);
template <typename Return, typename... Args> Return __enzyme_augmentfwd(Args...);
template <typename Return, typename... Args> Return __enzyme_reverse(Args...);

static void gradient(const double *x, double *d) {
  __enzyme_autodiff<double>((void *)sum, enzyme_dup, x, d, 4);
}
static void halves(const double *x, double *d) {
  void *tape = __enzyme_augmentfwd<void *>((void *)sum, enzyme_dup, x, d, 4);
  __enzyme_reverse<void>((void *)sum, enzyme_dup, x, d, 4, 1.0, tape);
}

ADZE_TEST_REVERSE(arrays) {
  double want[4] = {0};
  gradient(good, want);
  for (int again = 0; again < 3; ++again) {
    double d[4] = {0}, ignored[4] = {0};
    adze_near("negative", kindOf([&] { gradient(negative, ignored); }), 1, 0);
    adze_near("large", kindOf([&] { gradient(large, ignored); }), 2, 0);
    adze_near("good", kindOf([&] { gradient(good, d); }), 0, 0);
    for (int i = 0; i < 4; ++i)
      adze_near("gradient", d[i], want[i], 1e-14);
  }
}

ADZE_TEST_REVERSE(two_halves) {
  double want[4] = {0};
  gradient(good, want);
  for (int again = 0; again < 3; ++again) {
    double d[4] = {0}, ignored[4] = {0};
    adze_near("negative", kindOf([&] { halves(negative, ignored); }), 1, 0);
    adze_near("large", kindOf([&] { halves(large, ignored); }), 2, 0);
    adze_near("good", kindOf([&] { halves(good, d); }), 0, 0);
    for (int i = 0; i < 4; ++i)
      adze_near("gradient", d[i], want[i], 1e-14);
  }
}

ADZE_TEST_REVERSE(scalars) {
  double d = 0;
  auto at = [&](double x) { return kindOf([&] { d = __enzyme_autodiff<double>((void *)single, x); }); };
  adze_near("negative", at(-1), 1, 0);
  adze_near("good", at(4), 0, 0);
  adze_near("derivative", d, 3, 1e-14);
}

ADZE_TEST_REVERSE(handlers_inside) {
  double d = 0;
  for (int again = 0; again < 3; ++again) {
    auto at = [&](double x) {
      return kindOf([&] { d = __enzyme_autodiff<double>((void *)guarded, x); });
    };
    adze_near("thrown again", at(-2), 1, 0);
    adze_near("another", at(101), 2, 0);
    adze_near("caught", at(-0.5), 0, 0);
    adze_near("derivative", d, 2, 1e-14);
    adze_near("good", at(4), 0, 0);
    adze_near("derivative", d, 3, 1e-14);
  }
}

ADZE_TEST_REVERSE(promises) {
  double d = __enzyme_autodiff<double>((void *)outer, 4.0);
  adze_near("outer", d, 2.5 * 4 * 2, 1e-14);
  adze_near("around", __enzyme_autodiff<double>((void *)around, 4.0), 2 + 4 * 3 / 4.0, 1e-14);
  adze_near("caught", __enzyme_autodiff<double>((void *)around, 1.0), 1, 1e-14);
  adze_true("outer ends", ends([] { __enzyme_autodiff<double>((void *)outer, -1.0); }));
  adze_true("around ends", ends([] { __enzyme_autodiff<double>((void *)around, -1.0); }));
}

ADZE_TEST_REVERSE(recursion) {
  double before = 0, d = 0;
  auto at = [&](double x, double &to) {
    return kindOf([&] { to = __enzyme_autodiff<double>((void *)deep, x, 5); });
  };
  adze_near("good", at(2, before), 0, 0);
  adze_near("negative", at(1, d), 1, 0);
  adze_near("good", at(2, d), 0, 0);
  adze_near("derivative", d, before, 0);
  double h = 1e-5;
  adze_near("difference", d, (deep(2 + h, 5) - deep(2 - h, 5)) / (2 * h), 1e-8);
}
#endif

#if ADZE_FORWARD
template <typename Return, typename... Args> Return __enzyme_fwddiff(Args...);

ADZE_TEST_FORWARD(promises) {
  adze_true("outer ends", ends([] { __enzyme_fwddiff<double>((void *)outer, -1.0, 1.0); }));
  adze_true("around ends", ends([] { __enzyme_fwddiff<double>((void *)around, -1.0, 1.0); }));
}

ADZE_TEST_FORWARD(tangents) {
  double seed[4] = {1, 0, 0, 0}, d = 0;
  auto at = [&](const double *x) {
    return kindOf([&] { d = __enzyme_fwddiff<double>((void *)sum, enzyme_dup, x, seed, 4); });
  };
  adze_near("negative", at(negative), 1, 0);
  adze_near("large", at(large), 2, 0);
  adze_near("good", at(good), 0, 0);
  auto scalar = [&](double x) {
    return kindOf([&] { d = __enzyme_fwddiff<double>((void *)single, x, 1.0); });
  };
  adze_near("negative", scalar(-1), 1, 0);
  adze_near("good", scalar(4), 0, 0);
  adze_near("tangent", d, 3, 1e-14);
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers as C++ functions: mangled, templated, in a namespace, with references.
#include "check.h"
#include <cmath>

template <typename Return, typename... T> Return __enzyme_autodiff(void *, T...);
template <typename Return, typename... T> Return __enzyme_fwddiff(void *, T...);
namespace mine {
double __enzyme_autodiff_plain(void *, double);
}

static double f(double x) { return std::sin(x) * x; }
static void g(const double &x, double &y) { y = x * x * x; }

#if ADZE_REVERSE
ADZE_TEST_REVERSE(reverse) {
  double want = std::cos(2.0) * 2 + std::sin(2.0);
  adze_near("template", __enzyme_autodiff<double>((void *)f, 2.0), want, 1e-14);
  adze_near("namespace", mine::__enzyme_autodiff_plain((void *)f, 2.0), want, 1e-14);
  double x = 2, dx = 0, y, dy = 1;
  __enzyme_autodiff<void>((void *)g, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  adze_near("references", dx, 12, 0);
}
#endif
#if ADZE_FORWARD
ADZE_TEST_FORWARD(forward) {
  double want = std::cos(2.0) * 2 + std::sin(2.0);
  adze_near("template", __enzyme_fwddiff<double>((void *)f, 2.0, 1.0), want, 1e-14);
  double x = 2, dx = 1, y, dy = 99;
  __enzyme_fwddiff<void>((void *)g, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  adze_near("references", dy, 12, 0);
}
#endif

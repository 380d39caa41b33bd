// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registrations in C++: overloads, templates, members, variables in namespaces; the marker
// as a template.
#include "check.h"
#include <cmath>
#include <utility>
#include <vector>

namespace {
double held(double x) { return x; }
double held(double x, double y) { return x * y; }
template <typename T> T frozen(T x) { return x * x; }
struct Model {
  std::vector<double> weights;
  static double bias(double x) { return 1 + x; }
  double weight(double x) const { return weights[0] * x; }
};
inline double &element(std::vector<double> &v, int i) { return v[i]; }
} // namespace
namespace settings {
double gain = 4, seen;
void *__enzyme_inactive_global_ns[] = {&gain, &seen};
} // namespace settings

void *__enzyme_inactivefn_cxx[] = {(void *)(double (*)(double))held,
                                   (void *)(double (*)(double, double))held,
                                   (void *)frozen<double>, (void *)Model::bias};
#ifndef ADZE_PRIMAL_ONLY
template <typename R, typename F, typename... T> R __enzyme_call_inactive(F *, T...);
static double by_template(double x) {
  return __enzyme_call_inactive<double>(+[](double v, float w) { return v + w; }, x, 1.0f);
}
#else
static double by_template(double x) { return x + 1; }
#endif

double f(double x) {
  Model m{{3.0, 1.0}};
  element(m.weights, 1) = held(x);
  settings::seen = x;
  return held(x) * x + held(x, x) * x + frozen(x) * x + Model::bias(x) * x +
         m.weight(x) * element(m.weights, 1) + settings::gain * x + by_template(x) * x;
}
static double d(double x) { return x + 2 * x * x + 1 + x + 3 * x + 4 + x + 1; }
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, -1.5), .derivative = d, .flags = ADZE_NO_DIFFERENCES)

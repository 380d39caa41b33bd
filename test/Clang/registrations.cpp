// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that say what registrations say, and registrations that clang
// would leave out, as nobody uses them.
//
// RUN: %clangxx -O0 %clang-adze %s -o %t.0 && %t.0 | FileCheck %s
// RUN: %clangxx -O2 %clang-adze %s -o %t.2 && %t.2 | FileCheck %s
// RUN: not %clangxx -O2 %clang-adze -DWRONG -c %s -o %t.o 2>&1 | FileCheck --check-prefix=WRONG %s
#include <cmath>
#include <cstdio>
extern "C" double __enzyme_autodiff(void *, ...);
extern "C" double __enzyme_fwddiff(void *, ...);

#ifdef WRONG
// WRONG: error: cannot make use of 'enzyme_function_like' of 'like': no function 'logarithm' is known that is called as 'like' is
#define NAME "logarithm"
#else
#define NAME "log1p"
#endif
extern "C" __attribute__((enzyme_function_like(NAME), noinline)) double like(double x) {
  return x > 100 ? std::log(1 + x) : std::log1p(x);
}
[[enzyme::shouldrecompute]] static double again(double x) { return x * x; }
[[clang::enzyme_sparse_accumulate]] void entry(long, double) {}

namespace ns {
static double f(double x) { return x; }
static double f_reverse(double, double adjoint) { return 3 * adjoint; }
static double f_forward(double, double dx) { return 4 * dx; }
inline void *__enzyme_register_gradient_f[] = {(void *)f, (void *)f, (void *)f_reverse};
static void *__enzyme_register_derivative_f[] = {(void *)f, (void *)f_forward};
} // namespace ns

struct Class {
  static double g(double x) { return x; }
  static double reverse(double, double adjoint) { return 7 * adjoint; }
  static inline void *__enzyme_register_gradient_g[] = {(void *)g, (void *)g, (void *)reverse};
};

double both(double x) { return like(x) + again(x) * ns::f(x) + Class::g(x); }
int main() {
  // CHECK: 27.3333 25.3333
  std::printf("%g %g\n", __enzyme_autodiff((void *)both, 2.0),
              __enzyme_fwddiff((void *)both, 2.0, 1.0));
  entry(1, 2);
}

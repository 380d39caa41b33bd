// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parallel algorithms of C++, which call TBB: named, with the way out. (What their headers call of it stands here.)
//
// RUN: not %clangxx -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);

namespace tbb::detail {
namespace d1 {
struct delegate_base {
  virtual bool operator()() const = 0;
  virtual ~delegate_base() {}
};
} // namespace d1
namespace r1 {
void isolate_within_arena(d1::delegate_base &, long);
}
} // namespace tbb::detail

struct Squares : tbb::detail::d1::delegate_base {
  double *x;
  explicit Squares(double *x) : x(x) {}
  bool operator()() const override {
    x[0] *= x[0];
    return true;
  }
};

double squares(double *x) {
  Squares work(x);
  // CHECK: parallel-algorithms.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'tbb::detail::r1::isolate_within_arena(tbb::detail::d1::delegate_base&, long)': derivatives through this part of TBB are not supported yet
  tbb::detail::r1::isolate_within_arena(work, 0);
  return x[0];
}

// CHECK: to fix: let the algorithm run in one thread (std::execution::seq), or write the loop with OpenMP
void gradient(double *x, double *dx) {
  __enzyme_autodiff((void *)squares, x, dx);
}

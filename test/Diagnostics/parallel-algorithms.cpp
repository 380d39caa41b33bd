// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of TBB that are no loop: named, with the way out. (What its headers call of it stands here.)
//
// RUN: not %clangxx -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);

namespace tbb::detail {
namespace d1 {
struct task_group_context;
struct task {
  virtual task *execute() = 0;
  virtual ~task() {}
};
} // namespace d1
namespace r1 {
void spawn(d1::task &, d1::task_group_context &);
}
} // namespace tbb::detail

struct Squares : tbb::detail::d1::task {
  double *x;
  explicit Squares(double *x) : x(x) {}
  task *execute() override {
    x[0] *= x[0];
    return nullptr;
  }
};

double squares(double *x, tbb::detail::d1::task_group_context *context) {
  Squares work(x);
  // CHECK: parallel-algorithms.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'tbb::detail::r1::spawn(tbb::detail::d1::task&, tbb::detail::d1::task_group_context&)': derivatives through this part of TBB are not supported yet
  tbb::detail::r1::spawn(work, *context);
  return x[0];
}

extern int enzyme_const;
// CHECK: to fix: let the algorithm run in one thread (std::execution::seq), or write the loop with OpenMP
void gradient(double *x, double *dx,
              tbb::detail::d1::task_group_context *context) {
  __enzyme_autodiff((void *)squares, x, dx, enzyme_const, context);
}

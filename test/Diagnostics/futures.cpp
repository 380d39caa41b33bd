// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of futures are refused, by name: results that are ready when the thread ends.
//
// RUN: not %clangxx -std=c++17 -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++17 -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <future>
#include <thread>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// CHECK: error: cannot differentiate 'a future (std::async, std::promise, std::packaged_task) that is set when the thread ends, or was inlined before this pass': derivatives through this part of POSIX threads and those of C++ are not supported yet
double promised(const double *x) {
  std::promise<double> promise;
  auto result = promise.get_future();
  std::thread t([&] { promise.set_value_at_thread_exit(x[0] * x[1]); });
  t.join();
  return result.get();
}
double packaged(const double *x) {
  std::packaged_task<double(double)> task([=](double y) { return y * x[1]; });
  auto result = task.get_future();
  std::thread t([&] { task.make_ready_at_thread_exit(x[0]); });
  t.join();
  return result.get();
}
void gradients(const double *x, double *dx) {
  __enzyme_autodiff((void *)promised, x, dx);
  __enzyme_fwddiff((void *)packaged, x, dx);
}

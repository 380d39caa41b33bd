// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Futures are refused by name, whatever they are of.
//
// RUN: not %clangxx -std=c++17 -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++17 -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <future>
#include <thread>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// CHECK-COUNT-4: error: cannot differentiate 'a future (std::async, std::promise, std::packaged_task)': derivatives through this part of POSIX threads and those of C++ are not supported yet
double launched(const double *x) {
  auto result = std::async(std::launch::async, [=] { return x[0] * x[1]; });
  return result.get() * x[2];
}
double deferred(const double *x) {
  auto result = std::async(std::launch::deferred, [=] { return x[0] * x[1]; });
  return result.get() * x[2];
}
double promised(const double *x) {
  std::promise<double> promise;
  auto result = promise.get_future();
  std::thread t([&] { promise.set_value(x[0] * x[1]); });
  t.join();
  return result.get();
}
double packaged(const double *x) {
  std::packaged_task<double(double)> task([=](double y) { return y * x[1]; });
  auto result = task.get_future();
  task(x[0]);
  return result.get();
}
void gradients(const double *x, double *dx) {
  __enzyme_autodiff((void *)launched, x, dx);
  __enzyme_autodiff((void *)deferred, x, dx);
  __enzyme_autodiff((void *)promised, x, dx);
  __enzyme_fwddiff((void *)packaged, x, dx);
}

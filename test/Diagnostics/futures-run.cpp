// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is found out when the derivative runs: nobody makes a future ready while one waits for it, or asks again and
// again; with a result that has a derivative, and without. A result that is set twice is an exception, as it is without
// derivative.
//
// RUN: %clangxx -std=c++17 -O0 -pthread %adze %s -o %t
// RUN: not --crash %t 0 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 1 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 2 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 4 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: %clangxx -std=c++17 -O2 -pthread %adze %s -o %t
// RUN: not --crash %t 0 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 1 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 2 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 3 2>&1 | FileCheck %s --check-prefix=UNREADY
// RUN: not --crash %t 4 2>&1 | FileCheck %s --check-prefix=TWICE
// UNREADY: adze: a derivative waits for a future that nobody makes ready
// TWICE: std::future_error
#include <future>
#include <thread>
double __enzyme_autodiff(void *, ...);

// The first thread waits for what the second one does.
double late(const double *x) {
  std::promise<double> promise;
  auto result = promise.get_future();
  double product = 0;
  std::thread first([&] { product = result.get() * x[0]; });
  std::thread second([&] { promise.set_value(x[1]); });
  first.join();
  second.join();
  return product;
}

// A number that has no derivative says that the thread may begin.
double go(const double *x) {
  std::promise<int> promise;
  auto result = promise.get_future();
  double product = x[1];
  std::thread first([&] { product *= result.get() * x[0]; });
  promise.set_value(2);
  first.join();
  return product;
}

double broken(const double *x) {
  std::future<double> result;
  {
    std::promise<double> promise;
    result = promise.get_future();
    if (x[0] < 0)
      promise.set_value(x[0]);
  }
  return result.get() * x[0];
}

double asked(const double *x) {
  std::promise<double> promise;
  auto result = promise.get_future();
  double product = 0;
  std::thread first([&] {
    while (result.wait_for(std::chrono::seconds(0)) !=
           std::future_status::ready)
      ;
    product = result.get() * x[0];
  });
  promise.set_value(x[1]);
  first.join();
  return product;
}

double twice(const double *x) {
  std::promise<double> promise;
  auto result = promise.get_future();
  promise.set_value(x[0]);
  promise.set_value(x[1]);
  return result.get();
}

int main(int, char **argv) {
  double x[2] = {2, 3}, dx[2] = {0};
  switch (argv[1][0]) {
  case '0':
    __enzyme_autodiff((void *)late, x, dx);
    break;
  case '1':
    __enzyme_autodiff((void *)go, x, dx);
    break;
  case '2':
    __enzyme_autodiff((void *)broken, x, dx);
    break;
  case '3':
    __enzyme_autodiff((void *)asked, x, dx);
    break;
  default:
    __enzyme_autodiff((void *)twice, x, dx);
  }
}

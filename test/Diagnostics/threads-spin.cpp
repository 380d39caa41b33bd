// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock by exchanges that is held where a thread is created that takes it: the derivative would wait forever.
//
// RUN: %clangxx -O0 -pthread %adze %s -o %t
// RUN: %t | FileCheck %s --check-prefix=FREE
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -pthread %adze %s -o %t
// RUN: %t | FileCheck %s --check-prefix=FREE
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 1 1 2>&1 | FileCheck %s
// FREE: 3 3
// CHECK: adze: a derivative waits for a lock that nobody gives back
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

class Lock {
public:
  void lock() {
    while (Held.test_and_set(std::memory_order_acquire))
      ;
  }
  void unlock() { Held.clear(std::memory_order_release); }

private:
  std::atomic_flag Held = ATOMIC_FLAG_INIT;
};
static Lock L;
static std::atomic<int> Other{0};

static double unheld(const double *x) {
  double s = 0;
  std::thread t([&] {
    std::lock_guard<Lock> Guard(L);
    s += x[0] * x[1];
  });
  {
    std::lock_guard<Lock> Guard(L);
    s += x[1];
  }
  t.join();
  return s;
}
static double held(const double *x) {
  double s = 0;
  L.lock();
  std::thread t([&] {
    std::lock_guard<Lock> Guard(L);
    s += x[0] * x[1];
  });
  s += x[1];
  L.unlock();
  t.join();
  return s;
}
static double compared(const double *x) {
  double s = 0;
  Other = 1;
  std::thread t([&] {
    int expected = 0;
    while (!Other.compare_exchange_weak(expected, 2))
      expected = 0;
    s += x[0] * x[1];
  });
  s += x[1];
  Other = 0;
  t.join();
  return s;
}

int main(int count, char **) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  __enzyme_autodiff((void *)unheld, x, dx);
  std::printf("%g %g\n", dx[0], dx[1]);
  std::fflush(stdout);
  if (count == 2)
    __enzyme_autodiff((void *)held, x, dx);
  if (count == 3)
    __enzyme_fwddiff((void *)compared, x, x);
}

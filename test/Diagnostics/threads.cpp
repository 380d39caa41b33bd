// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What waits for threads in C++: refused where threads are created.
//
// RUN: not %clangxx -std=c++20 -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++20 -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
void __enzyme_autodiff(void *, ...);

// CHECK-DAG: error: cannot differentiate 'a barrier, latch, semaphore or std::atomic<T>::wait': derivatives through this part of POSIX threads and those of C++ {{.*}}
// CHECK-DAG: '__enzyme_autodiff' asks for at {{.*}}threads.cpp:[[#@LINE+53]]
double barrier(double *x) {
  std::barrier b(2);
  std::thread t([&] {
    x[0] *= x[1];
    b.arrive_and_wait();
  });
  b.arrive_and_wait();
  t.join();
  return x[0];
}
// CHECK-DAG: '__enzyme_autodiff' asks for at {{.*}}threads.cpp:[[#@LINE+43]]
double latch(double *x) {
  std::latch l(1);
  std::thread t([&] {
    l.wait();
    x[0] *= x[1];
  });
  l.count_down();
  t.join();
  return x[0];
}
// CHECK-DAG: '__enzyme_autodiff' asks for at {{.*}}threads.cpp:[[#@LINE+33]]
double semaphore(double *x) {
  std::counting_semaphore<4> s(0);
  std::thread t([&] {
    s.acquire();
    x[0] *= x[1];
  });
  s.release();
  t.join();
  return x[0];
}
// CHECK-DAG: '__enzyme_autodiff' asks for at {{.*}}threads.cpp:[[#@LINE+23]]
double wait(double *x) {
  std::atomic<int> flag{0};
  std::thread t([&] {
    flag.wait(0);
    x[0] *= x[1];
  });
  flag = 1;
  flag.notify_all();
  t.join();
  return x[0];
}
// CHECK-DAG: error: cannot differentiate {{.*}}'std::thread::detach()'
double detached(double *x) {
  std::thread t([=] { x[0] *= x[1]; });
  t.detach();
  return x[0];
}

void gradients(double *x, double *dx) {
  __enzyme_autodiff((void *)barrier, x, dx);
  __enzyme_autodiff((void *)latch, x, dx);
  __enzyme_autodiff((void *)semaphore, x, dx);
  __enzyme_autodiff((void *)wait, x, dx);
  __enzyme_autodiff((void *)detached, x, dx);
}

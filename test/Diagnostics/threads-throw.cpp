// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exception that leaves a thread ends the program, also where a derivative
// runs the thread at a place that catches exceptions.
//
// RUN: %clangxx -O0 -pthread %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 1 1 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -pthread %adze %s -o %t
// RUN: not --crash %t 2>&1 | FileCheck %s
// RUN: not --crash %t 1 2>&1 | FileCheck %s
// RUN: not --crash %t 1 1 2>&1 | FileCheck %s
// CHECK: terminate called after throwing
// CHECK-NOT: caught
#include <cstdio>
#include <pthread.h>
#include <thread>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double standard(const double *x) {
  double s = 0;
  try {
    std::thread t([&] {
      s = x[0] * x[1];
      if (s > 1)
        throw 3;
    });
    t.join();
  } catch (int k) {
    s *= k;
  }
  return s;
}

struct data {
  const double *x;
  double s;
};
static void *start(void *given) {
  data *d = static_cast<data *>(given);
  d->s = d->x[0] * d->x[1];
  if (d->s > 1)
    throw 3;
  return nullptr;
}
static double posix(const double *x) {
  data d = {x, 0};
  try {
    pthread_t t;
    pthread_create(&t, nullptr, start, &d);
    pthread_join(t, nullptr);
  } catch (int k) {
    d.s *= k;
  }
  return d.s;
}

int main(int count, char **) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  if (count == 1)
    __enzyme_autodiff((void *)standard, x, dx);
  else if (count == 2)
    __enzyme_autodiff((void *)posix, x, dx);
  else
    dx[0] = __enzyme_fwddiff((void *)posix, x, x);
  std::printf("caught %g\n", dx[0]);
}

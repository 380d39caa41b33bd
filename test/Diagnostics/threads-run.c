// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is found out when the derivative runs: a mutex held where a thread is created that locks it; a thread that the
// derivative has not created.
//
// RUN: %clang -O0 -pthread %adze %s -o %t
// RUN: not --crash %t 0 2>&1 | FileCheck %s --check-prefix=MUTEX
// RUN: %clang -O2 -pthread %adze %s -o %t
// RUN: not --crash %t 0 2>&1 | FileCheck %s --check-prefix=MUTEX
// RUN: not --crash %t 1 2>&1 | FileCheck %s --check-prefix=JOIN
// MUTEX: adze: a thread locks a mutex that was locked where the thread is created
// JOIN: adze: a derivative joins a thread that it has not created
#include <pthread.h>
#include <stddef.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *multiply(void *given) {
  double *x = given;
  pthread_mutex_lock(&mutex);
  x[0] *= x[1];
  pthread_mutex_unlock(&mutex);
  return NULL;
}

double held(double *x) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, multiply, x);
  x[1] *= x[0];
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return x[0] + x[1];
}

double joins(double *x, pthread_t thread) {
  pthread_join(thread, NULL);
  return x[0] * x[1];
}

int main(int argc, char **argv) {
  double x[2] = {2, 3}, dx[2] = {0};
  pthread_t thread;
  pthread_create(&thread, NULL, multiply, x);
  if (argv[argc - 1][0] == '0')
    __enzyme_autodiff((void *)held, x, dx);
  else
    __enzyme_autodiff((void *)joins, x, dx, enzyme_const, thread);
  return 0;
}

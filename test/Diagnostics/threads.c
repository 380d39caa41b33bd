// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait for each other, by name, also in code that has no
// derivative; threads in a parallel region.
//
// RUN: not %clang -O0 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

struct data {
  double *x;
  atomic_int flag;
  volatile int other;
  pthread_cond_t condition;
  pthread_mutex_t mutex;
  sem_t semaphore;
};

static void *spin(void *given) {
  struct data *d = given;
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'a loop that waits for another thread': derivatives through this part of POSIX threads and those of C++
  while (!atomic_load(&d->flag))
    continue;
  d->x[0] *= d->x[1];
  return NULL;
}
__attribute__((noinline)) static void untilSet(volatile int *flag) {
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'a loop that waits for another thread'
  while (!*flag)
    continue;
}
static void *helper(void *given) {
  struct data *d = given;
  untilSet(&d->other);
  d->x[0] *= d->x[1];
  return NULL;
}
static void *condition(void *given) {
  struct data *d = given;
  pthread_mutex_lock(&d->mutex);
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'pthread_cond_wait'
  pthread_cond_wait(&d->condition, &d->mutex);
  pthread_mutex_unlock(&d->mutex);
  d->x[0] *= d->x[1];
  return NULL;
}
static void *waits(void *given) {
  struct data *d = given;
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'sem_wait'
  sem_wait(&d->semaphore);
  d->x[0] *= d->x[1];
  return NULL;
}
static _Thread_local int mine;
static void *own(void *given) {
  struct data *d = given;
  d->x[0] *= d->x[++mine];
  return NULL;
}
static void *multiply(void *given) {
  double *x = given;
  x[0] *= x[1];
  return x;
}

#define STARTS(NAME)                                                           \
  double starts_##NAME(struct data *d) {                                       \
    pthread_t thread;                                                          \
    pthread_create(&thread, NULL, NAME, d);                                    \
    d->flag = 1;                                                               \
    pthread_join(thread, NULL);                                                \
    return d->x[0];                                                            \
  }
STARTS(spin)
STARTS(helper)
STARTS(condition)
STARTS(waits)
// CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'threads that have their own 'mine' (thread_local)'
STARTS(own)
double result(double *x) {
  pthread_t thread;
  void *y;
  pthread_create(&thread, NULL, multiply, x);
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'pthread_join'
  pthread_join(thread, &y);
  return *(double *)y;
}
double detached(double *x) {
  pthread_t thread;
  pthread_create(&thread, NULL, multiply, x);
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'pthread_detach'
  pthread_detach(thread);
  return x[0];
}
static int triple(void *given) {
  double *x = given;
  x[0] *= 3 * x[1];
  return 0;
}
double loose(double *x) {
  thrd_t thread;
  thrd_create(&thread, triple, x);
  // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: cannot differentiate 'thrd_detach'
  thrd_detach(thread);
  return x[0];
}
void region(double *x, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    pthread_t thread;
    // CHECK-DAG: threads.c:[[#@LINE+1]]:{{[0-9]+}}: error: no derivative rule for this in a parallel region: a thread or a mutex that is not OpenMP's
    pthread_create(&thread, NULL, multiply, x + 2 * i);
    pthread_join(thread, NULL);
  }
}

void gradients(struct data *d, struct data *dd, double *x, double *dx) {
  __enzyme_autodiff((void *)starts_spin, d, dd);
  __enzyme_fwddiff((void *)starts_helper, d, dd);
  __enzyme_autodiff((void *)starts_condition, d, dd);
  __enzyme_fwddiff((void *)starts_waits, d, dd);
  __enzyme_autodiff((void *)starts_own, d, dd);
  __enzyme_autodiff((void *)result, x, dx);
  __enzyme_fwddiff((void *)detached, x, dx);
  __enzyme_autodiff((void *)region, x, dx, 4);
  __enzyme_autodiff((void *)loose, x, dx);
}
// CHECK-DAG: to fix: a derivative runs each thread where it is created

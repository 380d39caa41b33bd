// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of threads that are declared without their parameters: named, like others.
//
// RUN: not %clang -O0 -std=c89 -w %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -std=c89 -w %adze -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
int pthread_create(), pthread_join(), sem_wait(), syscall();

static void *multiply(double *x) {
  x[0] *= x[1];
  sem_wait();
  syscall(1);
  return 0;
}

// CHECK: error: cannot differentiate {{.*}}'pthread_create'
double creates(double *x) {
  unsigned long thread;
  pthread_create(&thread, 0, multiply, x);
  pthread_join(thread);
  return x[0];
}

void gradient(double *x, double *dx) {
  __enzyme_autodiff((void *)creates, x, dx);
}

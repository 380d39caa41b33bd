// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients keep the memory of tapes for the next one, of all files and threads together; adze_release_memory() gives it back.
// Programs without derivatives may call it, too.
//
// RUN: %clang -O1 %adze -I %srcroot/include -DNAME=first -c %s -o %t.1.o
// RUN: %clang -O1 %adze -I %srcroot/include -DNAME=second -c %s -o %t.2.o
// RUN: %clang -O1 -I %srcroot/include -DMAIN -DFILES -c %s -o %t.main.o
// RUN: %clang -O1 -I %srcroot/include -DMAIN %s -o %t.none -pthread
// RUN: %clang -pthread -Wl,--wrap=malloc,--wrap=free %t.1.o %t.2.o %t.main.o -o %t.two -lm
// RUN: %t.two | FileCheck %s
// RUN: %t.none | FileCheck %s
// CHECK: right
//
// What needs no tape has nothing to give back.
// RUN: %clang -O1 %adze -I %srcroot/include -DNAME=nothing -DNO_TAPE -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: adze_release_kept_memory
// NONE-NOT: adze.tape
#include "adze/adze.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef NAME
double __enzyme_autodiff(void *, ...);
static double f(double x, long n) {
#ifdef NO_TAPE
  return x * x;
#else
  double *work = malloc(n * sizeof *work), s = 0;
  for (long i = 0; i < n; ++i)
    work[i] = x = sin(x);
  for (long i = 0; i < n; ++i)
    s += work[i] * work[n - 1 - i];
  free(work);
  return s;
#endif
}
double NAME(double x, long n) { return __enzyme_autodiff((void *)f, x, n); }
#endif

#ifdef MAIN
#ifdef FILES
#include <malloc.h>
#include <pthread.h>
double first(double x, long n), second(double x, long n);
void *__real_malloc(size_t Bytes);
void __real_free(void *Block);
static size_t live;
void *__wrap_malloc(size_t Bytes) {
  void *New = __real_malloc(Bytes);
  __atomic_fetch_add(&live, malloc_usable_size(New), __ATOMIC_RELAXED);
  return New;
}
void __wrap_free(void *Block) {
  if (Block)
    __atomic_fetch_sub(&live, malloc_usable_size(Block), __ATOMIC_RELAXED);
  __real_free(Block);
}
static void *run(void *Unused) {
  second(0.5, 200000);
  return Unused;
}
#endif
int main(void) {
#ifdef FILES
  enum { Blocks = 1000000, FirstChunks = 200000 };
  for (int round = 0; round < 2; ++round) {
    first(0.5, 100000);
    pthread_t thread;
    if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL))
      return printf("no thread\n"), 1;
    if (live < 2 * Blocks)
      return printf("%zu bytes are kept\n", live), 1;
    adze_release_memory();
    if (live > FirstChunks)
      return printf("%zu bytes are left\n", live), 1;
  }
#endif
  adze_release_memory();
  puts("right");
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One report for a whole program, however many files and threads it has.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-trap-nan
// RUN: %clang -O2 %{adze} -Dpart=other -c %s -o %t.other.o
// RUN: %clang -O2 %{adze} -Dpart=main_part -DMAIN -c %s -o %t.main.o
// RUN: %clang %t.other.o %t.main.o -o %t -lm -lpthread && %t 2>&1 | FileCheck %s
// CHECK: adze: the adjoint
// CHECK-NOT: adze:
// CHECK: finished
#include <math.h>
#include <pthread.h>
#include <stdio.h>
double __enzyme_autodiff(void *, ...);

static double root(double x) {
  return sqrt(x);
}
void *part(void *sum) {
  double *s = sum;
  for (int i = 0; i < 1000; i++)
    *s += __enzyme_autodiff((void *)root, (double)(i % 2));
  return NULL;
}

#ifdef MAIN
void *other(void *);
int main(void) {
  double sums[4] = {0};
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, i % 2 ? other : part, &sums[i]))
      return 1;
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  fprintf(stderr, "finished %g\n", sums[3]);
  return 0;
}
#endif

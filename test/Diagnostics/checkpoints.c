// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop with adze_checkpoint cannot be, with the way out.
//
// RUN: not %clang -I%srcroot/include -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -I%srcroot/include -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_through(void *, ...);

// CHECK-DAG: error: 'adze_checkpoint' cannot be used here: it stands in no loop
double alone(double x) {
  adze_checkpoint(3);
  return x * x;
}

// CHECK-DAG: error: 'adze_checkpoint' cannot be used here: it gives no number of states, and -adze-checkpoint-memory gives no bytes for them
double none(double x) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(0);
    x *= x;
  }
  return x;
}

// CHECK-DAG: error: the loop with 'adze_checkpoint' writes to memory of which the size is not known: 'u'
// CHECK-DAG: to fix: name it in the call: adze_checkpoint(states, pointer, bytes, ...)
double unknown(double *u, int n) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3);
    for (int i = 0; i < n; i++)
      u[i] *= u[i];
  }
  return u[0];
}

struct grid {
  double *u, *v;
};
// CHECK-DAG: error: the loop with 'adze_checkpoint' writes to memory of which the size is not known: the value loaded from 'g'
double half(struct grid *g, int n) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3, g->u, n * sizeof(double));
    for (int i = 0; i < n; i++)
      g->v[i] = g->u[i] * g->u[i];
  }
  return g->v[0];
}

// CHECK-DAG: error: the loop with 'adze_checkpoint' cannot run an iteration more than once: it calls 'rand', which may do something else when it is called again
// CHECK-DAG: to fix: move that out of the loop, or leave out adze_checkpoint
double chance(double x) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3);
    x *= rand() % 3;
  }
  return x;
}

// CHECK-DAG: error: the loop with 'adze_checkpoint' cannot run an iteration more than once: it allocates memory that it does not give back
double freed(double x) {
  double *last = malloc(sizeof *last);
  *last = x;
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3);
    double *next = malloc(sizeof *next);
    *next = *last * x;
    free(last);
    last = next;
  }
  x = *last;
  free(last);
  return x;
}

double weight[4];
__attribute__((noinline)) double weighted(const double *w, double x) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3);
    x = x * w[t % 4] + 1;
  }
  return x;
}
// CHECK-DAG: error: the loop with 'adze_checkpoint' reads memory that is overwritten later, and is no part of its state:
double later(double x, int n) {
  double *w = malloc(n * sizeof *w);
  for (int i = 0; i < n; i++)
    w[i] = x * i;
  x = weighted(w, x);
  for (int i = 0; i < n; i++)
    w[i] = x;
  x = weighted(w, x);
  free(w);
  return x;
}

int main(void) {
  double u[4] = {1, 2, 3, 4}, d[4] = {0};
  struct grid g = {u, u}, dg = {d, d};
  __enzyme_autodiff_through((void *)unknown, u, d, 4);
  __enzyme_autodiff_through((void *)half, &g, &dg, 4);
  return __enzyme_autodiff((void *)alone, 1.0) + __enzyme_autodiff((void *)none, 1.0) +
             __enzyme_autodiff((void *)chance, 1.0) + __enzyme_autodiff((void *)freed, 1.0) +
             __enzyme_autodiff((void *)later, 1.0, 4) >
         0;
}

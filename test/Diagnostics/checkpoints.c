// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop with adze_checkpoint cannot be, with the way out.
//
// RUN: not %clang -I%srcroot/include -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -I%srcroot/include -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
#include "adze/adze.h"
#include <stdlib.h>
#include <string.h>
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

struct grid {
  double *u, *v;
};
__attribute__((noinline)) static void swap(struct grid *g) {
  double *w = g->u;
  g->u = g->v;
  g->v = w;
}
// CHECK-DAG: error: the loop with 'adze_checkpoint' writes pointers, or by library functions, to memory of which the size is not known: 'g'
// CHECK-DAG: to fix: name it in the call: adze_checkpoint(states, pointer, bytes, ...)
double unknown(struct grid *g, int n) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3, g->u, n * sizeof(double), g->v, n * sizeof(double));
    for (int i = 0; i < n; i++)
      g->v[i] = g->u[i] * g->u[i];
    swap(g);
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

__attribute__((noinline)) double weighted(const char *w, double x) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(3);
    x = x * strlen(w + t % 4) + 1;
  }
  return x;
}
// CHECK-DAG: error: the loop with 'adze_checkpoint' reads memory that is overwritten later, and is no part of its state:
double later(double x, char *w) {
  x = weighted(w, x);
  w[2] = 0;
  return weighted(w, x);
}

int main(void) {
  double u[4] = {1, 2, 3, 4}, d[4] = {0};
  struct grid g = {u, u}, dg = {d, d};
  char w[8] = "wwwwwww";
  __enzyme_autodiff_through((void *)unknown, &g, &dg, 4);
  return __enzyme_autodiff((void *)alone, 1.0) + __enzyme_autodiff((void *)none, 1.0) +
             __enzyme_autodiff((void *)chance, 1.0) + __enzyme_autodiff((void *)freed, 1.0) +
             __enzyme_autodiff((void *)later, 1.0, enzyme_const, w) >
         0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A budget of bytes for states, by the option and by the call, and states on disk: gradients do not
// depend on them. Without the option adze_checkpoint(0) is an
// error (Diagnostics/checkpoints.c).
//
// RUN: %clang -O1 -I%srcroot/include -Xclang -load -Xclang %plugin %adze -mllvm -adze-checkpoint-memory=1K %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O0 -I%srcroot/include -Xclang -load -Xclang %plugin %adze -mllvm -adze-checkpoint-memory=1M %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 -I%srcroot/include -Xclang -load -Xclang %plugin %adze -mllvm -adze-checkpoint-memory=100 %s -lm -o %t && not --crash %t 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: mkdir -p %t.dir
// RUN: %clang -O2 -DDISK -I%srcroot/include -Xclang -load -Xclang %plugin %adze -mllvm -adze-checkpoint-memory=1K %s -lm -o %t && env ADZE_CHECKPOINT_DIRECTORY=%t.dir %t | FileCheck %s
// RUN: rmdir %t.dir
// RUN: not --crash env ADZE_CHECKPOINT_DIRECTORY=%t.dir %t 2>&1 | FileCheck --check-prefix=NODIRECTORY %s
#include "adze/adze.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);

enum { N = 10, Steps = 500 };

static void advance(double *u) {
  for (int i = 1; i < N - 1; i++)
    u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * sin(u[i]);
}
double plain(double *u) {
  for (int t = 0; t < Steps; t++)
    advance(u);
  return u[3];
}
// The state is u, 80 bytes, and what is carried.
double option(double *u) {
  for (int t = 0; t < Steps; t++) {
    adze_checkpoint(0);
    advance(u);
  }
  return u[3];
}
double argument(double *u) {
  for (int t = 0; t < Steps; t++) {
#ifdef DISK
    adze_checkpoint_disk(2, 8);
#else
    adze_checkpoint_memory(2000, u, N * sizeof *u);
#endif
    advance(u);
  }
  return u[3];
}
double until(double *u) {
  int t = 0;
  while (u[3] < 100) {
    adze_checkpoint_memory(2000);
    advance(u);
    if (++t == Steps)
      break;
  }
  return u[3];
}

static void start(double *u, double *d) {
  for (int i = 0; i < N; i++) {
    u[i] = sin(i);
    d[i] = 0;
  }
}
static void expect(const char *name, const double *u, const double *d) {
  double v[N], e[N];
  start(v, e);
  __enzyme_autodiff((void *)plain, v, e);
  for (int i = 0; i < N; i++)
    if (fabs(d[i] - e[i]) > 1e-14 * fabs(e[i]) || u[i] != v[i]) {
      printf("%s %d: %g, not %g\n", name, i, d[i], e[i]);
      exit(1);
    }
  printf("%s right\n", name);
}

int main(void) {
  double u[N], d[N];
  // CHECK: option right
  // NONE: adze: the memory that is given for the states of a loop with adze_checkpoint has no room for two of them
  start(u, d);
  __enzyme_autodiff((void *)option, u, d);
  expect("option", u, d);
  // CHECK: argument right
  // NODIRECTORY: adze: cannot make a file for the states of a loop in the directory that ADZE_CHECKPOINT_DIRECTORY names
  start(u, d);
  __enzyme_autodiff((void *)argument, u, d);
  expect("argument", u, d);
  // CHECK: until right
  start(u, d);
  __enzyme_autodiff((void *)until, u, d);
  expect("until", u, d);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is plainly wrong with shadows is said where the derivative is called,
// and ends the program.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-check-shadows
// RUN: %clangxx -g -O0 %{adze} %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clangxx -g -O2 %{adze} %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clangxx -g -O2 %{adze} -mllvm -adze-force-split %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clangxx -g0 -O1 %{adze} %s -o %t && %t 2>&1 | FileCheck --check-prefix=BARE %s
//
// Without the option nothing is there.
// RUN: %clangxx -g -O2 %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: adze.check
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern "C" {
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_runtime_activity;
}
int count = 3;

__attribute__((noinline)) static double dot(const double *left, const double *right, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += left[i] * right[i];
  return s;
}

static void gradient(double *x, double *dx, double *y, double *dy, int n) {
  // CHECK-DAG: null: adze: {{.*}}check-shadows.cpp:[[#@LINE+4]]:3: the shadow of argument 2 ('right') of 'dot(double const*, double const*, int)' is null, and the argument is not
  // CHECK-DAG: same: adze: {{.*}}check-shadows.cpp:[[#@LINE+3]]:3: the shadow of argument 1 ('left') of 'dot{{.*}}' is the argument itself
  // CHECK-DAG: shared: adze: {{.*}}check-shadows.cpp:[[#@LINE+2]]:3: the shadow of argument 2 ('right') of 'dot{{.*}}' is that of argument 1 ('left'), too
  // BARE: null: adze: the shadow of argument 2 of 'dot{{.*}}' is null, and the argument is not
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}

static double x[3] = {1, 2, 3}, y[3] = {4, 5, 6}, dx[3], dy[3];

static void null() { gradient(x, dx, y, nullptr, 3); }
static void same() { gradient(x, x, y, dy, 3); }
static void shared() { gradient(x, dx, y, dx, 3); }
static void fine() {
  gradient(x, dx, y, dy, 3);
  // One array given twice has one shadow, and nothing needs none.
  gradient(x, dx, x, dx, 3);
  gradient(nullptr, nullptr, nullptr, nullptr, 0);
  // Tangents are only read: they may be shared.
  __enzyme_fwddiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dy[2]);
}
// A pointer without derivative is its own shadow.
static void plain() {
  __enzyme_autodiff((void *)dot, enzyme_runtime_activity, enzyme_dup, x, x, enzyme_dup, y, dy, enzyme_const, 3);
  printf("%g\n", dy[1]);
}
static void forward() {
  // CHECK-DAG: forward: adze: {{.*}}check-shadows.cpp:[[#@LINE+1]]:3: the shadow of argument 1 ('left') of 'dot{{.*}}' is the argument itself
  __enzyme_fwddiff((void *)dot, enzyme_dup, x, x, enzyme_dup, y, dy, enzyme_const, 3);
}
static void split() {
  void *tape = __enzyme_augmentfwd((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3);
  // CHECK-DAG: split: adze: {{.*}}check-shadows.cpp:[[#@LINE+1]]:3: the shadow of argument 2 ('right') of 'dot{{.*}}' is null, and the argument is not
  __enzyme_reverse((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, (double *)nullptr, enzyme_const, 3, 1.0, tape);
}
static void heap() {
  double *a = (double *)calloc(count, sizeof(double)), *da = (double *)malloc(8 * (count - 1));
  da[0] = da[1] = 0;
  // CHECK-DAG: heap: adze: {{.*}}check-shadows.cpp:[[#@LINE+1]]:3: the shadow of argument 1 ('left') of 'dot{{.*}}' is smaller than what the argument points to
  __enzyme_autodiff((void *)dot, enzyme_dup, a, da, enzyme_dup, y, dy, enzyme_const, count - 1);
  free(a);
  free(da);
}
static void operators() {
  double *a = new double[count](), *da = new double[count - 1]();
  // CHECK-DAG: operators: adze: {{.*}}check-shadows.cpp:[[#@LINE+1]]:3: the shadow of argument 2 ('right') of 'dot{{.*}}' is smaller than what the argument points to
  __enzyme_autodiff((void *)dot, enzyme_dup, y, dy, enzyme_dup, a, da, enzyme_const, count - 1);
  delete[] a;
  delete[] da;
}
static void local() {
  double a[4] = {1, 2, 3, 4}, da[3] = {0};
  // CHECK-DAG: local: adze: {{.*}}check-shadows.cpp:[[#@LINE+1]]:3: the shadow of argument 1 ('left') of 'dot{{.*}}' is smaller than what the argument points to
  __enzyme_autodiff((void *)dot, enzyme_dup, a, da, enzyme_dup, y, dy, enzyme_const, count);
}
// Large enough, each time.
static void enough() {
  double *a = (double *)malloc(8 * count), *da = (double *)calloc(count + 1, 8);
  for (int i = 0; i < count; i++)
    a[i] = i;
  __enzyme_autodiff((void *)dot, enzyme_dup, a, da, enzyme_dup, y, dy, enzyme_const, count);
  double sum = 0;
  for (int i = 1; i < count; i++) {
    double *part = (double *)malloc(8 * i), *dpart = (double *)malloc(8 * i);
    for (int k = 0; k < i; k++)
      part[k] = dpart[k] = 1;
    __enzyme_autodiff((void *)dot, enzyme_dup, part, dpart, enzyme_dup, y, dy, enzyme_const, i);
    sum += dpart[i - 1];
    free(part);
    free(dpart);
  }
  printf("%g %g\n", da[2], sum);
  free(a);
  free(da);
}

static void run(const char *name, void (*test)()) {
  printf("%s: ", name);
  fflush(stdout);
  if (fork() == 0) {
    test();
    exit(0);
  }
  int status;
  wait(&status);
  if (status)
    printf("%s ended by signal %d\n", name, WTERMSIG(status));
}

#define RUN(test) run(#test, test)
// CHECK-DAG: null ended by signal 6
// CHECK-DAG: same ended by signal 6
// CHECK-DAG: shared ended by signal 6
// CHECK-DAG: {{^}}fine: 6 9 3{{$}}
// CHECK-DAG: {{^}}plain: 2{{$}}
// CHECK-DAG: forward ended by signal 6
// CHECK-DAG: split ended by signal 6
// CHECK-DAG: heap ended by signal 6
// CHECK-DAG: operators ended by signal 6
// CHECK-DAG: local ended by signal 6
// CHECK-DAG: {{^}}enough: 6 11{{$}}
int main() {
  RUN(null);
  RUN(same);
  RUN(shared);
  RUN(fine);
  RUN(plain);
  RUN(forward);
  RUN(split);
  RUN(heap);
  RUN(operators);
  RUN(local);
  RUN(enough);
}

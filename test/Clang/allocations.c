// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations get the type that they are converted to.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }
#include <stdlib.h>

// CHECK-LABEL: define{{.*}} @allocations(
// CHECK: call {{.*}}@malloc({{.*}} !adze.type ![[DOUBLES:[0-9]+]]
// CHECK: call {{.*}}@calloc({{.*}} !adze.type ![[FLOATS:[0-9]+]]
// CHECK: call {{.*}}@malloc({{.*}} !adze.type ![[ONE:[0-9]+]]
// CHECK: call {{.*}}@malloc(i64 noundef %conv4) #{{[0-9]+$}}
void use(void *, ...);
void allocations(int n) {
  double *d = (double *)malloc(n * sizeof(double));
  float *f = calloc(n, 4);
  struct S { double x; int i; } *s = malloc(sizeof *s);
  char *c = malloc(n);
  use(d, f, s, c);
}
// CHECK-DAG: ![[DOUBLES]] = !{!"{[0]:Pointer? -> {[*8]:Float@double?}}"}
// CHECK-DAG: ![[FLOATS]] = !{!"{[0]:Pointer? -> {[*4]:Float@float?}}"}
// CHECK-DAG: ![[ONE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Integer(4)?, [12]:Anything(4)}}"}

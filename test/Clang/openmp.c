// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of an outlined region, private copies among them.
// RUN: %import-c -O0 -fopenmp -nogpulib | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
struct S { double a; int n; };
double dots(double *x, int n) {
  double s = 0;
  struct S first = {1, 2};
#pragma omp parallel for reduction(+ : s) firstprivate(first)
  for (int i = 0; i < n; ++i) {
    double t = x[i] * first.a;
    s += t * t;
  }
  return s;
}
double d(double *x, double *dx) { return __enzyme_autodiff((void *)dots, x, dx, 3); }

// CHECK-LABEL: define internal void @dots.omp_outlined(
// CHECK-DAG: alloca %struct.S{{.*}} !adze.type ![[S:[0-9]+]]
// CHECK-DAG: %s{{[0-9]+}} = alloca double{{.*}} !adze.type ![[DOUBLE:[0-9]+]]
// CHECK-DAG: %t = alloca double{{.*}} !adze.type ![[DOUBLE]]
// CHECK-DAG: ![[S]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Integer(4)?, [12]:Anything(4)}}"}
// CHECK-DAG: ![[DOUBLE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local variables.
// RUN: %import-c -O0 | FileCheck %s
// RUN: %import-c -O2 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

// CHECK-LABEL: define{{.*}} @locals(
// CHECK-DAG: %d = alloca double{{.*}} !adze.type ![[DOUBLE:[0-9]+]]
// CHECK-DAG: %f = alloca float{{.*}} !adze.type ![[FLOAT:[0-9]+]]
// CHECK-DAG: %l = alloca x86_fp80{{.*}} !adze.type ![[LONG:[0-9]+]]
// CHECK-DAG: %h = alloca half{{.*}} !adze.type ![[HALF:[0-9]+]]
// CHECK-DAG: %z = alloca { float, float }{{.*}} !adze.type ![[COMPLEX:[0-9]+]]
// CHECK-DAG: %v = alloca <4 x float>{{.*}} !adze.type ![[VECTOR:[0-9]+]]
// CHECK-DAG: %i = alloca i32{{.*}} !adze.type ![[INT:[0-9]+]]
// CHECK-DAG: %p = alloca ptr{{.*}} !adze.type ![[POINTER:[0-9]+]]
// CHECK-DAG: %a = alloca [3 x [5 x double]]{{.*}} !adze.type ![[ARRAY:[0-9]+]]
// CHECK-DAG: %vla = alloca double, i64 {{.*}} !adze.type ![[VLA:[0-9]+]]
// CHECK-DAG: ![[DOUBLE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}
// CHECK-DAG: ![[FLOAT]] = !{!"{[0]:Pointer? -> {[0]:Float@float?}}"}
// CHECK-DAG: ![[LONG]] = !{!"{[0]:Pointer? -> {[0]:Float@x86_fp80?}}"}
// CHECK-DAG: ![[HALF]] = !{!"{[0]:Pointer? -> {[0]:Float@half?}}"}
// CHECK-DAG: ![[COMPLEX]] = !{!"{[0]:Pointer? -> {[*4x2]:Float@float?}}"}
// CHECK-DAG: ![[VECTOR]] = !{!"{[0]:Pointer? -> {[*4x4]:Float@float?}}"}
// CHECK-DAG: ![[INT]] = !{!"{[0]:Pointer? -> {[0]:Integer(4)?}}"}
// CHECK-DAG: ![[POINTER]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[ARRAY]] = !{!"{[0]:Pointer? -> {[*8x15]:Float@double?}}"}
// CHECK-DAG: ![[VLA]] = !{!"{[0]:Pointer? -> {[*8]:Float@double?}}"}
typedef float Four __attribute__((vector_size(16)));
void use(void *, ...);
void locals(int n) {
  double d = 1;
  float f = 2;
  long double l = 3;
  _Float16 h = 4;
  _Complex float z = 5;
  Four v = {6};
  int i = 7;
  double *p = &d;
  double a[3][5] = {{8}};
  double dynamic[n];
  use(p, &f, &l, &h, &z, &v, &i, a, dynamic);
}

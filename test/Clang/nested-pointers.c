// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to pointers, to arrays, to functions; a limit of the depth.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

// CHECK-LABEL: define{{.*}} @pointers(
// CHECK: %three = alloca ptr{{.*}} !adze.type ![[THREE:[0-9]+]]
// CHECK: %row = alloca ptr{{.*}} !adze.type ![[ROW:[0-9]+]]
// CHECK: %f = alloca ptr{{.*}} !adze.type ![[FUNCTION:[0-9]+]]
// CHECK: %eight = alloca ptr{{.*}} !adze.type ![[EIGHT:[0-9]+]]
void use(void *, ...);
void pointers(void) {
  double ***three = 0;
  double (*row)[3] = 0;
  double (*f)(double) = 0;
  double ********eight = 0;
  use(&three, &row, &f, &eight);
}
// CHECK-DAG: ![[THREE]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}}}"}
// CHECK-DAG: ![[ROW]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[*8x3]:Float@double?}}}"}
// CHECK-DAG: ![[FUNCTION]] = !{!"{[0]:Pointer? -> {[0]:Pointer?}}"}
// CHECK-DAG: ![[EIGHT]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer? -> {[0]:Pointer?}}}}}}}"}

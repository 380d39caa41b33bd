// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Global variables, static ones of functions among them.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

// CHECK-DAG: @table = {{.*}}global [4 x double]{{.*}} !adze.type ![[TABLE:[0-9]+]]
// CHECK-DAG: @pointer = {{.*}}global ptr{{.*}} !adze.type ![[POINTER:[0-9]+]]
// CHECK-DAG: @own = internal {{.*}}global float{{.*}} !adze.type ![[FLOAT:[0-9]+]]
// CHECK-DAG: @inside.state = internal {{.*}}global %struct.State{{.*}} !adze.type ![[STATE:[0-9]+]]
// CHECK-DAG: @completed = {{.*}}global [2 x double]{{.*}} !adze.type ![[TWO:[0-9]+]]
// CHECK-DAG: @perThread = {{.*}}thread_local {{.*}} double{{.*}} !adze.type ![[DOUBLE:[0-9]+]]
// CHECK-DAG: ![[TABLE]] = !{!"{[0]:Pointer? -> {[*8x4]:Float@double?}}"}
// CHECK-DAG: ![[POINTER]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[FLOAT]] = !{!"{[0]:Pointer? -> {[0]:Float@float?}}"}
// CHECK-DAG: ![[STATE]] = !{!"{[0]:Pointer? -> {[0]:Integer(4)?, [4]:Anything(4), [8]:Float@double?}}"}
// CHECK-DAG: ![[TWO]] = !{!"{[0]:Pointer? -> {[*8{{(x2)?}}]:Float@double?}}"}
// CHECK-DAG: ![[DOUBLE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}
double table[4];
double *pointer;
static float own = 1;
double completed[];
_Thread_local double perThread;
double inside(void) {
  static struct State { int n; double x; } state;
  return state.n++ * table[0] * own * completed[0] * perThread;
}
double completed[2];

// Nothing of the way the types came remains.
// CHECK-NOT: annotation
// CHECK-NOT: __adze
// CHECK-NOT: llvm.metadata

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array at the end of a structure goes on.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }
#include <stdlib.h>

struct Vector { int n; double data[]; };
struct Older { int n; double data[0]; };
// CHECK: define{{.*}} @sum(
// An allocation of one is no row of them.
// CHECK: call {{.*}}@malloc({{.*}}, !adze.type ![[ONE:[0-9]+]]
// CHECK-DAG: !{!"struct.Vector", i64 8, !"{[0]:Integer(4)?, [4]:Anything(4), [8*8]:Float@double?}"}
// CHECK-DAG: !{!"struct.Older", i64 8, !"{[0]:Integer(4)?, [4]:Anything(4), [8*8]:Float@double?}"}
// CHECK-DAG: ![[ONE]] = !{!"{[0]:Pointer? -> {[0]:Integer(4)?, [4]:Anything(4), [8*8]:Float@double?}}"}
double sum(int n, struct Older *o) {
  struct Vector *v = malloc(sizeof *v + n * 8);
  return v->data[n - 1] + o->data[1];
}

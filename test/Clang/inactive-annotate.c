// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// annotate("enzyme_inactive") means the same, and needs no plugin for clang.
// RUN: %clang -O0 -fno-discard-value-names -S -emit-llvm -Xclang -disable-llvm-passes %s -o - \
// RUN:   | %opt -passes=adze-import -S | FileCheck %s
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

#define INACTIVE __attribute__((annotate("enzyme_inactive")))
INACTIVE double seed = 1;
INACTIVE void count(double);
double f(double x, INACTIVE double *log) {
  count(x);
  return x * *log * seed;
}
// CHECK-DAG: @seed = {{.*}} !adze.inactive ![[NOTHING:[0-9]+]]
// CHECK-DAG: define{{.*}} double @f(double noundef %x, ptr {{[^,]*}}"enzyme_inactive"{{[^,]*}} %log)
// CHECK-DAG: declare void @count(double noundef) #[[COUNT:[0-9]+]]
// CHECK-DAG: attributes #[[COUNT]] = {{.*}}"enzyme_inactive"
// CHECK-NOT: llvm.metadata

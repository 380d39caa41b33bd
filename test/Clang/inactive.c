// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attribute enzyme_inactive, in all its spellings and places.
// RUN: %import-c -O0 -std=c23 | FileCheck %s
// RUN: %clang %clang-adze -std=c23 -DWRONG -fsyntax-only %s 2>&1 | FileCheck --check-prefix=WRONG %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

__attribute__((enzyme_inactive)) double seed = 1;
[[enzyme::inactive]] static double scale = 2;
double plain = 3;
[[clang::enzyme_inactive]] void count(double);
__attribute__((enzyme_inactive)) double measure(double x) { return x; }
[[enzyme::nofree]] void *grab(int);

double f(double x, [[enzyme::inactive]] double *log, double *y) {
  __attribute__((enzyme_inactive)) static double last;
  count(x);
  last = *log + seed * scale * plain + (grab(1) != 0);
  return measure(x) * *y;
}
// CHECK-DAG: @seed = {{.*}} !adze.inactive ![[NOTHING:[0-9]+]]
// CHECK-DAG: @scale = {{.*}} !adze.inactive ![[NOTHING]]
// CHECK-DAG: @f.last = {{.*}} !adze.inactive ![[NOTHING]]
// CHECK-DAG: @plain = dso_local global double 3.000000e+00, align 8, !adze.type !{{[0-9]+$}}
// CHECK-DAG: define{{.*}} double @measure({{.*}}) #[[BODY:[0-9]+]]
// CHECK-DAG: define{{.*}} double @f(double noundef %x, ptr {{[^,]*}}"enzyme_inactive"{{[^,]*}} %log, ptr noundef "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" %y)
// CHECK-DAG: declare void @count(double noundef) #[[OUTSIDE:[0-9]+]]
// CHECK-DAG: declare{{.*}} ptr @grab(i32 noundef) #[[NOFREE:[0-9]+]]
// CHECK-DAG: attributes #[[BODY]] = {{.*}}"enzyme_inactive"
// CHECK-DAG: attributes #[[OUTSIDE]] = {{.*}}"enzyme_inactive"
// CHECK-DAG: attributes #[[NOFREE]] = { nofree 
// CHECK-DAG: ![[NOTHING]] = !{}
// CHECK-NOT: llvm.metadata

#ifdef WRONG
// WRONG: warning: 'enzyme_inactive' attribute only applies to functions, parameters, and variables with static storage
// WRONG: warning: 'nofree' attribute only applies to functions
void wrong(void) {
  __attribute__((enzyme_inactive)) double local;
  [[enzyme::nofree]] static double other;
}
#endif

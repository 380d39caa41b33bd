// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registrations become attributes, and leave nothing behind.
//
// RUN: %clang -O0 -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt %t.ll -o - | FileCheck %s
// RUN: %clang -O0 %adze -c %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=NM
// RUN: %clang -O2 %adze -c %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=NM
// NM-NOT: __enzyme
// NM-NOT: adze.pin
double __enzyme_autodiff(void *, ...);
double __enzyme_call_inactive(void *, ...);
// CHECK-NOT: @__enzyme
// CHECK-DAG: @tally = {{.*}}global double {{.*}}!adze.inactive
// CHECK-DAG: @named = {{.*}}global double {{.*}}!adze.inactive
double tally, named;
// CHECK-DAG: define dso_local double @a(double {{.*}}) #[[A:[0-9]+]]
// CHECK-DAG: define dso_local double @b(double {{.*}}) #[[A]]
double a(double x) { return x; }
double b(double x) { return x; }
// CHECK-DAG: declare double @c(double {{.*}}) #[[C:[0-9]+]]
double c(double x);
// CHECK-DAG: define dso_local double @like(double {{.*}}) #[[LIKE:[0-9]+]]
double like(double x) { return x; }
// CHECK-DAG: define dso_local double @keeps(double {{.*}}) #[[KEEPS:[0-9]+]]
double keeps(double x) { return x; }
void *__enzyme_inactivefn_one = (void *)a;
__attribute__((used)) static void *const __enzyme_inactivefn_two[] = {(void *)b, (void *)c, 0};
void *__enzyme_inactive_global_one[] = {&tally, "named"};
void *__enzyme_function_like_one[] = {(void *)like, "sin"};
void *__enzyme_nofree_one[] = {(void *)keeps};
double f(double x) {
  tally = x;
  named = x;
  return a(x) * b(x) * c(x) * like(x) * keeps(x);
}
double slope(double x) { return __enzyme_autodiff((void *)f, x); }
// CHECK: call double @keeps(double {{.*}}) #[[CALL:[0-9]+]]
double called(double x) { return __enzyme_call_inactive((void *)keeps, x); }
// CHECK-DAG: attributes #[[A]] = { {{.*}}"enzyme_inactive"
// CHECK-DAG: attributes #[[C]] = { {{.*}}"enzyme_inactive"
// CHECK-DAG: attributes #[[LIKE]] = { {{.*}}"adze.function_like"="sin"
// CHECK-DAG: attributes #[[KEEPS]] = { {{.*}}nofree
// CHECK-DAG: attributes #[[CALL]] = { "enzyme_inactive" }

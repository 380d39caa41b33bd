// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives do to memory is stated of them as it is of other functions:
// what their own code does, not what the primal's did. A shadow is written
// where the primal reads, and the tape by a first half.
//
// RUN: %clang -O2 -Xclang -load -Xclang %plugin %adze -mllvm -adze-max-alias-checks=0 -S -emit-llvm %s -o - | FileCheck %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#define APART __attribute__((noinline)) static

APART double pure(double x) { return x * x * x; }
APART double reads(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
APART void writes(const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * y[i];
}
APART double recursive(const double *x, int n) {
  return n ? x[n] * recursive(x, n - 1) : 1;
}
extern int calls;
APART double counts(double x) {
  ++calls;
  return x * x;
}
APART double *keeps(double *x) {
  static double *kept;
  double *before = kept ? kept : x;
  kept = x;
  return before;
}

double f(double *x, double *y, int n) {
  writes(x, y, n);
  return pure(x[0]) + reads(y, n) + recursive(x, n);
}
double g(double *x) { return counts(x[1]) + *keeps(x); }
void reverse(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)f, x, dx, y, dy, n);
  __enzyme_autodiff((void *)g, x, dx);
}
double forward(double *x, double *dx, double *y, double *dy, int n) {
  return __enzyme_fwddiff((void *)f, x, dx, y, dy, n);
}

// A function of the program, with what it was known to do.
// CHECK: define {{.*}}@reads({{.*}} #[[PRIMAL:[0-9]+]]

// Reverse mode. A first half writes the tape and the output; the shadows are
// for the second one.
// CHECK: define internal void @adze.aug.writes(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture readnone %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, ptr nocapture readnone %{{[0-9]+}}, i32 %{{[0-9]+}}, ptr nocapture writeonly %{{[0-9]+}})
// CHECK: define internal void @adze.rev.writes(ptr nocapture readnone %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, ptr nocapture readnone %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, i32 %{{[0-9]+}}, ptr nocapture readonly %{{[0-9]+}})
// CHECK: define internal { double } @adze.grad.pure(double %{{[0-9]+}}, double %{{[0-9]+}}) #[[PURE:[0-9]+]]
// CHECK: define internal void @adze.grad.reads(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, i32 %{{[0-9]+}}, double %{{[0-9]+}}) #[[ADDS:[0-9]+]]
// CHECK: define internal { double } @adze.aug.recursive(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture readnone %{{[0-9]+}}, i32 %{{[0-9]+}}, ptr nocapture writeonly %{{[0-9]+}}) #[[RECURSIVE:[0-9]+]]
// CHECK: define internal void @adze.rev.recursive(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, i32 %{{[0-9]+}}, double %{{[0-9]+}}, ptr nocapture {{.*}}%{{[0-9]+}}) #[[RECURSIVE]]
// CHECK: define internal {{.*}}@adze.aug.counts({{.*}} #[[COUNTS:[0-9]+]]
// CHECK: define internal {{.*}}@adze.aug.keeps(ptr %{{[0-9]+}}, ptr %{{[0-9]+}}

// Forward mode.
// CHECK: define internal void @adze.fwd.writes(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture readonly %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, ptr nocapture %{{[0-9]+}}, i32 %{{[0-9]+}}) #[[ADDS]]
// CHECK: define internal { double, double } @adze.fwd.pure(double %{{[0-9]+}}, double %{{[0-9]+}}) #[[PURE]]
// CHECK: define internal { double, double } @adze.fwd.reads(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture readonly %{{[0-9]+}}, i32 %{{[0-9]+}}) #[[READS:[0-9]+]]
// CHECK: define internal { double, double } @adze.fwd.recursive(ptr nocapture readonly %{{[0-9]+}}, ptr nocapture readonly %{{[0-9]+}}, i32 %{{[0-9]+}}) #[[READSAGAIN:[0-9]+]]

// Scopes of aliases are declared in memory that nobody can reach.
// CHECK-DAG: attributes #[[PRIMAL]] = { {{.*}}memory(argmem: read)
// CHECK-DAG: attributes #[[PURE]] = { {{.*}}nofree noinline norecurse nosync nounwind willreturn memory(none)
// CHECK-DAG: attributes #[[ADDS]] = { {{.*}}nofree noinline norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
// CHECK-DAG: attributes #[[READS]] = { {{.*}}nofree noinline norecurse nosync nounwind memory(argmem: read, inaccessiblemem: readwrite)
// CHECK-DAG: attributes #[[READSAGAIN]] = { {{.*}}nosync nounwind memory(argmem: read, inaccessiblemem: readwrite)
// CHECK-DAG: attributes #[[RECURSIVE]] = { noinline nounwind uwtable
// CHECK-DAG: attributes #[[COUNTS]] = { {{.*}}nofree noinline norecurse nosync nounwind willreturn memory(readwrite, argmem: none, inaccessiblemem: none)

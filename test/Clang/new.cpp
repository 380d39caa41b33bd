// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions with new: one object, rows of known and unknown length, a row
// behind its count, placement.
// RUN: %import-c++ -O0 | FileCheck %s
template <class R, class... A> R __enzyme_autodiff(void *, A...);
double marked(double);
double uses(double x) { return __enzyme_autodiff<double>((void *)marked, x); }

struct Plain { double x; float f; };
struct Counted { double x; ~Counted(); };
void *operator new(unsigned long, void *p) noexcept;

// CHECK-LABEL: define{{.*}} @_Z3oneiPv(
// CHECK: call {{.*}} @_Znwm(i64 noundef 16){{.*}} !adze.type ![[ONE:[0-9]+]]
// CHECK: call {{.*}} @_Znam(i64 noundef 24){{.*}} !adze.type ![[THREE:[0-9]+]]
// CHECK: call {{.*}} @_Znam({{.*}} !adze.type ![[ROW:[0-9]+]]
// CHECK: call {{.*}} @_Znam(
// CHECK-NOT: !adze.type
// CHECK: getelementptr inbounds i8, ptr %{{.*}}, i64 8, !adze.type ![[ROW]]
// CHECK: load ptr, ptr %storage.addr{{.*}} !adze.type ![[ONE]]
// CHECK: call {{.*}} @_Znam(i64 noundef 7) #{{[0-9]+$}}
void *one(int n, void *storage) {
  void *a = new Plain;
  void *b = new double[3];
  void *c = new double[n];
  void *d = new Counted[n];
  void *e = new (storage) Plain;
  void *f = new char[7];
  return n == 1 ? a : n == 2 ? b : n == 3 ? c : n == 4 ? d : n == 5 ? e : f;
}
// CHECK-DAG: ![[ONE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Float@float?, [12]:Anything(4)}}"}
// CHECK-DAG: ![[THREE]] = !{!"{[0]:Pointer? -> {[*8x3]:Float@double?}}"}
// CHECK-DAG: ![[ROW]] = !{!"{[0]:Pointer? -> {[*8]:Float@double?}}"}

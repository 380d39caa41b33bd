// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of templates: each has its own types, though LLVM's structures of
// all have one name and a number. Members are told at their addresses.
// RUN: %import-c++ -O0 | FileCheck %s
#include <vector>
template <class R, class... A> R __enzyme_autodiff(void *, A...);
double marked(double);
double uses(double x) { return __enzyme_autodiff<double>((void *)marked, x); }

template <class T> struct Box {
  T *items;
  int count;
  T get(int i) const { T copy = items[i]; return copy; }
};
double total(const Box<double> &d, const Box<float> &f, const Box<int> &n) {
  return d.get(0) + f.get(1) + n.get(2);
}
double first(const std::vector<double> &v) { return v[0]; }
template <class T> T twice(T x) { T y = x + x; return y; }
double four(double x) { return twice(twice(x)) + twice(1.f); }

// CHECK-LABEL: define{{.*}} double @_ZNK3BoxIdE3getEi(
// CHECK: %copy = alloca double{{.*}} !adze.type ![[DOUBLE:[0-9]+]]
// CHECK: getelementptr inbounds %struct.Box{{.*}} i32 0, i32 0, !adze.type ![[DOUBLES:[0-9]+]]
// CHECK-LABEL: define{{.*}} float @_ZNK3BoxIfE3getEi(
// CHECK: %copy = alloca float{{.*}} !adze.type ![[FLOAT:[0-9]+]]
// CHECK: getelementptr inbounds %struct.Box{{.*}} i32 0, i32 0, !adze.type ![[FLOATS:[0-9]+]]
// CHECK-LABEL: define{{.*}} @_ZNKSt6vectorIdSaIdEEixEm(
// CHECK: getelementptr inbounds %"struct.std::_Vector_base{{.*}} i32 0, i32 0, !adze.type
// CHECK: getelementptr inbounds %"struct.std::_Vector_base<double, std::allocator<double>>::_Vector_impl_data", {{.*}} i32 0, i32 0, !adze.type ![[DOUBLES]]
// CHECK-LABEL: define{{.*}} double @_Z5twiceIdET_S0_(
// CHECK: %y = alloca double{{.*}} !adze.type ![[DOUBLE]]
// CHECK-LABEL: define{{.*}} float @_Z5twiceIfET_S0_(
// CHECK: %y = alloca float{{.*}} !adze.type ![[FLOAT]]

// CHECK-DAG: ![[DOUBLE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}
// CHECK-DAG: ![[FLOAT]] = !{!"{[0]:Pointer? -> {[0]:Float@float?}}"}
// CHECK-DAG: ![[DOUBLES]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[FLOATS]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@float?}}}"}
// CHECK-NOT: !"struct.Box

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas, what they capture, and implicit code: copies, ranges, bindings.
// RUN: %import-c++ -O0 -std=c++17 | FileCheck %s
template <class R, class... A> R __enzyme_autodiff(void *, A...);
double marked(double);
double uses(double x) { return __enzyme_autodiff<double>((void *)marked, x); }

struct Pair { double a; float b; };
struct Holder { Pair p; double *q; virtual ~Holder(); };
double run(const Holder &h, double (&row)[4]) {
  Holder copy = h;
  auto [x, y] = copy.p;
  double s = 0;
  for (double &r : row)
    s += r;
  auto add = [s, &copy](float z) { double t = s + z; return t + copy.p.a; };
  auto generic = [](auto z) { auto u = z * z; return u; };
  return add(2) + generic(x) + generic(y);
}

// CHECK-LABEL: define{{.*}} @_Z3runRK6HolderRA4_d(
// CHECK-DAG: %copy = alloca %struct.Holder{{.*}} !adze.type ![[HOLDER:[0-9]+]]
// CHECK-DAG: alloca %struct.Pair{{.*}} !adze.type ![[PAIR:[0-9]+]]
// CHECK-DAG: %__begin1 = alloca ptr{{.*}} !adze.type ![[POINTER:[0-9]+]]
// CHECK-DAG: %add{{[0-9]*}} = alloca %class.anon{{.*}} !adze.type ![[CLOSURE:[0-9]+]]
// CHECK-LABEL: define{{.*}} @_ZN6HolderC2ERKS_(
// CHECK-SAME: "adze_type"="{[0]:Pointer? -> {[0]:Pointer?, [8]:Float@double?, [16]:Float@float?, [20]:Anything(4), [24]:Pointer? -> {[0]:Float@double?}}}"
// CHECK-LABEL: define{{.*}} @"_ZZ3runRK6HolderRA4_dENK3$_{{[01]}}clEf"(
// CHECK: %t = alloca double{{.*}} !adze.type ![[DOUBLE:[0-9]+]]
// CHECK-LABEL: define{{.*}} @"_ZZ3runRK6HolderRA4_dENK3$_{{[01]}}clIdEEDaT_"(
// CHECK: %u = alloca double{{.*}} !adze.type ![[DOUBLE]]
// CHECK-LABEL: define{{.*}} @"_ZZ3runRK6HolderRA4_dENK3$_{{[01]}}clIfEEDaT_"(
// CHECK: %u = alloca float{{.*}} !adze.type
// CHECK-DAG: ![[HOLDER]] = !{!"{[0]:Pointer? -> {[0]:Pointer?, [8]:Float@double?, [16]:Float@float?, [20]:Anything(4), [24]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[PAIR]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Float@float?, [12]:Anything(4)}}"}
// CHECK-DAG: ![[POINTER]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[CLOSURE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Pointer? -> {[0]:Pointer?, [8]:Float@double?, [16]:Float@float?, [20]:Anything(4), [24]:Pointer? -> {[0]:Float@double?}}}}"}
// CHECK-DAG: ![[DOUBLE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}

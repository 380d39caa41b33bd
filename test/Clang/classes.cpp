// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Base classes, virtual tables, virtual bases, the this pointer.
// RUN: %import-c++ -O0 | FileCheck %s
template <class R, class... A> R __enzyme_autodiff(void *, A...);
double marked(double);
double uses(double x) { return __enzyme_autodiff<double>((void *)marked, x); }

struct Plain { double a; int b; };
struct Derived : Plain { float c; };
struct Shape { virtual double area() const; double scale; };
struct Disc : Shape { double area() const override; float r; };
struct Top { long id; double t; };
struct Left : virtual Top { double l; };
struct Right : virtual Top { float r; };
struct Bottom : Left, Right { double b; };
struct Empty {};
struct Holds : Empty { double x; [[no_unique_address]] Empty e; };

// CHECK-LABEL: define{{.*}} @_Z7objectsv(
// CHECK: %d = alloca %struct.Derived{{.*}} !adze.type ![[DERIVED:[0-9]+]]
// CHECK: %k = alloca %struct.Disc{{.*}} !adze.type ![[DISC:[0-9]+]]
// CHECK: %m = alloca %struct.Bottom{{.*}} !adze.type ![[BOTTOM:[0-9]+]]
// CHECK: %h = alloca %struct.Holds{{.*}} !adze.type ![[HOLDS:[0-9]+]]
double objects() {
  Derived d{{1, 2}, 3};
  Disc k;
  Bottom m;
  Holds h{{}, 1, {}};
  return d.c + k.area() + m.b + h.x;
}

// CHECK: define{{.*}} @_ZNK4Disc4areaEv(ptr {{[^,]*}}"adze_type"="{[0]:Pointer? -> {[0]:Pointer?, [8]:Float@double?, [16]:Float@float?}}" %this)
double Disc::area() const { return scale * r * r; }

// CHECK-DAG: ![[DERIVED]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Integer(4)?, [12]:Anything(4), [16]:Float@float?}}"}
// CHECK-DAG: ![[DISC]] = !{!"{[0]:Pointer? -> {[0]:Pointer?, [8]:Float@double?, [16]:Float@float?}}"}
// Left, the table and the float of Right, its own double, then the one Top.
// CHECK-DAG: ![[BOTTOM]] = !{!"{[0]:Pointer? -> {[0]:Pointer?, [8]:Float@double?, [16]:Pointer?, [24]:Float@float?, [32]:Float@double?, [40]:Integer(8)?, [48]:Float@double?}}"}
// (The empty member has the type of the base, so it has a byte of its own.)
// CHECK-DAG: ![[HOLDS]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Anything}}"}

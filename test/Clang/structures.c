// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures: padding, nesting, arrays of them, names of LLVM's structures.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

struct Inner { float f; double d; };
struct Outer { char tag; struct Inner in[2]; struct { int a; double b; } anon; short s; char name[8]; };
typedef struct { double re, im; } Named;
struct __attribute__((packed)) Packed { char c; double d; };

// CHECK-LABEL: define{{.*}} @objects(
// CHECK: %o = alloca %struct.Outer{{.*}} !adze.type ![[OUTER:[0-9]+]]
// CHECK: %n = alloca [3 x %struct.Named]{{.*}} !adze.type ![[NAMED:[0-9]+]]
// CHECK: %p = alloca %struct.Packed{{.*}} !adze.type ![[PACKED:[0-9]+]]
// CHECK: getelementptr inbounds %struct.Outer, ptr %o, i32 0, i32 1, !adze.type ![[IN:[0-9]+]]
double objects(void) {
  struct Outer o = {0};
  Named n[3] = {{0}};
  struct Packed p = {0};
  return o.in[1].d + n[2].im + p.d;
}

// CHECK: !adze.struct_types = !{
// CHECK-DAG: !{!"struct.Outer", i64 72, !"{[0]:Integer?, [1]:Anything(7), [8*16x2]:Float@float?, [12*16x2]:Anything(4), [16*16x2]:Float@double?, [40]:Integer(4)?, [44]:Anything(4), [48]:Float@double?, [56]:Integer(2)?, [66]:Anything(6)}"}
// CHECK-DAG: !{!"struct.Inner", i64 16, !"{[0]:Float@float?, [4]:Anything(4), [8]:Float@double?}"}
// CHECK-DAG: !{!"struct.Named", i64 16, !"{[0]:Float@double?, [8]:Float@double?}"}
// CHECK-DAG: !{!"struct.Packed", i64 9, !"{[0]:Integer?, [1]:Float@double?}"}
// CHECK-DAG: ![[OUTER]] = !{!"{[0]:Pointer? -> {[0]:Integer?, [1]:Anything(7), [8*16x2]:Float@float?, [12*16x2]:Anything(4), [16*16x2]:Float@double?, [40]:Integer(4)?, [44]:Anything(4), [48]:Float@double?, [56]:Integer(2)?, [66]:Anything(6)}}"}
// CHECK-DAG: ![[NAMED]] = !{!"{[0]:Pointer? -> {[*16x3]:Float@double?, [8*16x3]:Float@double?}}"}
// CHECK-DAG: ![[PACKED]] = !{!"{[0]:Pointer? -> {[0]:Integer?, [1]:Float@double?}}"}
// CHECK-DAG: ![[IN]] = !{!"{[0]:Pointer? -> {[*16x2]:Float@float?, [4*16x2]:Anything(4), [8*16x2]:Float@double?}}"}

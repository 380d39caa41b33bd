// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The active member of a union is unknown: it says what all members agree on.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

union Differ { double d; long l; };
union Agree { struct { double x; int n; } a; struct { double x; float f; } b; };
union Bytes { double d; char raw[8]; };
struct Tagged { int tag; union Differ u; double after; };

// CHECK-LABEL: define{{.*}} @objects(
// CHECK: %d = alloca %union.Differ, align 8{{$}}
// CHECK: %a = alloca %union.Agree{{.*}} !adze.type ![[AGREE:[0-9]+]]
// CHECK: %b = alloca %union.Bytes, align 8{{$}}
// CHECK: %t = alloca %struct.Tagged{{.*}} !adze.type ![[TAGGED:[0-9]+]]
void use(void *, ...);
void objects(void) {
  union Differ d;
  union Agree a;
  union Bytes b;
  struct Tagged t;
  use(&d, &a, &b, &t);
}

// CHECK-DAG: ![[AGREE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [12]:Anything(4)}}"}
// CHECK-DAG: ![[TAGGED]] = !{!"{[0]:Pointer? -> {[0]:Integer(4)?, [4]:Anything(4), [16]:Float@double?}}"}

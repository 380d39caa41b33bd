// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit-fields are integers, beside doubles as well.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

struct Flags { double x; unsigned a : 3, : 0, b : 12; double y; _Bool c : 1; };
// CHECK: %f = alloca %struct.Flags{{.*}} !adze.type ![[FLAGS:[0-9]+]]
double flags(void) {
  struct Flags f = {1, 2, 3, 4, 1};
  return f.a ? f.x : f.y;
}
// CHECK: ![[FLAGS]] = !{!"{[0]:Pointer? -> {[0]:Float@double?, [8]:Integer?, [9]:Anything(3), [12]:Integer(2)?, [14]:Anything(2), [16]:Float@double?, [24]:Integer?, [25]:Anything(7)}}"}

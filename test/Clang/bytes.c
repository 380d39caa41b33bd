// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What C uses for bytes of anything says nothing: characters, void, and
// integers of the size of a word outside of structures.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

// CHECK-LABEL: define{{.*}} @bytes(
// CHECK-DAG: %c = alloca i8, align 1{{$}}
// CHECK-DAG: %raw = alloca [64 x i8], align 16{{$}}
// CHECK-DAG: %bits = alloca i64, align 8{{$}}
// CHECK-DAG: %half = alloca i32, align 4{{$}}
// CHECK-DAG: %words = alloca ptr{{.*}} !adze.type ![[POINTER:[0-9]+]]
// CHECK-DAG: %any = alloca ptr{{.*}} !adze.type ![[POINTER]]
// CHECK-DAG: %s = alloca %struct.S{{.*}} !adze.type ![[S:[0-9]+]]
// CHECK-DAG: ![[POINTER]] = !{!"{[0]:Pointer? -> {[0]:Pointer?}}"}
// CHECK-DAG: ![[S]] = !{!"{[0]:Pointer? -> {[0]:Integer(8)?, [8]:Integer?}}"}
void use(void *, ...);
void bytes(void) {
  char c;
  unsigned char raw[64];
  unsigned long bits;
  unsigned half;
  long *words;
  void *any;
  struct S { unsigned long n; char kind; char text[7]; } s;
  use(&c, raw, &bits, &half, &words, &any, &s);
}

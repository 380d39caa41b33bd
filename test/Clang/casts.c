// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to storage that are used as something else, and the other way.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }
#include <string.h>

struct S { double x; long n; };
void take(void *);

// CHECK-LABEL: define{{.*}} @copies(
// CHECK: load ptr, ptr %buf.addr{{.*}} !adze.type ![[DOUBLES:[0-9]+]]
// CHECK-NEXT: load ptr, ptr %x.addr{{.*}} !adze.type ![[DOUBLES]]
// CHECK: call void @llvm.memcpy{{.*}} !adze.type ![[BOTH:[0-9]+]]
void copies(char *buf, double *x, int n) {
  memcpy((double *)buf, x, n * sizeof(double));
}

// CHECK-LABEL: define{{.*}} @fixedSize(
// CHECK: load ptr, ptr %x.addr{{.*}} !adze.type ![[THREE:[0-9]+]]
// CHECK: call void @llvm.memcpy{{.*}} !adze.type ![[SECOND:[0-9]+]]
void fixedSize(void *buf, double *x) { memcpy(buf, x, 24); }

// One object, not a row of them.
// CHECK-LABEL: define{{.*}} @oneMember(
// CHECK: getelementptr {{.*}} !adze.type ![[DOUBLE:[0-9]+]]
// CHECK: call void @llvm.memcpy
void oneMember(void *buf, struct S *s, int n) { memcpy(buf, &s->x, n); }

// A parameter of type void.
// CHECK-LABEL: define{{.*}} @given(
// CHECK: load ptr, ptr %s.addr{{.*}} !adze.type ![[ROW:[0-9]+]]
// CHECK-NEXT: call void @take
void given(struct S *s) { take(s); }

// CHECK-LABEL: define{{.*}} @used(
// CHECK: load ptr, ptr %buf.addr{{.*}} !adze.type ![[DOUBLES]]
double used(void *buf) { return ((double *)buf)[1]; }

// Words are how bytes of unknown type are moved: nothing is said.
// CHECK-LABEL: define{{.*}} @words(
// CHECK: load ptr, ptr %buf.addr, align 8{{$}}
long words(void *buf) { return ((long *)buf)[1]; }

// CHECK-DAG: ![[DOUBLES]] = !{!"{[0]:Pointer? -> {[*8]:Float@double?}}"}
// CHECK-DAG: ![[BOTH]] = !{!"", !"{[0]:Pointer? -> {[*8]:Float@double?}}", !"{[0]:Pointer? -> {[*8]:Float@double?}}"}
// CHECK-DAG: ![[SECOND]] = !{!"", !"", !"{[0]:Pointer? -> {[*8x3]:Float@double?}}"}
// CHECK-DAG: ![[THREE]] = !{!"{[0]:Pointer? -> {[*8x3]:Float@double?}}"}
// CHECK-DAG: ![[DOUBLE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}
// CHECK-DAG: ![[ROW]] = !{!"{[0]:Pointer? -> {[*16]:Float@double?, [8*16]:Integer(8)?}}"}

// The numbers of expressions leave no trace.
// CHECK-NOT: 47029

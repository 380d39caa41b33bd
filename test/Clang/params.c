// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters: at the variable that clang makes of each, and as attributes.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

struct Pair { double *data; int size; float weight; };
struct Big { double a[4]; long n; };

// CHECK: define{{.*}} @pointers(
// CHECK-SAME: ptr {{[^,]*}}"adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" %x,
// CHECK-SAME: ptr {{[^,]*}}"adze_type"="{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@float?}}}" %y,
// CHECK-SAME: i32 noundef "adze_type"="{[0]:Integer(4)?}" %n,
// CHECK-SAME: double noundef %scale)
// CHECK: %x.addr = alloca ptr{{.*}} !adze.type ![[X:[0-9]+]]
// CHECK: %scale.addr = alloca double{{.*}} !adze.type ![[SCALE:[0-9]+]]
double pointers(double *x, float **y, int n, double scale) {
  return x[0] * y[0][0] * n * scale;
}

// A structure in registers: each piece has its part of the tree.
// CHECK: define{{.*}} @pieces(
// CHECK-SAME: ptr "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" %p.coerce0,
// CHECK-SAME: i64 "adze_type"="{[0]:Integer(4)?, [4]:Float@float?}" %p.coerce1)
double pieces(struct Pair p) { return p.data[0] * p.weight; }

// One in memory.
// CHECK: define{{.*}} @inMemory(ptr {{.*}}byval(%struct.Big) align 8 "adze_type"="{[0]:Pointer? -> {[*8x4]:Float@double?, [32]:Integer(8)?}}" %b)
double inMemory(struct Big b) { return b.a[0]; }

// A result in memory is the first parameter.
// CHECK: define{{.*}} void @bigResult(ptr {{.*}}sret(%struct.Big) {{.*}}"adze_type"="{[0]:Pointer? -> {[*8x4]:Float@double?, [32]:Integer(8)?}}" %agg.result, ptr {{[^,]*}}"adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" %x)
struct Big bigResult(double *x) {
  struct Big b = {{*x}, 1};
  return b;
}

// CHECK: define{{.*}} "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" ptr @result(
double *result(double *x) { return x + 1; }

// CHECK-DAG: ![[X]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[SCALE]] = !{!"{[0]:Pointer? -> {[0]:Float@double?}}"}

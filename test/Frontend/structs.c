// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures by value, as the calling convention passes them: in two registers,
// in one, in memory, and differently by the marker call than by the function.
//
// RUN: %clang --target=x86_64-unknown-linux-gnu -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang --target=x86_64-unknown-linux-gnu -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
extern int enzyme_const, enzyme_dup, enzyme_out;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
  double a, b;
} Pair;
typedef struct {
  double a, b, c;
} Triple;
typedef struct {
  float a, b, c;
} Floats;
typedef struct {
  double *data;
  int n;
} Slice;
typedef struct {
  double weight;
  double *data;
} Weighted;
typedef struct {
  double w[3];
  double *data;
} Large;

typedef struct {
  Pair p;
  double z;
} PairResult;
PairResult __enzyme_autodiff_pair(void *, ...);
Triple __enzyme_autodiff_triple(void *, ...);
Floats __enzyme_autodiff_floats(void *, ...);

double of_pair(Pair p, double z) { return p.a * p.b * z; }
double of_triple(Triple t) { return t.a * t.b * t.c; }
double of_floats(Floats f) { return f.a * f.b * f.c; }
double of_slices(Slice s, Weighted w) {
  return s.data[s.n] * w.weight * w.data[0];
}
double of_large(Large l, double x) { return l.w[0] * l.data[0] * x; }

// CHECK-LABEL: in 'pair'
// CHECK: arg 0: double out
// CHECK-NEXT: arg 1: double out
// CHECK-NEXT: arg 2: double out
// CHECK: result: 24 bytes
PairResult pair(Pair p, double z) {
  return __enzyme_autodiff_pair((void *)of_pair, p, z);
}

// One tag is for the whole structure.
// CHECK-LABEL: in 'pair_tagged'
// CHECK: arg 0: double const
// CHECK-NEXT: arg 1: double const
// CHECK-NEXT: arg 2: double out
// CHECK: result: 8 bytes
double pair_tagged(Pair p, double z) {
  return __enzyme_autodiff((void *)of_pair, enzyme_const, p, enzyme_out, z);
}

// The tangent of the whole follows the whole.
// CHECK-LABEL: in 'pair_forward'
// CHECK: arg 0: double dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 1: double dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 2: double const
double pair_forward(Pair p, Pair dp, double z) {
  return __enzyme_fwddiff((void *)of_pair, enzyme_dup, p, dp, enzyme_const, z);
}

// In memory: its derivative is returned like any other.
// CHECK-LABEL: in 'triple'
// CHECK: arg 0: ptr dup = [[COPY:%.*]], shadow [[SHADOW:%.*]]
// CHECK: result: 24 bytes
// CHECK-NEXT: at 0: {{.*}} in memory [[SHADOW]]
Triple triple(Triple t) {
  return __enzyme_autodiff_triple((void *)of_triple, t);
}

// CHECK-LABEL: in 'floats'
// CHECK: arg 0: <2 x float> out
// CHECK-NEXT: arg 1: float out
// CHECK: result: 12 bytes
Floats floats(Floats f) {
  return __enzyme_autodiff_floats((void *)of_floats, f);
}

// The tags use up registers: the marker passes w in memory, of_slices takes it
// in two registers. Of w the pointer has a shadow, the float is returned.
// CHECK-LABEL: in 'slices'
// CHECK: arg 0: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 1: i32 const
// CHECK-NEXT: arg 2: double out
// CHECK-NEXT: arg 3: ptr dup = {{.*}}, shadow {{.*}}
// CHECK: result: 8 bytes
double slices(Slice s, Slice ds, Weighted w, Weighted dw) {
  return __enzyme_autodiff((void *)of_slices, enzyme_dup, s, ds, enzyme_dup, w,
                           dw);
}

// What a marker's type has no room for is not returned.
// CHECK-LABEL: in 'large'
// CHECK: arg 0: ptr dup = {{.*}}, shadow {{.*}}
// CHECK-NEXT: arg 1: double out
// CHECK: result: 8 bytes
// CHECK-NEXT: at 0: double element 0
double large(Large l, Large dl, double x) {
  return __enzyme_autodiff((void *)of_large, enzyme_dup, l, dl, x);
}

// The address of a structure may stand for it; then its shadow is in the
// user's memory, floats included.
// CHECK-LABEL: in 'large_by_address'
// CHECK: arg 0: ptr dup = {{.*}}, shadow [[USERS:%.*]]
// CHECK: result: 8 bytes
// CHECK-NEXT: at 0: double element 0
double large_by_address(Large *l, Large *dl, double x) {
  return __enzyme_autodiff((void *)of_large, enzyme_dup, l, dl, x);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that return structures, in registers and through sret, and markers
// that do.
//
// RUN: %clang --target=x86_64-unknown-linux-gnu -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang --target=x86_64-unknown-linux-gnu -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
extern int enzyme_primal_return, enzyme_noret, enzyme_dup;
typedef struct {
  double a, b;
} Pair;
typedef struct {
  double a, b, c;
} Triple;
typedef struct {
  float a, b;
} Floats;
typedef struct {
  Triple value, tangent;
} Both;
typedef struct {
  long count[3];
  double value;
} Counted;

Pair __enzyme_fwddiff_pair(void *, ...);
Triple __enzyme_fwddiff_triple(void *, ...);
Floats __enzyme_fwddiff_floats(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);
double __enzyme_autodiff(void *, ...);

Pair to_pair(double x) { return (Pair){x, x * x}; }
Triple to_triple(double x) { return (Triple){x, x * x, 1}; }
Floats to_floats(float x) { return (Floats){x, x * x}; }
Counted to_counted(double x) { return (Counted){{1, 2, 3}, x * x}; }

// CHECK-LABEL: in 'pair'
// CHECK: return: { double, double } active
// CHECK-NEXT: result: 16 bytes
Pair pair(double x) { return __enzyme_fwddiff_pair((void *)to_pair, x, 1.0); }

// CHECK-LABEL: in 'triple'
// CHECK: arg 0: ptr dupnoneed = {{.*}}, shadow [[TANGENT:%.*]]
// CHECK-NEXT: arg 1: double dup = {{.*}}, shadow 1.000000e+00
// CHECK-NEXT: return: void const
// CHECK-NEXT: result: 24 bytes
// CHECK-NEXT: at 0: {{.*}} in memory [[TANGENT]]
Triple triple(double x) {
  return __enzyme_fwddiff_triple((void *)to_triple, x, 1.0);
}

// CHECK-LABEL: in 'floats'
// CHECK: return: <2 x float> active
// CHECK-NEXT: result: 8 bytes
Floats floats(float x) {
  return __enzyme_fwddiff_floats((void *)to_floats, x, 1.0f);
}

// CHECK-LABEL: in 'both'
// CHECK: arg 0: ptr dup = [[VALUE:%.*]], shadow [[TANGENT:%.*]]
// CHECK: result: 48 bytes
// CHECK-NEXT: at 0: {{.*}} in memory [[VALUE]]
// CHECK-NEXT: at 24: {{.*}} in memory [[TANGENT]]
Both both(double x) {
  return __enzyme_fwddiff_both((void *)to_triple, enzyme_primal_return,
                               enzyme_dup, x, 1.0);
}

// One float in the structure is one result to start from.
// CHECK-LABEL: in 'counted'
// CHECK: reverse of 'to_counted'
// CHECK-NEXT: arg 0: ptr dupnoneed
// CHECK-NEXT: arg 1: double out
// CHECK: result: 8 bytes
double counted(double x) { return __enzyme_autodiff((void *)to_counted, x); }

// CHECK-LABEL: in 'ignored'
// CHECK: arg 0: ptr dupnoneed
// CHECK: return: void const
// CHECK: result: 8 bytes
double ignored(double x) {
  return __enzyme_autodiff((void *)to_triple, enzyme_noret, x);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures by value and as results, run: the numbers must not depend on how
// the calling convention of the machine passes them.
//
// RUN: %clang -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -g %adze %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %adze %s -o %t && %t | FileCheck %s
#include <stdio.h>
extern int enzyme_dup, enzyme_primal_return;
#define NOINLINE __attribute__((noinline))

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
typedef struct {
  Triple value, tangent;
} Both;
typedef struct {
  long n[3];
  double value;
} Counted;

PairResult __enzyme_autodiff_pair(void *, ...);
Triple __enzyme_autodiff_triple(void *, ...);
Floats __enzyme_autodiff_floats(void *, ...);
double __enzyme_autodiff(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);
double __enzyme_fwddiff(void *, ...);
Triple __enzyme_fwddiff_triple(void *, ...);
Pair __enzyme_fwddiff_pair(void *, ...);

NOINLINE double of_pair(Pair p, double z) { return p.a * p.b * z; }
// It writes to its own copy of the structure, not to the caller's.
NOINLINE double of_triple(Triple t) {
  t.a *= 2;
  return t.a * t.b * t.c;
}
NOINLINE double of_floats(Floats f) { return f.a * f.b * f.c; }
NOINLINE double of_slices(Slice s, Weighted w) {
  return s.data[s.n] * w.weight * w.data[0];
}
NOINLINE double of_large(Large l, double x) {
  return l.w[0] * l.data[0] * x * l.w[2];
}
NOINLINE Triple to_triple(double x) { return (Triple){x, x * x, 1}; }
NOINLINE Pair to_pair(double x) { return (Pair){x, x * x}; }
NOINLINE Counted to_counted(double x) { return (Counted){{1, 2, 3}, x * x}; }

int main(void) {
  PairResult r = __enzyme_autodiff_pair((void *)of_pair, (Pair){2, 3}, 5.0);
  printf("pair %g %g %g\n", r.p.a, r.p.b, r.z);
  // CHECK: pair 15 10 6

  Triple at = {2, 3, 5};
  Triple t = __enzyme_autodiff_triple((void *)of_triple, at);
  printf("triple %g %g %g at %g\n", t.a, t.b, t.c, at.a);
  // CHECK: triple 30 20 12 at 2

  Floats f = __enzyme_autodiff_floats((void *)of_floats, (Floats){2, 3, 5});
  printf("floats %g %g %g\n", f.a, f.b, f.c);
  // CHECK: floats 15 10 6

  double d[3] = {2, 3, 5}, dd[3] = {0}, e[1] = {7}, de[1] = {0};
  double weight = __enzyme_autodiff(
      (void *)of_slices, enzyme_dup, (Slice){d, 1}, (Slice){dd, 1}, enzyme_dup,
      (Weighted){4, e}, (Weighted){0, de});
  printf("slices %g %g %g %g\n", weight, dd[0], dd[1], de[0]);
  // CHECK: slices 21 0 28 12

  dd[0] = dd[1] = 0;
  Large l = {{2, 3, 5}, d}, dl = {{1, 1, 1}, dd};
  double x = __enzyme_autodiff((void *)of_large, enzyme_dup, l, dl, 11.0);
  printf("large %g %g, shadow %g\n", x, dd[0], dl.w[0]);
  // CHECK: large 20 110, shadow 1

  dd[0] = 0;
  __enzyme_autodiff((void *)of_large, enzyme_dup, &l, &dl, 11.0);
  printf("address %g %g %g %g\n", dl.w[0], dl.w[1], dl.w[2], dd[0]);
  // CHECK: address 111 1 45 110

  Triple tangent = __enzyme_fwddiff_triple((void *)to_triple, 3.0, 1.0);
  printf("tangent %g %g %g\n", tangent.a, tangent.b, tangent.c);
  // CHECK: tangent 1 6 0

  Both b = __enzyme_fwddiff_both((void *)to_triple, enzyme_primal_return, 3.0,
                                 1.0);
  printf("both %g %g %g, %g %g %g\n", b.value.a, b.value.b, b.value.c,
         b.tangent.a, b.tangent.b, b.tangent.c);
  // CHECK: both 3 9 1, 1 6 0

  Pair p = __enzyme_fwddiff_pair((void *)to_pair, 3.0, 1.0);
  printf("registers %g %g\n", p.a, p.b);
  // CHECK: registers 1 6

  printf("counted %g\n", __enzyme_autodiff((void *)to_counted, 3.0));
  // CHECK: counted 6

  printf("forward %g\n",
         __enzyme_fwddiff((void *)of_triple, at, (Triple){1, 0, 0}));
  // CHECK: forward 30
  return 0;
}

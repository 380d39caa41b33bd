// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What moves records asks for each of them whether all of it is there; if so, the numbers of bytes are constants. Else a call of
// memmove for the integers of each record, and a loop for its one number, would take most of the time.
//
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

struct entry {
  int row, column;
  double value;
};

double copied(const double *x, const int *k, long n) {
  struct entry *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (long i = 0; i < n; i++) {
    a[i].row = k[i];
    a[i].column = k[i] + 1;
    a[i].value = x[i] * x[i];
  }
  memcpy(b, a, n * sizeof *b);
  double s = 0;
  for (long i = 0; i < n; i++)
    s += b[i].value * b[i].value * b[i].row;
  free(a);
  free(b);
  return s;
}

// CHECK-LABEL: define internal void @adze.grad.copied(
// CHECK: call void @llvm.memcpy
// CHECK-NOT: call void @llvm.mem
// CHECK: [[INTEGERS:%.*]] = load i64, ptr
// CHECK-NEXT: store i64 [[INTEGERS]], ptr
// CHECK-NOT: call void @llvm.mem
// CHECK-NOT: call i64 @llvm.usub.sat
// CHECK: call void @adze.tape.free(
// CHECK: {{^}}}
void gradient(double *x, double *d, int *k, long n) {
  __enzyme_autodiff((void *)copied, enzyme_dup, x, d, enzyme_const, k, enzyme_const, n);
}

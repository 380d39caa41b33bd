// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function without a body says what its declaration says.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

struct Big { double a[9]; };
double outside(double *x, int n, float *y);
double *gives(void);
double takes(struct Big, double *unknown);
void nothing(void *, char *);

double calls(double *x, float *y, struct Big b) {
  nothing(x, 0);
  return outside(x, 3, y) + *gives() + takes(b, x);
}
// CHECK: declare void @nothing(ptr noundef, ptr noundef)
// CHECK: declare double @outside(ptr noundef "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}", i32 noundef, ptr noundef "adze_type"="{[0]:Pointer? -> {[0]:Float@float?}}")
// CHECK: declare "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" ptr @gives()
// Behind a structure by value the number of the parameter is not known.
// CHECK: declare double @takes(ptr noundef byval(%struct.Big) align 8, ptr noundef)

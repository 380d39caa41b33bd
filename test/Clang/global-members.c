// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of a global's member: their addresses are constants, as without the plugin.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

struct Rows { int n; double row[4]; } rows;

// CHECK-LABEL: define{{.*}} @element(
// CHECK-NEXT: entry:
// CHECK-NEXT: load double, ptr getelementptr inbounds{{.*}}@rows
// CHECK-NEXT: load double, ptr getelementptr inbounds{{.*}}@rows
// CHECK-NEXT: fadd
double element(void) { return rows.row[1] + rows.row[2]; }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How callees are differentiated, and the record of all remarks.
//
// RUN: %clang -O2 -g %adze -c %s -o %t.o -Rpass=adze -Rpass-missed=adze -Rpass-analysis=adze -fsave-optimization-record -foptimization-record-passes=adze -foptimization-record-file=%t.yaml 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=YAML --input-file=%t.yaml %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double sin(double);

__attribute__((noinline)) static double reads(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sin(x[i]); // line 13
  return s;
}

__attribute__((noinline)) static void writes(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i]; // line 19
}

double f(double *x, int n, int steps) {
  for (int k = 0; k < steps; ++k)
    writes(x, n);     // line 24
  return reads(x, n); // line 25
}

void go(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)f, x, dx, n, 3);
  __enzyme_fwddiff((void *)f, x, dx, n, 3);
}

// CHECK-DAG: calls.c:25:10: remark: in the gradient of 'f', the reverse pass differentiates the call of 'reads': it runs once more then, and keeps nothing [-Rpass=adze]
// CHECK-DAG: calls.c:24:5: remark: in the gradient of 'f', the call of 'writes' keeps a tape for its reverse pass: {{[0-9]+}} bytes per iteration of the loop at line 23, {{[0-9]+}} * steps in all; it overwrites what it reads [-Rpass-missed=adze]
// CHECK-DAG: calls.c:22:1: remark: the gradient of 'f' needs a tape of {{[0-9]+}} * steps bytes, and what the tapes of the calls in it allocate{{.*}} [-Rpass-analysis=adze]
// CHECK-DAG: calls.c:19:12: remark: the split gradient of 'writes' keeps the value loaded from 'x': 8 bytes per iteration of the loop at line 18, 8 * n in all; 'x' may be overwritten by the store to 'x' at line 19; to avoid this, write to another array than 'x', unless what is stored is read here again [-Rpass-missed=adze]
// CHECK-DAG: calls.c:13:14: remark: the reverse pass of the gradient of 'reads' computes again instead of keeping: the value loaded from 'x' [-Rpass=adze]
// CHECK-DAG: calls.c:10:1: remark: the gradient of 'reads' needs no tape{{.*}} [-Rpass-analysis=adze]
// Forward mode keeps nothing.
// CHECK-NOT: forward derivative

// The record. Long lines of it are broken.
// YAML: --- !Missed
// YAML-NEXT: Pass: adze
// YAML-NEXT: Name: SplitCall
// YAML-NEXT: DebugLoc: { File: {{.*}}calls.c
// YAML: Column: 5
// YAML-NEXT: Function: f
// YAML-NEXT: Args:
// YAML: - Callee: '''writes'''
// YAML: --- !Passed
// YAML-NEXT: Pass: adze
// YAML-NEXT: Name: CallAtReverse
// YAML: Function: f
// YAML: - Callee: '''reads'''
// YAML: --- !Analysis
// YAML-NEXT: Pass: adze
// YAML-NEXT: Name: Tape
// YAML: - Bytes: '{{[0-9]+}} * steps'
// YAML: --- !Missed
// YAML-NEXT: Pass: adze
// YAML-NEXT: Name: Keep
// YAML-NEXT: DebugLoc: { File: {{.*}}calls.c
// YAML: Column: 12
// YAML-NEXT: Function: writes
// YAML: - Value: 'the value loaded from ''x'''
// YAML: - Bytes: '8'
// YAML: - Loop: the loop at line 18
// YAML: - Total: '8 * n'
// YAML: - Cause: '''x'' may be overwritten by the store to ''x'' at line 19'
// YAML-NEXT: DebugLoc: { File: {{.*}}calls.c
// YAML: - Cure: {{.*}}write to another array than ''x''

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop with adze_checkpoint is a call of a function that runs its steps: nothing of them is kept
// on the tape, a state is what they carry and write to.
//
// RUN: %clang -I%srcroot/include -O1 -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o - | %adze-opt --stop-after=plan | FileCheck %s
#include "adze/adze.h"
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);

double heat(double x, int n) {
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), *w, s = 0;
  for (int i = 0; i < n; i++)
    u[i] = v[i] = i * x;
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(5);
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] * u[i - 1] + u[i + 1];
    w = u;
    u = v;
    v = w;
    s += u[1];
  }
  return s;
}
void gradient(double x, int n) { __enzyme_autodiff((void *)heat, x, n); }
// CHECK-LABEL: plan of rev.heat
// CHECK: tape of {{.*}} keep in slot
// CHECK: split split.adze.loop.heat{{.*}}, tape in place, reads arg0
//
// CHECK-LABEL: plan of split.adze.loop.heat
// CHECK: {{^}}tape{{$}}
// CHECK-NEXT: 0: ptr for tape of
// CHECK-NEXT: bytes: 8
// CHECK: by steps rev.adze.step.heat
// CHECK-NEXT: state
// CHECK-NEXT: {{.*}}: 8 bytes, pointers at 0 to 8
// CHECK-NEXT: {{.*}}: 8 bytes, pointers at 0 to 8
// CHECK-NEXT: {{.*}}: 8 bytes
// CHECK-NEXT: {{.*}}: 4 bytes
// CHECK-NEXT: {{.*}}: 8 bytes
// CHECK-NEXT: {{.*}}: %{{[0-9]+}} bytes
// CHECK-NEXT: {{.*}}: %{{[0-9]+}} bytes
//
// CHECK-NOT: steps say
// CHECK-LABEL: plan of rev.adze.step.heat

// Of u nobody says how much is written; it is written again after the loop.
double relax(double *u, int n) {
  for (int t = 0; t < 100; t++) {
    adze_checkpoint(5);
    for (int i = 0; i < n; i++)
      u[i] *= u[0];
  }
  u[1] *= u[2];
  return u[1];
}
void gradientOfRelax(double *u, double *d, int n) { __enzyme_autodiff((void *)relax, u, d, n); }
// CHECK-LABEL: plan of split.adze.loop.relax
// CHECK: state
// CHECK-NEXT: 4 bytes
// CHECK-NEXT: steps say what they write, and what they read

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept, where, how much of it, why, and what the user can do.
//
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-max-alias-checks=0
// RUN: %clang -O2 -g %{adze} -c %s -o %t.o -Rpass=adze -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck %s
// RUN: %clang -O2 -g %adze -c %s -o %t.r.o -DRESTRICT=restrict -Rpass=adze -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck --check-prefix=CURED %s
//
// Names come from debug information; lines are there without.
// RUN: %clang -O2 %{adze} -c %s -o %t.n.o -Rpass-missed=adze 2>&1 | FileCheck --check-prefix=PLAIN %s
//
// Two versions: what is told is of the one for arrays that are apart.
// RUN: %clang -O2 -g %adze -c %s -o %t.v.o -Rpass=adze -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck --check-prefix=APART %s
//
// Each option has its own; nothing is said unasked, and nothing changes.
// RUN: %clang -O2 -g %adze -c %s -o %t.m.o -Rpass-missed=adze 2>&1 | FileCheck --check-prefix=MISSED %s
// RUN: %clang -O2 -g %adze -c %s -o %t.q.o -Rpass-missed=inline 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %clang -O2 -g %adze -c %s -o %t.q.o 2>&1 | count 0
// RUN: cmp %t.v.o %t.q.o
// MISSED-NOT: [-Rpass=adze]
// MISSED-NOT: [-Rpass-analysis=adze]
// MISSED: [-Rpass-missed=adze]
// QUIET-NOT: adze
#ifndef RESTRICT
#define RESTRICT
#endif
double __enzyme_autodiff(void *, ...);
double exp(double);

double f(double *x, double *RESTRICT y, double *w, int n, int m) {
  double t = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      double v = x[i * m + j] * w[i * m + j];
      y[i * m + j] = v * v;
      t += exp(v);
    }
  return t;
}

void go(double *x, double *dx, double *y, double *dy, double *w, double *dw,
        int n, int m) {
  __enzyme_autodiff((void *)f, x, dx, y, dy, w, dw, n, m);
}

// CHECK: kept.c:33:18: remark: the gradient of 'f' keeps the value loaded from 'x': 8 bytes per iteration of the loop at line 32, 8 * n * m in all; 'x' may be overwritten by the store to 'y' at line 34; to avoid this, declare 'y' restrict if it never overlaps 'x' [-Rpass-missed=adze]
// CHECK: kept.c:33:33: remark: the gradient of 'f' keeps the value loaded from 'w': 8 bytes per iteration of the loop at line 32, 8 * n * m in all; 'w' may be overwritten by the store to 'y' at line 34; to avoid this, declare 'y' restrict if it never overlaps 'w' [-Rpass-missed=adze]
// CHECK: kept.c:35:12: remark: the gradient of 'f' keeps the result of 'exp': 8 bytes per iteration of the loop at line 32, 8 * n * m in all; computing it again costs more than keeping it [-Rpass-missed=adze]
// CHECK: kept.c:33:31: remark: the reverse pass of the gradient of 'f' computes again instead of keeping: 'v' [-Rpass=adze]
// CHECK: kept.c:29:1: remark: the gradient of 'f' needs a tape of 24 * n * m bytes{{.*}} [-Rpass-analysis=adze]

// APART-NOT: keeps the value loaded
// APART: remark: the gradient of 'f' needs a tape of 8 * n * m bytes{{.*}} [-Rpass-analysis=adze]
// APART: kept.c:{{[0-9]+}}:1: remark: the gradient of 'f' has another version for arrays that overlap, chosen at run time: it needs a tape of 24 * n * m bytes; 'x' may be overwritten by the store to 'y' at line {{[0-9]+}}; to avoid this, declare 'y' restrict if it never overlaps 'x' [-Rpass-analysis=adze]

// The cure is one.
// CURED-NOT: may be overwritten
// CURED: keeps the result of 'exp': 8 bytes per iteration
// CURED: kept.c:33:18: remark: the reverse pass of the gradient of 'f' computes again instead of keeping: the value loaded from 'x', the value loaded from 'w', 'v' [-Rpass=adze]
// CURED: needs a tape of 8 * n * m bytes
// CURED-NOT: may be overwritten

// PLAIN: kept.c:33:18: remark: the gradient of 'f' keeps the value loaded from argument 1 of 'f': 8 bytes per iteration of the loop at line 32, 8 * (argument 4 of 'f') * (argument 5 of 'f') in all; argument 1 of 'f' may be overwritten by the store to argument 2 of 'f' at line

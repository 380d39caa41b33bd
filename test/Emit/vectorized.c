// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations are independent going back vectorize in the reverse
// pass. The loops of the primal are at the line of their `for`, those of the
// reverse pass at the lines of the statements.
//
// RUN: %clang -O3 -mavx2 -gline-tables-only -fno-discard-value-names %adze -Rpass=loop-vectorize -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=IR %s < %t.ll
// RUN: %clang -O3 -mavx2 -gline-tables-only %adze -Rpass=loop-vectorize -I%include -c %srcroot/benchmarks/gmm/gmm_adze.c -o %t.o 2>&1 | FileCheck --check-prefix=GMM %s
// RUN: %clang -O3 -mavx2 -gline-tables-only %adze -Rpass=loop-vectorize -I%include -c %srcroot/benchmarks/lstm/lstm_adze.c -o %t.o 2>&1 | FileCheck --check-prefix=LSTM %s
// RUN: %clang -O3 -mavx2 -gline-tables-only %adze -Rpass=loop-vectorize -I%include -c %srcroot/benchmarks/stencil/stencil_adze.c -o %t.o 2>&1 | FileCheck --check-prefix=STENCIL %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static void scale(int n, const double *x, double a, double *y) {
  for (int i = 0; i < n; ++i)
    // CHECK-DAG: vectorized.c:[[#@LINE+1]]:{{.*}}vectorized loop
    y[i] = a * x[i] + y[i];
}

// The shadows of x and y may overlap, and x's shadow with nothing else.
// IR-LABEL: define {{.*}} @adze.grad.scale(
// IR: vector.memcheck
// IR: <4 x double>
void of_scale(int n, double *x, double *dx, double a, double *y, double *dy) {
  __enzyme_autodiff((void *)scale, enzyme_const, n, enzyme_dup, x, dx, enzyme_const, a, enzyme_dup,
                    y, dy);
}

static double dot(int n, const double *x, const double *p) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    // CHECK-DAG: vectorized.c:[[#@LINE+1]]:{{.*}}vectorized loop
    s += x[i] * p[0] + x[i] * x[i];
  return s;
}

// Only x's shadow is written in the loop: nothing to check. What belongs to
// p[0] is summed in registers and added to its place once.
// IR-LABEL: define {{.*}} @adze.grad.dot(
// IR-NOT: vector.memcheck
// IR: vector.body:
// IR-NOT: ptr %p.shadow
// IR: <4 x double>
// IR: br i1
// IR: llvm.vector.reduce.fadd
// IR: ret void
void of_dot(int n, double *x, double *dx, double *p, double *dp) {
  __enzyme_autodiff((void *)dot, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, p, dp);
}

// Blocks that memcpy copies do not overlap, so that their adjoints are added in any order.
static double copied(long n, const double *x, double *y) {
  // CHECK-DAG: vectorized.c:[[#@LINE+1]]:{{.*}}vectorized loop
  __builtin_memcpy(y, x, (unsigned long)n * sizeof *y);
  double s = 0;
  for (long i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

void of_copied(long n, double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)copied, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// Squares of norms, with the lower triangle and with the diagonal; the largest
// term's exponentials.
// GMM-DAG: gmm_objective.h:34:{{.*}}vectorized loop
// GMM-DAG: gmm_objective.h:39:{{.*}}vectorized loop
// GMM-DAG: gmm_objective.h:21:{{.*}}vectorized loop

// LSTM-DAG: lstm_objective.h:44:{{.*}}vectorized loop
// LSTM-DAG: lstm_objective.h:55:{{.*}}vectorized loop
// LSTM-DAG: lstm_objective.h:59:{{.*}}vectorized loop

// The sweep is in place, its neighbours wait for each other; the distance to
// the target is not.
// STENCIL-DAG: stencil_objective.h:31:{{.*}}vectorized loop

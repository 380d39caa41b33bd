// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions read one copy of an array that the function makes which starts them.
//
// DEFINE: %{ir} = %clang -O2 -fopenmp -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: %{ir} && %adze-opt --stop-after=plan %t.ll | FileCheck %s
// RUN: %adze-opt --stop-after=emit %t.ll | FileCheck %s --check-prefix=EMIT
#define R restrict
void __enzyme_autodiff(void *, ...);

static double dot(int n, const double *x, const double *y) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
static void scale(int n, double a, double *y) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] *= a;
}

// The copy of p is made in front of the first region, by all of its threads;
// the last one reads it before it overwrites what it reads.
// CHECK-LABEL: plan of rev.steps.
// CHECK: a copy of double for calls
// CHECK: call dot{{.*}}.c4, {{.*}} shadow4 arg5 shadow5 copy4{{$}}
// CHECK: call dot{{.*}}.c4, {{.*}} shadow4 arg5 copy4{{$}}
// CHECK: call scale{{.*}}.c3, {{.*}} copy3
// CHECK-LABEL: plan of split.dot{{.*}}.c4{{$}}
// CHECK-NOT: double [
// CHECK: bytes: 8{{$}}
// EMIT-LABEL: define internal void @adze.grad.steps
// EMIT: call void @llvm.memcpy{{.*}}, !adze.team.copy
// EMIT-NOT: call void @adze.aug
// EMIT: call void @adze.aug.dot
// EMIT: call void @adze.rev.scale
// EMIT: call void @adze.rev.dot{{.*}}(ptr @adze.team.number, {{.*}} ptr %else
// EMIT: call void @adze.tape.free
double steps(double *R p, double *R q, int n, int count) {
  double s = 0;
  for (int k = 0; k < count; ++k) {
    const double a = dot(n, p, q);
    s += a + dot(n, p, p);
    scale(n, a, p);
  }
  return s;
}
void of_steps(double *p, double *dp, double *q, double *dq, int n) {
  __enzyme_autodiff((void *)steps, p, dp, q, dq, n, 9);
}

// One array, so it is kept once.
// CHECK-LABEL: plan of rev.once.
// CHECK: call dot{{.*}} arg4 shadow4 arg5{{$}}
// CHECK-LABEL: plan of split.dot
// CHECK: bytes: {{[0-9]+}} + 8 [
double once(double *R p, int n) {
  const double s = dot(n, p, p);
  for (int i = 0; i < n; ++i)
    p[i] = s;
  return s;
}
void of_once(double *p, double *dp, int n) {
  __enzyme_autodiff((void *)once, p, dp, n);
}

// It is overwritten between the two.
// CHECK-LABEL: plan of rev.changed.
// CHECK-NOT: for calls
// CHECK-LABEL: plan of split.dot
double changed(double *R p, double *R q, int n, int count) {
  double s = 0;
  for (int k = 0; k < count; ++k) {
    const double a = dot(n, p, q);
    p[k] = a;
    s += a + dot(n, p, q + 1);
    q[k] = p[k + 1] = s;
  }
  return s;
}
void of_changed(double *p, double *dp, double *q, double *dq, int n) {
  __enzyme_autodiff((void *)changed, p, dp, q, dq, n, 9);
}

// What the second one reads is not all that the first one does. Whether that
// reads at all, it finds in memory.
static double first(int n, const int *is, const double *x) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i)
    if (*is)
      s += x[i] * x[i];
  return s;
}
// CHECK-LABEL: plan of rev.more.
// CHECK: call dot{{.*}}.c4, {{.*}} copy4
// CHECK: call dot{{.*}} arg4 shadow4 arg5{{$}}
// CHECK-LABEL: plan of rev.maybe.
// CHECK-NOT: for calls
// CHECK: plan of split
double more(double *R p, int n, int m, int count) {
  double s = 0;
  for (int k = 0; k < count; ++k) {
    s += dot(n, p, p) * dot(m, p, p);
    scale(n, s, p);
  }
  return s;
}
void of_more(double *p, double *dp, int n, int m) {
  __enzyme_autodiff((void *)more, p, dp, n, m, 9);
}
double maybe(double *R p, const int *is, int n, int count) {
  double s = 0;
  for (int k = 0; k < count; ++k) {
    s += first(n, is, p) * first(n, is, p);
    for (int i = 0; i < n; ++i)
      p[i] *= s;
  }
  return s;
}
int enzyme_const;
void of_maybe(double *p, double *dp, const int *is, int n) {
  __enzyme_autodiff((void *)maybe, p, dp, enzyme_const, is, n, 9);
}

// One thread after the other reads, and overwrites what the next one reads.
static double inTurn(int n, double *p) {
  double s = 0;
#pragma omp parallel
#pragma omp critical
  {
    for (int i = 0; i < n; ++i)
      s += p[i] * p[i];
    for (int i = 0; i < n; ++i)
      p[i] *= 2;
  }
  return s;
}
// CHECK-LABEL: plan of rev.turns.
// CHECK-NOT: for calls
// CHECK: plan of split
double turns(double *R p, int n, int count) {
  double s = 0;
  for (int k = 0; k < count; ++k) {
    s += dot(n, p, p);
    s += inTurn(n, p);
  }
  return s;
}
void of_turns(double *p, double *dp, int n) {
  __enzyme_autodiff((void *)turns, p, dp, n, 9);
}

// Functions hand on what they are given.
__attribute__((noinline)) static double farDot(int n, const double *x,
                                               const double *y) {
  return dot(n, x, y);
}
__attribute__((noinline)) static void farScale(int n, double a, double *y) {
  scale(n, a, y);
}
// CHECK-LABEL: plan of rev.functions.
// CHECK: split split.farDot{{.*}}.c1, {{.*}} copy1{{$}}
// CHECK: call farScale{{.*}}.c2, {{.*}} copy2{{$}}
// CHECK-LABEL: plan of split.farDot
// CHECK: call dot{{.*}} copy4{{$}}
// CHECK-LABEL: plan of split.farScale
// CHECK: call scale{{.*}} copy3{{$}}
double functions(double *R p, double *R q, int n, int count) {
  double s = 0;
  for (int k = 0; k < count; ++k) {
    s += farDot(n, p, q);
    farScale(n, s, p);
  }
  return s;
}
void of_functions(double *p, double *dp, double *q, double *dq, int n) {
  __enzyme_autodiff((void *)functions, p, dp, q, dq, n, 9);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse of a loop that gathers adds to each element once, or is
// distributed over one loop for each distance. See GatherSums.h and
// DistributeSums.h.
//
// RUN: %clang -O2 -fno-discard-value-names -fno-vectorize -fno-unroll-loops %adze -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
#define GRADIENT(F)                                                                              \
  void of_##F(int n, double *x, double *dx, double *y, double *dy) {                             \
    __enzyme_autodiff((void *)F, enzyme_const, n, enzyme_dup, x, dx, enzyme_dup, y, dy);         \
  }

// A loop with one store besides that for short arrays; no other test is needed.
// The first iteration adds to x[0], the last one to x[n - 1]. Another loop takes
// the adjoints away, which becomes a part of this one (FuseLoops.h).
// CHECK-LABEL: define {{.*}} @adze.grad.apart(
// CHECK: icmp ugt i64 {{.*}}, 14
// CHECK-NOT: icmp uge ptr
// CHECK: ends:
// CHECK-COUNT-2: store double
// CHECK: {{^}}fused:
// CHECK: %old{{.*}} = load double, ptr %[[P:.*]], align 8{{.*}} !alias.scope ![[S:[0-9]+]]
// CHECK: store double %{{.*}}, ptr %[[P]], align 8{{.*}} !alias.scope ![[S]]
// CHECK: store double 0.0
// CHECK-NOT: store
// CHECK: br i1 {{.*}}, label %{{fused|behind}}
// CHECK: ret void
static void apart(int n, const double *restrict x, double *restrict y) {
  for (int i = 1; i < n; ++i)
    y[i] = 0.5 * x[i - 1] * x[0] + 3.0 * x[i];
}
GRADIENT(apart)

// What may overlap is compared.
// CHECK-LABEL: define {{.*}} @adze.grad.overlap(
// CHECK: icmp uge ptr
// CHECK: {{^(gathered|fused)[0-9]*}}:
// CHECK: ret void
static void overlap(int n, const double *x, double *y) {
  for (int i = 1; i < n; ++i)
    y[i] = 0.5 * x[i - 1] + 3.0 * x[i];
}
GRADIENT(overlap)

// The loop reads what it adds to.
// CHECK-LABEL: define {{.*}} @adze.grad.in_place(
// CHECK-NOT: {{^(.*\.sums|gathered):}}
// CHECK: ret void
static void in_place(int n, double *restrict x, double *restrict y) {
  for (int i = 2; i < n; ++i)
    x[i] = 0.5 * x[i - 1] + 3.0 * x[i - 2];
}
GRADIENT(in_place)

// Two vectors that lie side by side in one block.
// CHECK-LABEL: define {{.*}} @adze.grad.side_by_side(
// CHECK: {{^(gathered|fused)[0-9]*}}:
static void side_by_side(int n, double *restrict x, double *restrict y) {
  for (int i = 1; i < n; ++i)
    x[n + i] = 0.5 * x[i - 1] + 3.0 * x[i];
}
GRADIENT(side_by_side)

// Every second element: nobody comes to another's place.
// CHECK-LABEL: define {{.*}} @adze.grad.interleaved(
// CHECK-NOT: {{^(.*\.sums|gathered):}}
// CHECK: ret void
static void interleaved(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] = 0.5 * x[2 * i] + 3.0 * x[2 * i + 1];
}
GRADIENT(interleaved)

// Too many sums would stand in front of the loop.
// CHECK-LABEL: define {{.*}} @adze.grad.far(
// CHECK-NOT: gathered:
// CHECK: .sums:
// CHECK: ret void
static void far(int n, const double *restrict x, double *restrict y) {
  for (int i = 9; i < n; ++i)
    y[i] = x[i - 9] * x[i];
}
GRADIENT(far)

// A number is handed on to the next iteration: the reverse hands its adjoint
// on. It is computed again for each element.
// CHECK-LABEL: define {{.*}} @adze.grad.handed_on(
// CHECK: {{^(gathered|fused)[0-9]*}}:
// CHECK-NOT: phi double
// CHECK: br i1 {{.*}}, label %{{gathered|fused|behind}}
// CHECK: ret void
static void handed_on(int n, const double *restrict x, double *restrict y) {
  double left = 0.0;
  for (int i = 0; i < n; ++i) {
    y[i] = left + 0.5 * x[i + 1] + 2.0 * x[i];
    left = 3.0 * x[i];
  }
}
GRADIENT(handed_on)

// So is what goes on over two iterations, though the reverse has a block behind
// its test for that.
// CHECK-LABEL: define {{.*}} @adze.grad.two_iterations(
// CHECK: {{^(gathered|fused)[0-9]*}}:
// CHECK-NOT: phi double
// CHECK: br i1 {{.*}}, label %{{gathered|fused|behind}}
// CHECK: ret void
static void two_iterations(int n, const double *restrict x,
                           double *restrict y) {
  double before = 0.5, last = x[0];
  for (int i = 1; i + 1 < n; ++i) {
    y[i] = before * x[i + 1] + last * x[i - 1];
    before = last;
    last = x[i] * x[i];
  }
}
GRADIENT(two_iterations)

// A sum that goes round is not computed again.
// CHECK-LABEL: define {{.*}} @adze.grad.recurrent(
// CHECK-NOT: {{^(.*\.sums|gathered):}}
// CHECK: ret void
static void recurrent(int n, const double *restrict x, double *restrict y) {
  double sum = 0.5;
  for (int i = 1; i + 1 < n; ++i) {
    y[i] = 0.5 * x[i - 1] + x[i + 1] * sum;
    sum = 0.75 * sum + x[i] * x[i + 1];
  }
}
GRADIENT(recurrent)

// One sum, and what goes on is all from in front of the loop or of the last
// iterations: their adjoints leave it.
// CHECK-LABEL: define {{.*}} @adze.grad.one_sum(
// CHECK: {{^(gathered|fused)[0-9]*}}:
// CHECK-NOT: phi double
// CHECK: br i1 {{.*}}, label %{{.*}}, label %{{gathered|fused|behind}}
// CHECK: ret void
static void one_sum(int n, const double *restrict x, double *restrict y) {
  double left = x[0], here = x[1];
  for (int i = 1; i < n - 1; ++i) {
    double right = x[i + 1];
    y[i] = left * here - here * right;
    left = here;
    here = right;
  }
}
GRADIENT(one_sum)

// Over one iteration alone: not worth a loop that only zeros what is read.
// CHECK-LABEL: define {{.*}} @adze.grad.one_iteration(
// CHECK-NOT: {{^(.*\.sums|gathered):}}
// CHECK: ret void
static void one_iteration(int n, const double *restrict x, double *restrict y) {
  double left = x[0];
  for (int i = 1; i < n; ++i) {
    double here = x[i];
    y[i] = left * here;
    left = here;
  }
}
GRADIENT(one_iteration)

// Nothing is handed on: vector code comes of the loop as it is.
// CHECK-LABEL: define {{.*}} @adze.grad.alone(
// CHECK-NOT: {{^(.*\.sums|gathered):}}
// CHECK: ret void
static void alone(int n, const double *restrict x, double *restrict y) {
  for (int i = 1; i < n - 1; ++i)
    y[i] = x[i] * x[i];
}
GRADIENT(alone)

// So is what the block of the function's own gets, and no loop is left behind.
// CHECK-LABEL: define {{.*}} @adze.grad.own(
// CHECK: {{^(gathered|fused)[0-9]*}}:
// CHECK: br i1 {{.*}}, label %{{.*}}, label %{{gathered|fused|behind}}
// CHECK-NOT: store double 0.0
// CHECK: ret void
static void own(int n, const double *restrict x, double *restrict y) {
  double *t = __builtin_malloc(n * sizeof *t);
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i];
  for (int i = 1; i < n - 1; ++i)
    y[0] += t[i - 1] - 2.0 * t[i + 1];
  __builtin_free(t);
}
GRADIENT(own)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program compares derivatives with differences of the function: what is
// right passes in silence, what is wrong is told with the marker's line, once.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-check -lm
// RUN: %clang -g -O0 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O1 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O3 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clang -g0 -O2 %{adze} %s -o %t && %t 2>&1 | FileCheck --check-prefix=BARE %s
//
// Which are checked is a remark.
// RUN: %clang -g -O1 %{adze} -Rpass-analysis=adze %s -o %t 2>&1 | FileCheck --check-prefix=REMARK %s
//
// Without the option nothing is there.
// RUN: %clang -g -O2 %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE-NOT: adze.probe
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
float __enzyme_autodiff_float(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed, enzyme_const, enzyme_out;

// Nothing is said before the first mistake.
// CHECK-NOT: adze
// CHECK: right 3.15164 38 25 98 14

static double square(double x) { return x * x * sin(x); }

__attribute__((noinline)) static double dot(const double *x, double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i] * y[i];
    y[i] = s;
  }
  return s;
}

// In place, with memory of its own and of the caller, and an early way out.
static void smooth(double *u, const double *f, double *work, int n) {
  double *old = malloc(n * sizeof *old), *from = old, *to = work;
  memcpy(old, u, n * sizeof *u);
  for (int step = 0; step < 3; step++) {
    to[0] = from[0];
    to[n - 1] = from[n - 1];
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1] + 0.01 * f[i] * exp(-from[i]);
    double *other = from;
    from = to;
    to = other;
  }
  memcpy(u, from, n * sizeof *u);
  free(old);
}

struct body {
  float mass;
  int parts;
  float at[3];
};
static float moment(struct body *b) {
  float s = b->mass;
  for (int i = 0; i < b->parts; i++)
    s += b->at[i] * b->mass;
  b->at[1] = s;
  return s * s;
}

static void gather(const double *x, const int *which, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[which[i]] * x[which[n - 1 - i]];
}

// The derivative that is taken at a kink is right by definition.
static double kink(const double *x) { return fabs(x[0]) + fmax(x[1], x[2]) + (x[3] > 2 ? x[3] : 2); }

// Stops where it should; not by what the check does.
static double guarded(const double *x) {
  if (x[0] < 1)
    abort();
  return sqrt(x[0] - 1 + x[1]);
}

// Library functions that store through pointers.
static double parts(const double *x, double *whole, int *power) {
  double fraction = modf(x[0] * x[1], whole);
  return fraction * frexp(x[1] * x[2], power);
}

static double counted;
static double counts(double x) {
  counted += 1;
  return x * x;
}

static void right(void) {
  double x[4] = {1, 2, 3, 4}, y[4] = {1, 2, 0, -1}, dx[4] = {0}, dy[4] = {1, 1, 1, 1};
  // REMARK-DAG: check.c:[[#@LINE+1]]:{{.*}}remark: the derivative of 'square' is checked when the program runs [-Rpass-analysis=adze]
  double first = __enzyme_autodiff((void *)square, 1.5);
  double ex[4] = {1, 0, 0, 1}, ey[4] = {1, 2, 3, 4}, z[4] = {1, 2, 3, 4};
  double tangent = __enzyme_fwddiff((void *)dot, enzyme_dup, x, ex, enzyme_dup, z, ey, enzyme_const, 3);
  __enzyme_autodiff((void *)dot, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 4);
  // Memory that is as large as the program says when it runs, not set before.
  int n = 50, which[4] = {2, 0, 1, 3};
  double *u = malloc(3 * n * sizeof *u), *du = calloc(3 * n, sizeof *du);
  for (int i = 0; i < n; i++) {
    u[i] = sin(i);
    u[n + i] = cos(i);
    du[i] = i;
  }
  memset(u + 2 * n, -1, n * sizeof *u);
  errno = 7;
  __enzyme_autodiff((void *)smooth, enzyme_dup, u, du, enzyme_dup, u + n, du + n, enzyme_dup, u + 2 * n, du + 2 * n,
                    enzyme_const, n);
  free(u);
  free(du);
  double to[4], dto[4] = {1, 2, 3, 4};
  __enzyme_autodiff((void *)gather, enzyme_dup, x, dx, enzyme_const, which, enzyme_dupnoneed, to, dto, enzyme_const, 4);
  struct body b = {1, 3, {1, 2, 3}}, db = {0};
  __enzyme_autodiff_float((void *)moment, enzyme_dup, &b, &db);
  double w[4] = {0, 1, 1, 2}, dw[4] = {0};
  __enzyme_autodiff((void *)kink, enzyme_dup, w, dw);
  double edge[2] = {1, 2}, dedge[2] = {0};
  __enzyme_autodiff((void *)guarded, enzyme_dup, edge, dedge);
  double all[3] = {1.25, 2.5, 7}, dall[3] = {0}, whole, dwhole = 1;
  int power = 7;
  __enzyme_autodiff((void *)parts, enzyme_dup, all, dall, enzyme_dup, &whole, &dwhole, enzyme_const, &power);
  for (int i = 0; i < 100; i++)
    __enzyme_autodiff((void *)counts, enzyme_out, 1.0 + i);
  // What the check runs leaves no trace.
  if (errno != 7 || counted != 100)
    printf("errno %d, %g\n", errno, counted);
  printf("right %g %g %g %g %g\n", first, tangent, dy[0] + dx[0], db.mass, db.at[2]);
}

__attribute__((noinline)) double frozen(double x) { return 3 * x; }
void *__enzyme_inactivefn[] = {(void *)frozen};
static double uses(const double *x) { return frozen(x[0]) + x[1] * x[0]; }
static double through(const double *x, double *tmp) {
  tmp[0] = x[0] * 2;
  return tmp[0] * x[1];
}

static void wrong(void) {
  double x[2] = {1, 2}, four[4] = {1, 2, 3, 4}, d[4] = {0}, one[2] = {1, 0}, shadow[2] = {0};
  for (int i = 0; i < 3; i++)
    // CHECK-NEXT: adze: {{.*}}check.c:[[#@LINE+2]]:5: the gradient of 'uses' fails a check: along a random direction it gives {{[-0-9.]+}}, differences give {{[-0-9.]+}}; wrong by itself: argument 1 ('x')
    // BARE: adze: the gradient of 'uses' fails a check: along a random direction it gives {{[-0-9.]+}}, differences give {{[-0-9.]+}}; wrong by itself: argument 1
    __enzyme_autodiff((void *)uses, enzyme_dup, x, d);
  // CHECK-NEXT: adze: {{.*}}check.c:[[#@LINE+1]]:3: the tangents of 'uses' fail a check: along a given direction a sum of them is {{[-0-9.]+}}, differences give {{[-0-9.]+}}; wrong by itself: the result
  __enzyme_fwddiff((void *)uses, enzyme_dup, x, one);
  // Two gradients are added up in one shadow.
  // CHECK-NEXT: adze: {{.*}}check.c:[[#@LINE+1]]:3: the gradient of 'dot' fails a check
  __enzyme_autodiff((void *)dot, enzyme_dup, x, shadow, enzyme_dup, x + 1, shadow, enzyme_const, 1);
  // CHECK-NEXT: adze: {{.*}}check.c:[[#@LINE+1]]:3: the derivative of 'through' is not checked: one memory is accessed by two ways, of which one is argument 2 ('tmp')
  __enzyme_autodiff((void *)through, enzyme_dup, x, d, enzyme_dup, x, d);
  d[1] = INFINITY;
  // CHECK-NEXT: adze: {{.*}}check.c:[[#@LINE+1]]:3: the derivative of 'kink' is not checked: a shadow is not finite before the call
  __enzyme_autodiff((void *)kink, enzyme_dup, four, d);
}

int main(void) {
  right();
  fflush(stdout);
  wrong();
  // CHECK-NEXT: done
  puts("done");
}

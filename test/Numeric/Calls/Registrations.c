// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program registers of its functions: a derivative in two steps for
// forward mode, allocation and release of its own, and what is to be called
// again.
#include "check.h"
#include <math.h>

// d(x^2) is said to be 5 x, by a tape; the body counts in reverse mode.
static double square(double x) { return x * x; }
struct Kept {
  double tape, result;
};
static struct Kept keepSquare(double x) {
  struct Kept kept = {x, x * x};
  return kept;
}
static double forwardSquare(double x, double dx, double tape) {
  (void)x;
  return 5 * tape * dx;
}
void *__enzyme_register_splitderivative_square[] = {(void *)square, (void *)keepSquare,
                                                    (void *)forwardSquare};

// In place, with a large tape: x becomes x^3, with 7 x^2 for its slope.
struct Large {
  double kept[5];
  int *none;
};
static void cube(double *x, int n) { x[n] = x[n] * x[n] * x[n]; }
static struct Large keepCube(double *x, double *dx, int n) {
  struct Large tape = {{x[n]}, 0};
  (void)dx;
  cube(x, n);
  return tape;
}
static void forwardCube(double *x, double *dx, int n, struct Large tape) {
  (void)x;
  dx[n] *= 7 * tape.kept[0] * tape.kept[0];
}
void *__enzyme_register_splitderivative_cube[] = {(void *)cube, (void *)keepCube,
                                                  (void *)forwardCube};

static double inTwoSteps(double x) {
  double y[2] = {1, sin(x)};
  cube(y, 1);
  return square(x) + y[1];
}
static void slopes(const double *x, double *J) {
  J[0] = 5 * x[0] + 7 * sin(x[0]) * sin(x[0]) * cos(x[0]);
}
#if ADZE_FORWARD
ADZE_TEST_FORWARD(steps) {
  double __enzyme_fwddiff(void *, ...);
  double x = 0.7, want;
  slopes(&x, &want);
  adze_near("in two steps", __enzyme_fwddiff((void *)inTwoSteps, x, 1.0), want, 1e-14);
}
#endif

// A heap of the program's own. Blocks are released in the order of a stack.
static double heap[4096];
static int used, live;
static void *grab(int kind, unsigned long bytes) {
  double *block = heap + used;
  used += (int)(bytes / sizeof(double)) + kind;
  ++live;
  return block;
}
static void drop(void *block) {
  (void)block;
  if (--live == 0)
    used = 0;
}
void *__enzyme_allocation_like_grab[4] = {(void *)grab, (void *)1, (char *)"-1", (void *)drop};

// The block is the function's own.
static double summed(const double *x, int n) {
  double *t = grab(2, n * sizeof(double)), s = 0;
  for (int i = 0; i < n; ++i)
    t[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += t[i] * t[n - 1 - i];
  drop(t);
  return s + live;
}
ADZE_TEST_ARRAY(summed, 3, ADZE_AT(0.5, 2.0, -3.0))

// The block goes through memory, and comes from a function.
struct Vector {
  double *data;
  int n;
};
__attribute__((noinline)) static struct Vector *made(const double *x, int n) {
  struct Vector *v = grab(0, sizeof *v);
  v->data = grab(0, n * sizeof(double));
  v->n = n;
  for (int i = 0; i < n; ++i)
    v->data[i] = exp(x[i]);
  return v;
}
static double stored(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < 4; ++k) {
    struct Vector *v = made(x, n);
    for (int i = 0; i < v->n; ++i)
      s += k * v->data[i] * v->data[0];
    drop(v->data);
    drop(v);
  }
  return s;
}
ADZE_TEST_ARRAY(stored, 3, ADZE_AT(0.5, 0.25, -1.0))

// What gives memory of the C library back by another name.
void *malloc(unsigned long);
void free(void *);
static void release(void *block) { free(block); }
void *__enzyme_deallocation_like_release[] = {(void *)release};
static double released(double x) {
  double *p = malloc(sizeof *p);
  *p = x * x;
  double y = *p * x;
  release(p);
  return y;
}
ADZE_TEST_SCALAR1(released, ADZE_AT(1.5))

// Rather called again than kept.
static double heavy(double x, int i) {
  double y = x;
  for (int k = 0; k < i; ++k)
    y = sin(y) + x;
  return y;
}
void *__enzyme_shouldrecompute_heavy[] = {(void *)heavy};
static double again(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double h = heavy(x[i], i);
    s += h * h * x[0];
  }
  return s;
}
ADZE_TEST_ARRAY(again, 3, ADZE_AT(0.5, 0.25, -1.0))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions with registered derivatives that write memory: what their results
// are stored to, what they overwrite, what they keep for the next call, blocks
// of their own. In several directions each is called once for each direction,
// and all but the last calls are undone.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) static
// What the result is stored to.
NOINLINE void norm(const double *x, int n, double *out) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  *out = sqrt(s);
}
static double augNorm(const double *x, double *dx, int n, double *out,
                      double *dout) {
  norm(x, n, out);
  return *out;
}
static void revNorm(const double *x, double *dx, int n, double *out,
                    double *dout, double t) {
  for (int i = 0; i < n; i++)
    dx[i] += *dout * x[i] / t;
  *dout = 0;
}
static void fwdNorm(const double *x, const double *dx, int n, double *out,
                    double *dout) {
  norm(x, n, out);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * dx[i];
  *dout = s / *out;
}
void *__enzyme_register_gradient_norm[] = {(void *)norm, (void *)augNorm,
                                           (void *)revNorm};
void *__enzyme_register_derivative_norm[] = {(void *)norm, (void *)fwdNorm};
// In place, behind a pointer in a structure.
struct vec {
  double *p;
  int n;
};
NOINLINE void scaleUp(struct vec *v, double a) {
  for (int i = 0; i < v->n; i++)
    v->p[i] = v->p[i] * a + i;
}
static double *augScale(struct vec *v, struct vec *dv, double a) {
  double *t = malloc(sizeof(double) * v->n);
  memcpy(t, v->p, sizeof(double) * v->n);
  scaleUp(v, a);
  return t;
}
static double revScale(struct vec *v, struct vec *dv, double a, double *t) {
  double da = 0;
  for (int i = 0; i < v->n; i++) {
    da += dv->p[i] * t[i];
    dv->p[i] *= a;
  }
  free(t);
  return da;
}
static void fwdScale(struct vec *v, struct vec *dv, double a, double da) {
  for (int i = 0; i < v->n; i++)
    dv->p[i] = dv->p[i] * a + v->p[i] * da;
  scaleUp(v, a);
}
void *__enzyme_register_gradient_scale[] = {(void *)scaleUp, (void *)augScale,
                                            (void *)revScale};
void *__enzyme_register_derivative_scale[] = {(void *)scaleUp,
                                              (void *)fwdScale};
// What it keeps for the next call; its derivatives have a stack of their own.
static int seed = 1;
static double stack[100];
static int top;
NOINLINE double noisy(double x) {
  seed = seed * 5 + 3;
  return x * (seed % 7);
}
static double augNoisy(double x) {
  double r = noisy(x);
  stack[top++] = seed % 7;
  return r;
}
static double revNoisy(double x, double a) { return a * stack[--top]; }
struct two {
  double r, t;
};
static struct two fwdNoisy(double x, double dx) {
  double r = noisy(x);
  struct two t = {r, dx * (seed % 7)};
  return t;
}
void *__enzyme_register_gradient_noisy[] = {(void *)noisy, (void *)augNoisy,
                                            (void *)revNoisy};
void *__enzyme_register_derivative_noisy[] = {(void *)noisy, (void *)fwdNoisy};
// Blocks of its own, and helpers.
NOINLINE void helper(double *to, const double *from, int n) {
  memmove(to, from, sizeof(double) * n);
}
NOINLINE void smooth(double *u, int n) {
  double *t = malloc(sizeof(double) * n);
  helper(t, u, n);
  for (int i = 1; i + 1 < n; i++)
    u[i] = 0.25 * t[i - 1] + 0.5 * t[i] + 0.25 * t[i + 1];
  free(t);
}
static void augSmooth(double *u, double *du, int n) { smooth(u, n); }
static void revSmooth(double *u, double *du, int n) {
  double *t = calloc(n, sizeof(double));
  for (int i = 1; i + 1 < n; i++) {
    t[i - 1] += 0.25 * du[i];
    t[i] += 0.5 * du[i];
    t[i + 1] += 0.25 * du[i];
    du[i] = 0;
  }
  for (int i = 0; i < n; i++)
    du[i] += t[i];
  free(t);
}
static void fwdSmooth(double *u, double *du, int n) {
  smooth(u, n);
  smooth(du, n);
}
void *__enzyme_register_gradient_smooth[] = {(void *)smooth, (void *)augSmooth,
                                             (void *)revSmooth};
void *__enzyme_register_derivative_smooth[] = {(void *)smooth,
                                               (void *)fwdSmooth};
// In two steps.
NOINLINE void sq(double *x) {
  x[0] = x[0] * x[0];
  x[1] += x[0];
}
static double augSq(double *x, double *dx) {
  double t = x[0];
  sq(x);
  return t;
}
static void revSq(double *x, double *dx, double t) {
  dx[0] += dx[1];
  dx[0] *= 2 * t;
}
static void fwdSq(double *x, double *dx, double t) {
  dx[0] *= 2 * t;
  dx[1] += dx[0];
}
void *__enzyme_register_gradient_sq[] = {(void *)sq, (void *)augSq,
                                         (void *)revSq};
void *__enzyme_register_splitderivative_sq[] = {(void *)sq, (void *)augSq,
                                                (void *)fwdSq};

void f(const double *x, double *y) {
  double v[4] = {x[0], x[1], x[2], x[0] * x[1]}, r;
  struct vec w = {v, 4};
  seed = 1;
  for (int k = 0; k < 3; k++) {
    scaleUp(&w, x[2]);
    smooth(v, 4);
    sq(v + k);
  }
  norm(v, 4, &r);
  y[0] = r;
  y[1] = v[2] * noisy(x[0]) + noisy(noisy(x[1]));
}
ADZE_TEST_MAP(f, 3, 2, ADZE_AT(0.3, 0.7, 1.1))

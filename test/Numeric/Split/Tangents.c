// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tangents from a tape: memory is overwritten between the halves, in every place for the tape.
// ADZE: modes=forward
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 };

static __attribute__((noinline)) double inner(double *x, int n, double w) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += w * x[i] * x[i];
    x[i] = exp(-x[i]);
  }
  return s;
}
static int calls;
// Reads, overwrites and frees memory, takes branches by it, and has an effect.
double outer(double *x, int n) {
  double *t = malloc(n * sizeof *t), kept[N], *last = kept, r = 0;
  for (int k = 0; k < n - 1; k++) {
    memcpy(t, x, n * sizeof *t);
    r += inner(t, n, x[0]);
    kept[k] = t[k] > 0.3 ? t[k] : t[k] * x[k];
    double row[k + 1];
    for (int i = 0; i <= k; i++)
      row[i] = x[i] * kept[k];
    x[0] += row[k];
    last = kept + k;
  }
  free(t);
  calls++;
  return r * *last;
}
double scale(double x, double *p) { return p[0] = x * p[0]; }
struct both {
  double value, slope;
};
struct both power(double x, int n) {
  struct both r = {1, 0};
  for (int i = 0; i < n; i++) {
    r.slope = r.slope * x + r.value;
    r.value *= x;
  }
  return r;
}

// Derivatives that the program gives, in two steps and in one.
__attribute__((noinline)) double cube(double x) { return x * x * x; }
struct kept {
  struct both tape;
  double result;
} cube_augmented(double x) {
  calls++;
  return (struct kept){{3 * x, x}, x * x * x};
}
double cube_tangent(double x, double dx, struct both tape) {
  return tape.value * tape.slope * dx;
}
void *__enzyme_register_splitderivative_cube[] = {
    (void *)cube, (void *)cube_augmented, (void *)cube_tangent};
__attribute__((noinline)) double half(double x, int n) { return x / n; }
double half_tangent(double x, double dx, int n) {
  return 7 * dx / n;
} // not its own
void *__enzyme_register_derivative_half[] = {(void *)half,
                                             (void *)half_tangent};
double cubes(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i] > 1 ? cube(x[i]) * x[0] : half(x[i], 2);
    x[i] = s;
  }
  return s;
}

#if ADZE_FORWARD
extern int enzyme_tape, enzyme_allocated, enzyme_nofree, enzyme_width, enzyme_primal_return;
void *__enzyme_augmentfwd(void *, ...);
struct tape_and_result {
  void *tape;
  double result;
} __enzyme_augmentfwd_both(void *, ...);
double __enzyme_augmentfwd_result(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
double __enzyme_fwdsplit(void *, ...);
struct both __enzyme_fwdsplit_both(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct both __enzyme_fwddiff_both(void *, ...);

static const double Start[N] = {1, 0.5, -0.3, 0.8}, Along[N] = {1, 0.5, 0.25, -2};
static void start(double *x, double *dx) {
  memcpy(x, Start, sizeof Start);
  memcpy(dx, Along, sizeof Along);
}
static void expectOuter(const char *what, const double *x, double got, const double *tangents) {
  double y[N], dy[N];
  start(y, dy);
  const double want = __enzyme_fwddiff((void *)outer, enzyme_dup, y, dy, enzyme_const, N);
  adze_near(what, got, want, 1e-14);
  for (int i = 0; i < N; i++) {
    adze_near(what, tangents[i], dy[i], 1e-14);
    if (x)
      adze_near("primal", x[i], y[i], 0);
  }
}

ADZE_TEST_FORWARD(tangents) {
  double x[N], dx[N], left[N];
  start(x, dx);
  calls = 0;
  void *tape = __enzyme_augmentfwd((void *)outer, enzyme_dup, x, dx, enzyme_const, N);
  adze_near("calls of the primal", calls, 1, 0);
  memcpy(left, x, sizeof x);
  memset(x, -1, sizeof x);
  double d = __enzyme_fwdsplit((void *)outer, enzyme_dup, x, dx, enzyme_const, N, tape);
  adze_near("calls of the primal", calls, 1, 0);
  expectOuter("heap", left, d, dx);

  start(x, dx);
  __enzyme_augmentfwd_result((void *)outer, enzyme_tape, &tape, x, dx, N);
  d = __enzyme_fwdsplit((void *)outer, enzyme_tape, &tape, x, dx, N);
  expectOuter("variable", x, d, dx);

  start(x, dx);
  const size_t size = __enzyme_augmentsize((void *)outer, enzyme_dup, enzyme_const);
  char *memory = malloc(size + 1);
  __enzyme_augmentfwd((void *)outer, enzyme_allocated, size, enzyme_tape, memory + 1, enzyme_dup, x,
                      dx, enzyme_const, N);
  memset(x, -1, sizeof x);
  for (int k = 0; k < 3; k++) {
    memcpy(dx, Along, sizeof dx);
    d = k < 2 ? __enzyme_fwdsplit((void *)outer, enzyme_nofree, enzyme_allocated, size, enzyme_tape,
                                  memory + 1, enzyme_dup, x, dx, enzyme_const, N)
              : __enzyme_fwdsplit((void *)outer, enzyme_allocated, size, enzyme_tape, memory + 1,
                                  enzyme_dup, x, dx, enzyme_const, N);
    expectOuter("provided, again", NULL, d, dx);
  }
  free(memory);
}

ADZE_TEST_FORWARD(spellings) {
  // With tangents in the first half or without; nothing has run where the tape is null.
  for (int k = 0; k < 4; k++) {
    double p = 5, dp = 1;
    struct tape_and_result a = {NULL, 10};
    if (k == 0)
      a = __enzyme_augmentfwd_both((void *)scale, 2.0, &p, &dp);
    if (k == 1)
      a = __enzyme_augmentfwd_both((void *)scale, enzyme_out, 2.0, enzyme_dup, &p, &dp);
    if (k == 2)
      a = __enzyme_augmentfwd_both((void *)scale, enzyme_dup, 2.0, 1.0, enzyme_dup, &p, &dp);
    if (k < 3)
      p = 77;
    double d = __enzyme_fwdsplit((void *)scale, enzyme_dup, 2.0, 1.0, enzyme_dup, &p, &dp, a.tape);
    adze_near("result", a.result, 10, 0);
    adze_near("tangent", d, 7, 0);
    adze_near("tangent in memory", dp, 7, 0);
    adze_near("memory", p, k < 3 ? 77 : 10, 0);
  }
  double dx = 1;
  void *tape = __enzyme_augmentfwd((void *)power, dx * 3, 4);
  struct both r = __enzyme_fwdsplit_both((void *)power, dx * 3, dx, 4, tape);
  struct both want = __enzyme_fwddiff_both((void *)power, 3.0, 1.0, 4);
  adze_near("member", r.value, want.value, 0);
  adze_near("member", r.slope, want.slope, 0);
}

static double sum(double x, const double *y) { return x * y[0] * y[1] + sin(y[1]); }
ADZE_TEST_FORWARD(directions) {
  double y[2] = {2, 3}, d0[2] = {1, 0}, d1[2] = {0, 1};
  void *tape = __enzyme_augmentfwd((void *)sum, enzyme_width, 2, enzyme_dup, 4.0, 1.0, 0.5,
                                   enzyme_dup, y, d0, d1);
  y[0] = y[1] = 0;
  struct both r = __enzyme_fwdsplit_both((void *)sum, enzyme_width, 2, enzyme_dup, 4.0, 1.0, 0.5,
                                         enzyme_dup, y, d0, d1, tape);
  adze_near("first direction", r.value, 6 + 12, 1e-14);
  adze_near("second direction", r.slope, 3 + 8 + cos(3), 1e-14);
}
// Derivatives of such derivatives.
static double slope(double x) {
  double p[2] = {x, x * x}, dp[2] = {1, 2 * x};
  void *tape = __enzyme_augmentfwd((void *)sum, x, p, dp);
  p[0] = 0;
  return __enzyme_fwdsplit((void *)sum, x, 1.0, p, dp, tape);
}
ADZE_TEST_FORWARD(nested) {
  // x^4 + sin(x^2)
  const double x = 0.7, s = x * x;
  adze_near("first", slope(x), 4 * x * s + 2 * x * cos(s), 1e-14);
  adze_near("second", __enzyme_fwddiff((void *)slope, x, 1.0),
            12 * s + 2 * cos(s) - 4 * s * sin(s), 1e-13);
}
ADZE_TEST_FORWARD(given) {
  double x[3] = {2, 0.5, 3}, dx[3] = {1, 0.25, -2};
  calls = 0;
  void *tape = __enzyme_augmentfwd((void *)cubes, enzyme_dup, x, dx, 3);
  adze_near("first halves", calls, 2, 0);
  x[0] = x[1] = x[2] = 0;
  // 16 + 0.25 + 27 * (the 16 that x[0] has become)
  double d = __enzyme_fwdsplit((void *)cubes, enzyme_dup, x, dx, 3, tape);
  const double first = 12 * 2 + 8, second = 7 * 0.25 / 2;
  adze_near("tangent", d, first + second + 27 * -2 * 16 + 27 * first, 1e-12);
  adze_near("first halves, later", calls, 2, 0);
  // Two directions by one tape.
  tape = __enzyme_augmentfwd((void *)cube, enzyme_width, 2, enzyme_dup, 2.0,
                             1.0, 0.5);
  struct both r = __enzyme_fwdsplit_both((void *)cube, enzyme_width, 2,
                                         enzyme_dup, 2.0, 1.0, 0.5, tape);
  adze_near("first direction", r.value, 12, 0);
  adze_near("second direction", r.slope, 6, 0);
}
#endif

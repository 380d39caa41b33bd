// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several directions in the spellings of markers that the shapes of check.h do not have.
#include "check.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
  double x, y, z;
} triple;
typedef struct {
  double value;
  triple along;
} valued;
typedef struct {
  float a, b, c, d;
} four;
typedef struct {
  double d[2][3];
} adjoints;

static double product(double x, double y) { return x * x * y; }
static float squaref(float x) { return x * x; }
static triple scaled(triple p, double by) {
  triple q = {p.x * by, p.y * by * by, sin(p.z) * by};
  return q;
}
static double total(triple p) { return p.x * p.y + p.z * p.z; }

static double Weights[2] = {1, 1};
static double *Kept;
static double with_globals(const double *x) {
  Weights[0] = x[0] * x[1];
  Weights[1] = sin(x[1]);
  double *block = malloc(2 * sizeof *block);
  Kept = block;
  Kept[0] = Weights[0] * Weights[1];
  Kept[1] = x[0];
  double sum = block[0] * block[1];
  free(block);
  return sum;
}
static double (*const Table[2])(const double *) = {with_globals, with_globals};
static double indirect(const double *x, int which) { return Table[which](x) + x[0]; }

static void square_all(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] *= x[i];
}
static double after(double *x, int n) {
  square_all(x, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * (i + 1);
  return sum;
}

extern triple __enzyme_fwddiff_triple(void *, ...);
extern valued __enzyme_fwddiff_valued(void *, ...);
extern four __enzyme_fwddiff_four(void *, ...);
extern adjoints __enzyme_autodiff_adjoints(void *, ...);
extern void __enzyme_autodiff_nothing(void *, ...);
extern struct {
  triple d[2];
} __enzyme_fwddiff_triples(void *, ...), __enzyme_autodiff_triples(void *, ...);
extern struct {
  double d[2];
} __enzyme_fwddiff_two(void *, ...);
extern void *__enzyme_augmentfwd_tape(void *, ...);
extern adjoints __enzyme_reverse_adjoints(void *, ...);
extern void __enzyme_reverse_nothing(void *, ...);

#if ADZE_FORWARD
ADZE_TEST_FORWARD(directions) {
  triple t = __enzyme_fwddiff_triple((void *)product, enzyme_width, 3, enzyme_dup, 2.0, 1.0,
                                     0.0, 0.5, enzyme_dup, 3.0, 0.0, 1.0, 2.0);
  adze_near("x", t.x, 12, 1e-14);
  adze_near("y", t.y, 4, 1e-14);
  adze_near("both", t.z, 14, 1e-14);
  // Without tags; the shadows as one value.
  t = __enzyme_fwddiff_triple((void *)product, enzyme_width, 3, 2.0, (triple){1, 0, 0.5}, 3.0,
                              (triple){0, 1, 2});
  adze_near("packed", t.z, 14, 1e-14);
  valued v = __enzyme_fwddiff_valued((void *)product, enzyme_primal_return, enzyme_width, 3,
                                     enzyme_dup, 2.0, 1.0, 0.0, 0.5, enzyme_const, 3.0);
  adze_near("value", v.value, 12, 1e-14);
  adze_near("beside it", v.along.z, 6, 1e-14);
  four f = __enzyme_fwddiff_four((void *)squaref, enzyme_width, 4, enzyme_dup, 3.0f,
                                 (four){1, 2, 3, 4});
  adze_near("float", f.a + 10 * f.d, 246, 1e-5);
  // Structures by value, and a result in memory.
  triple p = {1, 2, 0.5}, one = {1, 0, 0}, last = {0, 0, 1};
  __typeof__(__enzyme_fwddiff_triples(0)) q = __enzyme_fwddiff_triples(
      (void *)scaled, enzyme_width, 2, enzyme_dup, p, one, last, enzyme_dup, 3.0, 1.0, 0.0);
  adze_near("first", q.d[0].x, 4, 1e-14);
  adze_near("first", q.d[0].y, 12, 1e-14);
  adze_near("second", q.d[1].x, 0, 1e-14);
  adze_near("second", q.d[1].z, 3 * cos(0.5), 1e-14);
  // Global variables, blocks, functions behind pointers.
  double x[2] = {0.7, 1.3}, dx[2][2] = {{1, 0}, {0, 1}};
  __typeof__(__enzyme_fwddiff_two(0)) g = __enzyme_fwddiff_two(
      (void *)indirect, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], enzyme_const, 1);
  adze_near("d0", g.d[0], 2 * x[0] * x[1] * sin(x[1]) + 1, 1e-13);
  adze_near("d1", g.d[1], x[0] * x[0] * (sin(x[1]) + x[1] * cos(x[1])), 1e-13);
}
#endif

#if ADZE_REVERSE
ADZE_TEST_REVERSE(directions) {
  adjoints a = __enzyme_autodiff_adjoints((void *)product, enzyme_width, 3, enzyme_out, 2.0,
                                          enzyme_out, 3.0);
  adze_near("x", a.d[0][0] + a.d[0][1] + a.d[0][2], 36, 1e-14);
  adze_near("y", a.d[1][2], 4, 1e-14);
  triple p = {1, 2, 0.5};
  __typeof__(__enzyme_autodiff_triples(0)) q =
      __enzyme_autodiff_triples((void *)total, enzyme_width, 2, enzyme_out, p);
  adze_near("member", q.d[0].x + q.d[1].y + q.d[1].z, 4, 1e-14);
  double x[2] = {0.7, 1.3}, dx[3][2] = {{0}};
  __enzyme_autodiff_nothing((void *)indirect, enzyme_width, 3, enzyme_dupv, sizeof dx[0], x,
                            dx, enzyme_const, 0);
  for (int k = 0; k < 3; ++k) {
    adze_near("d0", dx[k][0], 2 * x[0] * x[1] * sin(x[1]) + 1, 1e-13);
    adze_near("d1", dx[k][1], x[0] * x[0] * (sin(x[1]) + x[1] * cos(x[1])), 1e-13);
  }
  // Two halves, each direction with a seed of its own.
  void *tape = __enzyme_augmentfwd_tape((void *)product, enzyme_width, 3, enzyme_out, 2.0,
                                        enzyme_out, 3.0);
  a = __enzyme_reverse_adjoints((void *)product, enzyme_width, 3, enzyme_out, 2.0, enzyme_out,
                                3.0, 1.0, 2.0, -1.0, tape);
  adze_near("seeds", a.d[0][0] + 10 * a.d[0][1] + 100 * a.d[1][2], 12 + 240 - 400, 1e-12);
  double y[3] = {1, 2, 3}, d0[3] = {0}, d1[3] = {0};
  tape = __enzyme_augmentfwd_tape((void *)after, enzyme_width, 2, enzyme_dup, y, d0, d1,
                                  enzyme_const, 3);
  y[1] = 77;
  __enzyme_reverse_nothing((void *)after, enzyme_width, 2, enzyme_dup, y, d0, d1,
                           enzyme_const, 3, 1.0, 0.5, tape);
  for (int i = 0; i < 3; ++i) {
    adze_near("split", d0[i], 2.0 * (i + 1) * (i + 1), 1e-13);
    adze_near("half", d1[i], 1.0 * (i + 1) * (i + 1), 1e-13);
  }
}
#endif

// Directions within directions: the Hessian by columns, each of two gradients.
static void gradients(const double *x, double *d0, double *d1) {
#if ADZE_FORWARD
  __enzyme_autodiff_nothing((void *)with_globals, enzyme_width, 2, enzyme_dup, x, d0, d1);
#endif
}
#if ADZE_FORWARD
extern void __enzyme_fwddiff_nothing(void *, ...);
ADZE_TEST_FORWARD(nested) {
  double x[2] = {0.7, 1.3}, dx[2][2] = {{1, 0}, {0, 1}};
  double g0[2] = {0}, g1[2] = {0}, h0[2][2] = {{0}}, h1[2][2] = {{0}};
  __enzyme_fwddiff_nothing((void *)gradients, enzyme_width, 2, enzyme_dupv, sizeof dx[0], x,
                           dx, enzyme_dupv, sizeof h0[0], g0, h0, enzyme_dupv, sizeof h1[0],
                           g1, h1);
  double s = sin(x[1]), c = cos(x[1]);
  double want[2][2] = {{2 * x[1] * s, 2 * x[0] * (s + x[1] * c)},
                       {2 * x[0] * (s + x[1] * c), x[0] * x[0] * (2 * c - x[1] * s)}};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      adze_near("first gradient", h0[i][j], want[i][j], 1e-12);
      adze_near("second gradient", h1[i][j], want[i][j], 1e-12);
    }
}
#endif

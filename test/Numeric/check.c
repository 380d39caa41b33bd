// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// main() of every numeric test program; see check.h. Compiled once and without the plugin,
// so that what judges a derivative was not touched by what made it.
//
// Arithmetic here is long double whatever the type under test. Buffers handed to the
// gradients have guard words on both sides: a shadow written out of bounds is a failure.
//
// Last line of output:  adze-check: reverse=ok forward=ok dot=ok comparisons=N
// Exit code: 1 reverse wrong, 2 forward wrong, 4 inner products differ, 8 primal wrong,
// 16 nothing was compared.
#include "buffers.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Repeats = 3, Directions = 3, MaxUnit = 16, Levels = 4 };
// Bytes on each side of a buffer, and its alignment.
enum { Guard = 64, GuardByte = 0x5a };
enum { BadReverse = 1, BadForward = 2, BadDot = 4, BadPrimal = 8, BadNothing = 16 };

static struct adze_case *Cases;
static struct adze_custom *Customs;
static int Failures;
static int CurrentMode;
static long Comparisons;
static const char *CurrentName = "";
static int HaveReverse, HaveForward, HaveDot, PrimalOnly;

static long double *Record;
static int RecordLength, RecordCapacity, RecordReplay = -1;

void adze_register(struct adze_case *c) {
  c->next = Cases;
  Cases = c;
}

void adze_register_custom(struct adze_custom *c) {
  c->next = Customs;
  Customs = c;
}

static void fail(int mode, const char *what, long double got, long double want) {
  Failures |= mode;
  printf("%s: %s: got %.18Lg, expected %.18Lg\n", CurrentName, what, got, want);
}

// Every test starts its random directions afresh: the same on every machine.
static unsigned long long Seed;
static long double uniform(void) {
  Seed = Seed * 6364136223846793005ull + 1442695040888963407ull;
  return (long double)(Seed >> 40) / (1 << 23) - 1.0L;
}

//===--- Buffers with guard words ---------------------------------------------------===//

static int guardSide(int mode, const unsigned char *at, size_t count, const char *what) {
  for (size_t i = 0; i < count; ++i)
    if (at[i] != GuardByte) {
      fail(mode, what, at[i], GuardByte);
      return 0;
    }
  return 1;
}

static void *allocate(int type, int n) {
  size_t bytes = (size_t)n * sizeOf(type) + 2 * Guard;
  bytes = (bytes + Guard - 1) / Guard * Guard;
  unsigned char *p = aligned_alloc(Guard, bytes);
  if (!p)
    exit(99);
  memset(p, GuardByte, bytes);
  return p + Guard;
}

static void release(int mode, int type, int n, void *buffer) {
  unsigned char *data = buffer;
  if (guardSide(mode, data - Guard, Guard, "write before the buffer"))
    guardSide(mode, data + (size_t)n * sizeOf(type), Guard, "write after the buffer");
  free(data - Guard);
}

//===--- Comparing -------------------------------------------------------------------===//

static int same(long double a, long double b) { return a == b || (isnan(a) && isnan(b)); }

static void compare(int mode, const char *what, int i, int j, long double got,
                    long double want, long double margin) {
  ++Comparisons;
  if (same(got, want))
    return;
  if (isfinite(got) && isfinite(want) && fabsl(got - want) <= margin)
    return;
  char text[128];
  snprintf(text, sizeof text, "%s [%d,%d]", what, i, j);
  fail(mode, text, got, want);
}

/// How far apart \p value and a repetition of it may be.
static long double repeatMargin(const struct adze_case *c, long double value) {
  return c->flags & ADZE_UNORDERED ? 1e-13L * (1 + fabsl(value)) : 0;
}

static void near(int mode, const char *what, long double got, long double want,
                 double tol) {
  long double scale = fabsl(want) > 1 ? fabsl(want) : 1;
  compare(mode, what, 0, 0, got, want, tol * scale);
}

void adze_near(const char *what, long double got, long double want, double tol) {
  near(CurrentMode, what, got, want, tol);
  if (RecordReplay >= 0) {
    if (RecordReplay >= RecordLength || !same(Record[RecordReplay], got))
      fail(CurrentMode, "a repeated gradient differs", got,
           RecordReplay < RecordLength ? Record[RecordReplay] : NAN);
    ++RecordReplay;
    return;
  }
  if (RecordLength == RecordCapacity) {
    RecordCapacity = RecordCapacity ? 2 * RecordCapacity : 64;
    Record = realloc(Record, (size_t)RecordCapacity * sizeof *Record);
    if (!Record)
      exit(99);
  }
  Record[RecordLength++] = got;
}

void adze_true(const char *what, int condition) { adze_near(what, condition != 0, 1, 0); }

//===--- Several directions ----------------------------------------------------------===//

static const long double Factors[] = {1, 2, -1, 0.5L};
enum { Lanes = sizeof Factors / sizeof *Factors };

struct adze_wide adze_wide_begin(int type, void *first, int n, int scaled) {
  struct adze_wide w = {type, n, scaled, first, 0, 0};
  // With guard words between them, and not aligned more than values are.
  w.stride = (size_t)n * sizeOf(type) + Guard;
  w.at = (unsigned char *)allocate(type, (int)(Lanes * w.stride / sizeOf(type) + 1));
  for (int k = 0; k < Lanes; ++k)
    for (int i = 0; i < n; ++i)
      store(type, w.at + k * w.stride, i,
            load(type, first, i) * (scaled ? Factors[k] : 1));
  return w;
}

void adze_wide_compare(int type, const void *lanes, size_t stride, int n, int scaled) {
  const unsigned char *at = lanes;
  long double scale = 0;
  for (int i = 0; i < n; ++i)
    if (isfinite(load(type, lanes, i)))
      scale = fmaxl(scale, fabsl(load(type, lanes, i)));
  long double rounding = type == ADZE_TYPE_double                                   ? 1e-13L
                         : type == ADZE_TYPE_ldouble || type == ADZE_TYPE_float128 ? 1e-16L
                         : type == ADZE_TYPE_float                                 ? 1e-5L
                                                                                   : 3e-2L;
  for (int k = 1; k < Lanes; ++k)
    for (int i = 0; i < n; ++i)
      compare(CurrentMode, "a direction beside the first", k, i,
              load(type, at + k * stride, i),
              load(type, lanes, i) * (scaled ? Factors[k] : 1), rounding * 2 * scale);
}

void adze_wide_end(struct adze_wide *w) {
  memcpy(w->first, w->at, (size_t)w->n * sizeOf(w->type));
  adze_wide_compare(w->type, w->at, w->stride, w->n, w->scaled);
  for (int k = 0; k < Lanes; ++k)
    guardSide(CurrentMode, w->at + k * w->stride + (size_t)w->n * sizeOf(w->type), Guard,
              "write between the shadows of two directions");
  release(CurrentMode, w->type, (int)(Lanes * w->stride / sizeOf(w->type) + 1), w->at);
}

//===--- One case --------------------------------------------------------------------===//

struct tolerances {
  double differences, exact, dot, step;
};

static struct tolerances tolerancesOf(const struct adze_case *c) {
  struct tolerances t = {1e-7, 1e-11, 1e-12, 1e-3};
  switch (c->type) {
  case ADZE_TYPE_float:
    t = (struct tolerances){5e-3, 1e-5, 2e-5, 3e-2};
    break;
  case ADZE_TYPE_ldouble:
  case ADZE_TYPE_float128:
    t = (struct tolerances){1e-8, 1e-14, 1e-15, 1e-3};
    break;
  case ADZE_TYPE_float16:
    t = (struct tolerances){2e-2, 1e-2, 2e-2, 1e-1};
    break;
  case ADZE_TYPE_bfloat16:
    t = (struct tolerances){1e-1, 5e-2, 1e-1, 1e-1};
    break;
  }
  if (c->tolerance)
    t.differences = c->tolerance;
  if (c->exact)
    t.exact = c->exact;
  if (c->dot)
    t.dot = c->dot;
  if (c->step)
    t.step = c->step;
  return t;
}

static void primal(const struct adze_case *c, const long double *x, long double *y) {
  void *bx = allocate(c->type, c->n), *by = allocate(c->type, c->m);
  fill(c->type, bx, x, c->n);
  if (c->shape_flags & ADZE_IN_PLACE)
    fill(c->type, by, x, c->n);
  else
    for (int i = 0; i < c->m; ++i)
      store(c->type, by, i, 0.25L);
  c->primal(bx, by);
  read(c->type, by, y, c->m);
  release(BadPrimal, c->type, c->n, bx);
  release(BadPrimal, c->type, c->m, by);
}

static void evaluate(const struct adze_case *c, const long double *x, long double *y) {
  if (c->twin)
    c->twin(x, y);
  else
    primal(c, x, y);
}

// Column j of the Jacobian by central differences at steps h, h/2, h/4, h/8, combined by
// Richardson extrapolation: the error of each stage loses its leading even power of h.
static void differences(const struct adze_case *c, const long double *x, int j,
                        long double h, long double *column) {
  long double *t[Levels], *at = vec(c->n), *below = vec(c->m);
  memcpy(at, x, (size_t)c->n * sizeof *at);
  for (int k = 0; k < Levels; ++k, h /= 2) {
    t[k] = vec(c->m);
    // The step as the type under test can represent it.
    char cell[2][16];
    store(c->twin ? ADZE_TYPE_ldouble : c->type, cell[0], 0, x[j] + h);
    store(c->twin ? ADZE_TYPE_ldouble : c->type, cell[1], 0, x[j] - h);
    long double up = load(c->twin ? ADZE_TYPE_ldouble : c->type, cell[0], 0);
    long double down = load(c->twin ? ADZE_TYPE_ldouble : c->type, cell[1], 0);
    at[j] = up;
    evaluate(c, at, t[k]);
    at[j] = down;
    evaluate(c, at, below);
    for (int i = 0; i < c->m; ++i)
      t[k][i] = (t[k][i] - below[i]) / (up - down);
  }
  // A float has too few digits for more than one stage.
  int stages = c->type == ADZE_TYPE_float && !c->twin ? 2 : Levels;
  long double power = 4;
  for (int s = 1; s < stages; ++s, power *= 4)
    for (int k = 0; k + s < stages; ++k)
      for (int i = 0; i < c->m; ++i)
        t[k][i] = (power * t[k + 1][i] - t[k][i]) / (power - 1);
  memcpy(column, t[0], (size_t)c->m * sizeof *column);
  for (int k = 0; k < Levels; ++k)
    free(t[k]);
  free(at);
  free(below);
}

// What J should be: `exact` from the program's own formula, `approximate` from differences.
struct reference {
  long double *exact, *approximate;
  long double scale;    // largest entry
  long double rounding; // what rounding of the values makes of a difference quotient
};

static long double epsilonOf(const struct adze_case *c) {
  if (c->twin || c->type == ADZE_TYPE_ldouble || c->type == ADZE_TYPE_float128)
    return LDBL_EPSILON;
  return c->type == ADZE_TYPE_float ? FLT_EPSILON : DBL_EPSILON;
}

static int haveExact(const struct adze_case *c) {
  return c->jacobian || c->derivative || c->expected;
}

static struct reference makeReference(const struct adze_case *c, int point,
                                      const long double *x) {
  struct reference r = {0, 0, 0, 0};
  int n = c->n, m = c->m, cells = n * m;
  struct tolerances tol = tolerancesOf(c);
  if (haveExact(c)) {
    r.exact = vec(cells);
    double *xd = calloc((size_t)n, sizeof *xd), *jd = calloc((size_t)cells, sizeof *jd);
    for (int i = 0; i < n; ++i)
      xd[i] = (double)x[i];
    if (c->jacobian)
      c->jacobian(xd, jd);
    else if (c->derivative)
      jd[0] = c->derivative(xd[0]);
    else
      memcpy(jd, c->expected + (size_t)point * cells, (size_t)cells * sizeof *jd);
    for (int i = 0; i < cells; ++i)
      r.exact[i] = jd[i];
    free(xd);
    free(jd);
  }
  int small = (c->type == ADZE_TYPE_float16 || c->type == ADZE_TYPE_bfloat16) && !c->twin;
  if (!(c->flags & ADZE_NO_DIFFERENCES) && !small) {
    r.approximate = vec(cells);
    long double *value = vec(m);
    evaluate(c, x, value);
    for (int i = 0; i < m; ++i) {
      long double size = fabsl(value[i]) > 1e-3L ? fabsl(value[i]) : 1e-3L;
      long double noise = 64 * epsilonOf(c) * size / tol.step;
      r.rounding = isfinite(noise) && noise > r.rounding ? noise : r.rounding;
    }
    free(value);
    long double *column = vec(m), **other = calloc((size_t)n, sizeof *other);
    for (int j = 0; j < n; ++j) {
      long double h = tol.step * (fabsl(x[j]) > 1 ? fabsl(x[j]) : 1);
      differences(c, x, j, h, column);
      for (int i = 0; i < m; ++i)
        r.approximate[i * n + j] = column[i];
      // A test of the test: differences that jump over a branch change with the step.
      if (PrimalOnly) {
        differences(c, x, j, h * 0.37L, column);
        other[j] = column;
        column = vec(m);
      }
    }
    for (int i = 0; i < cells; ++i)
      if (fabsl(r.approximate[i]) > r.scale)
        r.scale = fabsl(r.approximate[i]);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; other[j] && i < m; ++i)
        compare(BadPrimal, "differences at two steps", i, j, other[j][i],
                r.approximate[i * n + j], tol.differences * r.scale + r.rounding);
      free(other[j]);
    }
    free(other);
    free(column);
    r.scale = 0;
  }
  if (!r.exact && !r.approximate)
    fail(BadNothing, "the program gives nothing to compare with", 0, 1);
  const long double *any = r.exact ? r.exact : r.approximate;
  for (int i = 0; any && i < cells; ++i)
    if (isfinite(any[i]) && fabsl(any[i]) > r.scale)
      r.scale = fabsl(any[i]);
  for (int i = 0; r.exact && r.approximate && i < cells; ++i)
    compare(BadPrimal, "closed form against differences", i / n, i % n, r.exact[i],
            r.approximate[i], tol.differences * r.scale + r.rounding);
  return r;
}

static void against(int mode, const struct adze_case *c, const struct reference *r, int i,
                    int j, long double got) {
  struct tolerances tol = tolerancesOf(c);
  int cell = i * c->n + j;
  const char *what = mode == BadReverse ? "reverse J" : "forward J";
  if (r->exact) {
    long double want = r->exact[cell];
    // Relative to the entry, with a floor for entries that cancel.
    long double margin = tol.exact * fabsl(want) + 1e-2L * tol.exact * r->scale;
    compare(mode, what, i, j, got, want, margin);
  } else if (r->approximate) {
    compare(mode, what, i, j, got, r->approximate[cell],
            tol.differences * r->scale + r->rounding);
  }
}

static void comparePrimal(int mode, const struct adze_case *c, const long double *got,
                          const long double *want) {
  struct tolerances tol = tolerancesOf(c);
  for (int i = 0; i < c->m; ++i)
    compare(mode, "primal result of the derivative", i, 0, got[i], want[i],
            tol.exact * (fabsl(want[i]) + 1e-2L));
}

static void checkInput(int mode, const struct adze_case *c, const void *bx,
                       const long double *x) {
  if (c->shape_flags & ADZE_IN_PLACE)
    return;
  for (int i = 0; i < c->n; ++i)
    if (!same(load(c->type, bx, i), x[i]))
      fail(mode, "the derivative changed an input", load(c->type, bx, i), x[i]);
}

// One reverse call: g = start + J' u. Returns the primal result in y where there is one.
static void reverseOnce(const struct adze_case *c, const long double *x,
                        const long double *start, const long double *u, long double *g,
                        long double *y) {
  int t = c->type, inPlace = (c->shape_flags & ADZE_IN_PLACE) != 0;
  void *bx = allocate(t, c->n), *bdx = allocate(t, c->n);
  void *by = allocate(t, c->m), *bdy = allocate(t, c->m);
  fill(t, bx, x, c->n);
  fill(t, bdx, inPlace ? u : start, c->n);
  fill(t, bdy, u, c->m);
  // What an output holds before is either overwritten or part of the answer.
  for (int i = 0; i < c->m; ++i)
    store(t, by, i, 0.25L);
  c->reverse(bx, bdx, by, bdy);
  read(t, bdx, g, c->n);
  read(t, inPlace ? bx : by, y, c->m);
  checkInput(BadReverse, c, bx, x);
  if ((c->shape_flags & (ADZE_UNIT_SEED | ADZE_IN_PLACE)) == 0 &&
      !(c->flags & ADZE_PARTIAL_Y))
    for (int i = 0; i < c->m; ++i)
      compare(BadReverse, "adjoint of an overwritten output", i, 0, load(t, bdy, i), 0, 0);
  release(BadReverse, t, c->n, bx);
  release(BadReverse, t, c->n, bdx);
  release(BadReverse, t, c->m, by);
  release(BadReverse, t, c->m, bdy);
}

static void forwardOnce(const struct adze_case *c, const long double *x,
                        const long double *v, long double *w, long double *y) {
  int t = c->type, inPlace = (c->shape_flags & ADZE_IN_PLACE) != 0;
  void *bx = allocate(t, c->n), *bdx = allocate(t, c->n);
  void *by = allocate(t, c->m), *bdy = allocate(t, c->m);
  fill(t, bx, x, c->n);
  fill(t, bdx, v, c->n);
  // Tangents of outputs are results: what they held before must not matter, unless the
  // program leaves outputs as they were.
  for (int i = 0; i < c->m; ++i) {
    store(t, by, i, 0.25L);
    store(t, bdy, i, (c->flags & ADZE_PARTIAL_Y) ? 0.0L : 768.0L);
  }
  c->forward(bx, bdx, by, bdy);
  read(t, inPlace ? bdx : bdy, w, c->m);
  read(t, inPlace ? bx : by, y, c->m);
  checkInput(BadForward, c, bx, x);
  release(BadForward, t, c->n, bx);
  release(BadForward, t, c->n, bdx);
  release(BadForward, t, c->m, by);
  release(BadForward, t, c->m, bdy);
}

static void checkReverse(const struct adze_case *c, const long double *x,
                         const long double *y0, const struct reference *r) {
  int n = c->n, m = c->m;
  long double *u = vec(m), *g = vec(n), *again = vec(n), *y = vec(m), *zero = vec(n);
  int seedless = (c->shape_flags & ADZE_UNIT_SEED) != 0;
  for (int k = 0; k < m && k < MaxUnit; ++k) {
    int i = m <= MaxUnit ? k : k * (m - 1) / (MaxUnit - 1);
    memset(u, 0, (size_t)m * sizeof *u);
    u[i] = 1;
    for (int pass = 0; pass < Repeats; ++pass) {
      reverseOnce(c, x, zero, u, pass ? again : g, y);
      for (int j = 0; pass && j < n; ++j)
        compare(BadReverse, "repeated gradient", i, j, again[j], g[j],
                repeatMargin(c, g[j]));
      if (!seedless)
        comparePrimal(BadReverse, c, y, y0);
    }
    for (int j = 0; j < n; ++j)
      against(BadReverse, c, r, i, j, g[j]);
  }
  // Results are added to the shadow.
  if ((c->shape_flags & ADZE_HAS_SHADOW) && isfinite(r->scale)) {
    long double *start = vec(n);
    for (int j = 0; j < n; ++j)
      start[j] = floorl(uniform() * 16);
    reverseOnce(c, x, start, u, again, y);
    struct tolerances tol = tolerancesOf(c);
    for (int j = 0; j < n; ++j)
      compare(BadReverse, "gradient added to the shadow", 0, j, again[j], start[j] + g[j],
              4 * tol.exact * (16 + fabsl(g[j])));
    free(start);
  }
  free(u), free(g), free(again), free(y), free(zero);
}

static void checkForward(const struct adze_case *c, const long double *x,
                         const long double *y0, const struct reference *r) {
  int n = c->n, m = c->m;
  long double *v = vec(n), *w = vec(m), *again = vec(m), *y = vec(m);
  int seedless = (c->shape_flags & ADZE_UNIT_SEED) != 0;
  for (int k = 0; k < n && k < MaxUnit; ++k) {
    int j = n <= MaxUnit ? k : k * (n - 1) / (MaxUnit - 1);
    memset(v, 0, (size_t)n * sizeof *v);
    v[j] = 1;
    for (int pass = 0; pass < Repeats; ++pass) {
      forwardOnce(c, x, v, pass ? again : w, y);
      for (int i = 0; pass && i < m; ++i)
        compare(BadForward, "repeated tangent", i, j, again[i], w[i],
                repeatMargin(c, w[i]));
      if (!seedless)
        comparePrimal(BadForward, c, y, y0);
    }
    for (int i = 0; i < m; ++i)
      against(BadForward, c, r, i, j, w[i]);
  }
  free(v), free(w), free(again), free(y);
}

// <u, J v> = <J' u, v>: both sides are sums of the same products in another order, so the
// difference is rounding of the terms that are added up.
static void checkDot(const struct adze_case *c, const long double *x) {
  int n = c->n, m = c->m;
  long double *u = vec(m), *v = vec(n), *g = vec(n), *w = vec(m), *y = vec(m),
              *zero = vec(n);
  for (int k = 0; k < Directions; ++k) {
    for (int i = 0; i < m; ++i)
      u[i] = (c->shape_flags & ADZE_UNIT_SEED) ? 1 : floorl(uniform() * 64) / 64;
    for (int j = 0; j < n; ++j)
      v[j] = floorl(uniform() * 64) / 64;
    reverseOnce(c, x, zero, u, g, y);
    forwardOnce(c, x, v, w, y);
    long double left = 0, right = 0, size = 0;
    for (int i = 0; i < m; ++i)
      left += u[i] * w[i], size += fabsl(u[i] * w[i]);
    for (int j = 0; j < n; ++j)
      right += g[j] * v[j], size += fabsl(g[j] * v[j]);
    if (isfinite(left) && isfinite(right))
      compare(BadDot, "<u, J v> against <J' u, v>", k, 0, left, right,
              tolerancesOf(c).dot * size);
    else if (!(c->flags & ADZE_NONFINITE))
      fail(BadDot, "an inner product is not finite", left, right);
  }
  HaveDot = 1;
  free(u), free(v), free(g), free(w), free(y), free(zero);
}

static void runCase(const struct adze_case *c, const char *mode) {
  int all = strcmp(mode, "all") == 0;
  int reverse = c->reverse && (all || strcmp(mode, "reverse") == 0);
  int forward = c->forward && (all || strcmp(mode, "forward") == 0);
  long double *x = vec(c->n), *y = vec(c->m);
  char cell[16];
  CurrentName = c->name;
  Seed = 20240607;
  if (c->points < 1)
    fail(BadNothing, "no point listed", 0, 1);
  for (int p = 0; p < c->points; ++p) {
    for (int i = 0; i < c->n; ++i) {
      store(c->type, cell, 0, c->at[p * c->n + i]);
      x[i] = load(c->type, cell, 0);
    }
    primal(c, x, y);
    for (int i = 0; i < c->m; ++i) {
      if (!(c->flags & ADZE_NONFINITE) && !isfinite(y[i]))
        fail(BadPrimal, "the primal is not finite", y[i], 0);
      if (c->value)
        near(BadPrimal, "primal value", y[i], c->value[p * c->m + i],
             tolerancesOf(c).exact);
    }
    struct reference r = makeReference(c, p, x);
    if (reverse)
      checkReverse(c, x, y, &r), HaveReverse = 1;
    if (forward)
      checkForward(c, x, y, &r), HaveForward = 1;
    if (reverse && forward && !(Failures & (BadReverse | BadForward)))
      checkDot(c, x);
    free(r.exact), free(r.approximate);
  }
  free(x), free(y);
}

static void runCustom(void (*body)(void), int mode) {
  if (!body)
    return;
  CurrentMode = mode;
  RecordLength = 0;
  for (int pass = 0; pass < Repeats; ++pass) {
    RecordReplay = pass ? 0 : -1;
    body();
    if (pass && RecordReplay != RecordLength)
      fail(mode, "a repetition made another number of comparisons", RecordReplay,
           RecordLength);
  }
  if (RecordLength == 0)
    fail(BadNothing, "the body compares nothing", 0, 1);
}

static const char *verdict(int have, int bits) {
  return Failures & bits ? "WRONG" : have ? "ok" : "none";
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "all";
  int all = strcmp(mode, "all") == 0;
  PrimalOnly = strcmp(mode, "primal") == 0;
  setvbuf(stdout, 0, _IOLBF, 0);
  for (struct adze_case *c = Cases; c; c = c->next)
    runCase(c, mode);
  for (struct adze_custom *c = Customs; c; c = c->next) {
    CurrentName = c->name;
    runCustom(c->primal, BadPrimal);
    if (all || strcmp(mode, "reverse") == 0) {
      HaveReverse |= c->reverse != 0;
      runCustom(c->reverse, BadReverse);
    }
    if (all || strcmp(mode, "forward") == 0) {
      HaveForward |= c->forward != 0;
      runCustom(c->forward, BadForward);
    }
  }
  CurrentName = argv[0];
  if (!Comparisons && strcmp(mode, "primal") != 0)
    fail(BadNothing, "nothing was compared", 0, 1);
  free(Record);
  printf("adze-check: reverse=%s forward=%s dot=%s primal=%s comparisons=%ld\n",
         verdict(HaveReverse, BadReverse), verdict(HaveForward, BadForward),
         verdict(HaveDot, BadDot), verdict(1, BadPrimal | BadNothing), Comparisons);
  return Failures;
}

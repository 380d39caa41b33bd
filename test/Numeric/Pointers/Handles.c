// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers that are pointers: handles that are passed, returned, kept in
// structures, arrays, globals and tables, cut into halves, and given to a
// marker.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

struct Object {
  int n;
  double *data;
};
APART static long create(int n) {
  struct Object *o = (struct Object *)malloc(sizeof *o);
  o->n = n;
  o->data = (double *)calloc(n, sizeof(double));
  return (long)o;
}
APART static void put(long h, int i, double v) {
  ((struct Object *)h)->data[i] = v;
}
APART static double get(long h, int i) { return ((struct Object *)h)->data[i]; }
APART static void destroy(long h) {
  free(((struct Object *)h)->data);
  free((struct Object *)h);
}
double objects(const double *x, int n) {
  long h = create(n);
  for (int i = 0; i < n; ++i)
    put(h, i, x[i] * x[i]);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += get(h, i) * x[0];
  destroy(h);
  return s;
}
ADZE_TEST_ARRAY(objects, 3, ADZE_AT(1.5, 2.0, -3.0))

// Members: read by an accessor, copied, and with an offset beside it.
struct Member {
  uintptr_t h;
  long n;
};
APART static uintptr_t handleOf(const struct Member *s) { return s->h; }
APART static void copy(struct Member *to, const struct Member *from) {
  to->h = from->h;
  to->n = from->n;
}
APART static double sumOf(const struct Member *s) {
  const double *p = (const double *)handleOf(s);
  double r = 0;
  for (long i = 0; i < s->n; ++i)
    r += p[i] * p[i];
  return r;
}
struct Arena {
  uintptr_t base;
  size_t used;
};
APART static double *take(struct Arena *a, size_t n) {
  double *p = (double *)(a->base + a->used);
  a->used += n * sizeof(double);
  return p;
}
double members(const double *x, int n) {
  struct Member s = {(uintptr_t)x, n}, t;
  copy(&t, &s);
  struct Arena a = {(uintptr_t)malloc(1024), 0};
  double *p = take(&a, n), *q = take(&a, n);
  for (int i = 0; i < n; ++i) {
    p[i] = x[i] * x[i];
    q[i] = x[i];
  }
  double r = sumOf(&t) * x[0];
  for (int i = 0; i < n; ++i)
    r += p[i] * q[i];
  free((void *)a.base);
  return r;
}
ADZE_TEST_ARRAY(members, 3, ADZE_AT(1.5, 2.0, -3.0))

// Global variables and tables.
static long current, table[8];
static struct {
  long in, out;
  int n;
} both;
static int used;
APART static void set(const double *p) { current = (long)p; }
APART static double follow(int i) { return ((const double *)current)[i]; }
APART static int enter(const double *p) {
  table[used % 8] = (long)p;
  return used++ % 8;
}
APART static double look(int h, int i) { return ((const double *)table[h])[i]; }
APART static void run(void) {
  double *out = (double *)both.out;
  const double *in = (const double *)both.in;
  for (int i = 0; i < both.n; ++i)
    out[i] = in[i] * in[i] * (i + 1);
}
void globals(const double *x, double *y) {
  both.in = (long)x;
  both.out = (long)y;
  both.n = 3;
  run();
  set(x);
  used = 0;
  int h = enter(x), g = enter(x + 1);
  for (int i = 0; i < 2; ++i)
    y[i] += follow(i) * follow(0) + look(h, i) * look(g, i);
}
ADZE_TEST_MAP(globals, 3, 3, ADZE_AT(1.5, 2.0, -3.0))

// User data of a callback; arrays of handles, and handles that are exchanged.
typedef double (*Body)(long user, double t);
static double parabola(long user, double t) {
  const double *p = (const double *)user;
  return p[0] * t * t + p[1] * t;
}
APART static double integrate(Body f, long user, double b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += f(user, b * (i + .5) / n);
  return s * b / n;
}
APART static double dot(const long *h, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *(double *)h[i] * *(double *)h[(i + 1) % n];
  return s;
}
double callbacks(const double *x, int n) {
  double p[2] = {x[0], x[1]};
  long h[4];
  for (int i = 0; i < n; ++i)
    h[i] = (long)&x[n - 1 - i];
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      if (h[j] < h[i]) {
        long t = h[i];
        h[i] = h[j];
        h[j] = t;
      }
  return integrate(parabola, (long)p, x[2], 10) + dot(h, n) * *(double *)h[0];
}
ADZE_TEST_ARRAY(callbacks, 3, ADZE_AT(1.5, 2.0, -3.0))

// Sorted by the library, by address.
static int byAddress(const void *a, const void *b) {
  uintptr_t p = *(const uintptr_t *)a, q = *(const uintptr_t *)b;
  return p < q ? -1 : p > q;
}
double sorted(const double *x, int n) {
  uintptr_t h[4];
  for (int i = 0; i < n; ++i)
    h[i] = (uintptr_t)(x + n - 1 - i);
  qsort(h, n, sizeof h[0], byAddress);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *(double *)h[i] * (i + 1) * *(double *)h[0];
  return s;
}
ADZE_TEST_ARRAY(sorted, 3, ADZE_AT(1.5, 2.0, -3.0))

// Bits that are moved, and two halves.
union Bits {
  const double *p;
  uintptr_t u;
};
struct Halves {
  uint32_t low, high;
};
APART static struct Halves cut(const double *p) {
  struct Halves h = {(uint32_t)(uintptr_t)p, (uint32_t)((uintptr_t)p >> 32)};
  return h;
}
APART static double join(struct Halves h, int i) {
  return ((const double *)(((uintptr_t)h.high << 32) | h.low))[i];
}
double bits(const double *x, int n) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  union Bits b;
  b.u = u;
  unsigned __int128 w =
      ((unsigned __int128)(uintptr_t)x << 64) | (uintptr_t)(x + 1);
  const double *p = (const double *)(uintptr_t)(w >> 64),
               *q = (const double *)(uintptr_t)w;
  struct Halves h = cut(x);
  double s = p[0] * q[0];
  for (int i = 0; i < n; ++i)
    s += b.p[i] * b.p[i] * join(h, i);
  return s;
}
ADZE_TEST_ARRAY(bits, 3, ADZE_AT(1.5, 2.0, -3.0))

// Handles of a marker; without a tag, what is behind one is constant.
double squares(long in, long out, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    put(out, i, get(in, i) * get(in, i));
    s += get(out, i);
  }
  return s;
}
double weighted(long weights, double t, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += ((const double *)weights)[i] * t * t;
  return s;
}
#if ADZE_REVERSE
extern double __enzyme_autodiff_h(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[3] = {1, 2, 3}, d[3] = {0, 0, 0}, y[3], dy[3] = {1, 10, 100};
  struct Object o = {3, x}, od = {3, d}, p = {3, y}, pd = {3, dy};
  __enzyme_autodiff_h((void *)squares, enzyme_dup, (long)&o, (long)&od,
                      enzyme_dup, (long)&p, (long)&pd, enzyme_const, 3);
  for (int i = 0; i < 3; ++i) {
    adze_near("d", d[i], 2 * x[i] * (1 + (i == 0 ? 1 : i == 1 ? 10 : 100)), 0);
    adze_near("x", x[i], i + 1, 0);
    adze_near("dy", dy[i], 0, 0);
  }
  adze_near("dt", __enzyme_autodiff_h((void *)weighted, (long)x, 5.0, 3), 60,
            0);
  adze_near("x0", x[0], 1, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_h(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[3] = {1, 2, 3}, d[3] = {1, 10, 100}, y[3], dy[3];
  struct Object o = {3, x}, od = {3, d}, p = {3, y}, pd = {3, dy};
  adze_near("r",
            __enzyme_fwddiff_h((void *)squares, enzyme_dup, (long)&o, (long)&od,
                               enzyme_dup, (long)&p, (long)&pd, enzyme_const,
                               3),
            2 + 40 + 600, 0);
  adze_near("dy", dy[2], 600, 0);
  adze_near("dt", __enzyme_fwddiff_h((void *)weighted, (long)x, 5.0, 1.0, 3),
            60, 0);
}
#endif

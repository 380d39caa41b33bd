// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that know nothing of doubles write numbers over those of their
// callers: over dead ones, or all parts of them. Others write beside them. All
// is right, and nothing stops.
// ADZE: fail-level=forward@O1asan,forward@O3asan reason="some are taken for parts that are read"
#include "PartOverwritten.h"
#include "check.h"
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void set(int *p, int n) { *p = n; }
__attribute__((noinline)) static void setNext(int *p, int n) { set(p + 1, n); }
__attribute__((noinline)) static void setWords(int *p, int low, int high) {
  p[0] = low;
  p[1] = high;
}
__attribute__((noinline)) static void clearHalf(char *p) { memset(p, 0, 4); }
__attribute__((noinline)) static void setBytes(char *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = (char)(i + 1);
}
__attribute__((noinline)) static void copyBytes(char *to, const char *from,
                                                int n) {
  for (int i = 0; i < n; ++i)
    to[i] = from[i];
}
__attribute__((noinline)) static void count(int *p, int n, int step) {
  for (int i = 0; i < n; i += step)
    p[i] = i + seven;
}

// Dead parts, at either end, through one function and through two.
static double cells(const double *x) {
  union Cell c;
  c.d = x[0];
  double y = square(&c);
  set(&c.i[1], seven);
  set(&c.i[0], seven + 3);
  y *= c.i[0] - c.i[1];
  c.d = x[1];
  y += square(&c);
  setNext(c.i, 4);
  y *= c.i[1];
  c.d = x[2];
  y += square(&c);
  clearHalf((char *)&c + 4);
  return y + c.i[1];
}

// A double that is put together of two words is a number.
static double together(const double *x) {
  union Cell c;
  c.d = x[0];
  double y = square(&c);
  setWords(c.i, 0, 0x40000000); // 2.0
  y += square(&c) * x[1];
  c.d = x[1];
  return y + square(&c);
}

// An arena that is used again, every other int of it, by its address alone.
static double arena(const double *x) {
  char *pool = malloc(64);
  double *a = (double *)pool;
  for (int i = 0; i < 4; ++i)
    a[i] = x[i] * x[i];
  double y = sum(a, 4);
  int *k = (int *)pool, t = 0;
  count(k + 1, 7, 2);
  for (int i = 1; i < 8; i += 2)
    t += k[i];
  for (int i = 0; i < 4; ++i)
    a[i] = x[i];
  y = y * t + sum(a, 4);
  free(pool);
  return y;
}

// Text and numbers beside doubles that live on.
static double named(const double *x) {
  struct Named s;
  static const char text[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int i = 0; i < 3; ++i)
    s.values[i] = x[i];
  setBytes(s.name, 12);
  copyBytes(s.name + 2, text, seven);
  set(&s.count, 3);
  clearHalf(s.name + 8);
  double y = sum(s.values, s.count) * s.name[3];
  setBytes(s.name, seven);
  return y * s.name[1] + sum(s.values, 3);
}

double parts(const double *x, int n) {
  return cells(x) + together(x) + arena(x) * x[n - 1] + named(x);
}

ADZE_TEST_ARRAY(parts, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

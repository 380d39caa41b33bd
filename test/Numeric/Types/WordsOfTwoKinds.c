// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words that are a double at one time and a pointer at another, moved one by
// one: members of a union, slots for void pointers that hold a double by memcpy,
// words of a block. The run tells them apart.
#include "check.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  int kind;
  union {
    double d;
    double *p;
    long w;
  } u;
} box;

static double get(const box *b) {
  return b->kind == 0 ? b->u.d : b->kind == 1 ? *b->u.p : b->u.p[0] * b->u.p[1];
}

double boxes(const double *x, int n) {
  box *v = (box *)malloc(n * sizeof(box));
  double *keep = (double *)malloc(2 * n * sizeof(double));
  for (int i = 0; i < n; ++i) {
    v[i].kind = i % 3;
    if (i % 3 == 0) {
      v[i].u.d = x[i] * x[i];
    } else {
      keep[2 * i] = x[i] * 2;
      keep[2 * i + 1] = x[i] + 1;
      v[i].u.p = keep + 2 * i;
    }
  }
  for (int i = 0; i + 1 < n; i += 2) {
    long w = v[i].u.w;
    int k = v[i].kind;
    v[i].u.w = v[i + 1].u.w;
    v[i].kind = v[i + 1].kind;
    v[i + 1].u.w = w;
    v[i + 1].kind = k;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (i + 1) * get(&v[i]);
  free(keep);
  free(v);
  return s;
}
ADZE_TEST_ARRAY(boxes, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

typedef struct {
  void *slot;
  int isPointer;
} cell;

__attribute__((noinline)) static void set(cell *c, int isPointer, double v, double *store) {
  c->isPointer = isPointer;
  if (isPointer) {
    *store = v;
    c->slot = store;
  } else {
    memcpy(&c->slot, &v, 8);
  }
}
__attribute__((noinline)) static double read(const cell *c) {
  double d;
  if (c->isPointer)
    return *(double *)c->slot;
  memcpy(&d, &c->slot, 8);
  return d;
}
__attribute__((noinline)) static void copy(cell *a, const cell *b) { *a = *b; }

double slots(const double *x, int n) {
  cell a[8], b[8];
  double values[8];
  for (int i = 0; i < n; ++i)
    set(&a[i], i & 1, x[i] * x[i], values + i);
  for (int i = 0; i < n; ++i)
    copy(&b[i], &a[n - 1 - i]);
  for (int i = 0; i < n; ++i)
    b[i].slot = a[i].slot, b[i].isPointer = a[i].isPointer;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (i + 1) * read(&b[i]);
  return s;
}
ADZE_TEST_ARRAY(slots, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

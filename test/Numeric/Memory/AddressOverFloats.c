// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that holds floats of four bytes and addresses by turns: the adjoints
// of the floats begin with zero, not with the bits of a shadow's address.
#include "check.h"
#include <stdlib.h>

#define APART __attribute__((noinline)) static

union Word {
  float f[2];
  const double *p;
};
APART void put(union Word *w, float a, float b) {
  w->f[0] = a;
  w->f[1] = b;
}
APART float get(const union Word *w, int i) { return w->f[i]; }
APART void lead(union Word *w, const double *p) { w->p = p; }
APART double follow(const union Word *w) { return *w->p; }

double once(const double *x, int n) {
  union Word a;
  put(&a, (float)x[0], (float)x[1]);
  double r = 0.5 * get(&a, 1) + 2.5 * get(&a, 0) * get(&a, 0);
  lead(&a, x + n - 1);
  return r + follow(&a);
}
ADZE_TEST_ARRAY(once, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

// By turns, in one block.
double turns(const double *x, int n) {
  union Word *a = malloc(n * sizeof *a);
  double r = 0;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i)
      put(&a[i], (float)x[i], (float)(x[i] * k));
    for (int i = 0; i < n; ++i)
      r += get(&a[i], 0) * get(&a[n - 1 - i], 1);
    for (int i = 0; i < n; ++i)
      lead(&a[i], x + i);
    for (int i = 0; i < n; ++i)
      r += follow(&a[i]) * follow(&a[n - 1 - i]);
  }
  free(a);
  return r;
}
ADZE_TEST_ARRAY(turns, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

// Told apart by a kind; the address first, one float at a time.
struct Node {
  int kind;
  union Word w;
};
APART void setFloat(struct Node *to, int j, float v) {
  to->kind = 1;
  to->w.f[j] = v;
}
APART void setAddress(struct Node *to, const double *p) {
  to->kind = 2;
  to->w.p = p;
}
APART double value(const struct Node *of) {
  return of->kind == 1 ? of->w.f[0] * of->w.f[1] : *of->w.p;
}
double nodes(const double *x, int n) {
  struct Node *a = calloc(n, sizeof *a);
  double r = 0;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < 2; ++j)
        setFloat(&a[i], j, (float)(x[i] * (k + j)));
    for (int i = 0; i < n; ++i)
      r += value(&a[i]);
    for (int i = 0; i < n; ++i)
      if (i != k)
        setAddress(&a[i], x + i);
    for (int i = 0; i < n; ++i)
      r += value(&a[i]) * value(&a[n - 1 - i]);
  }
  free(a);
  return r;
}
ADZE_TEST_ARRAY(nodes, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

// Behind two calls.
APART void either(union Word *w, const double *x, int k) {
  if (k)
    put(w, (float)x[0], (float)x[1]);
  else
    lead(w, x);
}
APART double read(union Word *w, int k) {
  return k ? w->f[0] * w->f[1] : *w->p;
}
double levels(const double *x, int n) {
  union Word w[2];
  double r = 0;
  for (int i = 0; i < 2 * n; ++i) {
    int k = i * i % 3;
    either(&w[i & 1], x + (i & 1), k);
    r += read(&w[i & 1], k) * (i + 1);
  }
  return r;
}
ADZE_TEST_ARRAY(levels, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

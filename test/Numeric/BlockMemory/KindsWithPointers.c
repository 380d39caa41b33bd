// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: may-refuse
// Records of two kinds, one with an address, go through one buffer: pointers
// that advance by the size of either record meet each word of it, and the length
// of a copy is that of the kind. Nothing shows what stands in the buffer where: a
// copy of bytes that may be floats or addresses stops the program.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct A {
  unsigned char mark;
  long key;
  const double *p;
  double v;
};
struct B {
  int key;
  double v;
  char text[8];
};

__attribute__((noinline)) static void makeA(struct A *r, const double *x, int i) {
  r->mark = 'a';
  r->key = i;
  r->p = x + i;
  r->v = sin(x[i]);
}
__attribute__((noinline)) static double readA(const struct A *r) {
  return 0.5 * r->p[0] + r->v + 0.1 * r->key + 0.01 * r->mark;
}
static void makeB(struct B *r, const double *x, int i) {
  r->v = sin(x[i]);
  r->key = i;
  memset(r->text, 0, sizeof r->text);
  r->text[i % 3] = 'x';
}
static double readB(const struct B *r) { return r->v * r->key + (r->text[1] == 'x' ? 0.3 : 0.1); }

static char *put(char *to, int kind, const void *p, size_t bytes) {
  memcpy(to, &kind, sizeof kind);
  to += sizeof kind;
  memcpy(to, p, bytes);
  return to + bytes;
}
static const char *take(const char *from, int *kind, void *a, void *b) {
  memcpy(kind, from, sizeof *kind);
  from += sizeof *kind;
  size_t bytes = *kind == 1 ? sizeof(struct A) : sizeof(struct B);
  char *to = (char *)(*kind == 1 ? a : b);
  for (size_t i = 0; i < bytes; ++i)
    to[i] = from[i];
  return from + bytes;
}

__attribute__((noinline)) static double through(const double *x, int n) {
  char *bytes = (char *)malloc(n * (sizeof(struct A) + sizeof(int)));
  char *to = bytes;
  struct A a;
  struct B b;
  for (int i = 0; i < n; ++i) {
    if (i * i % 3 == 1) {
      makeA(&a, x, i);
      to = put(to, 1, &a, sizeof a);
    } else {
      makeB(&b, x, i);
      to = put(to, 2, &b, sizeof b);
    }
  }
  double r = 0;
  const char *from = bytes;
  while (from < to) {
    int kind = 0;
    from = take(from, &kind, &a, &b);
    r = kind == 1 ? r + 0.2 * readA(&a) : 0.7 * r + 0.1 * readB(&b);
  }
  free(bytes);
  return r;
}

double used(const double *x, int n) { return through(x, n); }

// Nothing depends on what is read from the copies.
double unused(const double *x, int n) {
  double s = through(x, n) > 1e9 ? 1 : 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

ADZE_TEST_ARRAY(used, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))
ADZE_TEST_ARRAY(unused, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses computed as integers: marks in low and high bits, alignment, keys,
// scaled addresses, XOR lists and XOR swaps, offsets within an object; hashes
// are numbers.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define APART __attribute__((noinline))

APART static double low(uintptr_t t, int i) {
  double v = ((const double *)(t & ~(uintptr_t)7))[i];
  return (t & 1) ? v * v : v;
}
APART static double high(uint64_t t, int i) {
  double v = ((const double *)((int64_t)(t << 16) >> 16))[i];
  return (double)(t >> 48) * v * v;
}
APART static double highMask(uint64_t t, int i) {
  double v = ((const double *)(t & 0xffffffffffffull))[i];
  return (double)(t >> 48) * v * v;
}
APART static uintptr_t tag(const double *p, uintptr_t t) {
  return (uintptr_t)p | t;
}
APART static double untag(uintptr_t v, uintptr_t mask) {
  return *(double *)(v & ~mask);
}
double marks(const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += low((uintptr_t)x | (i & 1), i) * x[0] +
         high((uint64_t)x | ((uint64_t)(i + 1) << 48), i) +
         highMask((uint64_t)x + ((uint64_t)(i + 1) << 48), i) * x[1] +
         untag(tag(&x[i], i & 7), 7) * x[i];
  return r;
}
ADZE_TEST_ARRAY(marks, 3, ADZE_AT(1.5, 2.0, -3.0))

// The colour of a node in its link; a flag that says which kind a value is.
struct Node {
  uintptr_t parent;
  struct Node *left, *right;
  double v;
};
APART static void setParent(struct Node *n, struct Node *p, int c) {
  n->parent = (uintptr_t)p | c;
}
APART static double up(struct Node *n) {
  double s = 0;
  for (; n; n = (struct Node *)(n->parent & ~1ul))
    s = s * n->v + ((n->parent & 1) ? n->v : 2 * n->v);
  return s;
}
struct Lazy {
  uintptr_t w;
};
APART static double force(struct Lazy *l, const double *x) {
  if (l->w & 1)
    return *(double *)(l->w ^ 1) * x[0];
  return *(double *)l->w * x[1];
}
double links(const double *x, int n) {
  struct Node a[4];
  for (int i = 0; i < n; ++i) {
    a[i].v = x[i];
    a[i].left = a[i].right = NULL;
    setParent(&a[i], i ? &a[i - 1] : NULL, i & 1);
  }
  double p = x[0] * x[1], q = x[2] * x[2];
  struct Lazy l = {(uintptr_t)&p | 1}, m = {(uintptr_t)&q};
  return up(&a[n - 1]) + force(&l, x) + force(&m, x);
}
ADZE_TEST_ARRAY(links, 3, ADZE_AT(1.5, 2.0, -3.0))

struct Xor {
  double v;
  uintptr_t link;
};
APART static double walk(struct Xor *at, const double *x) {
  struct Xor *before = NULL;
  double s = 0;
  for (int k = 0; at; ++k) {
    s += at->v * x[k];
    struct Xor *next = (struct Xor *)((uintptr_t)before ^ at->link);
    before = at;
    at = next;
  }
  return s;
}
double xorLists(const double *x, int n) {
  struct Xor *a[8];
  for (int i = 0; i < n; ++i)
    a[i] = (struct Xor *)malloc(sizeof(struct Xor));
  for (int i = 0; i < n; ++i) {
    a[i]->v = x[i] * x[i];
    a[i]->link =
        (i ? (uintptr_t)a[i - 1] : 0) ^ (i + 1 < n ? (uintptr_t)a[i + 1] : 0);
  }
  double s = walk(a[0], x), b[4], c[4];
  for (int i = 0; i < n; ++i) {
    b[i] = a[i]->v * x[i];
    c[i] = 3 * x[i];
    free(a[i]);
  }
  uintptr_t p = (uintptr_t)b, q = (uintptr_t)c, d = p ^ q, t = p;
  for (int k = 0; k < n; ++k) {
    p ^= q;
    q ^= p;
    p ^= q;
    s += ((double *)t)[k] * x[0];
    t ^= d;
  }
  for (int i = 0; i < n; ++i)
    s += ((double *)p)[i] * (i + 1) + ((double *)q)[i] * 7;
  return s;
}
ADZE_TEST_ARRAY(xorLists, 3, ADZE_AT(1.5, 2.0, -3.0))

// Hidden by a key or a complement, scaled, and compressed to the offset in a
// pool.
static uint64_t key = 0x5a5a5a5a12345678ull;
static uintptr_t pool;
APART static uint64_t hide(const double *p) { return (uint64_t)p ^ key; }
APART static const double *show(uint64_t h) {
  return (const double *)(h ^ key);
}
APART static double scaled(uint64_t h, int i) {
  return ((const double *)(h << 3))[i];
}
APART static uint32_t compress(const double *p) {
  return (uint32_t)(((uintptr_t)p - pool) >> 3);
}
APART static double *expand(uint32_t c) {
  return (double *)(pool + ((uintptr_t)c << 3));
}
double hidden(const double *x, int n) {
  double *mine = (double *)malloc(64 * sizeof(double));
  pool = (uintptr_t)mine;
  double *d = mine + 16;
  for (int i = 0; i < n; ++i)
    d[i] = x[i] * x[i];
  uint32_t c = compress(d);
  uint64_t h = hide(x), k = (uint64_t)x >> 3;
  uintptr_t no = ~(uintptr_t)x;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += show(h)[i] * scaled(k, i) * ((const double *)~no)[i] +
         expand(c)[i] * x[0];
  free(mine);
  return s;
}
ADZE_TEST_ARRAY(hidden, 3, ADZE_AT(1.5, 2.0, -3.0))

// Negated in memory, byte-swapped, rotated, and aligned by the compiler's own
// functions.
struct Negated {
  long h;
};
APART static void putNegated(struct Negated *s, const double *p) {
  s->h = -(long)p;
}
APART static const double *getNegated(const struct Negated *s) {
  return (const double *)-s->h;
}
APART static uint64_t swapped(uint64_t a) { return __builtin_bswap64(a); }
APART static uint64_t left(uint64_t a) { return __builtin_rotateleft64(a, 16); }
APART static uint64_t right(uint64_t a) {
  return __builtin_rotateright64(a, 16);
}
double moved(const double *x, int n) {
  struct Negated s;
  putNegated(&s, x);
  const double *p = (const double *)swapped(swapped((uint64_t)x));
  const double *q = (const double *)right(left((uint64_t)x));
  char buffer[512];
  double *d = (double *)__builtin_align_up(buffer, 128);
  double r = 0;
  for (int i = 0; i < n; ++i) {
    d[i] = getNegated(&s)[i] * p[i];
    r += d[i] * q[0];
  }
  return r;
}
ADZE_TEST_ARRAY(moved, 3, ADZE_AT(1.5, 2.0, -3.0))

// The header of a slab, found by the alignment of what is in it.
struct Slab {
  double scale, d[30];
};
APART static double scaledBySlab(const double *p) {
  return ((const struct Slab *)((uintptr_t)p & ~(uintptr_t)255))->scale * *p;
}
double slabs(const double *x, int n) {
  char *raw = (char *)malloc(1024);
  struct Slab *s = (struct Slab *)(((uintptr_t)raw + 255) & ~(uintptr_t)255);
  s->scale = x[0];
  for (int i = 0; i < n; ++i)
    s->d[i] = x[i] * x[i];
  double r = 0;
  for (int i = 0; i < n; ++i)
    r += scaledBySlab(&s->d[i]);
  free(raw);
  return r;
}
ADZE_TEST_ARRAY(slabs, 3, ADZE_AT(1.5, 2.0, -3.0))

// A table by the hash of addresses, which are kept beside active numbers.
struct Entry {
  uint64_t hash;
  double v;
  struct Entry *next;
};
APART static uint64_t mix(uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdull;
  return h ^ (h >> 33);
}
double hashed(const double *x, int n) {
  struct Entry *slots[7] = {0};
  for (int i = 0; i < n; ++i) {
    struct Entry *e = (struct Entry *)malloc(sizeof *e);
    e->hash = mix((uint64_t)&x[i]);
    e->v = x[i] * x[i];
    e->next = slots[e->hash % 7];
    slots[e->hash % 7] = e;
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t h = mix((uint64_t)&x[i]);
    for (struct Entry *e = slots[h % 7]; e; e = e->next)
      if (e->hash == h)
        s += e->v * x[i] * (i + 1);
  }
  for (int k = 0; k < 7; ++k)
    for (struct Entry *e = slots[k], *next; e; e = next) {
      next = e->next;
      free(e);
    }
  return s;
}
ADZE_TEST_ARRAY(hashed, 3, ADZE_AT(1.5, 2.0, -3.0))

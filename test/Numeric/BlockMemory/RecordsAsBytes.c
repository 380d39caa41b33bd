// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of numbers, text and floats that are moved by functions that see
// bytes and a length only: containers, sorted tables, headers before arrays.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A vector of anything, that grows.
typedef struct {
  void *data;
  size_t elemsize, len, cap;
} gvecVec;
typedef struct {
  int id;
  char name[5];
  double v;
  float w;
} gvecRec;
__attribute__((noinline)) static void gvecPush(gvecVec *v, const void *e) {
  if (v->len == v->cap) {
    v->cap = v->cap ? 2 * v->cap : 2;
    v->data = realloc(v->data, v->cap * v->elemsize);
  }
  memcpy((char *)v->data + v->len * v->elemsize, e, v->elemsize);
  v->len++;
}
__attribute__((noinline)) static void gvecGet(const gvecVec *v, size_t i,
                                              void *out) {
  memcpy(out, (char *)v->data + i * v->elemsize, v->elemsize);
}
double gvec(const double *x, int n) {
  gvecVec v = {0, sizeof(gvecRec), 0, 0};
  for (int i = 0; i < n; ++i) {
    gvecRec r = {i + 1, "ab", x[i] * x[i], (float)x[i]};
    gvecPush(&v, &r);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    gvecRec r;
    gvecGet(&v, i, &r);
    s += r.v * r.id + r.w * 0.5;
  }
  free(v.data);
  return s;
}

ADZE_TEST_ARRAY(gvec, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5), .tolerance = 1e-3,
                .step = 0.1)

// Two of them, of records and of numbers.
typedef struct {
  char *data;
  size_t es, len;
} gvec2Vec;
typedef struct {
  char tag;
  double v;
  int n;
} gvec2A;
__attribute__((noinline)) static void gvec2Push(gvec2Vec *v, const void *e) {
  memcpy(v->data + v->len * v->es, e, v->es);
  v->len++;
}
__attribute__((noinline)) static void gvec2Get(const gvec2Vec *v, size_t i,
                                               void *out) {
  memcpy(out, v->data + i * v->es, v->es);
}
double gvec2(const double *x, int n) {
  gvec2Vec a = {malloc(n * sizeof(gvec2A)), sizeof(gvec2A), 0},
           k = {malloc(n * sizeof(int)), sizeof(int), 0},
           d = {malloc(n * 8), 8, 0};
  for (int i = 0; i < n; ++i) {
    gvec2A r;
    r.tag = 'a' + i;
    r.v = x[i];
    r.n = i;
    gvec2Push(&a, &r);
    int q = n - 1 - i;
    gvec2Push(&k, &q);
    double z = x[i] * x[i];
    gvec2Push(&d, &z);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    gvec2A r;
    int q;
    double z;
    gvec2Get(&k, i, &q);
    gvec2Get(&a, q, &r);
    gvec2Get(&d, i, &z);
    s += r.v * z * (r.n + 1) + (r.tag == 'b') * r.v;
  }
  free(a.data);
  free(k.data);
  free(d.data);
  return s;
}

ADZE_TEST_ARRAY(gvec2, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75))

// Insertion into a sorted table.
typedef struct {
  char key[3];
  double v;
  int n;
} sortedgenRec;
__attribute__((noinline)) static int
sortedgenInsert(void *t, int len, size_t sz, const void *r,
                int (*cmp)(const void *, const void *)) {
  int i = 0;
  while (i < len && cmp((char *)t + i * sz, r) < 0)
    ++i;
  memmove((char *)t + (i + 1) * sz, (char *)t + i * sz, (len - i) * sz);
  memcpy((char *)t + i * sz, r, sz);
  return len + 1;
}
static int sortedgenBykey(const void *a, const void *b) {
  return memcmp(((sortedgenRec *)a)->key, ((sortedgenRec *)b)->key, 3);
}
double sortedgen(const double *x, int n) {
  sortedgenRec *t = malloc(16 * sizeof *t);
  int len = 0;
  for (int i = 0; i < n; ++i) {
    sortedgenRec r;
    r.key[0] = 'a' + (i * 3) % 5;
    r.key[1] = 'x';
    r.key[2] = 0;
    r.v = x[i] * x[i];
    r.n = i;
    len = sortedgenInsert(t, len, sizeof r, &r, sortedgenBykey);
  }
  double s = 0;
  for (int i = 0; i < len; ++i)
    s += t[i].v * (i + 1) + t[i].n;
  free(t);
  return s;
}

ADZE_TEST_ARRAY(sortedgen, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5))

// The first bytes of a structure.
typedef struct {
  int kind;
  char t;
  double a;
  short q;
  double b;
  double c;
} firstnS;
__attribute__((noinline)) static void firstnPart(firstnS *d, const firstnS *s,
                                                 size_t n) {
  memcpy(d, s, n);
}
double firstn(const double *x, int n) {
  firstnS s, d;
  memset(&d, 0, sizeof d);
  s.kind = n;
  s.t = 'q';
  s.a = x[0];
  s.q = 3;
  s.b = x[1];
  s.c = x[2];
  firstnPart(&d, &s, n > 3 ? offsetof(firstnS, c) : sizeof(firstnS));
  return d.a * d.b + d.c * x[0] + d.kind * d.a + d.q * d.b;
}

ADZE_TEST_ARRAY(firstn, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75))
double firstnMore(const double *x, int n) {
  firstnS s, d;
  memset(&d, 0, sizeof d);
  s.kind = n;
  s.t = 'q';
  s.a = x[0];
  s.q = 3;
  s.b = x[1];
  s.c = x[2];
  firstnPart(&d, &s, n > 3 ? offsetof(firstnS, c) : sizeof(firstnS));
  return d.a * d.b + d.c * x[0] + d.kind * d.a + d.q * d.b;
}

ADZE_TEST_ARRAY(firstnMore, 3, ADZE_AT(0.5, 0.25, -0.5))

// A growing structure with an array at its end.
typedef struct {
  int n, cap;
  double d[];
} flexF;
__attribute__((noinline)) static flexF *flexGrow(flexF *f) {
  int cap = f->cap * 2;
  flexF *g = malloc(sizeof(flexF) + cap * 8);
  memcpy(g, f, sizeof(flexF) + f->n * 8);
  g->cap = cap;
  free(f);
  return g;
}
__attribute__((noinline)) static flexF *flexAdd(flexF *f, double v) {
  if (f->n == f->cap)
    f = flexGrow(f);
  f->d[f->n++] = v;
  return f;
}
double flex(const double *x, int n) {
  flexF *v = malloc(sizeof(flexF) + 8);
  v->n = 0;
  v->cap = 1;
  for (int i = 0; i < n; ++i)
    v = flexAdd(v, x[i] * x[i]);
  double s = 0;
  for (int i = 0; i < v->n; ++i)
    s += v->d[i] * (i + 1);
  free(v);
  return s;
}

ADZE_TEST_ARRAY(flex, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5))

// A header with text, and an array behind it.
typedef struct {
  size_t n;
  char unit[4];
  double d[];
} headerH;
__attribute__((noinline)) static headerH *headerClone(const headerH *h) {
  size_t b = sizeof(headerH) + h->n * sizeof(double);
  headerH *g = malloc(b);
  memcpy(g, h, b);
  return g;
}
double header(const double *x, int n) {
  headerH *h = malloc(sizeof(headerH) + n * 8);
  h->n = n;
  memcpy(h->unit, "kg", 3);
  for (int i = 0; i < n; ++i)
    h->d[i] = x[i] * x[i];
  headerH *g = headerClone(h);
  for (int i = 0; i < n; ++i)
    h->d[i] = 0;
  double s = 0;
  for (size_t i = 0; i < g->n; ++i)
    s += g->d[i] * (i + 1);
  s *= g->unit[0] == 'k';
  free(g);
  free(h);
  return s;
}

ADZE_TEST_ARRAY(header, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Records with padding behind numbers and pointers.
typedef struct {
  char c;
  double v;
} paddingA;
typedef struct {
  const char *name;
  char k;
  double v;
} paddingB;
__attribute__((noinline)) static void paddingCp(void *d, const void *s,
                                                size_t b) {
  memcpy(d, s, b);
}
double padding(const double *x, int n) {
  paddingA a[8], b[8];
  for (int i = 0; i < n; ++i) {
    a[i].c = 'a' + i;
    a[i].v = x[i] * x[i];
  }
  paddingCp(b, a, n * sizeof(paddingA));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i].v * (b[i].c - 'a' + 1);
  return s;
}

ADZE_TEST_ARRAY(padding, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))
double paddingMore(const double *x, int n) {
  paddingB a[8], b[8];
  for (int i = 0; i < n; ++i) {
    a[i].name = "ab";
    a[i].k = i;
    a[i].v = x[i] * x[i];
  }
  paddingCp(b, a, n * sizeof(paddingB));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i].v * (b[i].name[0] - 'a' + 1 + b[i].k);
  return s;
}

ADZE_TEST_ARRAY(paddingMore, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))
double paddingHeap(const double *x, int n) {
  paddingB *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; ++i) {
    a[i].name = "ab";
    a[i].k = i;
    a[i].v = x[i] * x[i];
  }
  paddingB *b = malloc(n * sizeof *b);
  memcpy(b, a, n * sizeof *a);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i].v * (i + 1);
  free(a);
  free(b);
  return s;
}

ADZE_TEST_ARRAY(paddingHeap, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A ring of slots.
typedef struct {
  char *b;
  size_t es, cap, head, tail;
} ring2Ring;
__attribute__((noinline)) static void ring2Put(ring2Ring *r, const void *p) {
  memcpy(r->b + (r->tail++ % r->cap) * r->es, p, r->es);
}
__attribute__((noinline)) static void ring2Take(ring2Ring *r, void *p) {
  memcpy(p, r->b + (r->head++ % r->cap) * r->es, r->es);
}
typedef struct {
  char t;
  float a;
  double v;
} ring2R;
double ring2(const double *x, int n) {
  ring2Ring r = {calloc(4, sizeof(ring2R)), sizeof(ring2R), 4, 0, 0};
  double s = 0;
  for (int i = 0; i < n; ++i) {
    ring2R q = {'c', (float)x[i], x[i] * x[i]};
    ring2Put(&r, &q);
    if (i % 2) {
      ring2R z;
      ring2Take(&r, &z);
      s += z.v * z.a;
    }
  }
  while (r.head < r.tail) {
    ring2R z;
    ring2Take(&r, &z);
    s += z.v * 2;
  }
  free(r.b);
  return s;
}

ADZE_TEST_ARRAY(ring2, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5),
                .tolerance = 1e-3, .step = 0.1)

// A table of keys and values of any size.
typedef struct {
  char *b;
  size_t ks, vs, cap;
} hmapMap;
__attribute__((noinline)) static char *hmapSlot(hmapMap *m, const void *k) {
  unsigned h = 0;
  for (size_t i = 0; i < m->ks; ++i)
    h = h * 31 + ((const unsigned char *)k)[i];
  size_t w = 1 + m->ks + m->vs;
  for (size_t i = h % m->cap;; i = (i + 1) % m->cap) {
    char *s = m->b + i * w;
    if (!*s || !memcmp(s + 1, k, m->ks))
      return s;
  }
}
__attribute__((noinline)) static void hmapSet(hmapMap *m, const void *k,
                                              const void *v) {
  char *s = hmapSlot(m, k);
  *s = 1;
  memcpy(s + 1, k, m->ks);
  memcpy(s + 1 + m->ks, v, m->vs);
}
__attribute__((noinline)) static int hmapGet(hmapMap *m, const void *k,
                                             void *v) {
  char *s = hmapSlot(m, k);
  if (!*s)
    return 0;
  memcpy(v, s + 1 + m->ks, m->vs);
  return 1;
}
double hmap(const double *x, int n) {
  hmapMap m = {calloc(16, 1 + 4 + 8), 4, 8, 16};
  for (int i = 0; i < n; ++i) {
    int k = i * 7;
    double v = x[i] * x[i];
    hmapSet(&m, &k, &v);
  }
  double s = 0;
  for (int i = 0; i < 2 * n; ++i) {
    int k = i * 7;
    double v;
    if (hmapGet(&m, &k, &v))
      s += v * (i + 1);
  }
  free(m.b);
  return s;
}

ADZE_TEST_ARRAY(hmap, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A list whose nodes hold anything.
typedef struct glistNode {
  struct glistNode *next;
  char data[];
} glistNode;
__attribute__((noinline)) static glistNode *glistCons(glistNode *l,
                                                      const void *p, size_t n) {
  glistNode *k = malloc(sizeof(glistNode) + n);
  k->next = l;
  memcpy(k->data, p, n);
  return k;
}
typedef struct {
  int a;
  double v;
} glistR;
double glist(const double *x, int n) {
  glistNode *l = 0;
  for (int i = 0; i < n; ++i) {
    glistR r = {i, x[i] * x[i]};
    l = glistCons(l, &r, sizeof r);
  }
  double s = 0;
  while (l) {
    glistR r;
    memcpy(&r, l->data, sizeof r);
    s += r.v * (r.a + 1);
    glistNode *t = l->next;
    free(l);
    l = t;
  }
  return s;
}

ADZE_TEST_ARRAY(glist, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Callbacks on records.
__attribute__((noinline)) static void callbackEach(void *b, size_t n, size_t sz,
                                                   void (*cb)(void *, void *),
                                                   void *ctx) {
  for (size_t i = 0; i < n; ++i)
    cb((char *)b + i * sz, ctx);
}
__attribute__((noinline)) static void callbackMapto(void *o, const void *b,
                                                    size_t n, size_t sz) {
  for (size_t i = 0; i < n; ++i)
    memcpy((char *)o + i * sz, (const char *)b + (n - 1 - i) * sz, sz);
}
typedef struct {
  short a;
  double v;
  char t[3];
} callbackR;
static void callbackAddup(void *e, void *c) {
  callbackR *r = e;
  *(double *)c += r->v * r->a;
}
static void callbackDbl(void *e, void *c) {
  callbackR *r = e;
  r->v *= 2;
  (void)c;
}
double callback(const double *x, int n) {
  callbackR a[8], b[8];
  for (int i = 0; i < n; ++i) {
    a[i].a = i + 1;
    a[i].v = x[i] * x[i];
    a[i].t[0] = 0;
  }
  callbackMapto(b, a, n, sizeof(callbackR));
  double s = 0;
  callbackEach(b, n, sizeof(callbackR), callbackDbl, 0);
  callbackEach(b, n, sizeof(callbackR), callbackAddup, &s);
  return s * b[0].v;
}

ADZE_TEST_ARRAY(callback, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Numbers at one time, floats at another.
__attribute__((noinline)) static void slotsMv(void *d, const void *s,
                                              size_t n) {
  memmove(d, s, n);
}
double slots(const double *x, int n) {
  char a[64], b[64];
  double s = 0;
  for (int r = 0; r < n; ++r) {
    if (r % 2) {
      long k[4] = {r, 2, 3, 4};
      slotsMv(a, k, sizeof k);
      slotsMv(b, a, 32);
      long q[4];
      slotsMv(q, b, 32);
      s += q[0] * q[3] * x[r];
    } else {
      double k[4] = {x[r], 2, x[0], 4};
      slotsMv(a, k, sizeof k);
      slotsMv(b, a, 32);
      double q[4];
      slotsMv(q, b, 32);
      s += q[0] * q[3] + q[2] * q[2];
    }
  }
  return s;
}

ADZE_TEST_ARRAY(slots, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A tagged union.
typedef struct {
  int tag;
  union {
    double d;
    long i;
    char s[8];
  } u;
} unionsVar;
__attribute__((noinline)) static void unionsCopyn(unionsVar *d,
                                                  const unionsVar *s, int n) {
  memcpy(d, s, n * sizeof *s);
}
double unions(const double *x, int n) {
  unionsVar a[8], b[8];
  for (int i = 0; i < n; ++i) {
    a[i].tag = i % 3;
    if (i % 3 == 0)
      a[i].u.d = x[i] * x[i];
    else if (i % 3 == 1)
      a[i].u.i = i;
    else
      strcpy(a[i].u.s, "ab");
  }
  unionsCopyn(b, a, n);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (b[i].tag == 0)
      s += b[i].u.d * (i + 1);
    else if (b[i].tag == 1)
      s += b[i].u.i == i ? x[0] : 0;
    else
      s += b[i].u.s[0] == 'a' ? x[1] : 0;
  }
  return s;
}

ADZE_TEST_ARRAY(unions, 5, ADZE_AT(0.5, 0.25, -0.6, 0.75, 1.5))

// An exchange by a buffer.
__attribute__((noinline)) static void swaptmpSwp(void *a, void *b, size_t n) {
  char t[64];
  memcpy(t, a, n);
  memcpy(a, b, n);
  memcpy(b, t, n);
}
typedef struct {
  int k;
  char c;
  double v;
} swaptmpR;
double swaptmp(const double *x, int n) {
  swaptmpR a[8];
  for (int i = 0; i < n; ++i) {
    a[i].k = i;
    a[i].v = x[i] * x[i];
    a[i].c = 'a' + i;
  }
  for (int i = 0; i < n / 2; ++i)
    swaptmpSwp(&a[i], &a[n - 1 - i], sizeof(swaptmpR));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i].v * (i + 1) + a[i].k;
  return s;
}

ADZE_TEST_ARRAY(swaptmp, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5))

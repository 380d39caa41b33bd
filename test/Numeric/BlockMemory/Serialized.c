// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats in buffers of bytes and words, between lengths, tags and texts.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A buffer that grows, with texts between.
typedef struct {
  unsigned char *data;
  size_t at, room;
} bufferedBuf;
static void bufferedPut(bufferedBuf *b, const void *p, size_t n) {
  if (b->at + n > b->room) {
    b->room = 2 * (b->at + n);
    b->data = realloc(b->data, b->room);
  }
  memcpy(b->data + b->at, p, n);
  b->at += n;
}
static void bufferedGet(bufferedBuf *b, void *p, size_t n) {
  memcpy(p, b->data + b->at, n);
  b->at += n;
}
static void bufferedPut_u32(bufferedBuf *b, uint32_t v) {
  bufferedPut(b, &v, 4);
}
static uint32_t bufferedGet_u32(bufferedBuf *b) {
  uint32_t v;
  bufferedGet(b, &v, 4);
  return v;
}
static void bufferedPut_f64(bufferedBuf *b, double v) { bufferedPut(b, &v, 8); }
static double bufferedGet_f64(bufferedBuf *b) {
  double v;
  bufferedGet(b, &v, 8);
  return v;
}
static void bufferedPut_str(bufferedBuf *b, const char *s) {
  uint32_t n = strlen(s);
  bufferedPut_u32(b, n);
  bufferedPut(b, s, n);
}
static void bufferedSkip_str(bufferedBuf *b) {
  uint32_t n = bufferedGet_u32(b);
  b->at += n;
}
double buffered(const double *x, int n) {
  bufferedBuf b = {0, 0, 0};
  bufferedPut_u32(&b, n);
  for (int i = 0; i < n; i++) {
    bufferedPut_str(&b, "name");
    bufferedPut_f64(&b, x[i] * x[i]);
    bufferedPut_u32(&b, i);
  }
  b.at = 0;
  double s = 0;
  uint32_t m = bufferedGet_u32(&b);
  for (uint32_t i = 0; i < m; i++) {
    bufferedSkip_str(&b);
    double v = bufferedGet_f64(&b);
    uint32_t k = bufferedGet_u32(&b);
    s += v * (k + 1) * v;
  }
  free(b.data);
  return s;
}
ADZE_TEST_ARRAY(buffered, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A ring of words with headers.
typedef struct {
  uint32_t w[64];
  unsigned head, tail;
} wordRingRing;
static void wordRingPut_w(wordRingRing *r, uint32_t v) {
  r->w[r->tail++ % 64] = v;
}
static uint32_t wordRingGet_w(wordRingRing *r) { return r->w[r->head++ % 64]; }
static void wordRingSend(wordRingRing *r, int id, const double *v, int n) {
  wordRingPut_w(r, id);
  wordRingPut_w(r, n);
  for (int i = 0; i < n; i++) {
    uint32_t h[2];
    memcpy(h, v + i, 8);
    wordRingPut_w(r, h[0]);
    wordRingPut_w(r, h[1]);
  }
}
static int wordRingRecv(wordRingRing *r, int *id, double *v) {
  if (r->head == r->tail)
    return -1;
  *id = wordRingGet_w(r);
  int n = wordRingGet_w(r);
  for (int i = 0; i < n; i++) {
    uint32_t h[2];
    h[0] = wordRingGet_w(r);
    h[1] = wordRingGet_w(r);
    memcpy(v + i, h, 8);
  }
  return n;
}
double wordRing(const double *x, int n) {
  wordRingRing r;
  r.head = r.tail = 0;
  for (int i = 0; i < n; i++) {
    double t[3] = {x[i], x[i] * x[i], 1};
    wordRingSend(&r, i, t, 1 + i % 3);
  }
  double s = 0, v[4];
  int id, m;
  while ((m = wordRingRecv(&r, &id, v)) >= 0)
    for (int k = 0; k < m; k++)
      s += v[k] * v[k] * (id + 1 + k);
  return s;
}
ADZE_TEST_ARRAY(wordRing, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Records of two kinds in one buffer of bytes.
typedef struct {
  char t;
  double v;
  int k;
} twoRecordsA;
typedef struct {
  int k;
  float a, b;
  double w[2];
} twoRecordsB;
static char *twoRecordsPut(char *p, const void *e, size_t n) {
  const char *c = e;
  while (n--)
    *p++ = *c++;
  return p;
}
static const char *twoRecordsGet(const char *p, void *e, size_t n) {
  char *c = e;
  while (n--)
    *c++ = *p++;
  return p;
}
double twoRecords(const double *x, int n) {
  char buf[1024], *to = buf;
  const char *from = buf;
  for (int i = 0; i < n; i++) {
    if (i % 2) {
      char t = 1;
      to = twoRecordsPut(to, &t, 1);
      twoRecordsA a = {'q', x[i] * x[i], i};
      to = twoRecordsPut(to, &a, sizeof a);
    } else {
      char t = 2;
      to = twoRecordsPut(to, &t, 1);
      twoRecordsB b = {i, (float)0.5, (float)0.25, {x[i], x[i] * x[0]}};
      to = twoRecordsPut(to, &b, sizeof b);
    }
  }
  double s = 0;
  while (from < to) {
    char t;
    from = twoRecordsGet(from, &t, 1);
    if (t == 1) {
      twoRecordsA a;
      from = twoRecordsGet(from, &a, sizeof a);
      s += a.v * (a.k + 1);
    } else {
      twoRecordsB b;
      from = twoRecordsGet(from, &b, sizeof b);
      s += b.w[0] * b.w[1] * (b.k + 2) * b.a + b.b;
    }
  }
  return s;
}
ADZE_TEST_ARRAY(twoRecords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Sections with lengths of variable size, and a table of offsets.
static size_t sectionsVarint(unsigned char *p, uint64_t v) {
  size_t n = 0;
  do {
    p[n] = v & 0x7f;
    v >>= 7;
    if (v)
      p[n] |= 0x80;
    n++;
  } while (v);
  return n;
}
static size_t sectionsUnvarint(const unsigned char *p, uint64_t *v) {
  size_t n = 0;
  int sh = 0;
  *v = 0;
  for (;;) {
    *v |= (uint64_t)(p[n] & 0x7f) << sh;
    sh += 7;
    if (!(p[n++] & 0x80))
      return n;
  }
}
double sections(const double *x, int n) {
  unsigned char b[512];
  size_t at = 0;
  uint32_t off[8];
  at = 4 * 8;
  for (int i = 0; i < n; i++) {
    off[i] = at;
    at += sectionsVarint(b + at, i * 100);
    at += sectionsVarint(b + at, i + 1);
    for (int k = 0; k <= i; k++) {
      double v = x[i] * x[k];
      memcpy(b + at, &v, 8);
      at += 8;
    }
  }
  memcpy(b, off, 4 * n);
  double s = 0;
  for (int i = 0; i < n; i++) {
    uint32_t o;
    memcpy(&o, b + 4 * i, 4);
    uint64_t id, m;
    o += sectionsUnvarint(b + o, &id);
    o += sectionsUnvarint(b + o, &m);
    for (uint64_t k = 0; k < m; k++) {
      double v;
      memcpy(&v, b + o, 8);
      o += 8;
      s += v * (id + k + 1) * 0.01;
    }
  }
  return s;
}
ADZE_TEST_ARRAY(sections, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Packed members, copied by a table.
#pragma pack(push, 1)
typedef struct {
  char c;
  double d;
  short s;
  float q;
  int64_t l;
  double e;
} reflectedP;
#pragma pack(pop)
typedef struct {
  size_t off, size;
  int type;
} reflectedField;
static const reflectedField reflectedF[] = {
    {offsetof(reflectedP, c), 1, 0}, {offsetof(reflectedP, d), 8, 1},
    {offsetof(reflectedP, s), 2, 0}, {offsetof(reflectedP, q), 4, 2},
    {offsetof(reflectedP, l), 8, 0}, {offsetof(reflectedP, e), 8, 1}};
static void reflectedTransfer(void *d, const void *s) {
  for (int k = 0; k < 6; k++)
    memcpy((char *)d + reflectedF[k].off, (const char *)s + reflectedF[k].off,
           reflectedF[k].size);
}
static double reflectedTotal(const void *p) {
  double t = 0;
  for (int k = 0; k < 6; k++) {
    const char *q = (const char *)p + reflectedF[k].off;
    if (reflectedF[k].type == 1) {
      double v;
      memcpy(&v, q, 8);
      t += v * (k + 1);
    } else if (reflectedF[k].size == 8) {
      int64_t l;
      memcpy(&l, q, 8);
      t += l;
    }
  }
  return t;
}
double reflected(const double *x, int n) {
  reflectedP a[4], b[4];
  for (int i = 0; i < n; i++) {
    reflectedP p = {'c', x[i] * x[i], i, 1.5f, i, x[i] * x[0]};
    a[i] = p;
    reflectedTransfer(&b[i], &a[i]);
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += reflectedTotal(&b[i]) * (i + 1);
  return s;
}
ADZE_TEST_ARRAY(reflected, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Cells of a machine that hold numbers or floats.
typedef struct {
  int op, a, b, c;
} cellsIns;
typedef struct {
  int64_t r[8];
} cellsVM;
static double cellsAsd(int64_t v) {
  double d;
  memcpy(&d, &v, 8);
  return d;
}
static int64_t cellsAsi(double d) {
  int64_t v;
  memcpy(&v, &d, 8);
  return v;
}
static void cellsRun(cellsVM *m, const cellsIns *p, int n, const double *x) {
  for (int i = 0; i < n; i++) {
    cellsIns q = p[i];
    switch (q.op) {
    case 0:
      m->r[q.a] = cellsAsi(x[q.b]);
      break;
    case 1:
      m->r[q.a] = cellsAsi(cellsAsd(m->r[q.b]) * cellsAsd(m->r[q.c]));
      break;
    case 2:
      m->r[q.a] = q.b;
      break;
    case 3:
      m->r[q.a] = m->r[q.b] + m->r[q.c];
      break;
    case 4:
      m->r[q.a] = cellsAsi(cellsAsd(m->r[q.b]) * (double)m->r[q.c]);
      break;
    case 5:
      m->r[q.a] = m->r[q.b];
      break;
    }
  }
}
double cells(const double *x, int n) {
  static const cellsIns P[] = {{0, 0, 0, 0}, {0, 1, 1, 0}, {1, 2, 0, 1},
                               {2, 3, 5, 0}, {3, 3, 3, 3}, {4, 2, 2, 3},
                               {0, 4, 2, 0}, {1, 2, 2, 4}, {5, 5, 2, 0},
                               {0, 0, 3, 0}, {1, 5, 5, 0}};
  cellsVM m;
  memset(&m, 0, sizeof m);
  cellsRun(&m, P, 11, x);
  return cellsAsd(m.r[5]);
}
ADZE_TEST_ARRAY(cells, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Words of 64 and of 16 bits, between numbers.
typedef struct {
  uint64_t w[64];
  unsigned head, tail;
  uint16_t q[64];
} mixedWordsRing;
double mixedWords(const double *x, int n) {
  mixedWordsRing r;
  r.head = r.tail = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i];
    r.w[r.tail++] = n + i;
    memcpy(&r.w[r.tail++], &v, 8);
    uint16_t h[4];
    memcpy(h, &v, 8);
    for (int k = 0; k < 4; k++)
      r.q[i * 5 + 1 + k] = h[k];
    r.q[i * 5] = 7 + i;
  }
  double s = 0;
  for (int i = 0; i < n; i++) {
    int k = r.w[r.head++];
    uint64_t u = r.w[r.head++];
    double v;
    memcpy(&v, &u, 8);
    double z;
    memcpy(&z, &r.q[i * 5 + 1], 8);
    s += v * z * k + r.q[i * 5];
  }
  return s;
}
ADZE_TEST_ARRAY(mixedWords, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// A table whose nodes end in the bytes of key and value.
typedef struct hashedNode {
  struct hashedNode *next;
  uint32_t hash;
  uint16_t klen, vlen;
  unsigned char bytes[];
} hashedNode;
static uint32_t hashedHash(const void *p, size_t n) {
  uint32_t h = 2166136261u;
  const unsigned char *c = p;
  for (size_t i = 0; i < n; i++) {
    h ^= c[i];
    h *= 16777619u;
  }
  return h;
}
typedef struct {
  hashedNode *b[8];
} hashedTab;
static void *hashedFind(hashedTab *t, const void *k, size_t kn) {
  uint32_t h = hashedHash(k, kn);
  for (hashedNode *p = t->b[h % 8]; p; p = p->next)
    if (p->hash == h && p->klen == kn && !memcmp(p->bytes, k, kn))
      return p->bytes + kn;
  return 0;
}
static void hashedPut(hashedTab *t, const void *k, size_t kn, const void *v,
                      size_t vn) {
  void *o = hashedFind(t, k, kn);
  if (o) {
    memcpy(o, v, vn);
    return;
  }
  hashedNode *p = malloc(sizeof(hashedNode) + kn + vn);
  p->hash = hashedHash(k, kn);
  p->klen = kn;
  p->vlen = vn;
  memcpy(p->bytes, k, kn);
  memcpy(p->bytes + kn, v, vn);
  p->next = t->b[p->hash % 8];
  t->b[p->hash % 8] = p;
}
double hashed(const double *x, int n) {
  hashedTab t;
  memset(&t, 0, sizeof t);
  const char *names[4] = {"alpha", "beta", "gamma", "delta12"};
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i];
    hashedPut(&t, names[i], strlen(names[i]) + 1, &v, 8);
  }
  double w = x[0] * x[1];
  hashedPut(&t, "beta", 5, &w, 8);
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v;
    memcpy(&v, hashedFind(&t, names[i], strlen(names[i]) + 1), 8);
    s += v * v * (i + 1);
  }
  for (int i = 0; i < 8; i++)
    for (hashedNode *p = t.b[i], *q; p; p = q) {
      q = p->next;
      free(p);
    }
  return s;
}
ADZE_TEST_ARRAY(hashed, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Frames of several lengths; what was read is moved over.
typedef struct {
  unsigned char d[256];
  size_t n;
} framesBuffer;
static void framesPut(framesBuffer *b, const void *p, uint16_t n) {
  memcpy(b->d + b->n, &n, 2);
  memcpy(b->d + b->n + 2, p, n);
  b->n += 2 + n;
}
static int framesTake(framesBuffer *b, void *p) {
  if (b->n < 2)
    return 0;
  uint16_t n;
  memcpy(&n, b->d, 2);
  memcpy(p, b->d + 2, n);
  memmove(b->d, b->d + 2 + n, b->n - 2 - n);
  b->n -= 2 + n;
  return n;
}
double frames(const double *x, int n) {
  framesBuffer b;
  b.n = 0;
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v[2] = {x[i], x[i] * x[0]};
    framesPut(&b, v, 8 * (1 + i % 2));
    if (i == 1) {
      double q[2];
      int m = framesTake(&b, q);
      s += q[0] * q[0] * m;
    }
  }
  double q[2];
  int m, k = 1;
  while ((m = framesTake(&b, q))) {
    s += q[0] * k;
    if (m > 8)
      s += q[1] * q[0];
    k++;
  }
  return s;
}
ADZE_TEST_ARRAY(frames, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

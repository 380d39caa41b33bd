# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with containers that know of their elements only how many bytes they have."""
from .records import RecordPieces

# What each piece has: a container of void * and a size, for elements of any kind. The pieces
# below put several kinds of elements through the same functions.
VECTOR = """
let C: void | char | unsigned char
struct Vec$P { ?{$C *data; size_t size, count, room;?|size_t size; int count, room; $C *data;?|int count; $C *data; size_t size; long room;?} };
static void init$P(struct Vec$P *v, size_t size) { v->data = 0; v->size = size; v->count = v->room = 0; }
static $far void *at$P(const struct Vec$P *v, size_t i) { return (char *)v->data + i*v->size; }
static $far void room$P(struct Vec$P *v) {
  if (v->count < v->room) return;
  v->room = v->room ? 2*v->room : ?{2?|1?|3?};
  ?{v->data = ($C *)realloc(v->data, v->room*v->size);?|
  $C *data = ($C *)malloc(v->room*v->size);
  if (v->count) memcpy(data, v->data, v->count*v->size);
  free(v->data);
  v->data = data;?|
  char *data = (char *)calloc(v->room, v->size);
  for (size_t i = 0; i < v->count*v->size; i++) data[i] = ((char *)v->data)[i];
  free(v->data);
  v->data = ($C *)data;?}
}
static $far void push$P(struct Vec$P *v, const void *e) {
  room$P(v);
  ?{memcpy(at$P(v, v->count++), e, v->size);?|memcpy((char *)v->data + v->count*v->size, e, v->size);
  v->count++;?}
}
static $far void insert$P(struct Vec$P *v, int i, const void *e) {
  room$P(v);
  ?{memmove(at$P(v, i + 1), at$P(v, i), (v->count - i)*v->size);?|
  for (int k = v->count; k > i; k--) memcpy(at$P(v, k), at$P(v, k - 1), v->size);?}
  memcpy(at$P(v, i), e, v->size);
  v->count++;
}
static $far void erase$P(struct Vec$P *v, int i) {
  if ((size_t)i >= (size_t)v->count) return;
  ?{memmove(at$P(v, i), at$P(v, i + 1), (v->count - i - 1)*v->size);?|
  if (i + 1 < (int)v->count) memcpy(at$P(v, i), at$P(v, v->count - 1), v->size);?}
  v->count--;
}
static $far void swap$P(struct Vec$P *v, int i, int j) {
  char *p = (char *)at$P(v, i), *q = (char *)at$P(v, j);
  if (i == j) return;
  ?{for (size_t k = 0; k < v->size; k++) { char t = p[k]; p[k] = q[k]; q[k] = t; }?|
  char t[512];
  memcpy(t, p, v->size);
  memcpy(p, q, v->size);
  memcpy(q, t, v->size);?|
  void *t = malloc(v->size);
  memcpy(t, p, v->size);
  memmove(p, q, v->size);
  memcpy(q, t, v->size);
  free(t);?}
}
USES
"""
VECTOR_USES = """
static int before$P(const void *p, const void *q) {
  ?{int i = ((const struct $R1 *)p)->key, j = ((const struct $R1 *)q)->key;
  return i < j ? -1 : i > j;?|const struct $R1 *u = (const struct $R1 *)p, *v = (const struct $R1 *)q;
  return (u->v > v->v) - (u->v < v->v);?}
}
PIECE {
  REAL r = 0.1*a;
  struct Vec$P u, v;
  init$P(&u, sizeof(struct $R1));
  init$P(&v, sizeof(?{REAL?|struct $R2?|REAL?}));
  struct $R1 one;
  for (int i = 0; i < ?{6?|9?|steps + 5?}; i++) {
    make$R1(&one, w, at[i], $e);
    ?{push$P(&u, &one);?|insert$P(&u, ?{0?|i/2?|(int)u.count?}, &one);?|if (at[i] & 1) push$P(&u, &one); else insert$P(&u, 0, &one);?}
    if (v.size == sizeof(REAL)) {
      REAL t = ${a}*y[i];
      push$P(&v, &t);
    } else {
      struct $R2 two;
      make$R2(&two, y, i, a);
      ?{push$P(&v, &two);?|insert$P(&v, i/2, &two);?}
    }
  }
  ?{erase$P(&u, at[2] % 4); erase$P(&v, 1);?|erase$P(&u, 0);?|?}
  ?{swap$P(&u, 0, 3); swap$P(&v, at[3] & 3, 1);?|swap$P(&v, 0, (int)v.count - 1);?|?}
  ?{qsort(u.data, u.count, u.size, before$P);?|
  for (int i = 1; i < (int)u.count; i++)
    for (int k = i; k > 0 && before$P(at$P(&u, k), at$P(&u, k - 1)) < 0; k--) swap$P(&u, k, k - 1);?|?}
  for (int i = 0; i < (int)u.count; i++) {
    struct $R1 *p = (struct $R1 *)at$P(&u, i);
    ?{change$R1(p, $e);?|?}
    r = 0.8*r + 0.2*read$R1(p, a);
  }
  for (int i = 0; i < (int)v.count; i++)
    if (v.size == sizeof(REAL)) r += 0.1**(REAL *)at$P(&v, i);
    else r = 0.9*r + 0.1*read$R2((struct $R2 *)at$P(&v, i), a);
  free(u.data);
  free(v.data);
  return r;
}
"""
VECTOR = VECTOR.replace("USES\n", VECTOR_USES.strip() + "\n")

# A ring buffer of elements of a size that it is told.
RING = """
struct Ring$P { char *bytes; size_t size; unsigned head, count, room; };
static $far int put$P(struct Ring$P *q, const void *e) {
  if (q->count == q->room) return 0;
  memcpy(q->bytes + (q->head + q->count) % q->room*q->size, e, q->size);
  q->count++;
  return 1;
}
static $far int take$P(struct Ring$P *q, void *e) {
  if (!q->count) return 0;
  ?{memcpy(e, q->bytes + q->head*q->size, q->size);?|const char *p = q->bytes + q->head*q->size;
  for (size_t i = 0; i < q->size; i++) ((char *)e)[i] = p[i];?}
  q->head = (q->head + 1) % q->room;
  q->count--;
  return 1;
}
PIECE {
  REAL r = 0.1*a;
  struct Ring$P q = {0, sizeof(?{struct $R1?|struct $R1?}), 0, 0, ?{4?|5?|(unsigned)steps + 2?}};
  q.bytes = (char *)?{malloc(q.room*q.size)?|calloc(q.room, q.size)?};
  ?{struct Ring$P p = {(char *)malloc(3*sizeof(REAL)), sizeof(REAL), 0, 0, 3};?|
  struct Ring$P p = {(char *)malloc(3*sizeof(struct $R2)), sizeof(struct $R2), 0, 0, 3};?}
  for (int i = 0; i < n; i++) {
    struct $R1 one;
    make$R1(&one, w, i, a);
    if (!put$P(&q, &one)) {
      struct $R1 out;
      take$P(&q, &out);
      r = 0.8*r + 0.2*read$R1(&out, $e);
      ?{change$R1(&out, 0.5);
      put$P(&q, &out);?|put$P(&q, &one);?}
    }
    if (p.size == sizeof(REAL)) {
      REAL t = y[i]*r, last;
      if (!put$P(&p, &t) && take$P(&p, &last)) r += 0.1*last;
    } else {
      struct $R2 t;
      make$R2(&t, y, i, a);
      if (!put$P(&p, &t) && take$P(&p, &t)) r += 0.1*read$R2(&t, a);
    }
  }
  struct $R1 out;
  while (take$P(&q, &out)) r += 0.1*read$R1(&out, a);
  free(q.bytes);
  free(p.bytes);
  return r;
}
"""

# Blocks that end in as many elements as there are, and grow.
FLEXIBLE = """
let K: int | size_t | long
struct Flex$P { ?{$K count, room;?|$K count, room; REAL sum;?|char name[8]; $K count; int room;?} ?{REAL?|struct $R1?|struct { int id; REAL v; }?} e[]; };
static $far struct Flex$P *grown$P(struct Flex$P *old, int room) {
  size_t bytes = ?{sizeof(struct Flex$P)?|offsetof(struct Flex$P, e)?} + room*sizeof old->e[0];
  ?{struct Flex$P *p = (struct Flex$P *)realloc(old, bytes);
  if (!old) p->count = 0;?|
  struct Flex$P *p = (struct Flex$P *)malloc(bytes);
  p->count = 0;
  if (old) {
    memcpy(p, old, sizeof *old + old->count*sizeof old->e[0]);
    free(old);
  }?|
  struct Flex$P *p = (struct Flex$P *)calloc(1, bytes);
  if (old) {
    p->count = old->count;
    memcpy(p->e, old->e, old->count*sizeof p->e[0]);
    free(old);
  }?}
  p->room = room;
  return p;
}
static $far struct Flex$P *add$P(struct Flex$P *p, const void *e) {
  if (!p || p->count == p->room) p = grown$P(p, p ? 2*p->room : 2);
  memcpy(&p->e[p->count++], e, sizeof p->e[0]);
  return p;
}
PIECE {
  REAL r = 0.1*a;
  struct Flex$P *p = ?{0?|grown$P(0, 3)?};
  for (int i = 0; i < ?{n?|7?|steps + 4?}; i++) {
    ELEMENT
  }
  for (int i = 0; i < (int)p->count; i++) r = 0.8*r + 0.2*(READ);
  ?{memmove(p->e, p->e + 1, (p->count - 1)*sizeof p->e[0]);?|p->e[1] = p->e[(int)p->count - 1];?|?}
  for (int i = 0; i + 1 < (int)p->count; i++) r += 0.1*(READ)*w[i];
  free(p);
  return r;
}
"""
NUMBERS = (FLEXIBLE.replace("?{REAL?|struct $R1?|struct { int id; REAL v; }?}", "REAL")
           .replace("ELEMENT", "REAL e = ${a}*w[i];\n    p = add$P(p, &e);")
           .replace("READ", "p->e[i]"))
PAIRS = (FLEXIBLE.replace("?{REAL?|struct $R1?|struct { int id; REAL v; }?}", "struct $R1")
         .replace("ELEMENT", "struct $R1 e;\n    make$R1(&e, w, i, $e);\n    p = add$P(p, &e);")
         .replace("READ", "read$R1(&p->e[i], a)"))

# A list and a table by keys whose nodes end in the bytes of an element.
NODES = """
struct Node$P { struct Node$P *next; ?{int key;?|size_t size; int key;?|short key;?} };
struct Map$P { struct Node$P *bucket[4]; size_t size; int count; };
static $far void *of$P(struct Node$P *node) { return node + 1; }
static $far void *slot$P(struct Map$P *m, int key) {
  struct Node$P **to = &m->bucket[key & 3];
  while (*to && (*to)->key != key) to = &(*to)->next;
  if (!*to) {
    ?{*to = (struct Node$P *)calloc(1, sizeof(struct Node$P) + m->size);?|
    *to = (struct Node$P *)malloc(sizeof(struct Node$P) + m->size);
    memset(*to, 0, sizeof(struct Node$P) + m->size);?}
    (*to)->key = key;
    m->count++;
  }
  return of$P(*to);
}
static $far void set$P(struct Map$P *m, int key, const void *value) { memcpy(slot$P(m, key), value, m->size); }
static $far void each$P(struct Map$P *m, void (*f)(void *value, void *ctx), void *ctx) {
  for (int i = 0; i < 4; i++)
    for (struct Node$P *p = m->bucket[i]; p; p = p->next) f(of$P(p), ctx);
}
static void drop$P(struct Map$P *m) {
  for (int i = 0; i < 4; i++)
    for (struct Node$P *p = m->bucket[i]; p;) { struct Node$P *next = p->next; free(p); p = next; }
}
struct Sum$P { int count; REAL sum, a; };
static void add$P(void *value, void *ctx) {
  struct Sum$P *s = (struct Sum$P *)ctx;
  struct $R1 r;
  memcpy(&r, value, sizeof r);
  s->sum = 0.8*s->sum + 0.2*read$R1(&r, s->a);
  s->count++;
}
static void scale$P(void *value, void *ctx) {
  ?{*(REAL *)value *= *(REAL *)ctx;?|REAL t;
  memcpy(&t, value, sizeof t);
  t = sin(t**(REAL *)ctx);
  memcpy(value, &t, sizeof t);?}
}
PIECE {
  REAL r = 0.1*a;
  struct Map$P m = {{0}, sizeof(struct $R1), 0}, k = {{0}, sizeof(REAL), 0};
  for (int i = 0; i < ?{8?|n?}; i++) {
    struct $R1 one;
    make$R1(&one, w, i, $e);
    set$P(&m, at[i], &one);
    ?{set$P(&k, at[i] & 7, &w[i]);?|REAL t = w[i]*a; set$P(&k, i & 7, &t);?|*(REAL *)slot$P(&k, i & 3) += w[i];?}
  }
  each$P(&k, scale$P, ?{&a?|&w[3]?});
  struct Sum$P s = {0, 0.0, a};
  each$P(&m, add$P, &s);
  r += s.sum + 0.1*s.count + *(REAL *)slot$P(&k, 1)**(REAL *)slot$P(&k, ?{2?|at[3] & 7?});
  drop$P(&m);
  drop$P(&k);
  return r;
}
"""

# Memory from an arena of bytes, and copies of what is only known by its size.
ARENA = """
struct Arena$P { char *bytes; size_t used, room; };
static $far void *get$P(struct Arena$P *m, size_t bytes) {
  size_t at = (m->used + 15) & ~(size_t)15;
  ?{m->used = at + bytes;
  return m->bytes + at;?|void *p = m->bytes + at;
  m->used = at + ((bytes + 15)/16)*16;
  return p;?}
}
static $far void *clone$P(?{struct Arena$P *m, const void *p, size_t bytes?|struct Arena$P *m, void *p, size_t bytes?}) {
  void *q = ?{get$P(m, bytes)?|m->used + bytes < m->room ? get$P(m, bytes) : malloc(bytes)?};
  return ?{memcpy(q, p, bytes)?|memmove(q, p, bytes)?};
}
static $far void turn$P(void *p, size_t count, size_t size) {
  char *b = (char *)p, t[512];
  for (size_t i = 0; i < count/2; i++) {
    ?{memcpy(t, b + i*size, size);
    memcpy(b + i*size, b + (count - 1 - i)*size, size);
    memcpy(b + (count - 1 - i)*size, t, size);?|
    for (size_t k = 0; k < size; k++) {
      t[0] = b[i*size + k];
      b[i*size + k] = b[(count - 1 - i)*size + k];
      b[(count - 1 - i)*size + k] = t[0];
    }?}
  }
}
PIECE {
  REAL r = 0.1*a;
  struct Arena$P m = {?{(char *)malloc(8192)?|(char *)calloc(1, 8192)?}, 0, 8192};
  REAL *u = (REAL *)get$P(&m, n*sizeof(REAL));
  struct $R1 *v = (struct $R1 *)get$P(&m, 5*sizeof(struct $R1));
  ?{int *k = (int *)get$P(&m, n*sizeof(int));
  for (int i = 0; i < n; i++) k[i] = at[i];?|const int *k = at;?}
  for (int i = 0; i < n; i++) u[i] = w[k[i]]*$e;
  for (int i = 0; i < 5; i++) make$R1(&v[i], ?{w?|u?}, i, a);
  turn$P(u, n, sizeof *u);
  turn$P(v, ?{5?|steps + 1?}, sizeof *v);
  REAL *p = (REAL *)clone$P(&m, u, ?{n?|4?|(n - 2)?}*sizeof(REAL));
  struct $R1 *q = (struct $R1 *)clone$P(&m, &v[1], 2*sizeof *v);
  for (int i = 0; i < 4; i++) p[i] *= a;
  change$R1(q, 0.6);
  for (int i = 0; i < 5; i++) r += 0.1*read$R1(&v[i], p[i & 3]);
  ?{m.used = 0;
  REAL *again = (REAL *)get$P(&m, 4*sizeof(REAL));
  for (int i = 0; i < 4; i++) again[i] = w[i]*r;
  r += again[2]*again[3];?|for (int i = 0; i < n; i++) r += 0.1*u[i]*w[i];?}
  r += 0.2*read$R1(&q[0], a) + read$R1(&q[1], 0.4);
  free(m.bytes);
  return r;
}
"""

# qsort and bsearch on what the comparison knows: numbers, records, pointers to them.
SORTED = """
static int numbers$P(const void *p, const void *q) {
  const REAL u = *(const REAL *)p, v = *(const REAL *)q;
  return ?{u < v ? -1 : u > v?|(u > v) - (u < v)?|u < v ? 1 : u > v ? -1 : 0?};
}
static int keys$P(const void *p, const void *q) {
  return (int)((const struct $R1 *)p)->key - (int)((const struct $R1 *)q)->key;
}
static int behind$P(const void *p, const void *q) {
  const REAL *u = *(REAL *const *)p, *v = *(REAL *const *)q;
  return (*u > *v) - (*u < *v);
}
PIECE {
  REAL r = 0.1*a;
  ?{block q
  qsort(q, ?{n?|8?}, sizeof(REAL), numbers$P);
  r += q[2]*a + q[$i]*q[5];
  done q?|
  REAL *p[8];
  for (int i = 0; i < 8; i++) p[i] = &w[i];
  qsort(p, 8, sizeof p[0], behind$P);
  *p[2] = 0.5**p[2] + a;
  r += *p[1]**p[6];?|
  r += a;?}
  struct $R1 rec[?{6?|9?}];
  int count = sizeof rec/sizeof rec[0];
  for (int i = 0; i < count; i++) make$R1(&rec[i], w, i, $e);
  qsort(rec, count, sizeof rec[0], keys$P);
  struct $R1 key;
  memset(&key, 0, sizeof key);
  key.key = ?{7?|3?|1?};
  struct $R1 *found = (struct $R1 *)bsearch(&key, rec, count, sizeof rec[0], keys$P);
  if (found) { change$R1(found, ${a r}); r += read$R1(found, a); }
  for (int i = 0; i < count; i++) r = 0.8*r + 0.2*read$R1(&rec[i], a);
  return r;
}
"""


class GenericProgram(RecordPieces):
    pieces = [(4, VECTOR), (2, RING), (1, NUMBERS), (1, PAIRS), (2, NODES), (2, ARENA),
              (2, SORTED)]

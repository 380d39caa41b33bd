# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in which integers are pointers: handles that are passed, kept and looked up,
pointers with tags, offsets from a base, pointers cut into halves or joined by XOR."""
from .pieces import PieceProgram

# An integer that a function is given, that it gives back, or that it goes through.
ARGUMENT = """
let T: long | unsigned long | uintptr_t | intptr_t | size_t | long long
static $far REAL get$P($T h, int i) {
  ?{const REAL *p = (const REAL *)h;
  return 0.6*p[i] + @*p[(i + 1) & 15];?|return sin(((REAL *)h)[i]);?|return ((const REAL *)h)[i];?}
}
static $far void put$P(?{int i, $T h, REAL v?|int i, const $T h, REAL v?}) {
  ?{REAL *p = (REAL *)h;
  p[i] = @*p[i] + ${v};?|((REAL *)h)[i] = ${v};?|*(REAL *)(h + i*sizeof(REAL)) += ${v};?}
}
static $far $T pass$P($T h, int k) {
  return ?{k > 2 ? h : h + 2*sizeof(REAL)?|h?|h + k*sizeof(REAL) - k*sizeof(REAL)?};
}
PIECE {
  REAL r = $e;
  block q
  $T h = ($T)q;
  for (int i = 0; i < n; i++) {
    put$P(i, ?{h?|($T)q?|pass$P(h, 4)?}, ${a r});
    ?{r += 0.1*get$P(h, at[i]);?|if (at[i] & 1) r = 0.7*get$P(h, i);?|r += 0.1*q[i];?}
  }
  ?{put$P(3, pass$P(h, steps + 3), get$P((?{$T)w?|$T)y?}, $i));?|($T)0;?}
  r += get$P(h, $i)*q[$i];
  done q
  return r;
}
"""

# Objects behind handles, as in interfaces made for other languages.
OBJECTS = """
let T: long | uintptr_t | int64_t
struct Obj$P { ?{int len; REAL *data; REAL scale;?|REAL scale; REAL *data; int len;?|REAL *data; int len; char tag[4]; REAL scale;?} };
static $far $T make$P(int n, REAL scale) {
  struct Obj$P *o = (struct Obj$P *)malloc(sizeof(struct Obj$P));
  o->len = n;
  o->scale = scale;
  o->data = (REAL *)?{malloc(n*sizeof(REAL))?|calloc(n, sizeof(REAL))?};
  for (int i = 0; i < n; i++) o->data[i] = 0.1*i*scale;
  return ($T)o;
}
static $far void set$P($T h, int i, REAL v) {
  struct Obj$P *o = (struct Obj$P *)h;
  if (i >= 0 && i < o->len) o->data[i] = v;
}
static $far REAL sum$P($T h) {
  const struct Obj$P *o = (const struct Obj$P *)h;
  REAL s = 0.0;
  for (int i = 0; i < o->len; i++) s += o->data[i]*o->scale;
  return s;
}
static $far void drop$P($T h) {
  struct Obj$P *o = (struct Obj$P *)h;
  free(o->data);
  free(o);
}
PIECE {
  $T h = make$P(n, $e), k = make$P(?{4?|steps + 2?}, $e);
  for (int i = 0; i < n; i++) {
    ?{set$P(h, at[i], ${a}*w[i]);?|set$P(at[i] & 1 ? h : k, i, w[i]);?}
  }
  ?{$T t = h; h = k; k = t;?|?}
  ?{((struct Obj$P *)k)->scale *= $e;?|?}
  REAL r = sin(sum$P(h)) + 0.1*sum$P(k)*a;
  drop$P(h);
  drop$P(k);
  return r;
}
"""

# Handles kept in a structure, in a global variable, or in a table of them.
KEPT = """
let T: long | unsigned long | uintptr_t
struct Ctx$P { ?{int kind; $T h; REAL k;?|$T h; REAL k;?|REAL k; $T h, spare;?|REAL k; int kind; $T spare, h;?} };
static $T global$P;
static $T table$P[4];
static $far REAL step$P(struct Ctx$P *ctx, int i) {
  REAL *p = (REAL *)ctx->h;
  p[i] = 0.5*p[i] + 0.3*sin(ctx->k);
  return p[(i + 3) & 15];
}
static $far void shift$P(REAL by, int i) {
  ?{REAL *p = (REAL *)global$P;
  p[i] += by;?|((REAL *)global$P)[i] = ${by};?}
}
static $far REAL find$P(int k, int i) {
  return ((REAL *)table$P[k & 3])[i];
}
PIECE {
  REAL r = 0.2*a;
  block q
  struct Ctx$P ctx;
  ctx.k = $e;
  ctx.h = ($T)?{q?|w?};
  ?{struct Ctx$P other = ctx; other.h = ($T)y; if (w[3] > 0.1) ctx = other;?|?}
  global$P = ($T)?{q?|y?|w?};
  table$P[0] = ($T)q; table$P[1] = ($T)w; table$P[2] = ?{ctx.h?|global$P?|($T)y?}; table$P[3] = ($T)w;
  for (int i = 0; i < n; i++) {
    ?{r += 0.2*step$P(&ctx, i);?|if (at[i] > 4) r = 0.8*step$P(&ctx, at[i]);?|step$P(&ctx, i);?}
    ?{shift$P(${a r}, i);?|r += 0.1*find$P(i, at[i]);?|shift$P(find$P(at[i], i), 5);?}
    ?{$T t = table$P[i & 3]; table$P[i & 3] = table$P[1]; table$P[1] = t;?|?}
  }
  r += find$P(at[2], 3)*q[$i];
  done q
  return r;
}
"""

# Numbers of objects: handles that are indices into a table of pointers.
NUMBERED = """
struct Slot$P { REAL *data; int used; };
static struct Slot$P slots$P[8];
static int open$P(REAL *p) {
  for (int i = ?{0?|1?}; i < 8; i++)
    if (!slots$P[i].used) {
      slots$P[i].used = 1;
      slots$P[i].data = p;
      return i;
    }
  return -1;
}
static $far REAL *of$P(long id) { return slots$P[id].data; }
PIECE {
  REAL r = 0.1;
  block q
  for (int i = 0; i < 8; i++) slots$P[i].used = 0;
  long h = open$P(q), k = open$P(?{w?|y?});
  for (int i = 0; i < n; i++) {
    of$P(h)[i] = ${a r};
    r += 0.1*of$P(k)[at[i]]*of$P(at[i] & 1 ? h : k)[i];
  }
  slots$P[h].used = 0;
  ?{r += of$P(open$P(w))[$i];?|r += q[$i];?}
  done q
  return r;
}
"""

# A pointer whose lowest bits say what it points to.
TAGGED = """
let T: uintptr_t | unsigned long | long | size_t
let mark: | 1; + 1; ^ 1
struct Pair$P { REAL u, v; };
static $far REAL read$P($T h) {
  if (h & 1) {
    const struct Pair$P *p = (const struct Pair$P *)(?{h & ~($T)7?|h - 1?|h ^ 1?|h & ~($T)1?});
    return p->u*p->v;
  }
  return *(const REAL *)h;
}
static $far void write$P($T h, REAL v) {
  $T bits = h & ?{7?|3?};
  ?{if (bits == 1) ((struct Pair$P *)(h - bits))->v = v;
  else *(REAL *)h = ${v};?|REAL *p = (REAL *)(h & ~($T)7);
  if (bits) p[1] = 0.5*p[1] + v;
  else p[0] = v;?}
}
PIECE {
  REAL r = 0.3*a;
  struct Pair$P ?{pairs[4]?|*pairs = (struct Pair$P *)malloc(4*sizeof(struct Pair$P))?};
  for (int i = 0; i < 4; i++) {
    pairs[i].u = $e;
    pairs[i].v = w[i + 2];
  }
  block q
  $T h[6];
  for (int i = 0; i < 6; i++) {
    if (?{at[i] & 1?|i & 1?|w[i] > 0.1?}) h[i] = ($T)&pairs[i & 3] ?{| 1?|+ 1?|^ 1?};
    else h[i] = ($T)&q[i];
  }
  for (int i = 0; i < 6; i++) {
    write$P(h[i], ${a r});
    r += 0.2*read$P(h[?{i?|5 - i?|(i*5) % 6?}]);
  }
  r += pairs[1].v*pairs[2].u + q[3];
  done q
  ?{?|?}
  return r;
}
"""

# Offsets from a base: of bytes, of integers, from the object itself.
OFFSETS = """
let T: long | uintptr_t | ptrdiff_t
struct Rel$P { REAL v; ?{int?|long?|ptrdiff_t?|short?} next; };
static $far REAL *at$P($T base, $T offset) { return (REAL *)(base + offset); }
PIECE {
  REAL r = 0.2;
  block q
  $T off[16], base = ($T)q;
  for (int i = 0; i < n; i++) off[i] = ?{(char *)&q[at[i]] - (char *)q?|($T)&q[at[i]] - ($T)q?|at[i]*sizeof(REAL)?|($T)&q[at[i]] - base?};
  for (int i = 0; i < n; i++) {
    ?{REAL *p = at$P(base, off[i]);?|REAL *p = (REAL *)((char *)q + off[i]);?|REAL *p = (REAL *)(base + off[i]);?|REAL *p = (REAL *)(($T)q + off[i]);?}
    *p = 0.6*sin(*p) + 0.2*w[i];
    r += 0.1**p;
  }
  struct Rel$P node[6];
  for (int i = 0; i < 6; i++) {
    node[i].v = w[i]*a;
    int to = (i*5 + 2) % 6;
    node[i].next = (char *)&node[to] - (char *)&node[i];
  }
  struct Rel$P *p = node;
  for (int i = 0; i < steps + 4; i++) {
    r = 0.8*r + 0.2*p->v;
    ?{p->v *= a;?|?}
    p = (struct Rel$P *)(?{(char *)p + p->next?|(uintptr_t)p + p->next?|(intptr_t)p + p->next?});
  }
  done q
  return r;
}
"""

# A list in which one integer joins the addresses before and behind.
XORED = """
struct Node$P { REAL v; uintptr_t link; };
PIECE {
  REAL r = 0.4*a;
  struct Node$P ?{node[8]?|*node = (struct Node$P *)malloc(8*sizeof(struct Node$P))?};
  for (int i = 0; i < 8; i++) {
    node[i].v = w[i] + a;
    uintptr_t before = i > 0 ? (uintptr_t)&node[i - 1] : 0, next = i < 7 ? (uintptr_t)&node[i + 1] : 0;
    node[i].link = before ^ next;
  }
  struct Node$P *p = ?{&node[0]?|&node[7]?}, *last = 0;
  while (p) {
    r = 0.7*r + 0.3*p->v;
    ?{p->v = ${r};?|?}
    struct Node$P *to = (struct Node$P *)(p->link ^ (uintptr_t)last);
    last = p;
    p = to;
  }
  return r + node[3].v;
}
"""

# A pointer in two integers of 32 bits, in bytes, in a union, in a slot of another kind.
PARTS = """
let T: long | unsigned long | uintptr_t
union Slot$P { REAL *p; uintptr_t u; unsigned half[2]; };
struct Cell$P { int kind; ?{union { long i; REAL *p; char c[8]; } u;?|union { REAL *p; long i; } u;?} };
static $far REAL joined$P(unsigned high, unsigned low, int i) {
  ?{uintptr_t h = ((uintptr_t)high << 32) | low;
  return ((REAL *)h)[i];?|return ((REAL *)(((uintptr_t)high << 32) + low))[i];?}
}
static $far REAL cell$P(const struct Cell$P *c) {
  return c->kind == 1 ? (REAL)(*c->u.p) : (REAL)(0.1*c->u.i);
}
PIECE {
  REAL r = 0.2*a;
  block q
  uintptr_t h = (uintptr_t)q;
  ?{r += joined$P((unsigned)(h >> 32), (unsigned)h, $i);?|
  union Slot$P s;
  s.?{p = q?|u = h?};
  r += s.?{p[$i]?|p[3]?};
  ((REAL *)s.u)[5] *= a;?|
  union Slot$P s, t;
  s.p = q;
  t.half[0] = s.half[0];
  t.half[1] = s.half[1];
  t.p[4] = $e;
  r += t.p[$i];?|
  $T k;
  REAL *back;
  memcpy(&k, ?{&h?|&h?}, sizeof k);
  memcpy(&back, &k, sizeof back);
  back[2] = sin(back[2] + a);
  r += back[3];?|
  REAL *table[4] = {q, w, y, q};
  unsigned char bytes[sizeof table];
  memcpy(bytes, table, sizeof table);
  REAL *p;
  memcpy(&p, bytes + (at[1] & 3)*sizeof(REAL *), sizeof p);
  p[3] = 0.5*p[3] + 0.2*a;
  r += p[$i];?}
  struct Cell$P cells[4];
  for (int i = 0; i < 4; i++) {
    cells[i].kind = at[i] & 1;
    if (at[i] & 1) cells[i].u.p = &q[at[i + 4]];
    else cells[i].u.i = at[i];
  }
  ?{struct Cell$P first = cells[0]; cells[0] = cells[2]; cells[2] = first;?|?}
  for (int i = 0; i < 4; i++) r += 0.3*cell$P(&cells[i]);
  r += q[$i]*q[$i];
  done q
  return r;
}
"""

# An address that is made round, with the address to free beside it.
ALIGNED = """
let A: 16 | 32 | 64
static $far void *get$P(size_t bytes) {
  ?{char *raw = (char *)malloc(bytes + $A + sizeof(void *));
  uintptr_t h = ((uintptr_t)raw + sizeof(void *) + $A - 1) & ~(uintptr_t)($A - 1);
  ((void **)h)[-1] = raw;
  return (void *)h;?|char *raw = (char *)malloc(bytes + 2*$A);
  char *p = (char *)(((uintptr_t)raw / $A + 1)*$A);
  p[-1] = (char)(p - raw);
  return p;?}
}
PIECE {
  REAL r = 0.1*a;
  REAL *q = (REAL *)get$P(n*sizeof(REAL));
  for (int i = 0; i < n; i++) q[i] = w[i]*${a r};
  ?{
  REAL many[16 + 16];
  REAL *p = (REAL *)(((uintptr_t)many + $A - 1) & ~(uintptr_t)($A - 1));
  for (int i = 0; i < n; i++) p[i] = q[i]*y[i];
  for (int i = 0; i < n; i++) r += 0.1*p[i];?|
  if (((uintptr_t)q & ($A - 1)) == 0) r += a*q[2];
  else r -= 100;?}
  for (int i = 0; i < n; i++) r += 0.2*q[i]*q[at[i]];
  return r;
}
"""

# Pointers that are compared, hashed and looked up as integers, and integers in pointers.
KEYED = """
struct Entry$P { uintptr_t key; ?{int?|long?} value; REAL weight; };
static struct Entry$P map$P[32];
static $far struct Entry$P *slot$P(const void *p) {
  uintptr_t key = (uintptr_t)p;
  unsigned i = (key >> 3) % 32;
  while (map$P[i].key && map$P[i].key != key) i = (i + 1) % 32;
  map$P[i].key = key;
  return &map$P[i];
}
static $far REAL call$P(REAL (*f)(REAL *, void *), REAL *p, void *ctx) { return f(p, ctx); }
static REAL user$P(REAL *p, void *ctx) { return ?{p[(long)ctx & 15]?|0.5*p[(intptr_t)ctx]*p[1]?}; }
static REAL other$P(REAL *p, void *ctx) { REAL *q = (REAL *)ctx; q[1] += 0.2*p[0]; return q[2]; }
PIECE {
  REAL r = 0.2*a;
  block q
  ?{memset(map$P, 0, sizeof map$P);
  for (int i = 0; i < 8; i++) {
    struct Entry$P *e = slot$P(&q[at[i]]);
    e->value = i + 1;
    e->weight = $e;
  }
  for (int i = 0; i < 8; i++) r += 0.1*slot$P(&q[at[i]])->value*slot$P(&q[at[i]])->weight;?|
  for (int i = 0; i < n; i++)
    if ((uintptr_t)&q[at[i]] < (uintptr_t)&q[i]) r += 0.2*q[i];
    else r -= 0.1*q[at[i]];?}
  r += call$P(user$P, q, (void *)(long)?{3?|at[4]?|(steps + 1)?});
  r += call$P(other$P, q, ?{w?|y?|&w[3]?});
  done q
  return r;
}
"""


# Callbacks that are given an integer, and tables of records with handles, moved around.
MOVED = """
let T: long | uintptr_t | unsigned long long
struct Rec$P { ?{int id; $T h; REAL v;?|$T h; REAL v; char name[3];?|REAL v; $T h; int id;?} };
static $far REAL use$P(REAL (*f)($T, REAL), $T ctx, REAL v) { return f(ctx, v) + 0.1*f(ctx, 0.5*v); }
static REAL one$P($T ctx, REAL v) { REAL *p = (REAL *)ctx; p[0] = 0.7*p[0] + ${v}; return p[1]; }
static REAL two$P($T ctx, REAL v) { return v*((struct Rec$P *)ctx)->v; }
static int before$P(const void *p, const void *q) {
  const REAL *u = (const REAL *)((const struct Rec$P *)p)->h, *v = (const REAL *)((const struct Rec$P *)q)->h;
  return (u > v) - (u < v);
}
PIECE {
  REAL r = 0.2*a;
  block q
  struct Rec$P ?{rec[6]?|*rec = (struct Rec$P *)malloc(6*sizeof(struct Rec$P))?};
  for (int i = 0; i < 6; i++) {
    rec[i].h = ($T)&q[(i*7) & 15];
    rec[i].v = $e;
  }
  ?{qsort(rec, 6, sizeof rec[0], before$P);?|memmove(rec + 1, rec, ?{3?|(steps + 1)?}*sizeof rec[0]);?|struct Rec$P t = rec[1]; rec[1] = rec[4]; rec[4] = t;?|?}
  for (int i = 0; i < 6; i++) r += 0.2*use$P(?{one$P, rec[i].h > ($T)&q[14] ? ($T)q : rec[i].h?|two$P, ($T)&rec[i]?}, w[i]);
  for (int i = 0; i < 6; i++) r += 0.1**(REAL *)rec[i].h;
  done q
  return r;
}
"""


class HandleProgram(PieceProgram):
    pieces = [(2, ARGUMENT), (2, OBJECTS), (2, KEPT), (1, NUMBERED), (2, TAGGED), (2, OFFSETS),
              (0.5, XORED), (1.5, PARTS), (1, ALIGNED), (1, KEYED), (1.5, MOVED)]

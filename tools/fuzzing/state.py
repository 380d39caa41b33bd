# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose functions hand numbers on through memory that is none of their arguments:
variables of the module, structures behind a global pointer, workspaces, what a callback keeps."""
from .pieces import PieceProgram

# Setters and getters over variables of the module, as in translated Fortran.
MODULE = """
static REAL ga$P[16], gb$P, gc$P?{[3]?|[16]?};
static struct { ?{REAL u; int k; REAL v[4];?|int k; REAL v[4], u;?|REAL v[4]; REAL u; int k;?} } gs$P;
static $far void set$P(int i, REAL v) {
  ?{ga$P[i & 15] = ${v};?|gs$P.v[i & 3] = ${v};?|gb$P = ${v};?|ga$P[i & 15] += ${v};?|ga$P[i & 15] = exp(-v*v); gs$P.u = v;?|gs$P.u *= 1/(1 + v*v);?}
}
static $far void step$P(void) {
  ?{for (int i = 1; i < 16; i++) ga$P[i] = @*ga$P[i - 1] + @*sin(ga$P[i]);?|gb$P = sqrt(1.1 + gb$P*gb$P);?|
  for (int i = 0; i < 4; i++) gs$P.v[i] = @*gs$P.v[(i + 1) & 3]*gs$P.u;?|REAL t = ga$P[0]; ga$P[0] = ga$P[5]*gb$P; ga$P[5] = t;?|
  if (gs$P.k++ & 1) gs$P.u = cos(gs$P.u) + gb$P; else gb$P *= 0.5;?}
}
static $far REAL get$P(int i) {
  ?{return ga$P[i & 15]*gb$P;?|return gs$P.v[i & 3] + gs$P.u*ga$P[i & 15];?|REAL t = gs$P.u; gs$P.u = 0.5*t + 0.1*ga$P[i & 15]; return t;?|return gb$P + sin(ga$P[i & 15]);?}
}
static $far void clear$P(void) {
  ?{for (int i = 0; i < 16; i++) ga$P[i] = 0.0;?|memset(ga$P, 0, sizeof ga$P);?}
  gb$P = ?{0.0?|0.3?};
  gs$P.k = 0; gs$P.u = 0.2;
  for (int i = 0; i < 4; i++) gs$P.v[i] = ?{0.0?|0.1*i?};
}
PIECE {
  REAL r = $e;
  clear$P();
  for (int i = 0; i < n; i++) {
    set$P(i, ${a r});
    ?{step$P();?|if (at[i] & 1) step$P();?|set$P(at[i], w[i]); step$P();?|?}
    r += @*get$P(at[i]);
  }
  ?{for (int i = 0; i < 16; i++) ga$P[i] += r*w[i];?|ga$P[$i] = r; gb$P = w[1];?|clear$P();?|step$P(); set$P($i, y[3]);?}
  ?{r += ga$P[$i]*gb$P;?|r += get$P(2)*gs$P.u;?|?}
  ?{clear$P();?|memcpy(gc$P, ga$P, 3*sizeof(REAL)); clear$P(); r += gc$P[1];?|clear$P();?}
  return r;
}
"""

# The state of a solver behind one pointer of the module, allocated and freed by functions.
BEHIND = """
struct State$P { ?{int n; REAL *u, *v; REAL dt;?|REAL *u; REAL dt; int n; REAL *v;?|REAL dt, *v, *u; int n;?} };
static struct State$P *st$P;
static $far void open$P(int n, REAL dt) {
  st$P = (struct State$P *)?{malloc(sizeof *st$P)?|calloc(1, sizeof *st$P)?};
  st$P->n = n;
  st$P->dt = dt;
  st$P->u = (REAL *)malloc(n*sizeof(REAL));
  st$P->v = (REAL *)?{calloc(n, sizeof(REAL))?|malloc(n*sizeof(REAL))?};
  for (int i = 0; i < n; i++) { st$P->u[i] = @*i; st$P->v[i] = 0.0; }
}
static $far void put$P(int i, REAL v) { st$P->u[i & 15] = ${v}; ?{?|st$P->dt += 0.01*v;?} }
static $far void advance$P(void) {
  REAL *u = st$P->u, *v = st$P->v;
  int n = st$P->n;
  for (int i = 0; i < n; i++) v[i] = u[i] + st$P->dt*(u[(i + 1) % n]?{*?|- 2*?}u[i]);
  ?{st$P->u = v; st$P->v = u;?|for (int i = 0; i < n; i++) u[i] = sin(v[i]);?|memcpy(u, v, n*sizeof(REAL));?|st$P->u = v; st$P->v = u; if (n > 8) st$P->dt *= 0.9;?}
}
static $far REAL norm$P(const struct State$P *s) {
  REAL r = 0.0;
  for (int i = 0; i < s->n; i++) r += s->u[i]*s->u[i];
  return sqrt(0.1 + r);
}
static $far void close$P(void) { free(st$P->u); free(st$P->v); free(st$P); ?{st$P = 0;?|?} }
PIECE {
  open$P(n, ?{a?|0.1?|0.05*$e?});
  for (int i = 0; i < n; i++) put$P(i, w[i]);
  REAL r = 0.0;
  for (int t = 0; t < steps + 1; t++) {
    advance$P();
    ?{r += 0.1*norm$P(st$P);?|if (norm$P(st$P) > 1.5) put$P(at[t], $e);?|put$P(t, st$P->v[t]*st$P->u[0]); r += st$P->u[3];?}
  }
  r += st$P->u[$i]*st$P->dt + norm$P(st$P);
  ?{for (int i = 0; i < n; i++) y[i] += 0.1*st$P->v[i];?|st$P->dt = 0.0;?|?}
  close$P();
  return r;
}
"""

# A workspace that grows with what is asked of it, used by several functions.
WORKSPACE = """
static REAL *ws$P; static int room$P;
static $far REAL *need$P(int n) {
  if (n > room$P) {
    ?{ws$P = (REAL *)realloc(ws$P, n*sizeof(REAL));?|free(ws$P); ws$P = (REAL *)malloc(n*sizeof(REAL));?}
    room$P = n;
  }
  return ws$P;
}
static $far REAL smooth$P(const REAL *p, int n) {
  REAL *t = need$P(n + 2), s = 0.0;
  t[0] = t[n + 1] = ?{0.1?|p[0]?};
  for (int i = 0; i < n; i++) t[i + 1] = ?{p[i]?|tanh(p[i])?|p[i]*p[i]?};
  for (int i = 1; i <= n; i++) s += (t[i - 1] + 2*t[i] + t[i + 1])*?{t[i]?|@?};
  ?{t[1] = s;?|?}
  return @*s;
}
static $far void scaled$P(REAL *p, int n, REAL f) {
  REAL *t = need$P(2*n);
  for (int i = 0; i < n; i++) { t[2*i] = p[i]; t[2*i + 1] = f; }
  for (int i = 0; i < n; i++) p[i] = @*t[2*i]*t[2*i + 1] + @*p[i];
}
PIECE {
  REAL r = 0.2*a;
  block q
  r += smooth$P(q, ?{8?|n?});
  ?{scaled$P(q, n, r);?|if (steps > 1) scaled$P(q, 8, $e);?|for (int t = 0; t < steps; t++) scaled$P(q, 4 + t, a);?}
  r += smooth$P(q, n)*?{smooth$P(w, 5)?|q[$i]?};
  done q
  free(ws$P);
  ws$P = 0;
  room$P = 0;
  return r;
}
"""

# A context that a callback fills; results through pointers; several of them at once.
CALLBACK = """
struct Ctx$P { ?{REAL sum, *out; int calls;?|REAL *out; int calls; REAL sum;?|int calls; REAL sum; REAL *out;?} };
static REAL last$P;
static $far void visit$P(void *p, int i, REAL v) {
  struct Ctx$P *c = (struct Ctx$P *)p;
  c->calls++;
  ?{c->sum += ${v};?|c->sum = c->sum*0.5 + ${v};?|last$P = v*v; c->sum += last$P;?}
  if (c->out) c->out[i & 15] = ?{c->sum*v?|sqrt(1 + v*v)?|last$P + v?};
}
static $far void count$P(void *p, int i, REAL v) { ?{((struct Ctx$P *)p)->sum -= @*v*i;?|last$P = ${v}; ((struct Ctx$P *)p)->calls += 2;?} }
static $far void each$P(const REAL *p, int n, void (*f)(void *, int, REAL), void *ctx) {
  for (int i = 0; i < n; i++) { if (p[i] > ?{-5?|-0.2?}) f(ctx, i, p[i]); }
}
static $far void range$P(const REAL *p, int n, REAL *lo, REAL *hi) {
  *lo = *hi = p[0];
  for (int i = 1; i < n; i++) {
    if (p[i] < *lo) *lo = p[i];
    ?{else?|?} if (p[i] > *hi) *hi = p[i];
  }
}
PIECE {
  block q
  last$P = 0.1;
  struct Ctx$P k;
  k.calls = 0; k.sum = 0.0; k.out = ?{q?|0?|y?};
  REAL lo, hi;
  each$P(w, n, ?{visit$P?|at[0] & 1 ? visit$P : count$P?}, &k);
  range$P(?{w?|q?}, n, &lo, &hi);
  ?{k.out = 0;?|k.out = w;?|?}
  each$P(?{q?|y?}, ?{n?|steps + 3?}, ?{count$P?|visit$P?}, &k);
  ?{hi = lo*a;?|if (k.calls & 1) lo += k.sum;?|?}
  REAL r = lo*hi + sin(k.sum) + @*last$P;
  ?{for (int i = 0; i < n; i++) q[i] *= 0.5*r;?|q[$i] = hi;?|last$P = r;?}
  ?{r += q[$i];?|?}
  done q
  last$P = 0.0;
  return r;
}
"""

# Recursion and functions that call each other, over a stack of numbers in the module.
STACK = """
static REAL stack$P[64]; static int top$P;
static $far void push$P(REAL v) { stack$P[top$P++ & 63] = v; }
static $far REAL pop$P(void) { ?{return stack$P[--top$P & 63];?|REAL v = stack$P[--top$P & 63]; stack$P[top$P & 63] = ?{0.0?|0.1*v?}; return v;?} }
static $far void op$P(int k) {
  REAL q = pop$P(), p = pop$P();
  switch (k & 3) {
  case 0: push$P(p + q); break;
  case 1: push$P(?{p*q?|0.5*p*q?}); break;
  case 2: push$P(sin(p) - q); break;
  default: push$P(p/(1.5 + q*q)); ?{?|push$P(@*q); op$P(1);?}
  }
}
static $far void tree$P(const REAL *p, const int *at, int lo, int hi) {
  if (hi - lo < ?{1?|2?}) { push$P(p[lo & 15]); return; }
  int mid = (lo + hi)/2;
  tree$P(p, at, lo, mid);
  tree$P(p, at, ?{mid + 1, hi?|mid + 1, hi?});
  op$P(at[mid & 15]?{?| + lo?});
}
PIECE {
  top$P = 0;
  tree$P(w, at, 0, ?{7?|n - 1?|steps + 5?});
  push$P($e);
  op$P(?{1?|steps?});
  ?{tree$P(y, at, 2, 9); op$P(0);?|?}
  REAL r = pop$P();
  ?{for (int i = 0; i < 64; i++) stack$P[i] = r;?|stack$P[1] = a;?|?}
  return r;
}
"""

# What a function returns is a place of the module, or a structure by value.
PLACES = """
struct Two$P { REAL p, q; };
static struct Two$P table$P[8]; static REAL spare$P;
static $far REAL *place$P(int i) { ?{return i & 1 ? &table$P[i & 7].p : &table$P[i & 7].q;?|return i < 0 ? &spare$P : &table$P[i & 7].p + (i & 1);?|if (i > 12) return &spare$P; return &table$P[(i >> 1) & 7].q;?} }
static $far struct Two$P both$P(int i, REAL v) {
  struct Two$P t = table$P[i & 7];
  ?{t.p += v;?|t.q = ${v};?|t.p = t.q*v;?}
  ?{table$P[(i + 1) & 7] = t;?|spare$P = t.p*t.q;?|?}
  return t;
}
static $far void fill$P(struct Two$P v) { for (int i = 0; i < 8; i++) { table$P[i] = v; ?{v.p *= 0.9;?|v.q = v.p*0.3;?|?} } }
PIECE {
  struct Two$P t;
  t.p = a; t.q = 0.3;
  fill$P(t);
  spare$P = 0.2;
  REAL r = 0.0;
  for (int i = 0; i < n; i++) {
    ?{*place$P(at[i]) = ${a}*w[i];?|*place$P(i) += w[i]*r;?|REAL *p = place$P(i), *o = place$P(at[i]); *p = sin(*o) + w[i]; *o *= 0.5;?}
    t = both$P(at[i], ?{r?|w[i]?|*place$P(i + 1)?});
    r += @*t.p*t.q;
  }
  ?{fill$P(t); r += *place$P($i);?|t = table$P[3]; fill$P(both$P(2, a)); r += t.p;?|*place$P(4) = 0.0;?}
  r += spare$P;
  t.p = t.q = 0.0;
  fill$P(t);
  spare$P = 0.0;
  return r;
}
"""


class StateProgram(PieceProgram):
    pieces = ((3, MODULE), (2, BEHIND), (2, WORKSPACE), (2, CALLBACK), (1, STACK), (2, PLACES))

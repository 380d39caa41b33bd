# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of records with members of mixed kinds, and programs that copy them whole, in part
and through buffers of bytes."""
from .pieces import PieceProgram


class Record:
    """A structure with a number v and an integer key among other members."""

    def __init__(self, program, name, union=True):
        self.name, self.program = name, program
        r = program.r
        extra = [(3, "number"), (3, "char"), (2, "text"), (2, "numbers"), (1, "short"),
                 (1, "long"), (1, "inner"), (1, "pointer"), (0.5, "bits"), (0.5 if union else 0, "union")]
        if program.floats:
            extra += [(3, "single"), (1, "singles")]
        kinds = ["v", "key"] + [program.pick(extra) for _ in range(r.choice([0, 1, 1, 2, 3, 4]))]
        r.shuffle(kinds)
        self.members = [(k, k if k in ("v", "key") else f"m{i}") for i, k in enumerate(kinds)]
        self.tail = r.choice(["", "", "", "__attribute__((packed))"])
        # Pointers to members of packed structures may not be aligned.
        self.packed = bool(self.tail)

    def declaration(self):
        r = self.program.r
        text = {"v": "REAL {};", "key": r.choice(["int {};", "int {};", "long {};", "short {};"]),
                "number": "REAL {};", "char": r.choice(["char {};", "unsigned char {};"]),
                "text": f"char {{}}[{r.choice([3, 5, 8, 12])}];",
                "numbers": "REAL {}[3];", "short": "short {};", "long": "long {};",
                "inner": r.choice(["struct {{ char c; REAL v; }} {};",
                                   "struct {{ REAL v; int c; }} {};"]),
                "pointer": "REAL *{};", "bits": "unsigned {} : 5;",
                "union": "union {{ REAL d; long i; }} {};", "single": "SMALL {};",
                "singles": "SMALL {}[2];"}
        members = " ".join(text[kind].format(name) for kind, name in self.members)
        return f"struct {self.tail} {self.name} {{ {members} }};"

    def made(self):
        """Statements that fill *r from w, a and i."""
        text = {"v": "r->{0} = sin(w[i & 15] + a);", "key": "r->{0} = (i*7) % 11;",
                "number": "r->{0} = w[(i + 1) & 15]*a;", "char": "r->{0} = 'a' + (i & 7);",
                "text": "memset(r->{0}, 0, sizeof r->{0}); r->{0}[i % 3] = 'x';",
                "numbers": "for (int k = 0; k < 3; k++) r->{0}[k] = 0.3*k*w[(i + k) & 15];",
                "short": "r->{0} = i*3;", "long": "r->{0} = i - 2;",
                "inner": "r->{0}.c = i & 3; r->{0}.v = cos(w[i & 15]);",
                "pointer": "r->{0} = w + (i & 15);", "bits": "r->{0} = i & 31;",
                "union": "if (r->key & 1) r->{0}.d = w[i & 15]; else r->{0}.i = i;",
                "single": "r->{0} = w[i & 15]*0.5;",
                "singles": "r->{0}[0] = a; r->{0}[1] = w[i & 15];"}
        ordered = sorted(self.members, key=lambda m: m[0] == "union")
        return " ".join(text[kind].format(name) for kind, name in ordered)

    def read(self):
        """A number that depends on all of *r."""
        text = {"v": "r->{0}", "key": "0.1*r->{0}", "number": "r->{0}*r->{0}",
                "char": "0.01*r->{0}", "text": "(r->{0}[1] == 'x' ? 0.3 : 0.1)",
                "numbers": "r->{0}[0]*a + r->{0}[2]*r->{0}[1]", "short": "0.02*r->{0}",
                "long": "0.03*r->{0}", "inner": "r->{0}.v*(1 + r->{0}.c)",
                "pointer": "0.5*r->{0}[0]", "bits": "0.02*r->{0}",
                "union": "(r->key & 1 ? (REAL)(r->{0}.d*0.4) : (REAL)(0.1*r->{0}.i))",
                "single": "r->{0}*a", "singles": "r->{0}[0]*r->{0}[1]"}
        return " + ".join(text[kind].format(name) for kind, name in self.members)

    def changed(self):
        """Statements that change *r by k."""
        text = {"v": "r->{0} = sin(r->{0}*k);", "number": "r->{0} *= k;",
                "numbers": "r->{0}[1] += k;", "inner": "r->{0}.v = r->{0}.v*k + 0.1;",
                "char": "r->{0} += 1;", "text": "r->{0}[1] = 'x';",
                "single": "r->{0} = r->{0}*k;"}
        found = [text[kind].format(name) for kind, name in self.members if kind in text]
        return " ".join(f for f in found if self.program.chance(0.7)) or "r->v *= k;"

    def lines(self):
        """The type, and functions make, read and change, with far before them."""
        t, far = f"struct {self.name}", self.program.r.choice(["", "__attribute__((noinline)) "])
        return [self.declaration(),
                f"static {far}void make{self.name}({t} *r, REAL *w, int i, REAL a) {{",
                f"  {self.made()}", "}",
                f"static {far}REAL read{self.name}(const {t} *r, REAL a) {{",
                f"  return {self.read()};", "}",
                f"static {far}void change{self.name}({t} *r, REAL k) {{",
                f"  {self.changed()}", "}"]


class RecordPieces(PieceProgram):
    """Pieces that may say $R1, $R2: types of their own, with make$R1 and so on; in $R0 no
    member says what another one is."""

    def make_piece(self, number):
        self.records = {f"R{i}": Record(self, f"R{i}x{number}_P", i > 0) for i in range(3)}
        at = len(self.out)
        super().make_piece(number)
        text = "\n".join(self.out[at:])
        used = [r for r in self.records.values() if r.name in text]
        self.out[at:at] = [line for record in used for line in record.lines()]

    def names_for(self, number):
        return {name: record.name for name, record in self.records.items()}


# Whole records: assigned, copied, swapped, passed and returned by value.
WHOLE = """
static $far struct $R1 pick$P(struct $R1 u, ?{const struct $R1 *v?|struct $R1 *v?}, int k) {
  ?{if (k) return u;
  return *v;?|struct $R1 t = k ? u : *v;
  t.v = 0.7*t.v;
  return t;?|?{change$R1(&u, 0.6);?|?}
  return u;?}
}
static $far void swap$P(struct $R1 *u, struct $R1 *v) {
  ?{struct $R1 t = *u; *u = *v; *v = t;?|
  char t[sizeof(struct $R1)];
  memcpy(t, u, sizeof t);
  memcpy(u, v, sizeof t);
  memcpy(v, t, sizeof t);?|
  char *p = (char *)u, *q = (char *)v;
  for (size_t i = 0; i < sizeof *u; i++) { char t = p[i]; p[i] = q[i]; q[i] = t; }?|
  struct $R1 t;
  memmove(&t, u, sizeof t);
  *u = *v;
  memcpy(v, &t, sizeof *v);?}
}
PIECE {
  REAL r = 0.1*a;
  struct $R1 ?{q[6]?|*q = (struct $R1 *)malloc(6*sizeof(struct $R1))?|*q = (struct $R1 *)calloc(6, sizeof(struct $R1))?};
  for (int i = 0; i < 6; i++) make$R1(&q[i], w, i, a);
  struct $R1 one = q[2];
  change$R1(&one, ${a r});
  swap$P(&q[at[0] % 6], &one);
  ?{q[4] = pick$P(q[3], &one, at[1] & 1);?|q[5] = pick$P(one, &q[1], w[2] > 0.1);?}
  for (int i = 0; i < 5; i++)
    if (?{q[i].key > q[i + 1].key?|q[i].v > q[i + 1].v?|at[i] & 1?}) swap$P(&q[i], &q[i + 1]);
  ?{memmove(q + 1, q, ?{4?|(steps + 1)?|(n/4)?}*sizeof q[0]);?|memcpy(q + 3, q, ?{2?|(n & 3)?|steps?}*sizeof(struct $R1));?|?}
  for (int i = 0; i < 6; i++) r = 0.6*r + 0.2*read$R1(&q[i], a);
  return r + read$R1(&one, a);
}
"""

# A part of a record: the first bytes, from one member on, one member alone.
PART = """
static $far void head$P(void *to, const void *from, size_t bytes) { ?{memcpy(to, from, bytes);?|memmove(to, from, bytes);?|
  char *p = (char *)to; const char *q = (const char *)from;
  while (bytes--) *p++ = *q++;?} }
PIECE {
  REAL r = 0.1*a;
  struct $R0 p, q, ?{s?|s?};
  make$R0(&p, w, ?{3?|at[2]?}, a);
  make$R0(&q, y, ?{2?|at[5]?}, $e);
  memcpy(&s, &p, sizeof s);
  ?{head$P(&p, &q, offsetof(struct $R0, v) + sizeof(REAL));?|head$P(&p, &q, offsetof(struct $R0, v));?|
  head$P((char *)&p + offsetof(struct $R0, v), (char *)&q + offsetof(struct $R0, v), sizeof p - offsetof(struct $R0, v));?|
  head$P(&p.v, &q.v, sizeof(REAL));?|
  REAL t;
  head$P(&t, &q.v, sizeof t);
  t = ${t a};
  memcpy((char *)&p + offsetof(struct $R0, v), &t, sizeof t);?}
  ?{memcpy(&q, &s, ?{steps > 0?|n > 3?|w[1] > 0?} ? sizeof q : 0);?|change$R0(&p, 0.7);?|?}
  r += read$R0(&s, a) + 0.5*read$R0(&p, $e) + 0.2*read$R0(&q, a);
  return r;
}
"""

# A buffer of bytes that records of several kinds go through, one after another.
STREAM = """
let C: char | unsigned char
let H: 0 | 1
static $far $C *write$P($C *to, int kind, const void *p, size_t bytes) {
  if ($H) *to++ = ($C)kind;
  else {
    memcpy(to, &kind, sizeof kind);
    to += sizeof kind;
  }
  ?{memcpy(to, p, bytes);?|for (size_t i = 0; i < bytes; i++) to[i] = ((const $C *)p)[i];?}
  return to + bytes;
}
static $far const $C *read$P(const $C *from, int *kind, void *p1, void *p2) {
  if ($H) *kind = *from++;
  else {
    memcpy(kind, from, sizeof *kind);
    from += sizeof *kind;
  }
  size_t bytes = *kind == 1 ? sizeof(struct $R1) : sizeof(struct $R2);
  ?{if (*kind == 1) memcpy(p1, from, bytes);
  else memcpy(p2, from, bytes);?|memcpy(*kind == 1 ? p1 : p2, from, bytes);?|$C *to = ($C *)(*kind == 1 ? p1 : p2);
  for (size_t i = 0; i < bytes; i++) to[i] = from[i];?}
  return from + bytes;
}
PIECE {
  REAL r = 0.1*a;
  ?{$C bytes[8*(sizeof(struct $R1) + sizeof(struct $R2))];?|$C *bytes = ($C *)malloc(8*(sizeof(struct $R1) + sizeof(struct $R2)));?|static $C bytes[8*(sizeof(struct $R1) + sizeof(struct $R2))];?}
  $C *to = bytes;
  struct $R1 u;
  struct $R2 v;
  for (int i = 0; i < ?{6?|steps + 3?|6?}; i++) {
    if (?{at[i] & 1?|i % 3 == 0?|w[i] > 0.2?}) { make$R1(&u, w, i, $e); to = write$P(to, 1, &u, sizeof u); }
    else { make$R2(&v, y, i, a); to = write$P(to, 2, &v, sizeof v); }
  }
  const $C *from = bytes;
  while (from < to) {
    int kind = 0;
    from = read$P(from, &kind, &u, &v);
    if (kind == 1) r += 0.2*read$R1(&u, a);
    else r = 0.7*r + 0.1*read$R2(&v, a);
  }
  return r;
}
"""

# Tables of records with rows inserted and taken out, and parallel copies of their members.
TABLE = """
struct Table$P { ?{int count; struct $R1 row[10];?|struct $R1 row[10]; int count;?|char name[8]; int count; struct $R1 row[10];?} };
static $far void insert$P(struct Table$P *t, const struct $R1 *r) {
  int i = t->count;
  ?{while (i > 0 && t->row[i - 1].key > r->key) { t->row[i] = t->row[i - 1]; i--; }?|
  i = 0;
  while (i < t->count && t->row[i].key < r->key) i++;
  memmove(&t->row[i + 1], &t->row[i], (t->count - i)*sizeof t->row[0]);?|
  i = t->count/2;
  memmove(t->row + i + 1, t->row + i, (char *)(t->row + t->count) - (char *)(t->row + i));?}
  t->row[i] = *r;
  t->count++;
}
static $far void erase$P(struct Table$P *t, int i) {
  if (i >= t->count) return;
  ?{t->count--;
  memmove(&t->row[i], &t->row[i + 1], (t->count - i)*sizeof(struct $R1));?|for (; i + 1 < t->count; i++) t->row[i] = t->row[i + 1];
  t->count--;?|t->row[i] = t->row[--t->count];?}
}
PIECE {
  REAL r = 0.1*a;
  struct Table$P ?{t?|t?}, copy;
  t.count = 0;
  for (int i = 0; i < 8; i++) {
    struct $R1 row;
    make$R1(&row, w, at[i], a);
    insert$P(&t, &row);
    ?{if (at[i] > 11) erase$P(&t, t.count/2);?|?}
  }
  erase$P(&t, ?{1?|at[3] % 4?});
  copy = t;
  for (int i = 0; i < copy.count; i++) {
    change$R1(&copy.row[i], $e);
    r = 0.8*r + 0.2*read$R1(&copy.row[i], a) + 0.1*read$R1(&t.row[t.count - 1 - i], a);
  }
  REAL col[10];
  for (int i = 0; i < t.count; i++) ?{col[i] = t.row[i].v;?|memcpy(&col[i], &t.row[i].v, sizeof col[0]);?}
  for (int i = 0; i < t.count; i++) r += 0.1*col[i]*col[t.count - 1 - i];
  return r;
}
"""

# Records of two kinds in one place, and records within others.
OVERLAID = """
struct Both$P { ?{int kind; union { struct $R1 one; struct $R2 two; char raw[8]; } u;?|union { struct $R1 one; struct $R2 two; } u; short kind;?} };
struct Outer$P { char c; struct $R1 in; struct Both$P both; REAL last; };
static $far REAL read$P(const struct Both$P *p, REAL a) {
  ?{if (p->kind == 1) return read$R1(&p->u.one, a);
  return read$R2(&p->u.two, a);?|switch (p->kind) {
  case 1: return 0.5*read$R1(&p->u.one, a);
  default: return read$R2(&p->u.two, a);
  }?}
}
PIECE {
  REAL r = 0.1*a;
  struct Both$P q[4];
  struct Outer$P o, p;
  for (int i = 0; i < 4; i++) {
    q[i].kind = 1 + (?{at[i] & 1?|i & 1?});
    if (q[i].kind == 1) make$R1(&q[i].u.one, w, i, $e);
    else make$R2(&q[i].u.two, w, i, a);
  }
  ?{struct Both$P t = q[0]; q[0] = q[3]; q[3] = t;?|memmove(q + 1, q, ?{2?|(steps & 3)?}*sizeof q[0]);?|q[at[3] & 3] = q[at[7] & 3];?}
  o.c = 1; o.in.v = 0;
  make$R1(&o.in, y, 3, a);
  o.both = q[?{1?|at[1] & 3?}];
  o.last = $e;
  ?{p = o;?|memcpy(&p, &o, sizeof p);?|memcpy(&p, &o, sizeof p); p.both = q[2];?}
  ?{q[0] = p.both;?|?}
  for (int i = 0; i < 4; i++) r += 0.3*read$P(&q[i], a);
  return r + read$R1(&p.in, a)*p.last + read$P(&p.both, 0.3);
}
"""


class RecordProgram(RecordPieces):
    small = 0.25
    pieces = [(2, WHOLE), (2, PART), (2, STREAM), (2, TABLE), (2, OVERLAID)]

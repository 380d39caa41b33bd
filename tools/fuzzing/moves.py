# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that move numbers as bytes: loops over bytes and words, shifts, unions, copies.

A number has sizeof(REAL)/8 words, one as double, more as dual number: each word is taken
apart and put together as the word of a double is.
"""
from .records import RecordPieces

# Copies of arrays by loops over parts of 1, 2, 4 or 8 bytes.
LOOPS = """
let U: unsigned char | char | uint16_t | unsigned | uint64_t | long | unsigned short | int
typedef $U unit$P __attribute__((may_alias));
static $far void move$P(?{void *to, const void *from, size_t bytes?|void *to, void *from, int bytes?}) {
  ?{unit$P *p = (unit$P *)to;
  const unit$P *q = (const unit$P *)from;
  for (size_t i = 0; i < bytes/sizeof(unit$P); i++) p[i] = q[i];?|
  const unit$P *q = (const unit$P *)from, *end = q + bytes/sizeof *q;
  unit$P *p = (unit$P *)to;
  while (q != end) *p++ = *q++;?|
  unit$P *p = (unit$P *)to, t;
  for (long i = bytes/sizeof t - 1; i >= 0; i--) { t = ((const unit$P *)from)[i]; p[i] = t; }?|
  for (size_t i = 0; i < bytes; i += sizeof(unit$P)) {
    unit$P t;
    memcpy(&t, (const char *)from + i, sizeof t);
    memcpy((char *)to + i, &t, sizeof t);
  }?|
  unit$P *p = (unit$P *)to, *q = (unit$P *)from;
  size_t k = bytes/sizeof *p;
  do { *p++ = *q++; } while (--k);?}
}
PIECE {
  REAL r = 0.1*a;
  block q
  REAL t[16], one = $e, two;
  move$P(t, w, ?{sizeof t?|n*sizeof(REAL)?});
  ?{move$P(q, t + ?{0?|3?}, ?{8?|(steps + 2)?|(n/2)?}*sizeof(REAL));?|move$P(&q[2], &one, sizeof one);?}
  move$P(&two, ?{&one?|&t[5]?|&q[$i]?}, sizeof two);
  ?{move$P(t, t + 8, 8*sizeof(REAL));?|?}
  for (int i = 0; i < n; i++) r += 0.1*t[i]*q[at[i]];
  done q
  return r + ${two a};
}
"""

# Numbers written to bytes by shifts and read again, in either order of bytes.
SHIFTS = """
let B: unsigned char | uint8_t | char
enum { words$P = sizeof(REAL)/sizeof(uint64_t) };
static $far void store$P($B *p, uint64_t u) {
  ?{for (int i = 0; i < 8; i++) p[i] = ($B)(u >> 8*SHIFT);?|
  ?{for (int i = 0; i < 8; i++) { p[SHIFT] = ($B)(u & 255); u >>= 8; }?|
  p[0] = ($B)(u >> 8*AT0); p[1] = ($B)(u >> 8*AT1); p[2] = ($B)(u >> 8*AT2); p[3] = ($B)(u >> 8*AT3);
  p[4] = ($B)(u >> 8*AT4); p[5] = ($B)(u >> 8*AT5); p[6] = ($B)(u >> 8*AT6); p[7] = ($B)(u >> 8*AT7);?}?}
}
static $far uint64_t load$P(const $B *p) {
  ?{uint64_t u = 0;
  for (int i = 0; i < 8; i++) u |= (uint64_t)(unsigned char)p[i] << 8*SHIFT;
  return u;?|
  uint64_t u = 0;
  for (int i = 7; i >= 0; i--) u = u << 8 | (unsigned char)p[SHIFT];
  return u;?|
  return (uint64_t)(unsigned char)p[AT0] | (uint64_t)(unsigned char)p[AT1] << 8 | (uint64_t)(unsigned char)p[AT2] << 16 |
         (uint64_t)(unsigned char)p[AT3] << 24 | (uint64_t)(unsigned char)p[AT4] << 32 | (uint64_t)(unsigned char)p[AT5] << 40 |
         (uint64_t)(unsigned char)p[AT6] << 48 | (uint64_t)(unsigned char)p[AT7] << 56;?}
}
static $far $B *put$P($B *p, REAL v) {
  uint64_t u[words$P];
  ?{memcpy(u, &v, sizeof v);?|union { REAL d; uint64_t u[words$P]; } bits;
  bits.d = v;
  for (int k = 0; k < words$P; k++) u[k] = bits.u[k];?}
  for (int k = 0; k < words$P; k++, p += 8) store$P(p, u[k]);
  return p;
}
static $far REAL get$P(const $B **p) {
  uint64_t u[words$P];
  REAL v;
  for (int k = 0; k < words$P; k++, *p += 8) u[k] = load$P(*p);
  memcpy(&v, u, sizeof v);
  return v;
}
PIECE {
  REAL r = 0.1*a;
  ?{$B bytes[16*sizeof(REAL) + 64];?|$B *bytes = ($B *)malloc(16*sizeof(REAL) + 64);?|static $B bytes[16*sizeof(REAL) + 64];?}
  $B *to = bytes;
  const $B *from = bytes;
  ?{*to++ = 3;?|*to++ = ($B)at[2]; *to++ = 0;?|?}
  from = to;
  for (int i = 0; i < ?{4?|8?|steps + 2?}; i++) {
    to = put$P(to, w[i]*$e);
    ?{*to++ = ($B)at[i];?|?}
  }
  while (from < to) {
    REAL t = get$P(&from);
    SKIP
    r = 0.8*r + 0.3*t;
  }
  return r;
}
"""


def shifts(order):
    """order: of the bytes, as the place of byte i; what is skipped is as it was put."""
    text = SHIFTS.replace("SHIFT", "i" if order else "(7 - i)")
    for i in range(8):
        text = text.replace(f"AT{i}", str(i if order else 7 - i))
    return text


def with_skip(text, skip):
    text = text.replace("?{*to++ = ($B)at[i];?|?}", "*to++ = ($B)at[i];" if skip else "")
    return text.replace("SKIP", "from++;" if skip else "")


# The order of bytes is turned round, and back.
SWAPPED = """
static $far ?{uint64_t swapped$P(uint64_t u) {
  ?{return __builtin_bswap64(u);?|
  u = (u & 0x00ff00ff00ff00ffu) << 8 | (u >> 8 & 0x00ff00ff00ff00ffu);
  u = (u & 0x0000ffff0000ffffu) << 16 | (u >> 16 & 0x0000ffff0000ffffu);
  return u << 32 | u >> 32;?|
  uint64_t v = 0;
  for (int i = 0; i < 8; i++) { v = v << 8 | (u & 255); u >>= 8; }
  return v;?|return (uint64_t)__builtin_bswap32((unsigned)u) << 32 | __builtin_bswap32((unsigned)(u >> 32));?}
}?|uint64_t swapped$P(uint64_t u) {
  unsigned char b[8], t;
  memcpy(b, &u, 8);
  for (int i = 0; i < 4; i++) { t = b[i]; b[i] = b[7 - i]; b[7 - i] = t; }
  memcpy(&u, b, 8);
  return u;
}?}
static $far void turn$P(void *p, int count) {
  ?{for (int i = 0; i < count; i++) {
    uint64_t u;
    memcpy(&u, (char *)p + 8*i, 8);
    u = swapped$P(u);
    memcpy((char *)p + 8*i, &u, 8);
  }?|typedef uint64_t __attribute__((may_alias)) unit;
  unit *u = (unit *)p;
  for (int i = 0; i < count; i++) u[i] = swapped$P(u[i]);?|
  char *b = (char *)p;
  for (int i = 0; i < count; i++, b += 8)
    for (int k = 0; k < 4; k++) { char t = b[k]; b[k] = b[7 - k]; b[7 - k] = t; }?}
}
PIECE {
  REAL r = 0.1*a;
  const int words = sizeof(REAL)/8;
  ?{char buffer[16*sizeof(REAL)];?|char *buffer = (char *)malloc(16*sizeof(REAL));?|uint64_t buffer[16*sizeof(REAL)/8];?}
  memcpy(buffer, ?{w?|y?}, 16*sizeof(REAL));
  turn$P(buffer, ?{16*words?|n*words?});
  REAL t[16];
  ?{memcpy(t, buffer, sizeof t);
  turn$P(t, 16*words);?|turn$P(buffer, n*words);
  memcpy(t, buffer, sizeof t);?}
  for (int i = 0; i < n; i++) r += 0.1*t[i]*w[at[i]]*a;
  return r + t[$i];
}
"""

# The bits of a number in unions, words, halves: taken, kept, and put back.
BITS = """
let V: union | struct
enum { words$P = sizeof(REAL)/8 };
union Bits$P { REAL d; ?{uint64_t u[words$P];?|long u[words$P];?} unsigned half[2*words$P]; unsigned char b[8*words$P]; };
static $far union Bits$P bits$P(REAL v) { union Bits$P u; u.d = v; return u; }
static $far REAL value$P(?{const union Bits$P *p?|const union Bits$P *p?}) { return p->d; }
PIECE {
  REAL r = 0.1*a;
  block q
  union Bits$P u[8], v;
  for (int i = 0; i < 8; i++) u[i] = bits$P(q[i]*w[i]);
  for (int i = 0; i < 8; i++) {
    ?{for (int k = 0; k < words$P; k++) v.u[k] = u[i].u[k];?|
    for (int k = 0; k < 2*words$P; k++) v.half[k] = u[i].half[k];?|
    for (int k = 0; k < 8*words$P; k++) v.b[k] = u[i].b[k];?|
    for (int k = 0; k < words$P; k++) {
      unsigned low = (unsigned)u[i].u[k], high = (unsigned)((uint64_t)u[i].u[k] >> 32);
      v.u[k] = (uint64_t)high << 32 | low;
    }?|v = u[i];?|memcpy(v.b, &q[i], sizeof(REAL));?}
    r = 0.8*r + 0.2*value$P(&v)*a;
  }
  uint64_t kept[8][words$P];
  for (int i = 0; i < 8; i++) memcpy(kept[i], ?{&w[i]?|&u[i].d?|&q[at[i]]?}, sizeof kept[i]);
  ?{for (int k = 0; k < words$P; k++) { uint64_t t = kept[2][k]; kept[2][k] = kept[5][k]; kept[5][k] = t; }?|
  for (int i = 1; i < 8; i++) for (int k = 0; k < words$P; k++) if (at[i] & 1) kept[i][k] = kept[i - 1][k];?|
  for (int k = 0; k < words$P; k++) { kept[1][k] ^= kept[6][k]; kept[6][k] ^= kept[1][k]; kept[1][k] ^= kept[6][k]; }?|
  for (int k = 0; k < words$P; k++) kept[3][k] = ?{at[4] & 1?|w[2] > 0.1?} ? kept[4][k] : kept[7][k];?}
  for (int i = 0; i < 8; i++) {
    REAL t;
    memcpy(&t, kept[i], sizeof t);
    r += 0.1*${t}*y[i];
  }
  done q
  return r;
}
"""

# Members that are copied alone, gathered into bytes, scattered from them.
MEMBERS = """
static $far void gather$P(char *to, const struct $R0 *p, int count) {
  ?{for (int i = 0; i < count; i++) memcpy(to + i*sizeof(REAL), (const char *)&p[i] + offsetof(struct $R0, v), sizeof(REAL));?|
  for (int i = 0; i < count; i++)
    for (size_t k = 0; k < sizeof(REAL); k++) *to++ = ((const char *)&p[i])[offsetof(struct $R0, v) + k];?|
  for (int i = 0; i < count; i++) { REAL t = p[i].v; memcpy(to, &t, sizeof t); to += sizeof t; }?}
}
static $far void scatter$P(struct $R0 *p, const char *from, int count, int stride) {
  for (int i = 0; i < count; i++, from += stride) {
    ?{memcpy((char *)&p[i] + offsetof(struct $R0, v), from, sizeof(REAL));?|REAL t;
    memcpy(&t, from, sizeof t);
    p[i].v = t;?|char *to = (char *)&p[i] + offsetof(struct $R0, v);
    for (size_t k = 0; k < sizeof(REAL); k++) to[k] = from[k];?}
  }
}
PIECE {
  REAL r = 0.1*a;
  struct $R0 p[6];
  char ?{buffer[6*sizeof(REAL)]?|*buffer = (char *)malloc(6*sizeof(REAL))?};
  for (int i = 0; i < 6; i++) make$R0(&p[i], w, i, $e);
  gather$P(buffer, p, 6);
  ?{for (int i = 0; i < 6; i++) change$R0(&p[i], a);?|?}
  scatter$P(p, buffer?{?| + sizeof(REAL)?}, 5, sizeof(REAL));
  scatter$P(p + 3, (const char *)?{w?|&w[4]?|y?}, 3, ?{2*?|?}sizeof(REAL));
  for (int i = 0; i < 6; i++) r = 0.8*r + 0.2*read$R0(&p[i], a);
  REAL t;
  memcpy(&t, buffer + (at[3] % 6)*sizeof(REAL), sizeof t);
  return r + t*a;
}
"""


class BytesProgram(RecordPieces):
    pieces = [(3, LOOPS), *((0.5, with_skip(shifts(order), skip))
                            for order in (True, False) for skip in (True, False)),
              (2, SWAPPED), (2, BITS), (2, MEMBERS)]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that are moved byte by byte, taken apart and put together again.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Loops over characters.
__attribute__((noinline)) static void charloopCp(char *d, const char *s,
                                                 int n) {
  for (int i = 0; i < n; ++i)
    d[i] = s[i];
}
typedef struct {
  int k;
  double v;
  char c;
} charloopR;
double charloop(const double *x, int n) {
  charloopR a[8], b[8];
  for (int i = 0; i < n; ++i) {
    a[i].k = i;
    a[i].v = x[i] * x[i];
    a[i].c = 'a';
  }
  charloopCp((char *)b, (char *)a, n * sizeof(charloopR));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i].v * (b[i].k + 1);
  return s;
}

ADZE_TEST_ARRAY(charloop, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5))
double charloopMore(const double *x, int n) {
  double a = x[0] * x[1], b;
  const char *s = (const char *)&a;
  char *d = (char *)&b;
  for (size_t i = 0; i < sizeof a; ++i)
    d[i] = s[i];
  return b * b * x[2];
}

ADZE_TEST_ARRAY(charloopMore, 3, ADZE_AT(0.5, 0.25, -0.5))

// By shifts, in loops.
__attribute__((noinline)) static void shiftsSer(double v, unsigned char *b) {
  uint64_t u;
  memcpy(&u, &v, 8);
  for (int i = 0; i < 8; ++i)
    b[i] = (unsigned char)(u >> (8 * i));
}
__attribute__((noinline)) static double shiftsDes(const unsigned char *b) {
  uint64_t u = 0;
  for (int i = 0; i < 8; ++i)
    u |= (uint64_t)b[i] << (8 * i);
  double v;
  memcpy(&v, &u, 8);
  return v;
}
double shifts(const double *x, int n) {
  unsigned char buf[64];
  for (int i = 0; i < n; ++i)
    shiftsSer(x[i] * x[i], buf + 8 * i);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += shiftsDes(buf + 8 * i) * (i + 1);
  return s;
}

ADZE_TEST_ARRAY(shifts, 3, ADZE_AT(0.5, 0.25, -0.5))

// By shifts, written out.
static void shifts2Ser(double v, unsigned char *b) {
  uint64_t u;
  memcpy(&u, &v, 8);
  b[0] = u;
  b[1] = u >> 8;
  b[2] = u >> 16;
  b[3] = u >> 24;
  b[4] = u >> 32;
  b[5] = u >> 40;
  b[6] = u >> 48;
  b[7] = u >> 56;
}
static double shifts2Des(const unsigned char *b) {
  uint64_t u = b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
               (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
               (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
               (uint64_t)b[7] << 56;
  double v;
  memcpy(&v, &u, 8);
  return v;
}
double shifts2(const double *x, int n) {
  unsigned char buf[64];
  for (int i = 0; i < n; ++i)
    shifts2Ser(x[i] * x[i], buf + 8 * i);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += shifts2Des(buf + 8 * i) * (i + 1);
  return s;
}

ADZE_TEST_ARRAY(shifts2, 3, ADZE_AT(0.5, 0.25, -0.5))

// Network byte order.
static uint32_t htonlSw(uint32_t u) {
  return (u >> 24) | ((u >> 8) & 0xff00) | ((u << 8) & 0xff0000) | (u << 24);
}
double htonl(const double *x, int n) {
  uint32_t wire[8];
  for (int i = 0; i < n; ++i) {
    float v = (float)(x[i] * x[i]);
    uint32_t u;
    memcpy(&u, &v, 4);
    wire[i] = htonlSw(u);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint32_t u = htonlSw(wire[i]);
    float v;
    memcpy(&v, &u, 4);
    s += v * (i + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(htonl, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1)

// The same by the builtin.
__attribute__((noinline)) static uint64_t bswapSw(uint64_t u) {
  return __builtin_bswap64(u);
}
double bswap(const double *x, int n) {
  uint64_t wire[8];
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[i];
    uint64_t u;
    memcpy(&u, &v, 8);
    wire[i] = bswapSw(u);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    uint64_t u = bswapSw(wire[i]);
    double v;
    memcpy(&v, &u, 8);
    s += v * (i + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(bswap, 3, ADZE_AT(0.5, 0.25, -0.5))

// The same in memory.
__attribute__((noinline)) static void bswap2Rev(unsigned char *p, int n) {
  for (int i = 0; i < n / 2; ++i) {
    unsigned char t = p[i];
    p[i] = p[n - 1 - i];
    p[n - 1 - i] = t;
  }
}
double bswap2(const double *x, int n) {
  double w[8];
  for (int i = 0; i < n; ++i) {
    w[i] = x[i] * x[i];
    bswap2Rev((unsigned char *)&w[i], 8);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    bswap2Rev((unsigned char *)&w[i], 8);
    s += w[i] * (i + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(bswap2, 3, ADZE_AT(0.5, 0.25, -0.5))

// Records exchanged byte by byte.
__attribute__((noinline)) static void swapbytesSwp(void *a, void *b, size_t n) {
  char *p = a, *q = b;
  while (n--) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}
typedef struct {
  int k;
  char c;
  double v;
} swapbytesR;
double swapbytes(const double *x, int n) {
  swapbytesR a[8];
  for (int i = 0; i < n; ++i) {
    a[i].k = i;
    a[i].v = x[i] * x[i];
    a[i].c = 'a' + i;
  }
  for (int i = 0; i < n / 2; ++i)
    swapbytesSwp(&a[i], &a[n - 1 - i], sizeof(swapbytesR));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i].v * (i + 1) + a[i].k;
  return s;
}

ADZE_TEST_ARRAY(swapbytes, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5))

// Words.
typedef uint16_t __attribute__((may_alias)) Word16;
typedef uint32_t __attribute__((may_alias)) Word32;
typedef uint64_t __attribute__((may_alias)) Word64;
typedef struct {
  int k;
  double v;
  float w;
} WordsRecord;
#define WORDS(NAME, T)                                                         \
  __attribute__((noinline)) static void NAME##Copy(void *d, const void *s,     \
                                                   size_t n) {                 \
    T *a = d;                                                                  \
    const T *b = s;                                                            \
    for (size_t i = 0; i < n / sizeof(T); ++i)                                 \
      a[i] = b[i];                                                             \
  }                                                                            \
  double NAME(const double *x, int n) {                                        \
    WordsRecord a[8], b[8];                                                    \
    for (int i = 0; i < n; ++i) {                                              \
      a[i].k = i;                                                              \
      a[i].v = x[i] * x[i];                                                    \
      a[i].w = 2 * x[i];                                                       \
    }                                                                          \
    NAME##Copy(b, a, n * sizeof(WordsRecord));                                 \
    double s = 0;                                                              \
    for (int i = 0; i < n; ++i)                                                \
      s += b[i].v * (b[i].k + 1) + b[i].w;                                     \
    return s;                                                                  \
  }
WORDS(words16, Word16)
WORDS(words32, Word32)
WORDS(words64, Word64)
ADZE_TEST_ARRAY(words16, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1)
ADZE_TEST_ARRAY(words32, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1)
ADZE_TEST_ARRAY(words64, 3, ADZE_AT(0.5, 0.25, -0.5), .tolerance = 1e-3,
                .step = 0.1)

// A ring of bytes.
typedef struct {
  unsigned char b[96];
  size_t head, tail;
} ringRing;
__attribute__((noinline)) static void ringPut(ringRing *r, const void *p,
                                              size_t n) {
  const unsigned char *c = p;
  for (size_t i = 0; i < n; ++i)
    r->b[(r->tail++) % 96] = c[i];
}
__attribute__((noinline)) static void ringTake(ringRing *r, void *p, size_t n) {
  unsigned char *c = p;
  for (size_t i = 0; i < n; ++i)
    c[i] = r->b[(r->head++) % 96];
}
typedef struct {
  int a;
  double v;
  char t;
} ringR;
double ring(const double *x, int n) {
  ringRing r;
  r.head = r.tail = 0;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    ringR q = {i, x[i] * x[i], 'c'};
    ringPut(&r, &q, sizeof q);
    if (i % 2) {
      ringR z;
      ringTake(&r, &z, sizeof z);
      s += z.v * (z.a + 1);
    }
  }
  while (r.head < r.tail) {
    ringR z;
    ringTake(&r, &z, sizeof z);
    s += z.v * (z.a + 2);
  }
  return s;
}

ADZE_TEST_ARRAY(ring, 5, ADZE_AT(0.5, 0.25, -0.6, 0.75, 1.5))

// Tags and lengths between them.
__attribute__((noinline)) static size_t
tlvPut(unsigned char *b, size_t at, int tag, const void *p, int len) {
  b[at] = tag;
  b[at + 1] = len;
  memcpy(b + at + 2, p, len);
  return at + 2 + len;
}
double tlv(const double *x, int n) {
  unsigned char a[256], c[256];
  size_t at = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 2)
      at = tlvPut(a, at, 1, "hello", 5);
    double v = x[i] * x[i];
    at = tlvPut(a, at, 2, &v, 8);
  }
  memcpy(c, a, at);
  double s = 0;
  int k = 1;
  for (size_t p = 0; p < at; p += 2 + c[p + 1])
    if (c[p] == 2) {
      double v;
      memcpy(&v, c + p + 2, c[p + 1]);
      s += v * k++;
    }
  return s;
}

ADZE_TEST_ARRAY(tlv, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Doubles at odd addresses.
__attribute__((noinline)) static size_t unalignedPut(char *b, size_t at,
                                                     const void *p, size_t n) {
  memcpy(b + at, p, n);
  return at + n;
}
double unaligned(const double *x, int n) {
  char buf[256];
  size_t at = 0;
  for (int i = 0; i < n; ++i) {
    char t = 'a' + i;
    at = unalignedPut(buf, at, &t, 1);
    double v = x[i] * x[i];
    at = unalignedPut(buf, at, &v, 8);
  }
  char c[256];
  memcpy(c, buf, at);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v;
    memcpy(&v, c + 9 * i + 1, 8);
    s += v * (c[9 * i] - 'a' + 1);
  }
  return s;
}

ADZE_TEST_ARRAY(unaligned, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Numbers in the same bytes, and a cursor over both.
__attribute__((noinline)) static void cursorSer(char *p, uint64_t u) {
  for (int i = 0; i < 8; ++i)
    p[i] = (char)(u >> (8 * i));
}
__attribute__((noinline)) static uint64_t cursorDes(const char *p) {
  uint64_t u = 0;
  for (int i = 7; i >= 0; --i)
    u = u << 8 | (unsigned char)p[i];
  return u;
}
__attribute__((noinline)) static char *cursorPut(char *p, double v) {
  union {
    double d;
    uint64_t u;
  } bits;
  bits.d = v;
  cursorSer(p, bits.u);
  return p + 8;
}
__attribute__((noinline)) static double cursorGet(const char **p) {
  uint64_t u = cursorDes(*p);
  double v;
  *p += 8;
  memcpy(&v, &u, sizeof v);
  return v;
}
double cursor(const double *x, int n) {
  char bytes[128], *to = bytes;
  static const int Tags[4] = {3, 4, 5, 6};
  *to++ = (char)Tags[n % 4];
  const char *from = to;
  for (int i = 0; i < n; ++i) {
    to = cursorPut(to, x[i] * x[i]);
    *to++ = (char)Tags[i];
  }
  double s = 0;
  for (int k = 1; from < to; ++k) {
    double t = cursorGet(&from);
    s += t * (k + *from++);
  }
  return s + bytes[0];
}

ADZE_TEST_ARRAY(cursor, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Words: a length stands before the floats.
double lengths(const double *x, int n) {
  uint32_t words[32], copy[32];
  int at = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[i];
    words[at++] = 2 + n;
    memcpy(words + at, &v, sizeof v);
    at += 2;
  }
  for (int i = 0; i < at; ++i)
    copy[i] = words[i];
  double s = 0;
  for (int i = 0; i < at; i += 3) {
    double v;
    memcpy(&v, copy + i + 1, sizeof v);
    s += v * (i + 1) * copy[i];
  }
  return s;
}

ADZE_TEST_ARRAY(lengths, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's own memcpy, memmove and swap, by bytes and by words, of records
// of floats, numbers and pointers. Source and copy are both used.
// ADZE: may-refuse=O2noalias
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  int n;
  double *p;
  double v;
  char t;
  float w;
} Rec;

#define HELPER __attribute__((noinline)) static

static void fill(Rec *r, double *pool, const double *x, int n) {
  for (int i = 0; i < n; ++i) {
    pool[i] = x[i] * x[i];
    r[i].n = i + 1;
    r[i].p = &pool[i];
    r[i].v = x[i];
    r[i].t = 'a' + i;
    r[i].w = (float)(x[i] * 0.5);
  }
}

static double use(const Rec *r, int n, double f) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += f * r[i].n * r[i].v * *r[i].p + r[i].w * r[i].v +
         (r[i].t - 'a') * *r[i].p;
  return s;
}

// while (n--) *d++ = *s++;
HELPER void upward(void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  while (n--)
    *d++ = *s++;
}
// by an index
HELPER void indexed(unsigned char *d, const unsigned char *s, int n) {
  for (int i = 0; i < n; ++i)
    d[i] = s[i];
}
HELPER void indexedDown(char *d, const char *s, int n) {
  for (int i = n - 1; i >= 0; --i)
    d[i] = s[i];
}
// words, then bytes
typedef uint64_t __attribute__((may_alias)) word;
HELPER void words(void *to, const void *from, size_t n) {
  word *d = to;
  const word *s = from;
  for (; n >= 8; n -= 8)
    *d++ = *s++;
  char *dc = (char *)d;
  const char *sc = (const char *)s;
  for (; n; --n)
    *dc++ = *sc++;
}
// memmove
HELPER void *moved(void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  if (d == s)
    return to;
  if (d < s)
    while (n--)
      *d++ = *s++;
  else
    while (n--)
      d[n] = s[n];
  return to;
}

#define COPIED(NAME)                                                           \
  double NAME##Copied(const double *x, int n) {                                \
    Rec a[8], b[8];                                                            \
    double pool[8];                                                            \
    fill(a, pool, x, n);                                                       \
    NAME((void *)b, (void *)a, n * sizeof(Rec));                               \
    for (int i = 0; i < n; ++i)                                                \
      b[i].v *= 2;                                                             \
    return use(a, n, 0.5) + use(b, n, 1.5);                                    \
  }                                                                            \
  ADZE_TEST_ARRAY(NAME##Copied, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75),             \
                  .tolerance = 1e-3, .step = 0.1, .dot = 1e-6)

COPIED(upward)
COPIED(indexed)
COPIED(indexedDown)
COPIED(words)
COPIED(moved)

// A gap is closed, and opened, in a table.
double gap(const double *x, int n) {
  Rec *a = malloc((n + 1) * sizeof *a), b[8];
  double pool[8];
  fill(a, pool, x, n);
  upward(b, a, n * sizeof *a);
  moved(a + 1, a, n * sizeof *a);
  moved(a, a + 2, (n - 1) * sizeof *a);
  double s = use(a, n - 1, 2) + use(b, n, 1);
  free(a);
  return s;
}
ADZE_TEST_ARRAY(gap, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

// Sizes that the compiler knows.
double constant(const double *x, int n) {
  Rec a[8];
  Rec *b = malloc(sizeof(Rec) * 2);
  double pool[8];
  fill(a, pool, x, n);
  for (unsigned i = 0; i < sizeof(Rec); ++i)
    ((char *)b)[i] = ((char *)&a[1])[i];
  for (unsigned i = 0; i < sizeof(Rec) / 8; ++i)
    ((word *)&b[1])[i] = ((word *)&a[2])[i];
  double s = use(a, n, 1) + use(b, 2, 2);
  free(b);
  return s;
}
ADZE_TEST_ARRAY(constant, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

HELPER void constantHelper(void *to, const void *from) {
  for (unsigned i = 0; i < sizeof(Rec); ++i)
    ((char *)to)[i] = ((const char *)from)[i];
}
double constantUsed(const double *x, int n) {
  Rec a[8], b[8];
  double pool[8];
  fill(a, pool, x, n);
  for (int i = 0; i < n; ++i)
    constantHelper(&b[i], &a[n - 1 - i]);
  return use(a, n, 1) + use(b, n, 2);
}
ADZE_TEST_ARRAY(constantUsed, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75),
                .tolerance = 1e-3, .step = 0.1, .dot = 1e-6)

// Exchanges.
HELPER void swapped(void *a, void *b, size_t n) {
  char *p = a, *q = b;
  while (n--) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}
HELPER void swappedWords(void *a, void *b, size_t n) {
  word *p = a, *q = b;
  for (size_t i = 0; i < n / 8; ++i) {
    word t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}
double reversed(const double *x, int n) {
  Rec a[8], b[8];
  double pool[8];
  fill(a, pool, x, n);
  upward(b, a, sizeof a);
  for (int i = 0; i < n / 2; ++i)
    swapped(&a[i], &a[n - 1 - i], sizeof(Rec));
  for (int i = 0; i + 1 < n; ++i)
    swappedWords(&b[i], &b[i + 1], sizeof(Rec));
  swapped(a, a, sizeof(Rec));
  return use(a, n, 1) * use(b, 2, 1) + use(b, n, 0.5);
}
ADZE_TEST_ARRAY(reversed, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

// Sorted by insertion, in functions that know the size alone.
HELPER void sort(char *base, size_t n, size_t size,
                 int (*less)(const void *, const void *)) {
  for (size_t i = 1; i < n; ++i)
    for (size_t j = i; j > 0; --j) {
      char *p = base + (j - 1) * size, *q = base + j * size;
      if (!less(q, p))
        break;
      for (size_t k = 0; k < size; ++k) {
        char t = p[k];
        p[k] = q[k];
        q[k] = t;
      }
    }
}
static int less(const void *a, const void *b) {
  return *((const Rec *)a)->p < *((const Rec *)b)->p;
}
double sorted(const double *x, int n) {
  Rec a[8], b[8];
  double pool[8];
  fill(a, pool, x, n);
  upward(b, a, sizeof a);
  sort((char *)a, n, sizeof(Rec), less);
  return use(a, 2, 1) * use(b, 3, 1) + a[n - 1].v;
}
ADZE_TEST_ARRAY(sorted, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75), .tolerance = 1e-3,
                .step = 0.1, .dot = 1e-6)

// Characters of a name are numbers, whatever stands beside them.
double named(const double *x, int n) {
  struct {
    double v;
    char name[8];
  } r[4];
  const char *names = "density";
  for (int i = 0; i < n; ++i) {
    r[i].v = x[i] * x[i];
    for (int k = 0; k < 8; ++k)
      r[i].name[k] = names[k];
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += r[i].v * r[i].name[i];
  return s;
}
ADZE_TEST_ARRAY(named, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75))

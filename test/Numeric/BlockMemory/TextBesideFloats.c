// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters and numbers between floats, packed and not; and floats whose place
// is used for them.
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Packed records.
typedef struct __attribute__((packed)) {
  char c;
  double d;
  int n;
  float e;
} packedP;
__attribute__((noinline)) static void packedCpy(packedP *a, const packedP *b,
                                                size_t n) {
  memcpy(a, b, n * sizeof *a);
}
double packed(const double *x, int n) {
  packedP *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; ++i) {
    a[i].c = 'a';
    a[i].d = x[i] * x[i];
    a[i].n = i;
    a[i].e = x[i];
  }
  packedCpy(b, a, n);
  for (int i = 0; i < n; ++i)
    b[i].c = 'z';
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i].d * (b[i].n + 1) + b[i].e * (b[i].c == 'z');
  free(a);
  free(b);
  return s;
}

ADZE_TEST_ARRAY(packed, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3,
                .step = 0.1)

// Text beside floats.
typedef struct __attribute__((packed)) {
  char c;
  double a;
  char t[3];
  double b;
  char e;
} textbesideP;
typedef struct {
  double a;
  char c;
  double b;
  char t[5];
  float w;
} textbesideQ;
__attribute__((noinline)) static void textbesideLabel(textbesideP *p, char c) {
  p->c = c;
  for (int i = 0; i < 3; ++i)
    p->t[i] = c + i;
  p->e = c;
}
__attribute__((noinline)) static void textbesideLabelq(textbesideQ *q, char c) {
  q->c = c;
  for (int i = 0; i < 5; ++i)
    q->t[i] = c;
}
double textbeside(const double *x, int n) {
  textbesideP p[4];
  textbesideQ q[4];
  for (int i = 0; i < n; ++i) {
    p[i].a = x[i];
    p[i].b = x[i] * x[i];
    q[i].a = x[i];
    q[i].b = 2 * x[i];
    q[i].w = x[i];
    textbesideLabel(&p[i], 'a');
    textbesideLabelq(&q[i], 'b');
    p[i].e = 'q';
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += p[i].a * p[i].b + q[i].a * q[i].b * q[i].w;
    p[i].t[i % 3] = 'x';
    q[i].c++;
    s += p[i].a + q[i].b;
  }
  return s;
}

ADZE_TEST_ARRAY(textbeside, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75),
                .tolerance = 1e-3, .step = 0.1)

// Doubles in a text.
double textbuf(const double *x, int n) {
  char *b = malloc(9 * n + 1);
  b[0] = 's';
  for (int i = 0; i < n; ++i) {
    double v = x[i] * x[i];
    memcpy(b + 1 + 9 * i, &v, 8);
    b[9 + 9 * i] = 'a' + i;
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v;
    memcpy(&v, b + 1 + 9 * i, 8);
    s += v * (b[9 + 9 * i] - 'a' + 1);
  }
  free(b);
  return s;
}

ADZE_TEST_ARRAY(textbuf, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Floats that are overwritten in parts, which are read.
typedef union {
  double d;
  int i[2];
  char c[8];
} deadpartsU;
__attribute__((noinline)) static double deadpartsUse(const deadpartsU *u) {
  return u->d * u->d;
}
__attribute__((noinline)) static void deadpartsInts(int *p, int a, int b) {
  p[0] = a;
  p[1] = b;
}
__attribute__((noinline)) static void deadpartsBytes(char *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = (char)i;
}
double deadparts(const double *x, int n) {
  deadpartsU u;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    u.d = x[i];
    s += deadpartsUse(&u);
    deadpartsInts(u.i, i, 7);
    s *= u.i[1];
    u.d = x[i] * 2;
    s += deadpartsUse(&u);
    deadpartsBytes(u.c, n + 1);
    s += u.c[1] * x[0];
    memset(&u, i, 4);
    s += u.i[0] == 0;
  }
  return s;
}

ADZE_TEST_ARRAY(deadparts, 4, ADZE_AT(0.5, 0.25, -0.6, 0.75))

// Small floats.
typedef struct {
  char t;
  float a;
  short s;
  float b;
  char e[3];
} floats32R;
__attribute__((noinline)) static void floats32Cp(void *d, const void *s,
                                                 size_t b) {
  memcpy(d, s, b);
}
double floats32(const double *x, int n) {
  floats32R a[8], b[8];
  for (int i = 0; i < n; ++i) {
    a[i].t = 1;
    a[i].a = x[i];
    a[i].s = i;
    a[i].b = 2 * x[i];
    a[i].e[0] = 9;
  }
  floats32Cp(b, a, n * sizeof(floats32R));
  for (int i = 0; i < n; ++i) {
    b[i].t++;
    b[i].s += 2;
    b[i].e[2] = 'q';
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (double)b[i].a * b[i].b * (b[i].s + 1);
  return s;
}

ADZE_TEST_ARRAY(floats32, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3,
                .step = 0.1)

// Bit fields.
typedef struct {
  unsigned f : 3, g : 7;
  char t;
  double v;
  unsigned h : 9;
  float w;
} bitfieldR;
__attribute__((noinline)) static void bitfieldCp(bitfieldR *d,
                                                 const bitfieldR *s, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    d[i] = s[i];
    d[i].g = 5;
    d[i].h++;
  }
}
__attribute__((noinline)) static void bitfieldCpall(void *d, const void *s,
                                                    size_t b) {
  memcpy(d, s, b);
}
double bitfield(const double *x, int n) {
  bitfieldR a[8], b[8], c[8];
  for (int i = 0; i < n; ++i) {
    a[i].f = i;
    a[i].g = 1;
    a[i].t = 't';
    a[i].v = x[i] * x[i];
    a[i].h = 3;
    a[i].w = x[i];
  }
  bitfieldCp(b, a, n);
  bitfieldCpall(c, b, n * sizeof(bitfieldR));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += c[i].v * c[i].g + c[i].w * c[i].h + c[i].f;
  return s;
}

ADZE_TEST_ARRAY(bitfield, 4, ADZE_AT(0.5, 0.25, -0.5, 0.75), .tolerance = 1e-3,
                .step = 0.1)

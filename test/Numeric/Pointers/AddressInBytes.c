// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address is stored byte by byte, but for those that are zero, and read as a
// whole; a byte of one is a number.
#include "check.h"
#include <stdint.h>
#include <string.h>
#define APART __attribute__((noinline)) static

APART void putSix(unsigned char *b, const double *p) {
  uint64_t h = (uintptr_t)p;
  memset(b, 0, 8);
  for (int k = 0; k < 6; ++k)
    b[k] = (unsigned char)(h >> (8 * k));
}

APART void putOthers(unsigned char *b, const double *p, int begin) {
  uint64_t h = (uintptr_t)p;
  for (int k = begin; k < 6; k += 2)
    b[k] = (unsigned char)(h >> (8 * k));
}

APART double readAt(const unsigned char *b) {
  const double *p;
  memcpy(&p, b, 8);
  return *p;
}

double six(const double *x, int n) {
  unsigned char b[16] __attribute__((aligned(8)));
  double q[4], r = 0;
  for (int i = 0; i < 4; ++i)
    q[i] = x[i % n] * x[i];
  putSix(b, x);
  memset(b + 8, 0, 8);
  for (int i = 0; i < 4; ++i) {
    putOthers(b + 8, q + i, 0);
    putOthers(b + 8, q + i, 1);
    r += (i + 1) * readAt(b + 8) * readAt(b);
  }
  return r;
}

APART const double *chosen(const double *p, const double *q, int which) {
  unsigned char b[8] __attribute__((aligned(8)));
  uint64_t h = (uintptr_t)p, g = (uintptr_t)q;
  memset(b, 0, 8);
  for (int k = 0; k < 6; ++k)
    b[k] = (unsigned char)(which ? h >> (8 * k) : g >> (8 * k));
  memcpy(&p, b, 8);
  return p;
}

double choice(const double *x, int n) {
  double r = 0;
  for (int i = 0; i + 1 < n; ++i)
    r += (i + 1) * *chosen(x + i, x + i + 1, i & 1) * x[n - 1 - i];
  return r;
}

struct Slot {
  const double *place;
  unsigned char mark, hash;
};

double marks(const double *x, int n) {
  struct Slot all[4];
  double r = 0;
  for (int i = 0; i < 4; ++i) {
    all[i].place = x + i % n;
    all[i].mark = (unsigned char)(((uintptr_t)all[i].place >> 3) & 1);
    all[i].hash = (unsigned char)((uintptr_t)all[i].place >> 16);
  }
  for (int i = 0; i < 4; ++i)
    r += (all[i].mark == (all[i ^ 1].mark ^ 1) ? 1.0 : 0.25) *
         (all[i].hash >> 8 ? 2.0 : 0.5) * all[i].place[0] * x[(i + 1) % n];
  return r;
}

ADZE_TEST_ARRAY(six, 4, ADZE_AT(0.3, -0.7, 1.1, 0.4))
ADZE_TEST_ARRAY(choice, 5, ADZE_AT(0.3, -0.7, 1.1, 0.4, 0.9))
ADZE_TEST_ARRAY(marks, 4, ADZE_AT(0.3, -0.7, 1.1, 0.4))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of two kinds go byte by byte through a static buffer of characters:
// it has a shadow although nothing but single bytes is stored there.
#include "check.h"
#include <math.h>
#include <string.h>

struct One {
  double v, w;
};
struct Two {
  double v;
};

static unsigned char bytes[8 * (sizeof(struct One) + 1)];

static unsigned char *writeBytes(unsigned char *to, int kind, const void *p, int size) {
  *to++ = (unsigned char)kind;
  for (int i = 0; i < size; ++i)
    to[i] = ((const unsigned char *)p)[i];
  return to + size;
}

static const unsigned char *readBytes(const unsigned char *from, void *p) {
  int size = *from++ == 1 ? (int)sizeof(struct One) : (int)sizeof(struct Two);
  memcpy(p, from, size);
  return from + size;
}

double streamed(const double *x, int n) {
  unsigned char *to = bytes;
  for (int i = 0; i < n; ++i) {
    struct One one = {sin(x[i]), x[i] * x[n - 1 - i]};
    struct Two two = {cos(x[i])};
    to = i % 3 == 0 ? writeBytes(to, 1, &one, sizeof one) : writeBytes(to, 2, &two, sizeof two);
  }
  double s = 0;
  const unsigned char *from = bytes;
  while (from < to) {
    struct One u;
    int kind = *from;
    from = readBytes(from, &u);
    s = 0.7 * s + (kind == 1 ? u.v * u.w : u.v * u.v);
  }
  return s;
}

ADZE_TEST_ARRAY(streamed, 6, ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9))

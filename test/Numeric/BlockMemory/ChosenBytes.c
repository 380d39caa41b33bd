// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kinds of records go through one buffer, one with an address where the
// other has nothing; the optimizer stores bytes of either by one instruction.
// ADZE: may-refuse=O0,O0wide,O0clang,O0g,O1,O2noalias
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Text {
  char letter;
  double v;
  int key;
};
struct Place {
  double v;
  int key;
  const double *place;
};

static char *put(char *to, int kind, const void *from, size_t bytes) {
  *to++ = (char)kind;
  for (size_t i = 0; i < bytes; ++i)
    to[i] = ((const char *)from)[i];
  return to + bytes;
}

static const char *take(const char *from, int *kind, void *text, void *place) {
  *kind = *from++;
  size_t bytes = *kind == 1 ? sizeof(struct Text) : sizeof(struct Place);
  memcpy(*kind == 1 ? text : place, from, bytes);
  return from + bytes;
}

double throughBuffer(const double *x, int n) {
  double r = 0;
  char *bytes = malloc(n * (1 + sizeof(struct Text) + sizeof(struct Place)));
  char *to = bytes;
  struct Text u;
  struct Place v;
  for (int i = 0; i < n; ++i) {
    if (i % 3) {
      u.letter = (char)('a' + i);
      u.v = sin(x[i]);
      u.key = i;
      to = put(to, 1, &u, sizeof u);
    } else {
      v.v = sin(x[i]);
      v.key = i;
      v.place = x + n - 1 - i;
      to = put(to, 2, &v, sizeof v);
    }
  }
  for (const char *from = bytes; from < to;) {
    int kind = 0;
    from = take(from, &kind, &u, &v);
    if (kind == 1)
      r += 0.2 * (0.01 * u.letter + u.v + 0.1 * u.key);
    else
      r = 0.7 * r + v.v * *v.place + 0.1 * v.key;
  }
  free(bytes);
  return r;
}

ADZE_TEST_ARRAY(throughBuffer, 5, ADZE_AT(0.3, -0.7, 1.1, 0.4, 0.9))

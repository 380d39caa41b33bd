// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A message: header, a length, then doubles, then a name; sent through bytes.
#include "check.h"
#include <stdlib.h>
#include <string.h>
struct message {
  unsigned kind : 4, length : 12;
  float scale;
  double data[];
};
static size_t pack(char *out, const double *x, int n) {
  struct message *m = (struct message *)out;
  m->kind = 3, m->length = n, m->scale = 2;
  memcpy(m->data, x, n * sizeof(double));
  memcpy(out + sizeof *m + n * sizeof(double), "name", 5);
  return sizeof *m + n * sizeof(double) + 5;
}
void message(const double *x, double *y) {
  char *raw = (char *)malloc(256), *copy = (char *)malloc(256);
  size_t n = pack(raw, x, 3);
  memcpy(copy, raw, n);
  struct message *m = (struct message *)copy;
  double s = 1;
  for (unsigned i = 0; i < m->length; ++i)
    s *= m->data[i] * (double)m->scale;
  y[0] = s * m->kind * copy[n - 2];
  free(raw);
  free(copy);
}
ADZE_TEST_MAP(message, 3, 1, ADZE_AT(0.9, 1.1, -0.7))

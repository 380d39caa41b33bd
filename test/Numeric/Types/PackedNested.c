// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packed structs in packed structs, copied whole and as bytes: floats at odd
// offsets.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct __attribute__((packed)) inner {
  short kind;
  double value;
};
struct __attribute__((packed)) outer {
  char flag;
  struct inner in[2];
  float scale;
};

void packs(const double *x, double *y) {
  struct outer a, b;
  a.flag = 1;
  a.scale = 0.5f;
  for (int i = 0; i < 2; ++i) {
    a.in[i].kind = (short)(i + 1);
    a.in[i].value = x[i] * x[2];
  }
  b = a;
  memcpy(&a.in[0], &b.in[1], sizeof a.in[0]);
  y[0] = a.in[0].value * b.in[0].value * a.in[0].kind;
  y[1] = (double)b.scale * a.in[1].value * b.flag;
}

ADZE_TEST_MAP(packs, 3, 2, ADZE_AT(0.9, 1.1, -0.7))

// A tag of one byte in front: addresses off the grid of words, where bytes of
// numbers are stored beside them.
#pragma pack(push, 1)
struct tagged {
  char tag;
  double weight;
  const double *other;
};
#pragma pack(pop)

double packed_tags(const double *x, int n) {
  char *records = malloc(n * sizeof(struct tagged));
  for (int i = 0; i < n; ++i) {
    struct tagged r = {1, x[i] * x[i], &x[i]};
    memcpy(records + i * sizeof r, &r, sizeof r);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const struct tagged *r = (struct tagged *)(records + i * sizeof *r);
    sum += r->weight * *r->other;
  }
  free(records);
  return sum;
}

ADZE_TEST_ARRAY(packed_tags, 6, ADZE_AT(0.9, -0.7, 0.6, 1.2, 0.4, 2))

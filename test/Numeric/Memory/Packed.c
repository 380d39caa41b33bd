// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores that are not aligned.
#include "check.h"
#include <string.h>

struct __attribute__((packed)) record {
  char kind;
  double value;
  short count;
  float part;
};

void records(const double *x, double *y) {
  struct record r[3];
  for (int i = 0; i < 3; ++i) {
    r[i].kind = (char)i;
    r[i].value = x[i] * x[(i + 1) % 3];
    r[i].count = 2;
    r[i].part = 0.5f;
  }
  r[1].value *= r[0].value;
  char raw[32];
  memcpy(raw + 3, &r[1].value, sizeof(double));
  double back;
  memcpy(&back, raw + 3, sizeof back);
  y[0] = back * r[2].value;
  y[1] = r[0].value * r[0].count * r[1].part;
}

ADZE_TEST_MAP(records, 3, 2, ADZE_AT(0.9, 1.1, -0.7))

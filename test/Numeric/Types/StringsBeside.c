// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of a short string and a double: literals of 7 bytes, strncpy,
// comparisons of names.
#include "check.h"
#include <string.h>

struct named {
  char name[7];
  char unit;
  double value;
};

static const struct named *find(const struct named *all, int n,
                                const char *name) {
  for (int i = 0; i < n; ++i)
    if (!strncmp(all[i].name, name, sizeof all[i].name))
      return &all[i];
  return all;
}

void table(const double *x, double *y) {
  struct named t[3];
  memcpy(t[0].name, "length", 7);
  strcpy(t[1].name, "height");
  strncpy(t[2].name, "mass", sizeof t[2].name);
  for (int i = 0; i < 3; ++i) {
    t[i].unit = "mmk"[i];
    t[i].value = x[i] * x[(i + 1) % 3];
  }
  struct named copy = t[1];
  y[0] = find(t, 3, "mass")->value * copy.value * (t[2].unit == 'k' ? 2 : 1);
  y[1] = find(t, 3, "length")->value * find(&copy, 1, "height")->value;
}

ADZE_TEST_MAP(table, 3, 2, ADZE_AT(0.9, 1.1, -0.7))

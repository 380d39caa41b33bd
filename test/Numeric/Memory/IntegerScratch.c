// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers beside floats in one structure and one buffer.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct item {
  int key;
  double value;
  char tag[3];
  float small;
};

double sumItems(const double *x, int n) {
  struct item items[4];
  int order[4] = {2, 0, 3, 1};
  for (int i = 0; i < n; ++i) {
    items[i].key = order[i];
    items[i].value = x[i] * x[i];
    memcpy(items[i].tag, "ab", 3);
    items[i].small = (float)i;
  }
  struct item copy[4];
  memcpy(copy, items, sizeof copy);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += copy[copy[i].key].value * (copy[i].small + 1) * (copy[i].tag[0] == 'a');
  return s;
}

ADZE_TEST_ARRAY(sumItems, 4, ADZE_AT(0.9, 1.1, -0.7, 0.4))

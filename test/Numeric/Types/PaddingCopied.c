// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs with padding inside and at the end, copied with it; and a member
// behind the padding.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct padded {
  char kind;
  double value;
  char flag;
};
struct holder {
  struct padded p[2];
  float scale;
};

void pads(const double *x, double *y) {
  struct holder h, *copy = (struct holder *)malloc(sizeof *copy);
  for (int i = 0; i < 2; ++i) {
    struct padded p = {(char)i, x[i] * x[2], 1};
    h.p[i] = p;
  }
  h.scale = 2;
  memcpy(copy, &h, sizeof h);
  memmove(&copy->p[0], &copy->p[1], sizeof copy->p[0]);
  y[0] = copy->p[0].value * copy->p[1].value * copy->p[0].kind;
  y[1] = h.p[0].value * (double)copy->scale * copy->p[1].flag;
  free(copy);
}

ADZE_TEST_MAP(pads, 3, 2, ADZE_AT(0.9, 1.1, -0.7))

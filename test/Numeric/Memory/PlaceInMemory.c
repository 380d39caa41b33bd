// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strchr and memchr return a pointer into their argument, behind which active
// numbers stand.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct named {
  double value;
  char name[8];
  double weight;
};
double behindName(const double *x, int n) {
  struct named a[4];
  for (int i = 0; i < n; ++i) {
    a[i].value = x[i] * x[i];
    a[i].weight = x[i];
    strcpy(a[i].name, "ab:cd");
    a[i].name[2] = (char)('0' + i);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    char *at = strchr(a[i].name, '0' + i);
    const double *weight = (const double *)(at + 6);
    s += *weight * a[i].value;
    if (strchr(a[i].name, '?'))
      s = 0;
  }
  return s;
}
ADZE_TEST_ARRAY(behindName, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

double behindMark(const double *x, int n) {
  char *block = malloc(8 + n * sizeof(double));
  memset(block, 'a', 7);
  block[7] = '#';
  double *in = (double *)(block + 8), s = 0;
  for (int i = 0; i < n; ++i)
    in[i] = x[i] * x[i];
  double *out = (double *)((char *)memchr(block, '#', 8) + 1);
  for (int i = 0; i < n; ++i)
    s += out[i] * out[i];
  free(block);
  return s;
}
ADZE_TEST_ARRAY(behindMark, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions without derivative in the middle of active code: printing into a buffer,
// clocks, random numbers, assert, getenv, sorting of integers.
#include "check.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }

double busy(double x, double y) {
  char text[64];
  snprintf(text, sizeof text, "x is %g", x);
  assert(text[0] == 'x');
  clock_t start = clock();
  time_t now = time(NULL);
  int r = rand() % 2;
  int index[4] = {3, 1, 0, 2};
  qsort(index, 4, sizeof *index, order);
  const char *home = getenv("ADZE_NOT_SET");
  double s = x * y;
  for (int i = 0; i < 4; ++i)
    s = s * (1 + 0.1 * index[i]) + x;
  if (strlen(text) > 60 || now == 0 || home)
    s += 1;
  if (r > 1 || clock() < start)
    s = -s;
  return s;
}

ADZE_TEST_SCALAR2(busy, ADZE_AT(0.9, 1.3))

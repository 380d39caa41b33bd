// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: vectorized
// A nest reads neighbours in a variable of the file, which is overwritten
// later: what it reads is copied, from an address inside the variable.
#include "check.h"
#include <string.h>

enum { N = 32 };
// Unknown to the optimizer.
static volatile int given = 3;
static double held[N], next[N];

double neighbours(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < N; ++i)
    held[i] = x[i % n] + 0.01 * i;
  for (int k = 0, rounds = given; k < rounds; ++k) {
    for (int i = 2; i < 4 * n; ++i)
      next[i] = held[i - 1] * held[i] + held[i] * held[i + 1];
    for (int i = 0; i < N; ++i)
      held[i] = 0.5 * held[i] + 0.3 * next[i];
  }
  for (int i = 0; i < N; ++i)
    s += held[i] * (1 + 0.1 * i);
  return s;
}

ADZE_TEST_ARRAY(neighbours, 4, ADZE_AT(0.9, 0.8, -0.7, 0.5))

// Variables of more than 16 KiB: a copy whose length the program finds out, and another float in the file.
enum { LONG = 3000 };
static double first[LONG], second[LONG];

double long_variables(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < LONG; ++i)
    first[i] = x[i % n] + 0.001 * i;
  memcpy(second, first, (size_t)(LONG - given) * sizeof *first);
  for (int i = 0; i < LONG - given; ++i)
    s += second[i] * first[i] * (i % 5);
  return s;
}

ADZE_TEST_ARRAY(long_variables, 4, ADZE_AT(0.9, 0.8, -0.7, 0.5))

float three_halves(float x) { return 1.5f * x * x; }

ADZE_TEST_SCALAR1_T(float, three_halves, ADZE_AT(0.5f))

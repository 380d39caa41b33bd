// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of a function of nine numbers whose first argument is the size of a
// team, `double name(int threads, const double *x, int n)`:
//
//   TEAMS(name)    by teams of 1, 2, 3 and 8 threads
//   FEW(name)      of 1, 2 and 3
//   STEADY(name)   of 1, 2, 3 and 8, the same to the last bit each time
//   WITHIN(name)   of 1, 2, 3 and 8, whose threads have teams of their own
#ifndef ADZE_TEST_NUMERIC_OPENMP_SIZES_H
#define ADZE_TEST_NUMERIC_OPENMP_SIZES_H

#include "check.h"
#include <math.h>
#include <omp.h>

enum { Count = 9 };

#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4, 0.6, 0.2)
#define TEAM(NAME, SIZE, FLAGS)                                                \
  double NAME##SIZE(const double *x, int n) { return NAME(SIZE, x, n); }       \
  ADZE_TEST_ARRAY(NAME##SIZE, Count, POINT, .flags = (FLAGS))
#define FEW(NAME)                                                              \
  TEAM(NAME, 1, 0) TEAM(NAME, 2, ADZE_UNORDERED) TEAM(NAME, 3, ADZE_UNORDERED)
#define TEAMS(NAME) FEW(NAME) TEAM(NAME, 8, ADZE_UNORDERED)
#define WITHIN(NAME)                                                           \
  TEAM(NAME, 1, ADZE_UNORDERED)                                                \
  TEAM(NAME, 2, ADZE_UNORDERED)                                                \
  TEAM(NAME, 3, ADZE_UNORDERED)                                                \
  TEAM(NAME, 8, ADZE_UNORDERED)
#define STEADY(NAME)                                                           \
  TEAM(NAME, 1, 0) TEAM(NAME, 2, 0) TEAM(NAME, 3, 0) TEAM(NAME, 8, 0)

#endif

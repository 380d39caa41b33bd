// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: fortran=FortranSteps.f90 flags="-fopenmp" libs="-fopenmp"
// skip-unless=header:omp.h Solvers of Fortran whose loops are shared out.
#include "check.h"
#include <omp.h>

#define POINT                                                                  \
  ADZE_AT(0.30, 0.85, 1.40, 0.75, 1.30, 0.65, 1.20, 0.55, 1.10, 0.45, 1.00,    \
          0.35)
#define TEAM(NAME, SIZE)                                                       \
  double NAME##SIZE(const double *x, int n) {                                  \
    omp_set_num_threads(SIZE);                                                 \
    return NAME(x, n);                                                         \
  }                                                                            \
  ADZE_TEST_ARRAY(NAME##SIZE, 12, POINT, .flags = ADZE_UNORDERED)
#define TEAMS(NAME)                                                            \
  double NAME(const double *x, int n);                                         \
  TEAM(NAME, 1)                                                                \
  TEAM(NAME, 2)                                                                \
  TEAM(NAME, 3)                                                                \
  TEAM(NAME, 8)

TEAMS(sparse)
TEAMS(redblack)
TEAMS(histogram)
TEAMS(forces)
TEAMS(stepping)
TEAMS(largest)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: fortran=FortranRuntime.f90
// What flang leaves to its runtime: constructors, shifts, masks, reductions
// along a dimension, complex numbers, allocations.
#include "check.h"

#define POINT ADZE_AT(1, 2, -3, 4, 0.5, 6, 7, 1.5, 9)
#define RUNTIME(NAME)                                                          \
  double NAME(const double *x, int n);                                         \
  ADZE_TEST_ARRAY(NAME, 9, POINT)

RUNTIME(constructed)
RUNTIME(shifted)
RUNTIME(turned_rows)
RUNTIME(spread_out)
RUNTIME(packed)
RUNTIME(masked)
RUNTIME(along)
RUNTIME(extremes)
RUNTIME(products_of_columns)
RUNTIME(complexes)
RUNTIME(singles_along)
RUNTIME(moved)
RUNTIME(pointed)

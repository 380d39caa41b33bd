// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: fortran=FortranArrays.f90
// Whole arrays of Fortran, by flang's runtime: products, copies and sums that
// go through descriptors.
#include "check.h"

#define POINT ADZE_AT(1, 2, -3, 4, 0.5, 6, 7, 1.5, 9)
#define ARRAYS(NAME)                                                           \
  double NAME(const double *x, int n);                                         \
  ADZE_TEST_ARRAY(NAME, 9, POINT)

ARRAYS(products)
ARRAYS(sections)
ARRAYS(shapes)
ARRAYS(sums)
ARRAYS(turned)
ARRAYS(allocated)
ARRAYS(singles)
ARRAYS(pairs)

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An acos of an invalid argument that nothing uses: the gradient is (60, 50).
#include "check.h"
#include <math.h>

double energy(double x, double y) {
  double angle = acos(x);
  double e = x * x + y * y;
  if (x <= 1)
    e += angle;
  return e;
}
static const double want[] = {60, 50};
ADZE_TEST_SCALAR2(energy, ADZE_AT(30.0, 25.0), .expected = want,
                  .flags = ADZE_NO_DIFFERENCES)

// The same through memory: the NaN is stored and overwritten.
double stored(double x, double y) {
  double cell[2];
  cell[0] = acos(x);
  cell[1] = sqrt(-y);
  cell[0] = x * x;
  cell[1] = y * y;
  return cell[0] + cell[1];
}
ADZE_TEST_SCALAR2(stored, ADZE_AT(30.0, 25.0), .expected = want,
                  .flags = ADZE_NO_DIFFERENCES)

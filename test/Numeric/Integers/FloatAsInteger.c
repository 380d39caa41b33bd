// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles that travel as integers: loaded, stored, kept in an array, exchanged.
#include "check.h"
#include <stdint.h>
#include <string.h>

void exchange(double *x) {
  uint64_t a, b, box[3];
  memcpy(&a, x, 8);
  memcpy(&b, x + 1, 8);
  memcpy(box, x + 1, 16);
  x[2] *= x[0];
  memcpy(x, &b, 8);
  memcpy(x + 1, &a, 8);
  memcpy(&box[2], x + 2, 8);
  double t;
  memcpy(&t, &box[2], 8);
  x[0] += t * x[1];
  memcpy(&t, &box[1], 8);
  x[1] += t;
}

ADZE_TEST_INPLACE(exchange, 3, ADZE_AT(0.9, 1.3, -0.5))

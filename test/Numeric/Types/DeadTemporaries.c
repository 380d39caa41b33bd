// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Temporaries of unknown content that nothing reads, and copies of bytes that
// nobody wrote.
#include "check.h"
#include <stddef.h>
#include <string.h>

struct scratch {
  char raw[24];
  double value;
  void *link;
};

double dead(double x, double y) {
  struct scratch a, b;
  memset(&a, 0, sizeof a);
  a.value = x * y;
  b = a;
  char bytes[sizeof a], more[sizeof a];
  memcpy(bytes, &b, sizeof b);
  memcpy(more, bytes, sizeof more);
  double unused = 0;
  memcpy(&unused, more + offsetof(struct scratch, value), sizeof unused);
  return b.value * x;
}

ADZE_TEST_SCALAR2(dead, ADZE_AT(0.9, 1.1, -0.7, 0.3))

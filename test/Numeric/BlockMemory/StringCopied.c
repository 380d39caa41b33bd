// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A string literal of seven bytes copied beside active arithmetic, and its length used.
#include "check.h"
#include <string.h>

double named(double x) {
  char name[16];
  memcpy(name, "cosine", 7);
  char longer[32];
  strcpy(longer, name);
  strcat(longer, "_taylor");
  double s = 1;
  if (strcmp(longer, "cosine_taylor") == 0)
    for (size_t i = 0; i < strlen(name); ++i)
      s = 1 - s * x * x / 7;
  return s;
}

ADZE_TEST_SCALAR1(named, ADZE_AT(0.9, -1.7))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Insertion sort: the derivative follows the permutation.
#include "check.h"

void sort(double *a) {
  for (int i = 1; i < 7; ++i) {
    double v = a[i];
    int j = i - 1;
    while (j >= 0 && a[j] > v) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = v;
  }
  for (int i = 0; i < 7; ++i)
    a[i] *= (i + 1) * a[i];
}

ADZE_TEST_INPLACE(sort, 7, ADZE_AT(0.5, -0.2, 0.9, 0.1, -0.7, 0.3, 0.8))

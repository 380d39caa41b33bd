// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables whose step itself advances: columns of packed triangular matrices,
// reached by a pointer, by indices of several widths, and by one that wraps.
#include "check.h"

#define POINTS                                                                 \
  ADZE_AT(0.5, 1.5, -0.25, 2.0, 0.75, -1.25, 1.0, 0.3, -0.6, 1.75, 0.9, -0.4,  \
          1.2, 0.8, -1.1)

static int order(int n) {
  int d = 0;
  while ((d + 1) * (d + 2) / 2 <= n)
    d++;
  return d;
}

/// |L v|^2 for L packed by columns and v made of the first elements.
double columns(const double *x, int n) {
  int d = order(n);
  double y[8] = {0};
  const double *column = x;
  for (int j = 0; j < d; j++) {
    for (int i = j; i < d; i++)
      y[i] += column[i - j] * x[j] * column[0];
    column += d - j;
  }
  double sum = 0.0;
  for (int i = 0; i < d; i++)
    sum += y[i] * y[i];
  return sum;
}
ADZE_TEST_ARRAY(columns, 15, POINTS)

/// The diagonal of the rows, from the last to the first: an even step of the
/// address, an odd one of the index.
double diagonal(const double *x, int n) {
  int d = order(n);
  double product = 1.0, sum = 0.0;
  const double *last = x + n - 1;
  for (int i = d; i > 0; i--) {
    product *= *last + 2.0;
    sum += product * *last;
    last -= i;
  }
  return sum;
}
ADZE_TEST_ARRAY(diagonal, 15, POINTS)

double narrow(const double *x, int n) {
  double sum = 0.0, factor = 1.0;
  unsigned char k = 250;
  for (unsigned char j = 3; j < 200; j++) {
    factor = 0.5 * factor + x[k % n] * x[j % n];
    sum += factor * x[k % n];
    k += j;
  }
  return sum;
}
ADZE_TEST_ARRAY(narrow, 15, POINTS)

double wide(const double *x, int n) {
  double sum = 0.0, factor = 1.0;
  long k = 0;
  unsigned m = 4294967290u;
  for (int j = 0; j < 4 * n; j++) {
    factor = 0.5 * factor + x[k % n] * x[m % (unsigned)n];
    sum += factor * x[m % (unsigned)n];
    k += 3 * j + n;
    m += 5 * j;
  }
  return sum;
}
ADZE_TEST_ARRAY(wide, 15, POINTS)

/// Loops of no and of one iteration, each with a cube of the counter, which is
/// kept.
double few(const double *x, int n) {
  double sum = 0.0;
  for (int trips = 0; trips < 5; trips++) {
    const double *p = x;
    int step = 0, cube = 0;
    double factor = 1.0;
    for (int i = 0; i < trips; i++) {
      factor *= *p * x[cube % n];
      sum += factor;
      step += i;
      cube += step;
      p += step;
    }
  }
  return sum;
}
ADZE_TEST_ARRAY(few, 15, POINTS)

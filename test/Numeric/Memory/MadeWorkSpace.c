// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work space that is made in front of a loop in other ways than by malloc, of
// which the loop uses a part, or which somebody else knows: steps that run
// again use copies of that part.
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define N 6

static double steps(int n, const double *restrict x, double *restrict s,
                    double *restrict k, double *restrict at) {
  for (int i = 0; i < n; i++)
    s[i] = x[i];
  for (int t = 0; t < 4; t++) {
    for (int i = 0; i < n; i++)
      k[i] = sin(s[i]) * s[i] - 2.0 * s[i];
    for (int i = 0; i < n; i++)
      at[i] = s[i] + 0.05 * k[i];
    for (int i = 0; i < n; i++)
      k[i] = sin(at[i]) * at[i] - 2.0 * at[i];
    for (int i = 0; i < n; i++)
      s[i] += 0.1 * k[i] * k[i];
  }
  double v = 0;
  for (int i = 0; i < n; i++)
    v += s[i] * s[i] * (i + 1);
  return v;
}

// Zeroed, and used from the second or third element on.
double zeroed(const double *x, int n) {
  double *w = calloc(3 * (size_t)n + 8, sizeof *w);
  double v = steps(n, x, w + 1, w + n + 2, w + 2 * n + 5);
  free(w);
  return v;
}
ADZE_TEST_ARRAY(zeroed, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6))

// Arrays of n on the stack.
double of_length_n(const double *x, int n) {
  double s[n], k[n], at[n];
  return steps(n, x, s, k, at);
}
ADZE_TEST_ARRAY(of_length_n, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6))

// The address stands in memory, too.
struct space {
  double *k, *at;
};

double known_elsewhere(const double *x, int n) {
  struct space *both = malloc(sizeof *both);
  both->k = malloc((size_t)n * sizeof(double));
  both->at = malloc((size_t)n * sizeof(double));
  double s[N];
  double v = steps(n, x, s, both->k, both->at);
  free(both->k);
  free(both->at);
  free(both);
  return v;
}
ADZE_TEST_ARRAY(known_elsewhere, N, ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6))

// Chosen in front of the loop, or none: then the loops do not run.
double chosen(const double *x, int n) {
  double a[2 * N], b[2 * N], s[N];
  double *k = x[0] > 0 ? a : b + 3, *at = n > 0 ? malloc(8 * (size_t)n) : 0;
  double v = steps(n, x, s, k, at);
  free(at);
  return v;
}
ADZE_TEST_ARRAY(chosen, N,
                ADZE_AT(0.3, -0.4, 1.2, 0.8, -0.5, 0.6, -0.3, 0.4, 0.2, 0.8,
                        -0.5, 0.6))

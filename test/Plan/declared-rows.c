// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices whose rows have a declared size, and are walked to a column that is
// only known to be in the matrix: since the last row is walked, too, no row
// reaches into the next one. With ints, up to and including n.
//
// RUN: %ir %s -o %t
// RUN: %plan %t | FileCheck %s
#include "Inputs/plan.h"

double eliminated(double (*R a)[32], int n) {
  static double l[32][32];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= n; ++j)
      l[i][j] = a[i][j];
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      double f = a[i][k];
      for (int j = k + 1; j <= n; ++j)
        l[i][j] -= f * l[k][j];
    }
  return l[n - 1][n];
}
// CHECK-LABEL: plan of rev.eliminated.
// CHECK: bytes: {{[0-9]+$}}
PLAN(eliminated, P(0), N(0))

// Not each row is walked to its end: the walk along the first one may reach the
// others.
double first(double (*R a)[32], int n, int m) {
  static double l[32][32];
  for (int j = 0; j < n; ++j)
    l[0][j] = a[0][j];
  for (int i = 1; i < m; ++i)
    for (int j = 0; j < n; ++j)
      if (a[i][j] > 0)
        l[i][j] = a[i][j] * l[0][j];
  return l[m - 1][1];
}
// CHECK-LABEL: plan of rev.first.
// CHECK: = load {{ *}}keep
PLAN(first, P(0), N(0), N(1))

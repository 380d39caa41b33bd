// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse matrices, factorized: indices and values in arrays that one function
// makes for numbers of elements that only the run knows.
// ADZE: skip-unless=header:eigen3/Eigen/Sparse
// ADZE: levels=O0,O2 modes=reverse compile-limit=120
#include "check.h"
#include <eigen3/Eigen/Sparse>

extern "C" double solved(const double *x, int n) {
  Eigen::SparseMatrix<double> a(n, n);
  for (int i = 0; i < n; ++i)
    a.insert(i, i) = 4 + x[i] * x[i];
  for (int i = 1; i < n; ++i) {
    a.insert(i - 1, i) = x[i];
    a.insert(i, i - 1) = x[i];
  }
  a.makeCompressed();
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(a);
  Eigen::VectorXd b(n);
  for (int i = 0; i < n; ++i)
    b[i] = 1 + x[(i + 1) % n];
  return factors.solve(b).sum();
}
ADZE_TEST_ARRAY(solved, 4, ADZE_AT(0.5, 0.7, -0.4, 0.2))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass for indices widens where there are markers.
void transpose(int n, int m, const double *a, double *b) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      b[j * n + i] = a[i * m + j];
}
double strided(unsigned n, unsigned step, const float *x) {
  double s = 0;
  for (unsigned i = 0; i < n; ++i)
    s += x[i * step + 1];
  return s;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
double median(int n, const double *x) {
  double copy[n];
  for (int i = 0; i < n; ++i) {
    int j = i;
    for (; j > 0 && copy[j - 1] > x[i]; --j)
      copy[j] = copy[j - 1];
    copy[j] = x[i];
  }
  return copy[n / 2];
}
double trace(int n, double a[n][n]) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i][i];
  return sum;
}

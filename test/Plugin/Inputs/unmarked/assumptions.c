// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
double sum(const double *x, int n) {
  __builtin_assume(n > 0 && n % 4 == 0);
  double s = 0;
#pragma clang loop vectorize(enable) interleave_count(2)
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
int odd_steps(int n) {
  int k = 0;
#pragma clang loop unroll_count(3)
  for (int i = 1; i < n; i = i * 3 + 1)
    k ^= i;
  return k;
}

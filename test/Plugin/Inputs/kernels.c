/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops that are vectorized, unrolled and interchanged; no marker. */
void matmul(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}

double norm(int n, const double *x) {
  double best = 0;
  for (int i = 0; i < n; ++i) {
    double v = x[i] < 0 ? -x[i] : x[i];
    best = v > best ? v : best;
  }
  return best;
}

void stencil(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i + 1 < n; ++i)
      v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
    double *w = u;
    u = v;
    v = w;
  }
}

typedef double v4 __attribute__((vector_size(32)));
v4 fused(v4 a, v4 b, v4 c) { return a * b + c; }
long double wide(long double x) { return x * x - 1; }
_Float16 narrow(_Float16 x) { return x * x; }

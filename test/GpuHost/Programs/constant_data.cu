// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point data that has no derivative goes to a parameter that is dup.
#include "check.h"

__global__ void weigh(const double *x, const double *w, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i] * w[i];
}
ADZE_KERNEL(weigh, dup, dup, dup, const)

static double *weights_of_device(int n) {
  static double *w = nullptr;
  if (!w) {
    std::vector<double> h(n);
    for (int i = 0; i < n; ++i)
      h[i] = 0.5 + i % 5;
    cudaMalloc(&w, n * sizeof(double));
    cudaMemcpy(w, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  }
  return w;
}

double of(const double *x, const double *w, int n) {
  double *dx, *dy;
  cudaMalloc(&dx, n * sizeof(double));
  cudaMalloc(&dy, n * sizeof(double));
  cudaMemcpy(dx, x, n * sizeof(double), cudaMemcpyHostToDevice);
  weigh<<<(n + 31) / 32, 32>>>(dx, w, dy, n);
  std::vector<double> y(n);
  cudaMemcpy(y.data(), dy, n * sizeof(double), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * y[i];
  cudaFree(dx);
  cudaFree(dy);
  return sum;
}

int main() {
  constexpr int n = 40;
  double *w = weights_of_device(n);
  std::vector<double> x(n), g(n);
  for (int i = 0; i < n; ++i)
    x[i] = 1 + 0.1 * i;
  __enzyme_autodiff<void>((void *)of, enzyme_dup, x.data(), g.data(),
                          enzyme_const, w, enzyme_const, n);
  bool good = true;
  for (int i = 0; i < n; ++i) {
    const double c = 0.5 + i % 5;
    good &= close(g[i], 4 * x[i] * x[i] * x[i] * c * c, 1e-12);
  }
  std::printf(good ? "agree\n" : "WRONG\n");
  return good ? 0 : 1;
}

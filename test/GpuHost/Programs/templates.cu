// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are templates, one in a namespace, launched by a function that
// the differentiated one calls.
#include "check.h"

namespace kernels {
template <class T, int Power> __global__ void power(const T *x, T *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T product = 1;
  for (int k = 0; k < Power; ++k)
    product *= x[i];
  y[i] = product;
}
} // namespace kernels
ADZE_KERNEL((kernels::power<double, 3>), dup, dup, const)
ADZE_KERNEL((kernels::power<double, 2>), dup, dup, const)

template <int Power> static void launch(const double *x, double *y, int n) {
  kernels::power<double, Power><<<dim3((n + 7) / 8), dim3(8)>>>(x, y, n);
}

double f(const double *x, int n) {
  double *a, *b;
  const size_t bytes = n * sizeof(double);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, x, bytes, cudaMemcpyHostToDevice);
  launch<3>(a, b, n);
  if (n > 20)
    launch<2>(b, a, n);
  double *y = static_cast<double *>(malloc(bytes));
  cudaMemcpy(y, a, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i];
  free(y);
  cudaFree(b);
  cudaFree(a);
  return sum;
}
CHECK(f, 30, 1e-12, 1e-6)

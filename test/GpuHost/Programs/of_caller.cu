// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the device is the caller's, with shadows that the caller has. After
// the derivative it holds what the primal leaves, though it was overwritten.
#include "check.h"

__global__ void mix(double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const double t = x[i] * y[i];
    x[i] = t + y[i];
    y[i] = t * t;
  }
}
ADZE_KERNEL(mix, dup, dup, const)

void f(double *x, double *y, int n) {
  for (int k = 0; k < 3; ++k)
    mix<<<2, 16>>>(x, y + k % 2, n - 1);
}

struct Array {
  double *d;
  int n;
  explicit Array(int n) : n(n) { cudaMalloc(&d, n * sizeof(double)); }
  ~Array() { cudaFree(d); }
  void set(const std::vector<double> &h) {
    cudaMemcpy(d, h.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  }
  std::vector<double> get() const {
    std::vector<double> h(n);
    cudaMemcpy(h.data(), d, n * sizeof(double), cudaMemcpyDeviceToHost);
    return h;
  }
};

int main() {
  constexpr int n = 20;
  std::vector<double> x(n), y(n), u(n), v(n), p(n), q(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5 + 0.02 * i;
    y[i] = 0.9 - 0.01 * i;
    u[i] = std::sin(i);
    v[i] = std::cos(2 * i);
    p[i] = std::cos(i);
    q[i] = std::sin(3 * i);
  }
  Array X(n), Y(n), dX(n), dY(n);
  X.set(x);
  Y.set(y);
  f(X.d, Y.d, n);
  const auto after = X.get(), yAfter = Y.get();
  X.set(x);
  Y.set(y);
  dX.set(u);
  dY.set(v);
  __enzyme_fwddiff<void>((void *)f, enzyme_dup, X.d, dX.d, enzyme_dup, Y.d,
                         dY.d, enzyme_const, n);
  const auto tx = dX.get(), ty = dY.get();
  X.set(x);
  Y.set(y);
  dX.set(p);
  dY.set(q);
  __enzyme_autodiff<void>((void *)f, enzyme_dup, X.d, dX.d, enzyme_dup, Y.d,
                          dY.d, enzyme_const, n);
  const auto gx = dX.get(), gy = dY.get(), left = X.get(), yLeft = Y.get();
  double forward = 0, reverse = 0, size = 0;
  bool good = true;
  for (int i = 0; i < n; ++i) {
    forward += p[i] * tx[i] + q[i] * ty[i];
    reverse += gx[i] * u[i] + gy[i] * v[i];
    size += std::fabs(gx[i]);
    good &= left[i] == after[i] && yLeft[i] == yAfter[i];
  }
  good &= size > 0 && close(forward, reverse, 1e-12);
  std::printf("%.17g %.17g %s\n", forward, reverse, good ? "agree" : "WRONG");
  return good ? 0 : 1;
}

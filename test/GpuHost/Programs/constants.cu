// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters in constant memory, which the host changes between launches: in
// parts, from its own memory and from that of the device, in streams; and what
// kernels are passed of it.
#include "check.h"

__constant__ double weights[8];
__device__ double dweights[8];
ADZE_SHADOW(weights, dweights)

struct Model {
  double scale, shift;
  int power;
};
template <>
struct adze::gpu::contents<Model>
    : adze::gpu::contents_are<adze::gpu::doubles> {};
__constant__ Model model;
__device__ Model dmodel;
ADZE_SHADOW(model, dmodel)

__constant__ int order[4]; // nobody declares anything of it

__global__ void step(const double *x, double *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double sum = model.shift;
  for (int k = 0; k < 8; ++k)
    sum += weights[k] * x[(i + order[k % 4]) % n] / 8;
  y[i] = model.power == 2 ? sum * sum * model.scale : sum * model.scale;
}
ADZE_KERNEL(step, dup, dup, const)

double f(const double *x, int n) {
  const size_t bytes = n * sizeof(double);
  double *u, *v;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&u, bytes);
  cudaMalloc(&v, bytes);
  cudaMemcpy(u, x, bytes, cudaMemcpyHostToDevice);
  Model here = {0.1, x[2], 2};
  for (int k = 0; k < 3; ++k) {
    here.scale = 0.3 * x[k];
    const int shifts[] = {0, 1 + k, 2, 3};
    cudaMemcpyToSymbol(order, shifts, sizeof(shifts));
    cudaMemcpyToSymbol(model, &here, sizeof(here));
    // The second half, and in turns the first.
    cudaMemcpyToSymbolAsync(weights, x + k, 4 * sizeof(double),
                            4 * sizeof(double), cudaMemcpyHostToDevice, stream);
    if (k != 1)
      cudaMemcpyToSymbolAsync(weights, u + 1, 4 * sizeof(double), 0,
                              cudaMemcpyDeviceToDevice, stream);
    step<<<2, 16, 0, stream>>>(u, v, n);
    here.power = 3 - here.power;
    double *other = u;
    u = v;
    v = other;
  }
  cudaStreamSynchronize(stream);
  double y[32], w[2];
  cudaMemcpy(y, u, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(w, weights, sizeof(w), sizeof(double));
  double sum = w[0] * w[1];
  for (int i = 0; i < n; ++i)
    sum += std::sin(y[i]);
  cudaFree(u);
  cudaFree(v);
  cudaStreamDestroy(stream);
  return sum;
}
CHECK(f, 32, 1e-11, 1e-6)

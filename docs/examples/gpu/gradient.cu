// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradient of a sum over Lennard-Jones pairs, in one kernel: tiles in
// shared memory, a loop whose count only the run knows. Prints what central
// differences say beside it. Builds with CUDA and with HIP (Makefile).
#include <adze/gpu.h>
#include <cmath>
#include <cstdio>
#include <vector>
#ifdef __HIP__
#define API(NAME) hip##NAME
#else
#define API(NAME) cuda##NAME
#endif

template <typename... Types>
__device__ void __enzyme_autodiff(void *, Types...);
extern __device__ int enzyme_dup, enzyme_const;

constexpr int Threads = 128;

/// energy[block] = sum over the block's particles i and all j != i.
__device__ void energyOf(const double *x, double *energy, int n) {
  __shared__ double tile[3 * Threads], sums[Threads];
  const int t = threadIdx.x, i = blockIdx.x * Threads + t;
  double sum = 0;
  for (int begin = 0; begin < n; begin += Threads) {
    for (int k = 0; k < 3; ++k)
      tile[3 * t + k] = begin + t < n ? x[3 * (begin + t) + k] : 0;
    __syncthreads();
    for (int j = 0; j < Threads; ++j)
      if (i < n && begin + j < n && begin + j != i) {
        double r2 = 0;
        for (int k = 0; k < 3; ++k) {
          const double d = x[3 * i + k] - tile[3 * j + k];
          r2 += d * d;
        }
        const double s6 = 1 / (r2 * r2 * r2);
        sum += 2 * (s6 * s6 - s6);
      }
    __syncthreads();
  }
  sums[t] = sum;
  for (int half = Threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      sums[t] += sums[t + half];
  }
  if (t == 0)
    energy[blockIdx.x] = sums[0];
}

__global__ void energyKernel(const double *x, double *energy, int n) {
  energyOf(x, energy, n);
}

__global__ void gradientKernel(const double *x, double *dx, double *energy,
                               double *denergy, int n) {
  __enzyme_autodiff((void *)energyOf, enzyme_dup, x, dx, enzyme_dup, energy,
                    denergy, enzyme_const, n);
}

int main() {
  const int n = 1000, blocks = (n + Threads - 1) / Threads;
  std::vector<double> x(3 * n), dx(3 * n), energy(blocks), ones(blocks, 1);
  for (int i = 0; i < n; ++i)
    for (int k = 0, place = i; k < 3; ++k, place /= 10)
      x[3 * i + k] = 1.1 * (place % 10) + 0.05 * std::sin(7 * i + k);

  double *onX, *onDx, *onEnergy, *onOnes;
  const size_t bytes = sizeof(double);
  API(Malloc)((void **)&onX, 3 * n * bytes);
  API(Malloc)((void **)&onDx, 3 * n * bytes);
  API(Malloc)((void **)&onEnergy, blocks * bytes);
  API(Malloc)((void **)&onOnes, blocks * bytes);
  auto copy = [&](double *to, const double *from, size_t count, auto kind) {
    API(Memcpy)(to, from, count * bytes, kind);
  };
  auto total = [&] {
    copy(onX, x.data(), 3 * n, API(MemcpyHostToDevice));
    energyKernel<<<blocks, Threads>>>(onX, onEnergy, n);
    copy(energy.data(), onEnergy, blocks, API(MemcpyDeviceToHost));
    double sum = 0;
    for (double e : energy)
      sum += e;
    return sum;
  };

  // For each thread, four words of each tile's particles: asked for, and
  // doubled until it does.
  size_t tape = 1 << 15;
  do {
    if (int error = adze_gpu_tape_checked(tape))
      return std::printf("no memory for tapes: error %d\n", error), 1;
    copy(onX, x.data(), 3 * n, API(MemcpyHostToDevice));
    copy(onOnes, ones.data(), blocks, API(MemcpyHostToDevice));
    API(Memset)(onDx, 0, 3 * n * bytes);
    gradientKernel<<<blocks, Threads>>>(onX, onDx, onEnergy, onOnes, n);
  } while ((tape = adze_gpu_tape_needed()));
  copy(dx.data(), onDx, 3 * n, API(MemcpyDeviceToHost));

  double worst = 0;
  for (int k = 0; k < 5; ++k) {
    const int at = 577 * k % (3 * n);
    const double here = x[at], step = 1e-6;
    x[at] = here + step;
    const double above = total();
    x[at] = here - step;
    const double below = total();
    x[at] = here;
    const double difference = (above - below) / (2 * step);
    std::printf("d energy / d x[%4d] = %12.6f, by differences %12.6f\n", at,
                dx[at], difference);
    worst = std::fmax(worst, std::fabs(dx[at] - difference) /
                                 (1 + std::fabs(difference)));
  }
  adze_gpu_tape_release();
  return worst < 1e-5 ? 0 : 1;
}

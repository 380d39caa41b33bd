// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cooperative groups with the headers of CUDA: blocks, tiles and coalesced threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

extern __device__ int enzyme_dup;
template <class... T> __device__ void __enzyme_autodiff(void *, T...);
template <class... T> __device__ void __enzyme_fwddiff(void *, T...);

__device__ void groups(const double *x, double *y) {
  __shared__ double parts[32];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(warp);
  double v = x[block.group_index().x * block.size() + block.thread_rank()];
  double s = cg::reduce(tile, v * v, cg::plus<double>());
  s *= cg::reduce(warp, v, [](double a, double b) { return a + b; });
  s += tile.shfl(v, 0) * tile.shfl_down(v, 2) * tile.shfl_xor(v, 1);
  s += cg::inclusive_scan(tile, float(v)) * cg::reduce(warp, float(v), cg::greater<float>());
  if (warp.thread_rank() == 0)
    parts[warp.meta_group_rank()] = s;
  block.sync();
  if (tile.thread_rank() % 3 != 0) {
    auto some = cg::coalesced_threads();
    s *= cg::reduce(some, v, cg::plus<double>());
  }
  cg::thread_group any = cg::tiled_partition(block, 4);
  any.sync();
  y[blockIdx.x * blockDim.x + threadIdx.x] = s * parts[0];
}
__global__ void groupsReverse(const double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)groups, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
__global__ void groupsForward(const double *x, double *dx, double *y, double *dy) {
  __enzyme_fwddiff((void *)groups, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

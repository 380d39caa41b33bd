// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpu.h needs of NVPTX: clang's built-in functions, as CUDA's headers use
// them.
// __syncthreads is built into clang for this target.
#define warpSize 32

GPU_API uint3 gpuThread() {
  return gpuIndex(__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(),
                  __nvvm_read_ptx_sreg_tid_z());
}
GPU_API uint3 gpuBlock() {
  return gpuIndex(__nvvm_read_ptx_sreg_ctaid_x(),
                  __nvvm_read_ptx_sreg_ctaid_y(),
                  __nvvm_read_ptx_sreg_ctaid_z());
}
GPU_API uint3 gpuBlockSize() {
  return gpuIndex(__nvvm_read_ptx_sreg_ntid_x(), __nvvm_read_ptx_sreg_ntid_y(),
                  __nvvm_read_ptx_sreg_ntid_z());
}
GPU_API uint3 gpuGridSize() {
  return gpuIndex(__nvvm_read_ptx_sreg_nctaid_x(),
                  __nvvm_read_ptx_sreg_nctaid_y(),
                  __nvvm_read_ptx_sreg_nctaid_z());
}
#define threadIdx gpuThread()
#define blockIdx gpuBlock()
#define blockDim gpuBlockSize()
#define gridDim gpuGridSize()

GPU_API int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
GPU_API int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
GPU_API int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
GPU_API void __syncwarp(unsigned mask = 0xffffffffu) {
  __nvvm_bar_warp_sync(mask);
}
GPU_API void __threadfence() { __nvvm_membar_gl(); }
GPU_API void __threadfence_block() { __nvvm_membar_cta(); }
GPU_API unsigned laneId() { return __nvvm_read_ptx_sreg_laneid(); }

GPU_API float atomicAdd(float *p, float v) {
  return __nvvm_atom_add_gen_f(p, v);
}
GPU_API double atomicAdd(double *p, double v) {
  return __nvvm_atom_add_gen_d(p, v);
}
GPU_API int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
GPU_API int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
GPU_API int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
GPU_API int atomicExch(int *p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
GPU_API int atomicCAS(int *p, int want, int v) {
  return __nvvm_atom_cas_gen_i(p, want, v);
}
GPU_API unsigned long long atomicCAS(unsigned long long *p,
                                     unsigned long long want,
                                     unsigned long long v) {
  return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(
      reinterpret_cast<long long *>(p), static_cast<long long>(want),
      static_cast<long long>(v)));
}

GPU_API float __ldg(const float *p) { return __nvvm_ldg_f(p); }
GPU_API double __ldg(const double *p) { return __nvvm_ldg_d(p); }
GPU_API int __ldg(const int *p) { return __nvvm_ldg_i(p); }
GPU_API float4 __ldg(const float4 *p) {
  typedef float Vector __attribute__((ext_vector_type(4)));
  Vector v = __nvvm_ldg_f4(reinterpret_cast<const Vector *>(p));
  return {v[0], v[1], v[2], v[3]};
}

// One 32-bit register of another lane; `limit` is the end of the lane's part of
// the warp.
GPU_API int gpuShuffleDown(unsigned mask, int v, unsigned by, int width) {
  return __nvvm_shfl_sync_down_i32(mask, v, by,
                                   ((warpSize - width) << 8) | 0x1f);
}
GPU_API int gpuShuffleUp(unsigned mask, int v, unsigned by, int width) {
  return __nvvm_shfl_sync_up_i32(mask, v, by, (warpSize - width) << 8);
}
GPU_API int gpuShuffleXor(unsigned mask, int v, int with, int width) {
  return __nvvm_shfl_sync_bfly_i32(mask, v, with,
                                   ((warpSize - width) << 8) | 0x1f);
}
GPU_API int gpuShuffle(unsigned mask, int v, int lane, int width) {
  return __nvvm_shfl_sync_idx_i32(mask, v, lane,
                                  ((warpSize - width) << 8) | 0x1f);
}
GPU_API float gpuShuffleDown(unsigned mask, float v, unsigned by, int width) {
  return __nvvm_shfl_sync_down_f32(mask, v, by,
                                   ((warpSize - width) << 8) | 0x1f);
}
GPU_API float gpuShuffleUp(unsigned mask, float v, unsigned by, int width) {
  return __nvvm_shfl_sync_up_f32(mask, v, by, (warpSize - width) << 8);
}
GPU_API float gpuShuffleXor(unsigned mask, float v, int with, int width) {
  return __nvvm_shfl_sync_bfly_f32(mask, v, with,
                                   ((warpSize - width) << 8) | 0x1f);
}
GPU_API float gpuShuffle(unsigned mask, float v, int lane, int width) {
  return __nvvm_shfl_sync_idx_f32(mask, v, lane,
                                  ((warpSize - width) << 8) | 0x1f);
}
typedef unsigned LaneMask;
#define ALL_LANES 0xffffffffu
GPU_API LaneMask __ballot_sync(LaneMask mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p);
}
GPU_API int __all_sync(LaneMask mask, int p) {
  return __nvvm_vote_all_sync(mask, p);
}
GPU_API int __any_sync(LaneMask mask, int p) {
  return __nvvm_vote_any_sync(mask, p);
}

#define GPU_MATH1(name, ocml)                                                  \
  extern "C" __device__ __attribute__((const)) double __nv_##name(double);     \
  extern "C" __device__ __attribute__((const)) float __nv_##name##f(float);    \
  GPU_API double name(double x) { return __nv_##name(x); }                     \
  GPU_API float name(float x) { return __nv_##name##f(x); }                    \
  GPU_API float name##f(float x) { return __nv_##name##f(x); }
#define GPU_MATH2(name, ocml)                                                  \
  extern "C" __device__                                                        \
      __attribute__((const)) double __nv_##name(double, double);               \
  extern "C" __device__                                                        \
      __attribute__((const)) float __nv_##name##f(float, float);               \
  GPU_API double name(double x, double y) { return __nv_##name(x, y); }        \
  GPU_API float name(float x, float y) { return __nv_##name##f(x, y); }        \
  GPU_API float name##f(float x, float y) { return __nv_##name##f(x, y); }
#define GPU_MATH3(name, ocml)                                                  \
  extern "C" __device__                                                        \
      __attribute__((const)) double __nv_##name(double, double, double);       \
  extern "C" __device__                                                        \
      __attribute__((const)) float __nv_##name##f(float, float, float);        \
  GPU_API double name(double x, double y, double z) {                          \
    return __nv_##name(x, y, z);                                               \
  }                                                                            \
  GPU_API float name(float x, float y, float z) {                              \
    return __nv_##name##f(x, y, z);                                            \
  }

extern "C" __device__ __attribute__((const)) float __nv_fast_sinf(float);
extern "C" __device__ __attribute__((const)) float __nv_fast_cosf(float);
extern "C" __device__ __attribute__((const)) float __nv_fast_expf(float);
extern "C" __device__ __attribute__((const)) float __nv_fast_logf(float);
GPU_API float __sinf(float x) { return __nv_fast_sinf(x); }
GPU_API float __cosf(float x) { return __nv_fast_cosf(x); }
GPU_API float __expf(float x) { return __nv_fast_expf(x); }
GPU_API float __logf(float x) { return __nv_fast_logf(x); }
extern "C" __device__ void __nv_sincos(double, double *, double *);
GPU_API void sincos(double x, double *s, double *c) { __nv_sincos(x, s, c); }

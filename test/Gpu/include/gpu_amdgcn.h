// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpu.h needs of AMDGPU: clang's built-in functions, as HIP's headers use
// them.
#define warpSize 64

GPU_API uint3 gpuThread() {
  return gpuIndex(__builtin_amdgcn_workitem_id_x(),
                  __builtin_amdgcn_workitem_id_y(),
                  __builtin_amdgcn_workitem_id_z());
}
GPU_API uint3 gpuBlock() {
  return gpuIndex(__builtin_amdgcn_workgroup_id_x(),
                  __builtin_amdgcn_workgroup_id_y(),
                  __builtin_amdgcn_workgroup_id_z());
}
GPU_API uint3 gpuBlockSize() {
  return gpuIndex(__builtin_amdgcn_workgroup_size_x(),
                  __builtin_amdgcn_workgroup_size_y(),
                  __builtin_amdgcn_workgroup_size_z());
}
GPU_API uint3 gpuGridSize() {
  return gpuIndex(
      __builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x(),
      __builtin_amdgcn_grid_size_y() / __builtin_amdgcn_workgroup_size_y(),
      __builtin_amdgcn_grid_size_z() / __builtin_amdgcn_workgroup_size_z());
}
#define threadIdx gpuThread()
#define blockIdx gpuBlock()
#define blockDim gpuBlockSize()
#define gridDim gpuGridSize()

GPU_API void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
GPU_API void __syncwarp(unsigned long = ~0ul) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
GPU_API void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
GPU_API void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
GPU_API unsigned laneId() {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

#define GPU_ATOMIC(name, type, function)                                       \
  GPU_API type name(type *p, type v) {                                         \
    return function(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);         \
  }
GPU_ATOMIC(atomicAdd, float, __hip_atomic_fetch_add)
GPU_ATOMIC(atomicAdd, double, __hip_atomic_fetch_add)
GPU_ATOMIC(atomicAdd, int, __hip_atomic_fetch_add)
GPU_ATOMIC(atomicMax, int, __hip_atomic_fetch_max)
GPU_ATOMIC(atomicMin, int, __hip_atomic_fetch_min)
GPU_ATOMIC(atomicExch, int, __hip_atomic_exchange)
#define GPU_CAS(type)                                                          \
  GPU_API type atomicCAS(type *p, type want, type v) {                         \
    __hip_atomic_compare_exchange_strong(p, &want, v, __ATOMIC_RELAXED,        \
                                         __ATOMIC_RELAXED,                     \
                                         __HIP_MEMORY_SCOPE_AGENT);            \
    return want;                                                               \
  }
GPU_CAS(int)
GPU_CAS(unsigned long long)

template <class T> GPU_API T __ldg(const T *p) { return *p; }

GPU_API int gpuLaneValue(int lane, int v) {
  return __builtin_amdgcn_ds_bpermute(lane << 2, v);
}
GPU_API int gpuShuffleDown(unsigned long, int v, unsigned by, int width) {
  int self = static_cast<int>(laneId()), lane = self + static_cast<int>(by);
  return gpuLaneValue(
      (self & (width - 1)) + static_cast<int>(by) >= width ? self : lane, v);
}
GPU_API int gpuShuffleUp(unsigned long, int v, unsigned by, int width) {
  int self = static_cast<int>(laneId()), lane = self - static_cast<int>(by);
  return gpuLaneValue(lane < (self & ~(width - 1)) ? self : lane, v);
}
GPU_API int gpuShuffleXor(unsigned long, int v, int with, int width) {
  int self = static_cast<int>(laneId()), lane = self ^ with;
  return gpuLaneValue(lane >= ((self + width) & ~(width - 1)) ? self : lane, v);
}
GPU_API int gpuShuffle(unsigned long, int v, int lane, int width) {
  int self = static_cast<int>(laneId());
  return gpuLaneValue((lane & (width - 1)) + (self & ~(width - 1)), v);
}
#define GPU_FLOAT_SHUFFLE(name, type)                                          \
  GPU_API float name(unsigned long mask, float v, type by, int width) {        \
    return __builtin_bit_cast(                                                 \
        float, name(mask, __builtin_bit_cast(int, v), by, width));             \
  }
GPU_FLOAT_SHUFFLE(gpuShuffleDown, unsigned)
GPU_FLOAT_SHUFFLE(gpuShuffleUp, unsigned)
GPU_FLOAT_SHUFFLE(gpuShuffleXor, int)
GPU_FLOAT_SHUFFLE(gpuShuffle, int)
typedef unsigned long LaneMask;
#define ALL_LANES (~0ul)
GPU_API LaneMask __ballot_sync(LaneMask, int p) {
  return __builtin_amdgcn_ballot_w64(p != 0);
}
GPU_API int __all_sync(LaneMask, int p) {
  return __builtin_amdgcn_ballot_w64(p == 0) == 0;
}
GPU_API int __any_sync(LaneMask, int p) {
  return __builtin_amdgcn_ballot_w64(p != 0) != 0;
}

#define GPU_MATH1(name, ocml)                                                  \
  extern "C" __device__                                                        \
      __attribute__((const)) double __ocml_##ocml##_f64(double);               \
  extern "C" __device__                                                        \
      __attribute__((const)) float __ocml_##ocml##_f32(float);                 \
  GPU_API double name(double x) { return __ocml_##ocml##_f64(x); }             \
  GPU_API float name(float x) { return __ocml_##ocml##_f32(x); }               \
  GPU_API float name##f(float x) { return __ocml_##ocml##_f32(x); }
#define GPU_MATH2(name, ocml)                                                  \
  extern "C" __device__                                                        \
      __attribute__((const)) double __ocml_##ocml##_f64(double, double);       \
  extern "C" __device__                                                        \
      __attribute__((const)) float __ocml_##ocml##_f32(float, float);          \
  GPU_API double name(double x, double y) {                                    \
    return __ocml_##ocml##_f64(x, y);                                          \
  }                                                                            \
  GPU_API float name(float x, float y) { return __ocml_##ocml##_f32(x, y); }   \
  GPU_API float name##f(float x, float y) { return __ocml_##ocml##_f32(x, y); }
#define GPU_MATH3(name, ocml)                                                  \
  extern "C" __device__ __attribute__((const)) double __ocml_##ocml##_f64(     \
      double, double, double);                                                 \
  extern "C" __device__                                                        \
      __attribute__((const)) float __ocml_##ocml##_f32(float, float, float);   \
  GPU_API double name(double x, double y, double z) {                          \
    return __ocml_##ocml##_f64(x, y, z);                                       \
  }                                                                            \
  GPU_API float name(float x, float y, float z) {                              \
    return __ocml_##ocml##_f32(x, y, z);                                       \
  }

extern "C" __device__ __attribute__((const)) float __ocml_native_sin_f32(float);
extern "C" __device__ __attribute__((const)) float __ocml_native_cos_f32(float);
GPU_API float __sinf(float x) { return __ocml_native_sin_f32(x); }
GPU_API float __cosf(float x) { return __ocml_native_cos_f32(x); }

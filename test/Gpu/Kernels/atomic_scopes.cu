// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic sums of all spellings but atomicAdd: of a block, of the language, in assembly as
// cuda::atomic_ref has them, by exchanges within a block, in shared memory, of HIP.
// launch: grid 2 block 32
// x: active 64
// sum: active 8
// single: active 2
// races: primal
// also: hip
// tolerance: 2e-4
// differences: 3e-2
// planted: atomics
#include "gpu.h"
#ifdef __AMDGCN__
typedef __attribute__((address_space(1))) double GlobalDouble;
__device__ void ofBlock(double *p, double v) {
  __hip_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}
__device__ void ofDevice(double *p, double v) {
  __builtin_amdgcn_global_atomic_fadd_f64((GlobalDouble *)p,
                                          v); // unsafeAtomicAdd
}
__device__ void ofFloats(float *p, float v) {
  __hip_atomic_fetch_add(p, v, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
}
__device__ void byExchange(double *p, double v) {
  unsigned long long *bits = (unsigned long long *)p, old = *bits;
  while (!__hip_atomic_compare_exchange_strong(
      bits, &old,
      __builtin_bit_cast(unsigned long long,
                         __builtin_bit_cast(double, old) + v),
      __ATOMIC_RELAXED, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP))
    ;
}
#else
__device__ void ofBlock(double *p, double v) {
  __nvvm_atom_cta_add_gen_d(p, v);
}
__device__ void ofDevice(double *p, double v) {
  double old;
  asm volatile("atom.add.relaxed.gpu.f64 %0,[%1],%2;"
               : "=d"(old)
               : "l"(p), "d"(v)
               : "memory");
}
__device__ void ofFloats(float *p, float v) {
  asm volatile("red.relaxed.cta.add.f32 [%0], %1;" ::"l"(p), "f"(v) : "memory");
}
__device__ void byExchange(double *p, double v) {
  long long *bits = (long long *)p, old = *bits, assumed;
  do {
    assumed = old;
    old = __nvvm_atom_cta_cas_gen_ll(
        bits, assumed,
        __builtin_bit_cast(long long, __builtin_bit_cast(double, assumed) + v));
  } while (old != assumed);
}
#endif
__device__ void body(const double *x, double *sum, float *single) {
  __shared__ double tile[2];
  int i = globalThread();
  if (threadIdx.x < 2)
    tile[threadIdx.x] = 0;
  __syncthreads();
  double v = x[i] * x[i];
  ofBlock(&tile[i & 1], v);
  byExchange(&tile[0], x[i]);
  ofBlock(&sum[2 + blockIdx.x], v);
  byExchange(&sum[4 + blockIdx.x], v * x[i]);
  ofDevice(&sum[0], v * 2);
  __atomic_fetch_add(&sum[1], v * x[(i + 1) % 64], __ATOMIC_RELAXED);
  ofFloats(&single[i & 1], float(v));
  __syncthreads();
  if (threadIdx.x < 2)
    ofDevice(&sum[6 + threadIdx.x], tile[threadIdx.x] * x[threadIdx.x]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles by CUDA's names. A double moves as two halves, as in clang's
// headers.
#define GPU_SHUFFLE(name, base, by)                                            \
  GPU_API int name(LaneMask mask, int v, by n, int width = warpSize) {         \
    return base(mask, v, n, width);                                            \
  }                                                                            \
  GPU_API float name(LaneMask mask, float v, by n, int width = warpSize) {     \
    return base(mask, v, n, width);                                            \
  }                                                                            \
  GPU_API double name(LaneMask mask, double v, by n, int width = warpSize) {   \
    struct Halves {                                                            \
      int low, high;                                                           \
    };                                                                         \
    Halves halves = __builtin_bit_cast(Halves, v);                             \
    halves.low = base(mask, halves.low, n, width);                             \
    halves.high = base(mask, halves.high, n, width);                           \
    return __builtin_bit_cast(double, halves);                                 \
  }
GPU_SHUFFLE(__shfl_down_sync, gpuShuffleDown, unsigned)
GPU_SHUFFLE(__shfl_up_sync, gpuShuffleUp, unsigned)
GPU_SHUFFLE(__shfl_xor_sync, gpuShuffleXor, int)
GPU_SHUFFLE(__shfl_sync, gpuShuffle, int)

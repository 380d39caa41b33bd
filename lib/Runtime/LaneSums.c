// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of adjoints to places that lanes of a warp have in common, on NVIDIA's
// GPUs. Atomic operations of lanes at one place wait for each other; in shared
// memory, those on floats are loops. So the lanes add up what they have first,
// and one of them adds that to the place.
#include "Runtime.h"

#define INLINE __attribute__((always_inline))
enum { Lanes = 32, LeastRow = 8 };
#define ALL 0xffffffffu

INLINE static uint64_t exchange(uint64_t V, uint32_t By) {
  return (uint64_t)(uint32_t)__nvvm_shfl_sync_bfly_i32(ALL, V >> 32, By, 31)
             << 32 |
         (uint32_t)__nvvm_shfl_sync_bfly_i32(ALL, (uint32_t)V, By, 31);
}
INLINE static double exchangeDouble(double V, uint32_t By) {
  union {
    double Float;
    uint64_t Bits;
  } U = {.Float = V};
  U.Bits = exchange(U.Bits, By);
  return U.Float;
}
INLINE static float exchangeFloat(float V, uint32_t By) {
  return __nvvm_shfl_sync_bfly_f32(ALL, V, By, 31);
}

/// Of the first of each \p Width lanes, a power of 2.
INLINE static uint64_t ofFirst(uint64_t V, uint32_t Width) {
  const uint32_t Segment = (Lanes - Width) << 8 | 31;
  return (uint64_t)(uint32_t)__nvvm_shfl_sync_idx_i32(ALL, V >> 32, 0, Segment)
             << 32 |
         (uint32_t)__nvvm_shfl_sync_idx_i32(ALL, (uint32_t)V, 0, Segment);
}

/// Most often all lanes have one place, or those of a row of the block: that is
/// asked first, of one width after the other. Else lanes whose numbers differ
/// in one bit add their terms where all such pairs have one place: the lane
/// with the bit drops out. The next bit is asked of those that are left, in the
/// name of their pairs.
#define DEFINE_SUM(TYPE, NAME, EXCHANGE)                                       \
  __attribute__((noinline)) void adze_lanes_groups_##NAME(TYPE *Place,         \
                                                          TYPE Term) {         \
    uint32_t Dropped = 0;                                                      \
    for (uint32_t Width = Lanes; Width >= LeastRow; Width /= 2) {              \
      if (!__nvvm_vote_all_sync(ALL, ofFirst((uint64_t)Place, Width) ==        \
                                         (uint64_t)Place))                     \
        continue;                                                              \
      for (uint32_t Bit = 1; Bit < Width; Bit *= 2)                            \
        Term += EXCHANGE(Term, Bit);                                           \
      if (!(__nvvm_read_ptx_sreg_laneid() & (Width - 1)))                      \
        __nvvm_atom_add_gen_##NAME(Place, Term);                               \
      return;                                                                  \
    }                                                                          \
    for (uint32_t Bit = 1; Bit < Lanes; Bit *= 2)                              \
      if (__nvvm_vote_all_sync(ALL, exchange((uint64_t)Place, Bit) ==          \
                                        (uint64_t)Place)) {                    \
        Term += EXCHANGE(Term, Bit);                                           \
        Dropped |= Bit;                                                        \
      }                                                                        \
    if (!(__nvvm_read_ptx_sreg_laneid() & Dropped))                            \
      __nvvm_atom_add_gen_##NAME(Place, Term);                                 \
  }                                                                            \
  INLINE void adze_lanes_add_##NAME(TYPE *Place, TYPE Term) {                  \
    if (__nvvm_activemask() == ALL)                                            \
      adze_lanes_groups_##NAME(Place, Term);                                   \
    else                                                                       \
      __nvvm_atom_add_gen_##NAME(Place, Term);                                 \
  }

DEFINE_SUM(double, d, exchangeDouble)
DEFINE_SUM(float, f, exchangeFloat)

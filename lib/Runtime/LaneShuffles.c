// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of values between the lanes of a warp, and their adjoints. Lane k
// has, of the operand x of each lane,
//
//   y[k] = x[s(k)]        x'[k] += sum of y'[l] over all l with s(l) = k
//
// Where all lanes have the same distance, the sum has at most two terms: that
// of the lane at the opposite distance, and of lanes beyond the end their own.
// Where all have the same source, it is the sum of the lanes. Else each lane is
// asked. (PTX ISA, shfl.sync; LLVM, ds_bpermute. Lanes that mask does not name
// take no part.)
//
// This file is compiled for each kind of GPU.
#include "Runtime.h"

#define INLINE __attribute__((always_inline))

/// As in adze/LaneShuffles.h.
enum { Down, Up, Xor, Index, Permute };

#ifdef __NVPTX__
enum { Lanes = 32 };
INLINE static uint32_t lane(void) { return __nvvm_read_ptx_sreg_laneid(); }

/// The source of lane \p K.
INLINE static uint32_t source(int32_t Kind, uint32_t K, uint32_t B,
                              uint32_t C) {
  const uint32_t Segment = (C >> 8) & 31, By = B & 31;
  const uint32_t Most = (K & Segment) | (C & 31 & ~Segment);
  switch (Kind) {
  case Down:
    return K + By <= Most ? K + By : K;
  case Up: // Most is the least lane of the segment here
    return (int32_t)(K - By) >= (int32_t)Most ? K - By : K;
  case Xor:
    return (K ^ By) <= Most ? K ^ By : K;
  default: {
    const uint32_t From = (K & Segment) | (By & ~Segment);
    return From <= Most ? From : K;
  }
  }
}

INLINE static uint32_t exchange32(uint32_t V, int32_t Kind, uint32_t Mask,
                                  uint32_t B, uint32_t C) {
  switch (Kind) {
  case Down:
    return __nvvm_shfl_sync_down_i32(Mask, V, B, C);
  case Up:
    return __nvvm_shfl_sync_up_i32(Mask, V, B, C);
  case Xor:
    return __nvvm_shfl_sync_bfly_i32(Mask, V, B, C);
  default:
    return __nvvm_shfl_sync_idx_i32(Mask, V, B, C);
  }
}

/// What lane \p From has.
INLINE static uint32_t fetch32(uint32_t V, uint64_t Mask, uint32_t From) {
  return __nvvm_shfl_sync_idx_i32(Mask, V, From, 31);
}
INLINE static uint64_t taking(uint32_t Mask) { return Mask; }
#else
enum { Lanes = 64 };
INLINE static uint32_t lane(void) {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
INLINE static uint32_t source(int32_t Kind, uint32_t K, uint32_t B,
                              uint32_t C) {
  (void)Kind, (void)K, (void)C;
  return (B >> 2) & 63;
}
INLINE static uint32_t exchange32(uint32_t V, int32_t Kind, uint32_t Mask,
                                  uint32_t B, uint32_t C) {
  (void)Kind, (void)Mask, (void)C;
  return __builtin_amdgcn_ds_bpermute(B, V);
}
INLINE static uint32_t fetch32(uint32_t V, uint64_t Mask, uint32_t From) {
  (void)Mask;
  return __builtin_amdgcn_ds_bpermute(From << 2, V);
}
INLINE static uint64_t taking(uint32_t Mask) {
  (void)Mask;
  return __builtin_amdgcn_ballot_w64(1);
}
#endif

INLINE static uint64_t bitsOf(double V) {
  union {
    double Float;
    uint64_t Bits;
  } U = {.Float = V};
  return U.Bits;
}
INLINE static double floatOf(uint64_t Bits) {
  union {
    uint64_t Bits;
    double Float;
  } U = {.Bits = Bits};
  return U.Float;
}
INLINE static double fetch(double V, uint64_t Mask, uint32_t From) {
  const uint64_t Bits = bitsOf(V);
  return floatOf((uint64_t)fetch32(Bits >> 32, Mask, From) << 32 |
                 fetch32((uint32_t)Bits, Mask, From));
}

INLINE uint64_t adze_lanes_shuffle_i64(uint64_t V, int32_t Kind, uint32_t Mask,
                                       uint32_t B, uint32_t C) {
  return (uint64_t)exchange32(V >> 32, Kind, Mask, B, C) << 32 |
         exchange32((uint32_t)V, Kind, Mask, B, C);
}
INLINE uint32_t adze_lanes_shuffle_i32(uint32_t V, int32_t Kind, uint32_t Mask,
                                       uint32_t B, uint32_t C) {
  return exchange32(V, Kind, Mask, B, C);
}
INLINE double adze_lanes_shuffle_f64(double V, int32_t Kind, uint32_t Mask,
                                     uint32_t B, uint32_t C) {
  return floatOf(adze_lanes_shuffle_i64(bitsOf(V), Kind, Mask, B, C));
}
INLINE float adze_lanes_shuffle_f32(float V, int32_t Kind, uint32_t Mask,
                                    uint32_t B, uint32_t C) {
  union {
    float Float;
    uint32_t Bits;
  } U = {.Float = V};
  U.Bits = exchange32(U.Bits, Kind, Mask, B, C);
  return U.Float;
}

/// Each lane adds what the lanes have that read from it.
__attribute__((noinline)) double
adze_lanes_back_any(double Adjoint, uint64_t Taking, uint32_t From) {
  const uint32_t K = lane();
  double Sum = 0;
  for (uint32_t L = 0; L < Lanes; ++L)
    if ((Taking >> L) & 1) {
      const double Other = fetch(Adjoint, Taking, L);
      Sum += fetch32(From, Taking, L) == K ? Other : 0;
    }
  return Sum;
}

/// The adjoint of what this lane has given. \p Alike: all lanes have the same
/// \p B.
INLINE double adze_lanes_back_f64(double Adjoint, int32_t Kind, uint32_t Mask,
                                  uint32_t B, uint32_t C, bool Alike) {
  const uint64_t Taking = taking(Mask);
  const uint32_t K = lane(), From = source(Kind, K, B, C);
  if (Alike && Kind < Index) {
    const uint32_t By = B & 31;
    const uint32_t L = Kind == Down ? K - By : Kind == Up ? K + By : K ^ By;
    const bool Reads = L < Lanes && L != K && ((Taking >> (L & 63)) & 1) &&
                       source(Kind, L, B, C) == K;
    const double Other = fetch(Adjoint, Taking, Reads ? L : K);
    return (Reads ? Other : 0) + (From == K ? Adjoint : 0);
  }
  if (Alike && Kind == Index && Mask == ~0u) {
    const uint32_t Segment = (C >> 8) & 31;
    double Sum = Adjoint;
    for (uint32_t Bit = 1; Bit < Lanes; Bit *= 2)
      if (!(Bit & Segment))
        Sum += fetch(Sum, Taking, K ^ Bit);
    // (A lane beyond the end reads itself: so do all of its segment.)
    const uint32_t First = source(Kind, K & Segment, B, C);
    return First == ((K & Segment) | (B & 31 & ~Segment))
               ? (From == K ? Sum : 0)
               : Adjoint;
  }
  return adze_lanes_back_any(Adjoint, Taking, From);
}
INLINE float adze_lanes_back_f32(float Adjoint, int32_t Kind, uint32_t Mask,
                                 uint32_t B, uint32_t C, bool Alike) {
  return adze_lanes_back_f64(Adjoint, Kind, Mask, B, C, Alike);
}

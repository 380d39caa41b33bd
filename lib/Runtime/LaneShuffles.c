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
enum { Down, Up, Xor, Index, Permute, Push, Lane, First, Swizzle, Dpp };

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
/// The same, where all lanes ask one.
INLINE static uint32_t read32(uint32_t V, uint64_t Mask, uint32_t From) {
  return fetch32(V, Mask, From);
}
INLINE static uint64_t ballot(uint64_t Mask, bool Is) {
  return __nvvm_vote_ballot_sync(Mask, Is);
}
INLINE static uint64_t taking(uint32_t Mask) { return Mask; }
#else
enum { Lanes = 64, None = 64 };
INLINE static uint32_t lane(void) {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
INLINE static uint64_t taking(uint32_t Mask) {
  (void)Mask;
  return __builtin_amdgcn_ballot_w64(1);
}

INLINE static uint32_t sourceOfSwizzle(uint32_t K, uint32_t Pattern) {
  if (Pattern >> 15)
    return (K & ~3u) | (Pattern >> (2 * (K & 3)) & 3);
  return (K & 32) | ((((K & Pattern) | Pattern >> 5) ^ Pattern >> 10) & 31);
}

/// \p Masks: of rows, and of banks of four lanes, those that read.
INLINE static uint32_t sourceOfDpp(uint32_t K, uint32_t Control,
                                   uint32_t Masks) {
  const uint32_t Row = K & ~15u, In = K & 15, By = Control & 15;
  if (!(Masks >> (K >> 4) & 1) || !(Masks >> (4 + (K >> 2 & 3)) & 1))
    return None;
  if (Control < 0x100)
    return (K & ~3u) | (Control >> (2 * (K & 3)) & 3);
  switch (Control >> 4) {
  case 0x10:
    return In + By < 16 ? K + By : None;
  case 0x11:
    return In >= By ? K - By : None;
  case 0x12:
    return Row + ((In - By) & 15);
  case 0x15:
    return Row + By;
  case 0x16:
    return K ^ By;
  }
  switch (Control) {
  case 0x130:
    return K + 1; // the last one reads none
  case 0x134:
    return (K + 1) & 63;
  case 0x138:
    return K > 0 ? K - 1 : None;
  case 0x13c:
    return (K - 1) & 63;
  case 0x140:
    return Row + 15 - In;
  case 0x141:
    return K ^ 7;
  case 0x142: // the last lane of the row below
    return Row > 0 ? Row - 1 : None;
  default: // 0x143: lane 31, in the upper half
    return K >= 32 ? 31 : None;
  }
}

/// The source of lane \p K, or None.
INLINE static uint32_t source(int32_t Kind, uint32_t K, uint32_t B,
                              uint32_t C) {
  switch (Kind) {
  case Swizzle:
    return sourceOfSwizzle(K, B);
  case Dpp:
    return sourceOfDpp(K, B, C);
  case Lane:
    return B & 63;
  case First:
    return __builtin_ctzll(taking(0));
  default:
    return (B >> 2) & 63;
  }
}
// (Swizzle and Dpp have immediate operands: Cleanup/LowerLanes.cpp.)
INLINE static uint32_t exchange32(uint32_t V, int32_t Kind, uint32_t Mask,
                                  uint32_t B, uint32_t C) {
  (void)Mask, (void)C;
  switch (Kind) {
  case Push:
    return __builtin_amdgcn_ds_permute(B, V);
  case Lane:
    return __builtin_amdgcn_readlane(V, B);
  case First:
    return __builtin_amdgcn_readfirstlane(V);
  default:
    return __builtin_amdgcn_ds_bpermute(B, V);
  }
}
INLINE static uint32_t fetch32(uint32_t V, uint64_t Mask, uint32_t From) {
  (void)Mask;
  return __builtin_amdgcn_ds_bpermute(From << 2, V);
}
INLINE static uint32_t read32(uint32_t V, uint64_t Mask, uint32_t From) {
  (void)Mask;
  return __builtin_amdgcn_readlane(V, From);
}
INLINE static uint64_t ballot(uint64_t Mask, bool Is) {
  (void)Mask;
  return __builtin_amdgcn_ballot_w64(Is);
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
INLINE static double read(double V, uint64_t Mask, uint32_t From) {
  const uint64_t Bits = bitsOf(V);
  return floatOf((uint64_t)read32(Bits >> 32, Mask, From) << 32 |
                 read32((uint32_t)Bits, Mask, From));
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

/// What lane \p L has, if it reads this one, and is another.
INLINE static double ofReader(double Adjoint, uint64_t Taking, uint32_t From,
                              uint32_t L) {
  const uint32_t K = lane(), Asked = L & (Lanes - 1);
  const bool Is = L < Lanes && L != K && (Taking >> Asked & 1);
  const uint32_t Place = Is ? Asked : K;
  const double Other = fetch(Adjoint, Taking, Place);
  return fetch32(From, Taking, Place) == K && Is ? Other : 0;
}

/// Each lane adds what the lanes have that read from it. Those that read
/// another one mostly do so at one distance.
__attribute__((noinline)) double
adze_lanes_back_any(double Adjoint, uint64_t Taking, uint32_t From) {
  const uint32_t K = lane();
  double Sum = From == K ? Adjoint : 0;
  uint64_t Rest = ballot(Taking, From != K);
  if (!Rest)
    return Sum;
  const uint32_t One = __builtin_ctzll(Rest);
  const uint32_t By = read32(From - K, Taking, One);
  if (!ballot(Taking, From != K && From - K != By))
    return Sum + ofReader(Adjoint, Taking, From, K - By);
  const uint32_t With = read32(From ^ K, Taking, One);
  if (!ballot(Taking, From != K && (From ^ K) != With))
    return Sum + ofReader(Adjoint, Taking, From, K ^ With);
  for (; Rest; Rest &= Rest - 1) {
    const uint32_t L = __builtin_ctzll(Rest);
    const double Other = read(Adjoint, Taking, L);
    Sum += read32(From, Taking, L) == K ? Other : 0;
  }
  return Sum;
}

#ifdef __NVPTX__
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
    const uint32_t Of = source(Kind, K & Segment, B, C);
    return Of == ((K & Segment) | (B & 31 & ~Segment)) ? (From == K ? Sum : 0)
                                                       : Adjoint;
  }
  return adze_lanes_back_any(Adjoint, Taking, From);
}
#else
/// All lanes have read lane \p From.
INLINE static double backOfOne(double Adjoint, uint64_t Taking, uint32_t From) {
  // A lane that takes no part has given what it had before it went another way.
  // There it gets nothing any more.
  if (!(Taking >> From & 1) && ballot(Taking, Adjoint != 0))
    __builtin_trap();
  double Sum = 0;
  if (Taking == ~0ull) {
    Sum = Adjoint;
    for (uint32_t Bit = 1; Bit < Lanes; Bit *= 2)
      Sum += fetch(Sum, Taking, lane() ^ Bit);
  } else {
    for (uint64_t Rest = Taking; Rest; Rest &= Rest - 1)
      Sum += read(Adjoint, Taking, __builtin_ctzll(Rest));
  }
  return lane() == From ? Sum : 0;
}

/// Of lanes that push to the same place, the last one has the adjoint.
INLINE static double backOfPush(double Adjoint, uint64_t Taking, uint32_t B) {
  const uint32_t To = (B >> 2) & 63;
  const uint32_t Last = __builtin_amdgcn_ds_permute(B, lane() + 1);
  const double Other = fetch(Adjoint, Taking, To);
  return fetch32(Last, Taking, To) == lane() + 1 ? Other : 0;
}

/// The one lane of those that read lane \p K by a control of DPP or a pattern
/// of a swizzle, if there are no two; else None.
INLINE static uint32_t onlyReader(int32_t Kind, uint32_t K, uint32_t B) {
  if (Kind == Swizzle)
    return !(B >> 15) && (B & 0x3ff) == 0x1f ? K ^ (B >> 10 & 31) : None;
  const uint32_t Row = K & ~15u, By = B & 15;
  switch (B >> 4) {
  case 0x10:
    return K - By;
  case 0x11:
    return K + By;
  case 0x12:
    return Row + ((K + By) & 15);
  case 0x13:
    return (B == 0x130 || B == 0x134 ? K - 1 : K + 1) & 63;
  case 0x16:
    return K ^ By;
  }
  return B == 0x140 ? K ^ 15 : B == 0x141 ? K ^ 7 : None;
}

/// The sources are known without a question.
INLINE static double backOfPattern(double Adjoint, uint64_t Taking,
                                   int32_t Kind, uint32_t B, uint32_t C) {
  const uint32_t K = lane(), Only = onlyReader(Kind, K, B);
  if (onlyReader(Kind, 32, B) != None) {
    const bool Reads = Only < Lanes && (Taking >> (Only & 63) & 1) &&
                       source(Kind, Only, B, C) == K;
    const double Other = fetch(Adjoint, Taking, Reads ? Only : K);
    return Reads ? Other : 0;
  }
  const bool Quads = Kind == Swizzle ? B >> 15 : B < 0x100;
  const uint32_t Size = Quads ? 4 : Kind == Swizzle || B == 0x143 ? 32 : 16;
  // Lane 31 and the last lanes of rows are read by those above them.
  const uint32_t Begin =
      (K & ~(Size - 1)) + (Kind == Dpp && B >= 0x142 && B < 0x150 ? Size : 0);
  double Sum = 0;
  for (uint32_t N = 0; N < Size; ++N) {
    const uint32_t L = (Begin + N) & 63;
    const double Other = fetch(Adjoint, Taking, L);
    Sum += source(Kind, L, B, C) == K && (Taking >> L & 1) ? Other : 0;
  }
  return Sum;
}

INLINE double adze_lanes_back_f64(double Adjoint, int32_t Kind, uint32_t Mask,
                                  uint32_t B, uint32_t C, bool Alike) {
  (void)Alike;
  const uint64_t Taking = taking(Mask);
  const uint32_t From = source(Kind, lane(), B, C);
  switch (Kind) {
  case Push:
    return backOfPush(Adjoint, Taking, B);
  case Lane:
  case First:
    return backOfOne(Adjoint, Taking, From);
  case Swizzle:
  case Dpp:
    return backOfPattern(Adjoint, Taking, Kind, B, C);
  default:
    return adze_lanes_back_any(Adjoint, Taking, From);
  }
}
#endif
INLINE float adze_lanes_back_f32(float Adjoint, int32_t Kind, uint32_t Mask,
                                 uint32_t B, uint32_t C, bool Alike) {
  return adze_lanes_back_f64(Adjoint, Kind, Mask, B, C, Alike);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the arrays of the tape on a GPU (docs/Gpu.md, Tape). The host
// gives it once (include/adze/gpu.h), in segments, one for each warp that may
// run at the same time. The lanes that come to a derivative together take one,
// and give it back when the last of them leaves. In it each lane has a stack:
// its own memory is the words of 8 bytes that belong to it in rows of a word
// for each lane (Emit/LaneTape.h). The reverse pass gives blocks back in the
// opposite order, or some that were made together in any order.
//
// This file is compiled for each kind of GPU.
#include "Runtime.h"

#define INLINE __attribute__((always_inline))
#define GLOBAL __attribute__((address_space(1)))

/// What the host says (include/adze/gpu.h); all zero if it says nothing.
struct State {
  GLOBAL char *Memory;
  uint64_t SegmentBytes;
  uint32_t Segments;
  uint32_t EndsThread; // if the memory does not do: the thread, not the program
  GLOBAL uint32_t *Users;  // of each segment, how many lanes
  GLOBAL uint64_t *Needed; // the most bytes that a lane has asked for in vain
};
extern GLOBAL struct State adze_gpu_tape_state;

/// The tape of one thread in one derivative.
struct LaneTape {
  GLOBAL char *Top, *End; // in the lane's words of the segment
  uint64_t Given;         // bytes of one lane, in all
  uint32_t Segment;
};
enum { NoSegment = 0xffffffff };

#ifdef __NVPTX__
enum { Lanes = 32 };
INLINE static uint32_t lane(void) { return __nvvm_read_ptx_sreg_laneid(); }
INLINE static uint64_t activeLanes(void) { return __nvvm_activemask(); }
/// Of the active lane with the least number.
INLINE static uint32_t ofFirst(uint32_t Value, uint64_t Active) {
  return __nvvm_shfl_sync_idx_i32(Active, Value, __builtin_ctzll(Active), 31);
}
/// Where to begin to look: warps that run at the same time have others.
INLINE static uint32_t placeOfWarp(void) {
  return __nvvm_read_ptx_sreg_smid() * 64 + __nvvm_read_ptx_sreg_warpid();
}
INLINE static void endThread(void) { __nvvm_exit(); }
/// LLVM 19 makes relaxed ones of all atomic operations, and knows no fence.
INLINE static void orderForDevice(void) { __nvvm_membar_gl(); }
INLINE static void orderForHost(void) { __nvvm_membar_sys(); }
#else
enum { Lanes = 64 };
INLINE static uint32_t lane(void) {
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}
INLINE static uint64_t activeLanes(void) {
  return __builtin_amdgcn_ballot_w64(1);
}
INLINE static uint32_t ofFirst(uint32_t Value, uint64_t Active) {
  (void)Active;
  return __builtin_amdgcn_readfirstlane(Value);
}
INLINE static uint32_t placeOfWarp(void) {
  return __builtin_amdgcn_workgroup_id_x() * 16 +
         __builtin_amdgcn_workitem_id_x() / Lanes;
}
INLINE static void endThread(void) { __builtin_amdgcn_endpgm(); }
INLINE static void orderForDevice(void) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
INLINE static void orderForHost(void) {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
#endif

/// A segment that nobody uses, for \p Users lanes. Where lanes of a warp come
/// one by one, each takes a segment: then there may be none until others end.
static uint32_t takeSegment(uint32_t Users) {
  enum { MostRounds = 1024 }; // some seconds
  const uint32_t Segments = adze_gpu_tape_state.Segments;
  if (!Segments)
    return NoSegment;
  const uint32_t First = placeOfWarp() % Segments;
  for (uint64_t K = 0; K < (uint64_t)MostRounds * Segments; ++K) {
    const uint32_t Segment = (uint32_t)((First + K) % Segments);
    uint32_t None = 0;
    if (__atomic_compare_exchange_n(&adze_gpu_tape_state.Users[Segment], &None,
                                    Users, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      orderForDevice();
      return Segment;
    }
  }
  return NoSegment;
}

INLINE static void leaveSegment(uint32_t Segment) {
  orderForDevice();
  __atomic_fetch_sub(&adze_gpu_tape_state.Users[Segment], 1, __ATOMIC_RELAXED);
}

/// The tape cannot get so long. Nothing wrong is computed: the program ends,
/// or, where the host has said that it will ask, the thread.
__attribute__((noinline, cold)) void adze_lanes_exhausted(uint32_t Segment,
                                                          uint64_t Needed) {
  GLOBAL uint64_t *Most = adze_gpu_tape_state.Needed;
  if (Most) {
    __atomic_fetch_max(Most, Needed, __ATOMIC_RELAXED);
    orderForHost();
  }
  if (Most && adze_gpu_tape_state.EndsThread) {
    leaveSegment(Segment);
    endThread();
  }
  __builtin_trap();
}

/// The lanes that come here together get a segment together.
INLINE void adze_lanes_open(struct LaneTape *T) {
  const uint64_t Active = activeLanes();
  uint32_t Segment = 0;
  if (lane() == (uint32_t)__builtin_ctzll(Active))
    Segment = takeSegment(__builtin_popcountll(Active));
  T->Segment = ofFirst(Segment, Active);
  const uint64_t Bytes = adze_gpu_tape_state.SegmentBytes;
  GLOBAL char *Begin =
      adze_gpu_tape_state.Memory + (uint64_t)T->Segment * Bytes;
  T->Top = T->End = Begin;
  T->Given = Bytes / Lanes;
  if (T->Segment == NoSegment) {
    T->Given = 0;
    return;
  }
  T->Top = Begin + lane() * 8;
  T->End = T->Top + Bytes;
}

INLINE void adze_lanes_close(struct LaneTape *T) {
  if (T->Segment == NoSegment)
    return;
  leaveSegment(T->Segment);
}

/// A block of \p Bytes of the lane's own memory.
INLINE GLOBAL char *adze_lanes_take(struct LaneTape *T, uint64_t Bytes) {
  // That more bytes for each would not help.
  if (__builtin_expect(T->Segment == NoSegment, 0))
    __builtin_trap();
  GLOBAL char *Block = T->Top;
  const uint64_t Left = (uint64_t)(T->End - Block) / Lanes;
  if (__builtin_expect(Bytes > Left, 0))
    adze_lanes_exhausted(T->Segment, Bytes > UINT64_MAX - T->Given
                                         ? UINT64_MAX
                                         : T->Given - Left + Bytes);
  T->Top = Block + ((Bytes + 7) & ~(uint64_t)7) * Lanes;
  return Block;
}

/// The block, and all that was made behind it, is no longer used.
INLINE void adze_lanes_give(struct LaneTape *T, GLOBAL char *Block) {
  if (Block && Block < T->Top)
    T->Top = Block;
}

/// Element \p Index is the first of a chunk.
INLINE static bool beginsChunk(uint64_t Index) {
  enum { First = 8 };
  return Index == 0 || (Index >= First && !(Index & (Index - 1)));
}

/// Memory for element \p Index, of \p Bytes, of an array that grows by chunks.
/// The address of an element is base + Index * Bytes * Lanes. A chunk begins
/// with the base of the one before.
INLINE GLOBAL char *adze_lanes_grow(struct LaneTape *T, GLOBAL char *Base,
                                    uint64_t Index, uint64_t Bytes) {
  if (!beginsChunk(Index))
    return Base;
  GLOBAL char *Chunk = adze_lanes_take(T, 8 + (Index ? Index : 8) * Bytes);
  *(GLOBAL char *GLOBAL *)Chunk = Base;
  return Chunk + 8 * Lanes - Index * Bytes * Lanes;
}

/// The reverse of iteration \p Index is done.
INLINE GLOBAL char *adze_lanes_shrink(struct LaneTape *T, GLOBAL char *Base,
                                      uint64_t Index, uint64_t Bytes) {
  if (!beginsChunk(Index))
    return Base;
  GLOBAL char *Chunk = Base + Index * Bytes * Lanes - 8 * Lanes;
  Base = *(GLOBAL char *GLOBAL *)Chunk;
  adze_lanes_give(T, Chunk);
  return Base;
}

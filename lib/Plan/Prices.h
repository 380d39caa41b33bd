// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it costs to keep a value, to read it and to compute it again, in about
// the time of one addition.
#ifndef ADZE_PLAN_PRICES_H
#define ADZE_PLAN_PRICES_H

#include "OperationPrices.h"
#include "TripCounts.h"
#include "adze/Plan.h"

namespace adze::prices {

/// Sums of 2^22 prices stay below 2^63.
inline constexpr uint64_t MaxPrice = MaxEstimate;

inline constexpr uint64_t KeepInRegister = 1;
inline constexpr uint64_t KeepOnTape = 2;
/// Bytes of an array that stays in the nearest cache, and of one that no cache
/// holds: three loops of which nobody knows how often they run make one.
inline constexpr uint64_t SmallArray = 4096, LargeArray = 262144;
inline constexpr uint64_t SmallDivisor = 3, LargeFactor = 3;
/// Bytes of an array that a thread on a GPU may have in registers. Larger ones,
/// of thousands of threads at the same time, are in no cache.
inline constexpr uint64_t RegisterArray = 64;
/// What leads from one shadow to the next.
inline constexpr uint64_t ShadowStep = 1;
/// Load: from the nearest cache. The rest is for bringing the bytes there.
inline constexpr uint64_t Load = 1, LoadPer4Bytes = 1;
/// To write to a scratch variable, which stays in the cache, or to read it.
inline constexpr uint64_t UseScratch = 1;
/// Arrays of one iteration that runs again are taken to stay in the cache if
/// none is larger than this.
constexpr uint64_t maxCachedBytes(bool OnDevice) {
  return OnDevice ? RegisterArray : 1u << 15;
}
/// To allocate and free an array of the tape.
inline constexpr uint64_t MakeArray = 60;
/// A store to a place that was written before, and so is in the cache.
inline constexpr uint64_t StoreAgain = 2;

enum class TapeArray {
  Guessed, // of a size that only the run knows
  Known,   // of a constant size, in the frame
  OfThread // of either, on a GPU
};

/// At most MaxPrice.
uint64_t times(uint64_t A, uint64_t B);
uint64_t bytesOf(const llvm::Value *V, const llvm::DataLayout &DL);
/// Of \p V, from memory.
uint64_t loadPrice(const llvm::Value *V, const llvm::DataLayout &DL);
/// The price of keeping \p Bytes, one of as many elements as make an array of
/// \p Total. What stays in the nearest cache costs little more than its store
/// and load. Of a large array each byte goes to memory and back, with a page
/// fault at the first touch; and who runs out of memory has no gradient.
uint64_t tapePrice(uint64_t Bytes, uint64_t Total, TapeArray In);
/// The price of recomputing \p V once, as \p D says.
uint64_t recomputePrice(PlanValue V, const Decision &D,
                        const OperationPrices &Prices,
                        const llvm::DataLayout &DL);

} // namespace adze::prices
#endif

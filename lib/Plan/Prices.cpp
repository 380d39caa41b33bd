// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prices.h"
#include "adze/Options.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace adze::prices {

uint64_t times(uint64_t A, uint64_t B) {
  return std::min(SaturatingMultiply(A, B), MaxPrice);
}

uint64_t bytesOf(const Value *V, const DataLayout &DL) {
  return DL.getTypeAllocSize(V->getType()).getKnownMinValue();
}

uint64_t loadPrice(const Value *V, const DataLayout &DL) {
  return Load + LoadPer4Bytes * divideCeil(bytesOf(V, DL), 4);
}

uint64_t tapePrice(uint64_t Bytes, uint64_t Total, TapeArray In) {
  uint64_t Per4Bytes = Options::get().TapePrice;
  if (Total >= (In == TapeArray::OfThread ? RegisterArray + 1 : LargeArray))
    Per4Bytes *= LargeFactor;
  else if (In != TapeArray::Guessed && Total <= SmallArray)
    Per4Bytes = divideCeil(Per4Bytes, SmallDivisor);
  return KeepOnTape + Per4Bytes * Bytes / 4;
}

uint64_t recomputePrice(PlanValue V, const Decision &D,
                        const OperationPrices &Prices, const DataLayout &DL) {
  if (V.Which == Part::Primal && D.Instead)
    return 0;
  auto &I = *cast<Instruction>(V.V);
  // A copy's own price is that of bringing each element to the cache once.
  if (V.Which == Part::Primal && D.Copy)
    return Load;
  if (isa<LoadInst>(I))
    return loadPrice(&I, DL);
  const uint64_t Price = Prices.of(I);
  return V.Which == Part::Shadow ? std::min(Price, ShadowStep) : Price;
}

} // namespace adze::prices

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one walk over structures and arrays in registers.
#ifndef ADZE_AGGREGATEPARTS_H
#define ADZE_AGGREGATEPARTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace llvm {
class DataLayout;
class Type;
} // namespace llvm

namespace adze {

/// A scalar or vector inside a first-class type, or that type itself.
struct AggregatePart {
  llvm::Type *Ty;
  uint64_t Offset; // bytes from the start of the whole in memory
  llvm::ArrayRef<unsigned>
      Path; // as of extractvalue; lives as long as the call
};

/// Calls \p Body for each part of \p Ty that is no structure and no array, in
/// the order of memory.
void forEachPart(llvm::Type *Ty, const llvm::DataLayout &DL,
                 llvm::function_ref<void(const AggregatePart &)> Body);

/// How many parts forEachPart() finds; \p Most + 1 stands for more than
/// \p Most.
uint64_t countParts(llvm::Type *Ty, uint64_t Most);

} // namespace adze
#endif

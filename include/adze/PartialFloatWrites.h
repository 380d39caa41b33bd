// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers one question: which floats does a write of other data overwrite in
// part only? Half of a double has no derivative; what stands there afterwards
// is no longer the double that had one.
#ifndef ADZE_PARTIALFLOATWRITES_H
#define ADZE_PARTIALFLOATWRITES_H

#include "adze/TypeInfo.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class DataLayout;
} // namespace llvm

namespace adze {

struct FloatCut {
  llvm::Type *Float;
  /// The float begins so many bytes before the address that is written to
  /// (negative: behind it); none if that is known only when the program runs:
  /// at a multiple of its size, then.
  std::optional<int64_t> Before;
  /// All that is written lies within the float.
  bool Inside;
  /// An address may stand on some of the float's bytes, at another time.
  bool MeetsPointer = false;
  bool operator==(const FloatCut &O) const {
    return Float == O.Float && Before == O.Before && Inside == O.Inside;
  }
};

/// Floats, by what type analysis knows of the memory around, of which a write
/// of \p Size bytes to \p Ptr may hit a part and leave a part. Characters that
/// are written one after the other are taken to stay in the array that they
/// begin in.
llvm::SmallVector<FloatCut, 2> floatsCutBy(const TypeInfo &Types,
                                           const llvm::DataLayout &DL,
                                           const llvm::Value *Ptr,
                                           uint64_t Size);

} // namespace adze
#endif

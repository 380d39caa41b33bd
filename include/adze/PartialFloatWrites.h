// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers three questions. Which floats does a write of other data overwrite in
// part only? Half of a double has no derivative; what stands there afterwards
// is no longer the double that had one. And over which floats that are shorter
// than an address is an address written, or the other way round? Their adjoints
// share the shadow's word with the shadow's address. And which addresses stand
// off the grid of words (in packed records), where a word is a part of one, or
// of two, and does not look like an address?
#ifndef ADZE_PARTIALFLOATWRITES_H
#define ADZE_PARTIALFLOATWRITES_H

#include "adze/TypeInfo.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Alignment.h"
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
  /// There is such a float wherever the write goes: seen, and not only declared
  /// or met by one of the places that a loop writes to.
  bool Everywhere = false;
  /// Not one of a row of floats whose distance is no multiple of their size.
  bool OnGrid = true;
  /// An address may stand on some of the float's bytes, at another time.
  bool MeetsPointer = false;
  bool operator==(const FloatCut &O) const {
    return Float == O.Float && Before == O.Before && Inside == O.Inside;
  }
};

/// Floats, by what type analysis knows of the memory around, of which a write
/// of \p Size bytes to \p Ptr may hit a part and leave a part. Characters
/// that are written one after the other stay in the array that they begin in,
/// where types of LLVM say how long it is.
llvm::SmallVector<FloatCut, 2> floatsCutBy(const TypeInfo &Types,
                                           const llvm::DataLayout &DL,
                                           const llvm::Value *Ptr,
                                           uint64_t Size);

/// Types see no float around \p Ptr, as far as that can be followed back: where
/// there may be one nevertheless, nobody knows where it begins.
bool seesNoFloatAround(const TypeInfo &Types, const llvm::DataLayout &DL,
                       const llvm::Value *Ptr);

/// \p Ptr leads to a scalar of \p Size bytes at a place that only the run
/// knows: it need not be a multiple of the size from where the memory begins,
/// or from where a caller's pointer leads to, and types see no floats around
/// that tell.
/// \p A: what the access promises. \p OfFloats: a float; those whose address is
/// made of products are elements of arrays.
bool isPlacedByRun(const TypeInfo &Types, const llvm::DataLayout &DL,
                   const llvm::Value *Ptr, uint64_t Size, llvm::Align A,
                   bool OfFloats);

/// Why a derivative stops, or has none, where that was so.
inline constexpr const char *PartOverwritten =
    "a part of an active float was overwritten, and the whole is used";

/// How many bytes \p I writes of a number that need not stand at a multiple of
/// its size, so that it may cut a float anywhere. None if it writes something
/// else, or a constant that may be a float itself.
std::optional<uint64_t> numberOffGrid(const llvm::Instruction &I);

/// Floats shorter than the \p Size bytes of an address may have stood at \p Ptr
/// before an address is stored there. Floats as long as an address do not
/// count: read as one, an address is a number too small to matter.
bool mayCoverFloats(const TypeInfo &Types, const llvm::DataLayout &DL,
                    const llvm::Value *Ptr, uint64_t Size);

/// An address may have stood where a float of \p Size bytes is stored to \p
/// Ptr.
bool mayCoverAddress(const TypeInfo &Types, const llvm::DataLayout &DL,
                     const llvm::Value *Ptr, uint64_t Size);

/// Which of the first \p Bytes bytes behind \p Ptr types see as a part of a
/// pointer: where the layout is Unknown there, something else is seen as well
/// that is as sure.
llvm::BitVector pointerBytes(const TypeInfo &Types, const llvm::Value *Ptr,
                             uint64_t Bytes);

/// Types see a pointer in bytes [\p Begin, \p End) behind \p Ptr, in part at
/// least, that does not stand at a multiple of its size from \p Ptr.
bool seesPointerOffGrid(const TypeInfo &Types, const llvm::Value *Ptr,
                        uint64_t Begin, uint64_t End);

} // namespace adze
#endif

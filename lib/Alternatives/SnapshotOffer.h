// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code that offers a copy of a part of an array: the call that makes it,
// and beside each load one of the same element of the copy.
#ifndef ADZE_LIB_ALTERNATIVES_SNAPSHOTOFFER_H
#define ADZE_LIB_ALTERNATIVES_SNAPSHOTOFFER_H

#include "Loops/AffineAccess.h"

namespace adze {

/// The distance of the first byte of some ranges, and the bytes from there to
/// the end of the last one.
struct CodedRange {
  llvm::Value *Begin = nullptr, *Length = nullptr;
};

/// Code at \p At for \p Ranges, which are known there. One whose conditions are
/// not met does not count.
CodedRange codeFor(llvm::ArrayRef<ByteRange> Ranges,
                   llvm::SCEVExpander &Expander, llvm::Instruction *At);

class SnapshotOffer {
public:
  /// Of what lies in \p Ranges behind \p Array, and between them, at \p At.
  /// The copy, and all that is read of it, is aligned to \p Aligned.
  SnapshotOffer(Primal &P, llvm::SCEVExpander &Expander, llvm::Value *Array,
                llvm::ArrayRef<ByteRange> Ranges, llvm::Align Aligned,
                llvm::Instruction *At, llvm::DebugLoc Where);

  /// Of what lies behind \p Array, at the function's entry: made by the caller.
  SnapshotOffer(Primal &P, llvm::Argument &Array, llvm::Align Aligned);

  Snapshot &snapshot() { return P.Snapshots[Call]; }
  /// What \p Load reads lies in the copy.
  void serve(llvm::LoadInst &Load);
  /// As far from the copy as \p Pointer is from the array. To be made at \p At.
  llvm::Value *addressOf(llvm::Value *Pointer, llvm::Instruction *At);
  const llvm::CallInst *copy() const { return Call; }
  /// What \p Load reads lies in the copy, or nobody overwrites it.
  void serveIfInside(llvm::LoadInst &Load);

private:
  llvm::Value *distanceOf(llvm::Value *Ptr);
  void readAt(llvm::Value *Address, llvm::LoadInst &Load, bool OrMemory);

  Primal &P;
  llvm::Value *Array;
  llvm::Align Aligned;
  llvm::Value *Begin = nullptr;  // distance of the copied part from Array
  llvm::Value *Length = nullptr; // its bytes
  llvm::CallInst *Call = nullptr;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Distances; // by address
  llvm::Value *Copy = nullptr; // as far before the copy as Array is before it
};

} // namespace adze
#endif

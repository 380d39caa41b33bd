// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work space that the user calls constant, and that the function fills with
// active data which it reads again: f(x, dx, enzyme_const, work). What was in
// it before has no derivative, and nobody asks for one of what is left there,
// so its shadow is memory of zeros for the time of the call. Where the marker's
// caller shows how large the memory is, or the function how much of it is
// accessed, it is made here; else activity analysis reports the conflict. So it
// does where the function may reach the same memory by another way: a shadow
// made here would be one of two.
#ifndef ADZE_DRIVER_SCRATCHSHADOWS_H
#define ADZE_DRIVER_SCRATCHSHADOWS_H

#include "DerivativeStore.h"
#include "adze/Marker.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace adze {

class ScratchShadows {
public:
  ScratchShadows(DerivativeStore &Store, llvm::FunctionAnalysisManager &FAM,
                 Diagnostics &Diags)
      : Store(Store), FAM(FAM), Diags(Diags) {}

  /// Gives \p M, and its request, shadows for what needs one.
  void give(Marker &M);

private:
  /// Memory from its first byte on, and where in it each of some pointers is.
  struct Extent {
    llvm::Value *Size;
    llvm::SmallVector<llvm::Value *, 2> Offsets;
    llvm::SmallVector<llvm::Value *, 2> Holds; // if this; empty: always
  };
  /// An argument that is called constant.
  struct Piece {
    unsigned Arg, Place;
    llvm::Value *Pointer;
  };
  using Pieces = llvm::SmallVector<Piece, 2>;
  llvm::SmallVector<Piece, 4> constantPointers(const Marker &M);
  static const Piece *pieceOf(unsigned Arg, llvm::ArrayRef<Piece> Constants);
  void reportOneMemory(const Marker &M, unsigned Written, unsigned Read);
  std::optional<Pieces> piecesOf(const Piece &First, const Marker &M);
  std::optional<Extent> extentOf(const Pieces &Of, const Marker &M);
  llvm::SizeOffsetValue blockBehind(llvm::Value *Pointer, llvm::CallBase &At,
                                    llvm::ObjectSizeOffsetEvaluator &Evaluator);
  std::optional<Extent> extentOfBlock(const Pieces &Of, llvm::CallBase &At);
  std::optional<Extent> extentOfAccesses(const Pieces &Of, const Marker &M);
  const llvm::Value *objectOf(llvm::Value *Pointer, llvm::CallBase &At);
  llvm::Value *resolved(llvm::Value *Pointer, llvm::CallBase &At);
  llvm::SmallVector<llvm::Value *, 2> shadowsIn(const Extent &E,
                                                llvm::CallBase &At);

  DerivativeStore &Store;
  llvm::FunctionAnalysisManager &FAM;
  Diagnostics &Diags;
};

} // namespace adze
#endif

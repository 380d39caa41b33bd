// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls whose reverse half may read a copy that is offered for loads of the
// caller, in place of the memory behind an argument (CallCopy). What the callee
// reads there is known when the call is planned; it must lie within what a nest
// of the caller reads.
//
// Why the copy, made at the end of block S, holds what stands there when the
// callee runs:
//   * the call stands in S, or S dominates it, in the same loop, and
//   * nothing between the two writes to what the nest reads.
// The callee's own writes do not matter: it reads the copy only of what nothing
// writes to while it runs (GivenCopies.cpp).
//
// If the call stands in S, in front of the copy, the reverse pass comes to it
// after all that the copy was made for, and frees it behind (FirstCall).
#ifndef ADZE_LIB_ALTERNATIVES_CALLCOPIES_H
#define ADZE_LIB_ALTERNATIVES_CALLCOPIES_H

#include "Alternatives/SnapshotOffer.h"
#include "Loops/LoopMemory.h"

namespace adze {

/// What a nest of the caller reads of an array, when a copy of it is made in a
/// block in front.
struct CopiedRead {
  AffineAccess Access; // of a load
  Guards If;           // it is executed, and copied, if they are met
};

class CallCopies {
public:
  CallCopies(Primal &P, LoopMemory &M);

  /// Where calls are made that \p Array is passed to, in program order.
  llvm::SmallVector<llvm::BasicBlock *, 4> callsOf(llvm::Value *Array) const;
  /// \p Offer copies what \p Reads read of \p Array at the end of \p S.
  void serve(SnapshotOffer &Offer, llvm::Value *Array, llvm::BasicBlock *S,
             llvm::ArrayRef<CopiedRead> Reads);

private:
  /// An argument that leads into an array.
  struct Passed {
    llvm::CallBase *Call;
    unsigned Argument;
  };

  bool isQuiet(llvm::Instruction &From, llvm::Instruction &To,
               llvm::Value *Array, const AffineAccess &Read);
  std::optional<CallCopy::Part> partFor(const Passed &To, llvm::Value *Array,
                                        llvm::BasicBlock *S,
                                        const CopiedRead &Read);

  Primal &P;
  LoopMemory &M;
  llvm::DenseMap<llvm::Value *, llvm::SmallVector<Passed, 2>> ByArray;
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether anything that runs in a loop, or in some blocks, may write to an
// array, in whatever iteration, or end the program.
#ifndef ADZE_LIB_PREPARE_NESTWRITERS_H
#define ADZE_LIB_PREPARE_NESTWRITERS_H

#include "Prepare/AccessRanges.h"
#include "adze/Primal.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/IR/IntrinsicInst.h"

namespace adze {

/// \p I may write to memory that the program can read.
bool writesMemory(const llvm::Instruction &I);

class NestWriters {
public:
  NestWriters(Primal &P, LoopMemory &M);

  /// Something in \p Nest may write to the array that \p Load reads, or end
  /// the program.
  bool mayWrite(const llvm::Loop &Nest, llvm::LoadInst &Load);
  /// \p Writer may write to some element of \p Array, if elements are accessed
  /// as \p Load accesses one, whatever iterations they run in.
  bool mayWrite(llvm::Instruction &Writer, llvm::LoadInst &Load,
                llvm::Value *Array);
  /// \p Writer, which runs in \p In or in no loop, may write to what \p Load,
  /// of \p Array, reads while \p Nest runs, in one iteration of the loop around
  /// both.
  bool mayWriteBefore(llvm::Instruction &Writer, const llvm::Loop *In,
                      llvm::LoadInst &Load, llvm::Value *Array,
                      const llvm::Loop &Nest) {
    return mayWrite(Writer, Load, Array) &&
           !Ranges.areDisjoint(Writer, In, Load, &Nest);
  }
  /// What writes to memory in \p Nest.
  llvm::ArrayRef<llvm::Instruction *> writersIn(const llvm::Loop &Nest) {
    return factsOf(Nest).Writers;
  }

private:
  struct Facts {
    bool MayEnd = false; // the program, or by an exception
    llvm::SmallVector<llvm::Instruction *, 8> Writers;
    /// Scopes of restrict around it.
    llvm::SmallPtrSet<const llvm::Metadata *, 8> Promised;
  };

  const Facts &factsOf(const llvm::Loop &Nest);
  llvm::AAMDNodes promisesOf(const llvm::LoadInst &Load, const Facts &Nest);
  bool mayWrite(llvm::Instruction &Writer, const llvm::MemoryLocation &Array);

  Primal &P;
  AccessRanges Ranges;
  llvm::ScopedNoAliasAAResult Scoped;
  llvm::AAResults Results;
  llvm::BatchAAResults Alias;
  llvm::SmallVector<const llvm::NoAliasScopeDeclInst *, 8> Scopes;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<Facts>> Nests;
  unsigned Questions = 0;
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who writes in one canonical primal; and who may write to what a load reads:
// in a loop, in whatever iteration, or between two places.
#ifndef ADZE_LIB_LOOPS_LOOPWRITERS_H
#define ADZE_LIB_LOOPS_LOOPWRITERS_H

#include "Loops/AccessOrder.h"
#include "Loops/AccessRanges.h"
#include "Loops/LoopAlias.h"
#include "Loops/WriteEffects.h"

namespace adze {

class LoopWriters {
public:
  LoopWriters(const Primal &P, LoopAlias &Alias, AccessRanges &Ranges,
              AccessOrder &Order);

  /// All that writes, in the order of the code. (Instructions that are added
  /// later are taken for none.)
  llvm::ArrayRef<WriteEffect> all() const { return All; }
  bool writes(const llvm::Instruction &I) const { return Effects.contains(&I); }
  /// \p I may write to \p Loc.
  bool mayWrite(const llvm::Instruction &I, const llvm::MemoryLocation &Loc,
                Times T);
  /// The same of a writer that is not confined to locations.
  bool mayWriteAnywhere(const WriteEffect &Writer,
                        const llvm::MemoryLocation &Loc, Times T);
  /// Something in \p Nest may write to the array that \p Load reads, or end
  /// the program.
  bool mayWrite(const llvm::Loop &Nest, llvm::LoadInst &Load);
  /// Something in \p Nest may write to what \p Load reads there, before it is
  /// read, or end the program.
  bool mayWriteFirst(const llvm::Loop &Nest, llvm::LoadInst &Load);
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
  /// Something but \p Known, on a path from the end of \p From to the end of
  /// \p To, which it dominates, may write to \p Loc, whatever iterations they
  /// are in.
  bool mayWriteBetween(const llvm::BasicBlock *From, llvm::BasicBlock *To,
                       const llvm::MemoryLocation &Loc,
                       const llvm::Instruction *Known = nullptr);
  /// What writes to memory in \p Nest.
  llvm::ArrayRef<llvm::Instruction *> writersIn(const llvm::Loop &Nest) {
    return factsOf(Nest).Writers;
  }

private:
  struct Facts {
    bool MayEnd = false; // the program, or by an exception
    llvm::SmallVector<llvm::Instruction *, 8> Writers;
  };

  const Facts &factsOf(const llvm::Loop &Nest);
  bool mayWriteIn(const llvm::Loop &Nest, llvm::Instruction &Writer,
                  llvm::LoadInst &Load);

  LoopAlias &Alias;
  AccessRanges &Ranges;
  AccessOrder &Order;
  std::vector<WriteEffect> All;
  llvm::DenseMap<const llvm::Instruction *, size_t> Effects;
  llvm::DenseMap<const llvm::Loop *, std::unique_ptr<Facts>> Nests;
};

} // namespace adze
#endif

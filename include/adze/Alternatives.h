// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From where else the reverse pass can have a value of the primal, as data for
// the plan: code that stands nowhere. No instruction of the primal reads it,
// and it is in no block of it; who looks at the primal does not see it. The
// plan decides on each of its values as on those of the primal, and code comes
// of it only where the plan has chosen it: in the reverse half where a value is
// computed again, in the augmented half where one is kept.
//
// An operand of this code that is a value of the primal, or a global variable,
// is a name that stands for it (meaningOf), so that the lists of uses hold none
// of this code.
// Each instruction has a place: the instruction of the primal in front of which
// it would be executed, as often and under the same counters.
//
// A region that runs again in place of what it leaves is such code, too.
#ifndef ADZE_ALTERNATIVES_H
#define ADZE_ALTERNATIVES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace llvm {
class Function;
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace adze {

struct LoopRecord;

/// What a load among the alternatives reads, in terms of accesses of the
/// primal: they are asked for, where it matters who overwrites it.
struct AlternativeRead {
  /// What this load reads, which may be an alternative itself. Null if Accesses
  /// tell.
  const llvm::LoadInst *Same = nullptr;
  /// It reads the copy that this call makes (Primal::Snapshots); or, with
  /// OrMemory, what Same reads where that is not in the copy.
  const llvm::Value *Copy = nullptr;
  bool OrMemory = false;
  /// In iteration k of Over, what lies at Start + k * Step. One of the accesses
  /// touches it there, in this iteration or in one before; the first is a load.
  llvm::SmallVector<const llvm::Instruction *, 2> Accesses;
  const llvm::Value *Start = nullptr;
  int64_t Step = 0;
  const LoopRecord *Over = nullptr;
};

class Alternatives {
public:
  Alternatives() = default;
  Alternatives(const Alternatives &) = delete;
  Alternatives &operator=(const Alternatives &) = delete;
  ~Alternatives();

  /// Takes \p Code, in the order of \p F, out of it. Nothing that remains there
  /// may use it. Of what has one place, that comes last which is taken last.
  void takeOut(llvm::Function &F, llvm::ArrayRef<llvm::Instruction *> Code);

  /// All instructions, in the order of their places.
  llvm::ArrayRef<llvm::Instruction *> code() const { return Code; }
  /// Those whose place is \p I, in order.
  llvm::ArrayRef<llvm::Instruction *> before(const llvm::Instruction *I) const;
  /// Null for instructions of the primal.
  const llvm::Instruction *placeOf(const llvm::Instruction *I) const {
    return Places.lookup(I);
  }
  bool contains(const llvm::Instruction *I) const { return Places.count(I); }
  /// What an operand is: itself, or the value of the primal that it stands for.
  const llvm::Value *meaningOf(const llvm::Value *Operand) const {
    const llvm::Value *Meaning = Meanings.lookup(Operand);
    return Meaning ? Meaning : Operand;
  }
  const AlternativeRead *readOf(const llvm::Instruction *Load) const {
    auto It = Reads.find(Load);
    return It == Reads.end() ? nullptr : &It->second;
  }
  /// A load of the primal that reads from the same array as \p I, if that is an
  /// alternative; else \p I.
  const llvm::Instruction *ofPrimal(const llvm::Instruction *I) const;

  /// By load; for who makes the code.
  llvm::DenseMap<const llvm::Instruction *, AlternativeRead> Reads;

private:
  void nameOperands(llvm::Function &F);
  void order(llvm::Function &F);

  std::vector<llvm::Instruction *> Code;
  llvm::DenseMap<const llvm::Instruction *, const llvm::Instruction *> Places;
  llvm::DenseMap<const llvm::Instruction *, std::pair<unsigned, unsigned>>
      Before; // by place, a part of Code
  llvm::DenseMap<const llvm::Value *, const llvm::Value *> Meanings;
  std::vector<llvm::Value *> Names; // the keys of Meanings
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory that is a part of a loop's state (Checkpoints.h): what the loop
// writes, from where to where. The extent is that of a variable or of a block
// that the function allocates, or the program names it; what is beyond that, a
// step says when it runs first (Emit/TrackedSteps.h). Where a step could not
// say it, the program has to name it.
#ifndef ADZE_LIB_PREPARE_STATEMEMORY_H
#define ADZE_LIB_PREPARE_STATEMEMORY_H

#include "Loops/StepMemory.h"
#include "adze/Checkpoints.h"
#include "adze/Diagnostics.h"
#include "llvm/ADT/StringRef.h"

namespace adze {

/// Reports why a loop that the program marks cannot be reversed so.
struct Refusal {
  Diagnostics &Diags;
  const Origin &From;

  void loop(const llvm::Instruction &At, llvm::StringRef Why) const;
  void memory(const llvm::Instruction &At, const std::string &Pointer) const;
  void again(const llvm::Instruction &At, llvm::StringRef Why) const;
};

class StateMemory {
public:
  /// \p L is entered by its preheader.
  StateMemory(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
              const Refusal &Refuse)
      : L(L), FAM(FAM), Refuse(Refuse), Steps(FAM) {}

  /// Both can be used at the end of the preheader.
  struct Region {
    llvm::Value *Base, *Bytes;
  };
  llvm::SmallVector<Region, 4> Regions;
  /// checkpoints::Layout::States and OnDisk, i64.
  llvm::Value *States = nullptr, *OnDisk = nullptr;

  /// Fills these. \p Marker says what the program names. False after a refusal.
  bool find(llvm::CallBase &Marker);
  /// Marks in the loop what is Layout::InsideName.
  void markInside();
  /// Where \p Pointer leads is in the regions, all of it.
  bool isInside(const llvm::Value *Pointer) const;
  /// What is read behind \p Pointer and may be no part of the regions.
  checkpoints::Layout::Reading readsBeside(const llvm::Value *Pointer) const;
  /// The same of global variables and of what pointers in memory lead to;
  /// \p CarriesPointers: also those that the loop carries.
  checkpoints::Layout::Reading readsElsewhere(bool CarriesPointers) const;
  /// Steps must say what they do when they run first.
  bool tracks() const;

  /// An iteration may store pointers to memory.
  bool movesPointers() const { return Effects.MovesPointers; }

private:
  bool takeNumbers(llvm::CallBase &Marker);
  bool takeNames(llvm::CallBase &Marker);
  llvm::Value *integerAtEntry(llvm::Value *V);
  bool leadsInside(const llvm::Value *Pointer) const;
  bool mustBeNamed(const llvm::Value *Object) const;
  checkpoints::Layout::Reading reading(const llvm::Value *Object) const;
  void clear(llvm::AllocaInst &Variable, llvm::Value *Bytes);
  bool addObject(const llvm::Value *Object);
  bool isNamed(const llvm::Value *Object) const;
  llvm::Value *atEntry(llvm::Value *V);
  bool mayMove(const llvm::Instruction &I);
  llvm::Value *pointerTo(const llvm::Instruction &Block) const;

  llvm::Loop &L;
  llvm::FunctionAnalysisManager &FAM;
  const Refusal &Refuse;
  StepMemory Steps;
  MemoryEffects Effects;
  llvm::SetVector<const llvm::Value *> Whole; // objects in Regions
  llvm::SetVector<const llvm::Value *> Named; // pointers, and their objects
};

} // namespace adze
#endif

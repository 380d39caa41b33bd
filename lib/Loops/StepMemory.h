// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory the iterations of a loop, or a function, read and write, with
// the functions that they call, and whether they may run once more.
//
// Memory is told by the object that an address is computed from: variables,
// global ones, blocks that the function allocates, arguments. What a pointer
// in memory leads to is unknown.
#ifndef ADZE_LIB_LOOPS_STEPMEMORY_H
#define ADZE_LIB_LOOPS_STEPMEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class AllocaInst;
class CallBase;
class Function;
class GlobalVariable;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace adze {

/// What code does to memory that was there before.
struct MemoryEffects {
  llvm::SetVector<const llvm::Value *> Written, Read; // objects
  /// Addresses of unknown objects, of loads and stores of the loop itself; of
  /// functions that it calls null stands here.
  llvm::SetVector<const llvm::Value *> WrittenThrough;
  /// Which of these (null too) are written by library functions, so that it is
  /// not known how much; which get pointers.
  llvm::SetVector<const llvm::Value *> Uncounted, GetPointers;
  /// The same of what is read, null for unknown objects.
  llvm::SetVector<const llvm::Value *> UncountedReads;
  /// It stores addresses of blocks that it allocates, or frees blocks that it
  /// finds: whether these are its own is seen when it runs.
  bool KeepsBlocks = false;
  const llvm::Instruction *WritesUnknown = nullptr; // the first such place
  const llvm::Instruction *ReadsUnknown = nullptr;
  bool MovesPointers = false; // it may store some
  /// Outside of code for threads of a team: the first atomic operation. And the
  /// first access of a variable of the thread.
  const llvm::Instruction *Atomic = nullptr, *OfThread = nullptr;
  /// It must not run once more, and why: "calls 'rand', ...".
  const llvm::Instruction *Once = nullptr;
  std::string Why;
};

/// Functions that call themselves: what an inner call does may be taken to be
/// what the outer one does where it is only asked whether something is done.
enum class Recursion : uint8_t { Unknown, AsOuter };

class StepMemory {
public:
  explicit StepMemory(llvm::FunctionAnalysisManager &FAM,
                      Recursion Inner = Recursion::Unknown)
      : FAM(FAM), Inner(Inner) {}
  StepMemory(const StepMemory &) = delete;
  StepMemory &operator=(const StepMemory &) = delete;
  ~StepMemory();
  /// Of \p L, with the objects as they are known outside of it.
  MemoryEffects of(const llvm::Loop &L);
  /// Of all that \p F does, which has a body.
  const MemoryEffects &ofFunction(const llvm::Function &F);
  /// \p I may write to memory, or do what cannot be done once more.
  bool writes(const llvm::Instruction &I);

private:
  struct Scope; // code whose effects are being collected
  const llvm::Function &withoutVariables(const llvm::Function &F);
  void visit(const llvm::Instruction &I, Scope &S);
  void visitCall(const llvm::CallBase &Call, Scope &S);
  void visitKnown(const llvm::CallBase &Call, Scope &S);
  void visitRuntime(const llvm::CallBase &Call, Scope &S);
  /// \p Fork: it is that of a region, and \p Call is one of the runtime.
  void visitBody(const llvm::CallBase &Call, const llvm::Function &F, Scope &S,
                 bool Fork = false);
  void visitRegion(const llvm::CallBase &Call, const llvm::Function &Region,
                   Scope &S, bool Fork);
  struct Access {
    bool Writes, Counted = true, Pointers = false;
  };
  void access(const llvm::Value *Address, Access A, const llvm::Instruction &At,
              Scope &S);
  bool leaves(const llvm::Instruction &Block, Scope &S);

  llvm::FunctionAnalysisManager &FAM;
  const Recursion Inner;
  std::vector<llvm::Function *> Clones;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<MemoryEffects>>
      Functions;
};

} // namespace adze
#endif

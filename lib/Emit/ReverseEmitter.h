// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse pass: adjoints from the return back to the arguments.
#ifndef ADZE_EMIT_REVERSEEMITTER_H
#define ADZE_EMIT_REVERSEEMITTER_H

#include "Adjoints.h"
#include "Analysis/Sharing/LaunchSums.h"
#include "Rematerialize.h"
#include "ReplicaEmitter.h"

namespace adze {

class ReverseEmitter : public ReverseContext {
public:
  /// The reverse pass begins in \p Start, an empty block of \p Out.
  ReverseEmitter(const Facts &F, const Plan &P, llvm::Function &Out,
                 llvm::BasicBlock &Start, llvm::IRBuilder<> &B, const Lanes &L,
                 Tape &T);

  /// Emits everything; \p ReturnAdjoint may be null. Ends with a return of
  /// the adjoints of the arguments, after the primal result if that is given.
  /// An error names the value that was read without being planned.
  llvm::Error run(llvm::Value *ReturnAdjoint, llvm::Value *PrimalResult);

  const CallPlan *callPlan(const llvm::CallBase &Call) override;
  llvm::Value *primal(const llvm::Value *V) override;
  llvm::Value *shadow(const llvm::Value *V) override;
  llvm::Value *takeAdjoint(const llvm::Value *I) override;
  void addAdjoint(const llvm::Value *V, llvm::Value *A) override;
  void accumulate(const llvm::LoadInst &Load, llvm::Value *Place,
                  llvm::Value *A) override;
  llvm::Value *tapeOf(const llvm::CallBase *Call) override;
  void releaseTape(const llvm::CallBase *Call) override;
  bool runsAgain() const override { return KeepsTape; }
  void keepTape() { KeepsTape = true; }
  /// Threads add to copies where the plan has any.
  void useCopies() { UsesCopies = !P.Replicas.empty(); }
  /// i1, known at the end of the first block: what has been emitted is right.
  /// Null if it always is.
  llvm::Value *areCopiesUsed() const {
    return UsesCopies ? Copies.areUsed() : nullptr;
  }

protected:
  // What NonFiniteTrap looks at.
  virtual void reverseRule(const Rule &R, const llvm::Instruction &I) {
    R.reverse(I, *this);
  }
  /// adjoint(V) += A, where neither is zero for sure.
  virtual void contribute(const llvm::Value *V, llvm::Value *A);
  /// \p Sum = \p Old + \p A has been emitted, for the adjoint of \p V or for
  /// the shadow of what load \p V read.
  virtual void summed(const llvm::Value *V, llvm::Value *Old, llvm::Value *A,
                      llvm::Value *Sum) {}
  /// All has been emitted.
  virtual void finish() {}

  llvm::Function &Out;

private:
  void beginCopies();
  void findIfAlone();
  void testLaunch();
  void addPlainly(const llvm::LoadInst &Load, llvm::Value *Place,
                  llvm::Value *A, llvm::Align Aligned,
                  llvm::function_ref<void(llvm::Instruction &)> Tag);
  llvm::Value *isAlone(const llvm::LoadInst &Load);
  void runAgain(const Rerun &Again);
  void emitBlock(const llvm::BasicBlock &Block);
  bool hasBegun(const llvm::Instruction &I) const;
  void beginTasks(const llvm::Instruction &Wait);
  void reversePhis(const llvm::BasicBlock &Block);
  void setCounters(const llvm::BasicBlock &Block);
  void freeTape(const llvm::BasicBlock &Preheader);
  void addGrowing(const Slot &S);
  void beginGrowing(const LoopRecord *L);
  void shrink(const llvm::BasicBlock &Header);
  void addPath(const Slot &S);
  void beginPaths();
  void endVisit(const llvm::BasicBlock &Block);
  void emitReturn(llvm::Value *PrimalResult);
  void callFree(llvm::Value *Block);
  void freeSnapshots(const llvm::Instruction &Place);

  const Plan &P;
  Tape &T;
  bool KeepsTape = false, UsesCopies = false;
  ReplicaEmitter Copies;
  llvm::Value *InTeamOfOne = nullptr; // i1; null: nobody asks
  LaunchSums Launch;
  llvm::SmallVector<llvm::Value *, 2> LaunchTested; // i1, of each test
  llvm::BasicBlock &Start;
  ReverseBlocks Blocks;
  Rematerializer Values;
  Adjoints Sums;
  Rematerializer::Place Here;
  /// Base slots of the tape memory that is done with when the reverse of a
  /// block, a loop's preheader, begins.
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<unsigned>> Ended;
  /// The arrays that grow in a loop, and the variable with the address of each.
  struct GrowingArray {
    const Slot *S;
    llvm::AllocaInst *Address;
  };
  llvm::DenseMap<const llvm::Loop *, std::vector<GrowingArray>> Growing;
  /// The records of paths, by their first blocks: variables with the array and
  /// with the visits that have not been taken back.
  struct PathRecords {
    const Slot *S;
    llvm::AllocaInst *Array, *Visits;
  };
  llvm::MapVector<const llvm::BasicBlock *, PathRecords> Paths;
};

} // namespace adze
#endif

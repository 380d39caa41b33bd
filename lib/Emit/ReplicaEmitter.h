// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The copies of parts of shadows that threads of a team add to (Replicas.h), as
// code of the reverse half of a region.
#ifndef ADZE_EMIT_REPLICAEMITTER_H
#define ADZE_EMIT_REPLICAEMITTER_H

#include "adze/Plan.h"
#include "adze/RuleContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

class ReplicaEmitter {
public:
  ReplicaEmitter(const Plan &P, const Lanes &L);

  /// Where the reverse region begins: computes whether the copies can be made,
  /// and makes them. \p Get gives values there.
  void begin(llvm::IRBuilder<> &B,
             llvm::function_ref<llvm::Value *(PlanValue)> Get);
  /// i1, after begin(): threads add to copies.
  llvm::Value *areUsed() const { return Used; }
  bool hasCopyFor(const llvm::LoadInst &Load) const {
    return ReplicaOf.contains(&Load);
  }
  /// Where in the copy the shadow \p Place of what \p Load reads is found.
  llvm::Value *placeInCopy(llvm::IRBuilder<> &B, const llvm::LoadInst &Load,
                           llvm::Value *Place) const;
  /// \p I accesses that copy. No two copies have memory in common.
  void tag(llvm::Instruction &I, const llvm::LoadInst &Load) const;
  /// The table of its pages that the thread has for \p Load; null if it has
  /// copies of parts for it.
  llvm::Value *pages(const llvm::LoadInst &Load) const;
  /// These pages may be the thread's own.
  bool mayClaim(const llvm::LoadInst &Load) const;
  /// Where it ends.
  void end(llvm::IRBuilder<> &B);

private:
  void beginParts(llvm::IRBuilder<> &B,
                  llvm::function_ref<llvm::Value *(PlanValue)> Get);

  const Plan &P;
  const Lanes &L;
  llvm::DenseMap<const llvm::LoadInst *, unsigned> ReplicaOf;
  llvm::DenseMap<unsigned, llvm::Value *> Pages; // of those in pages
  llvm::Value *Used = nullptr, *Fits = nullptr, *Parts = nullptr;
  uint64_t Count = 0;
  /// Duals: the shadow of Replica::Base, and what lies as far before the copy.
  struct Copied {
    llvm::Value *Base, *Origin;
  };
  std::vector<Copied> Copies;
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alternatives/Alternatives.h"
#include "Loops/LoopMemory.h"
#include "adze/DeviceTarget.h"

#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

/// Questions to alias analysis about one function.
static constexpr unsigned MaxQuestions = 700000;

/// What was added to \p P since it had the instructions \p Before, in order.
/// Should a phi be among it, that stays where it is, and what it reads.
static std::vector<Instruction *>
addedSince(Primal &P, const DenseSet<const Instruction *> &Before) {
  std::vector<Instruction *> Added;
  SmallPtrSet<Instruction *, 4> Staying;
  SmallVector<Instruction *, 4> Work;
  auto stay = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && !Before.contains(I) && Staying.insert(I).second)
      Work.push_back(I);
  };
  for (Instruction &I : instructions(*P.F)) {
    if (Before.contains(&I))
      continue;
    Added.push_back(&I);
    if (isa<PHINode>(I))
      stay(&I);
  }
  while (!Work.empty())
    for (Value *Op : Work.pop_back_val()->operand_values())
      stay(Op);
  erase_if(Added, [&](Instruction *I) { return Staying.contains(I); });
  return Added;
}

void offerNew(Primal &P, function_ref<void()> Offer) {
  DenseSet<const Instruction *> Before;
  for (const Instruction &I : instructions(*P.F))
    Before.insert(&I);
  Offer();
  P.Elsewhere.takeOut(*P.F, addedSince(P, Before));
}

void offerAlternatives(Primal &P) {
  if (P.Loops.empty())
    return;
  offerNew(P, [&] {
    LoopMemory &M = loopMemoryOf(P, MaxQuestions);
    offerStoredValues(P, M);
    // On a GPU a tape has no blocks, only elements (Emit/LaneTape.h).
    if (!isDevice(*P.F->getParent())) {
      offerSnapshots(P, M);
      offerGivenCopies(P, M);
      offerWorkSpaces(P, M);
    }
    offerPathChoices(P);
  });
}

} // namespace adze

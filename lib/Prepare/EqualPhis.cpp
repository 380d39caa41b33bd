// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that the region of an OpenMP program reads through its address was
// read once more behind each store; where its value is passed (LowerForks.cpp)
// what is left are phis of this one value and of each other:
//
//   x = phi [n, ..], [y, ..]      y = phi [x, ..], [n, ..]
//
// They are n. Loops whose bounds they are have counts only then. Variables that
// have an address otherwise are left as several phis with the same operands:
// bounds of the chunks of a thread.
#include "Prepare/Stages.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// The only value that \p Phi and the phis that flow into it can have; null if
/// there are more. \p Web: those phis.
static Value *onlyValueOf(PHINode &Phi, SmallSetVector<PHINode *, 8> &Web) {
  constexpr unsigned MostPhis = 16;
  Value *Only = nullptr;
  Web.insert(&Phi);
  for (size_t K = 0; K < Web.size(); ++K)
    for (Value *In : Web[K]->incoming_values()) {
      if (auto *Other = dyn_cast<PHINode>(In)) {
        Web.insert(Other);
        if (Web.size() > MostPhis)
          return nullptr;
      } else if (Only && Only != In) {
        return nullptr;
      } else {
        Only = In;
      }
    }
  return Only;
}

/// Whatever the order in which they name their blocks.
static bool areAlike(const PHINode &A, const PHINode &B) {
  return A.getType() == B.getType() &&
         all_of(A.blocks(), [&](const BasicBlock *From) {
           return A.getIncomingValueForBlock(From) ==
                  B.getIncomingValueForBlock(From);
         });
}

/// Phis with the same operands, and those that are one value then.
static bool joinAlike(BasicBlock &B) {
  constexpr unsigned MostPhis = 32;
  SmallVector<PHINode *, 8> Kept;
  bool Changed = false;
  for (PHINode &Phi : make_early_inc_range(B.phis())) {
    if (Phi.getNumIncomingValues() == 1)
      continue;
    Value *Same = Phi.hasConstantValue();
    if (!Same || isa<UndefValue>(Same))
      if (auto *Other =
              find_if(Kept, [&](PHINode *K) { return areAlike(*K, Phi); });
          Other != Kept.end())
        Same = *Other;
    if (Same && !isa<UndefValue>(Same)) {
      Phi.replaceAllUsesWith(Same);
      Phi.eraseFromParent();
      Changed = true;
    } else if (Kept.size() < MostPhis) {
      Kept.push_back(&Phi);
    }
  }
  return Changed;
}

void joinEqualPhis(Function &F) {
  constexpr unsigned MostRounds = 8;
  bool Changed = true;
  for (unsigned K = 0; K < MostRounds && Changed; ++K) {
    Changed = false;
    for (BasicBlock &B : F)
      Changed |= joinAlike(B);
  }
  for (BasicBlock &B : F)
    for (PHINode &Phi : make_early_inc_range(B.phis())) {
      if (Phi.getNumIncomingValues() == 1)
        continue; // of the form (LCSSA)
      SmallSetVector<PHINode *, 8> Web;
      Value *Only = onlyValueOf(Phi, Web);
      if (!Only)
        continue;
      Phi.replaceAllUsesWith(Only);
      Phi.eraseFromParent();
    }
}

} // namespace adze

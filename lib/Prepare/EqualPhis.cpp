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
//
// The optimizer moves equal expressions out of branches and leaves phis of them
// behind, of the step of a loop, for example:
//
//   a = i + 1;  b = i + 1;  ..;  next = phi [a, ..], [b, ..]
//
// They are one of them, or are computed behind the phi.
#include "Prepare/Stages.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <optional>

using namespace llvm;

namespace adze {

/// \p A and \p B are computed in the same way from the same values.
static bool areEqualExpressions(const Value *A, const Value *B) {
  auto *I = dyn_cast<Instruction>(A), *J = dyn_cast<Instruction>(B);
  return I && J && I->isIdenticalToWhenDefined(J) &&
         isa<BinaryOperator, CastInst, CmpInst, GetElementPtrInst>(I);
}

/// The values that \p Phi and the phis that flow into it can have, if all are
/// equal; else none. \p Web: those phis.
static SmallSetVector<Value *, 4>
equalValuesOf(PHINode &Phi, SmallSetVector<PHINode *, 8> &Web) {
  constexpr unsigned MostPhis = 16;
  SmallSetVector<Value *, 4> Equal;
  Web.insert(&Phi);
  for (size_t K = 0; K < Web.size(); ++K)
    for (Value *In : Web[K]->incoming_values()) {
      if (auto *Other = dyn_cast<PHINode>(In)) {
        Web.insert(Other);
        if (Web.size() > MostPhis)
          return {};
      } else if (Equal.empty() || In == Equal.front() ||
                 areEqualExpressions(In, Equal.front())) {
        Equal.insert(In);
      } else {
        return {};
      }
    }
  return Equal;
}

/// What stands for \p Phi, which is one of \p Equal; null if nothing can. \p
/// Tree is made where it is needed.
static Value *insteadOf(PHINode &Phi, ArrayRef<Value *> Equal,
                        std::optional<DominatorTree> &Tree) {
  if (Equal.size() < 2)
    return Equal.empty() ? nullptr : Equal.front();
  if (!Tree)
    Tree.emplace(*Phi.getFunction());
  const DominatorTree &DT = *Tree;
  const auto *Found =
      find_if(Equal, [&](const Value *V) { return DT.dominates(V, &Phi); });
  auto *Only = cast<Instruction>(Found == Equal.end() ? Equal.front() : *Found);
  if (Found == Equal.end()) {
    if (!all_of(Only->operands(),
                [&](const Use &Op) { return DT.dominates(Op.get(), &Phi); }))
      return nullptr;
    Only = Only->clone();
    Only->insertBefore(Phi.getParent()->getFirstInsertionPt());
  }
  // It promises no more than each of them.
  for (Value *Other : Equal)
    Only->andIRFlags(Other);
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
  std::optional<DominatorTree> Tree;
  for (BasicBlock &B : F)
    for (PHINode &Phi : make_early_inc_range(B.phis())) {
      if (Phi.getNumIncomingValues() == 1)
        continue; // of the form (LCSSA)
      SmallSetVector<PHINode *, 8> Web;
      const SmallSetVector<Value *, 4> Equal = equalValuesOf(Phi, Web);
      Value *Only = insteadOf(Phi, Equal.getArrayRef(), Tree);
      if (!Only)
        continue;
      Phi.replaceAllUsesWith(Only);
      Phi.eraseFromParent();
    }
}

} // namespace adze

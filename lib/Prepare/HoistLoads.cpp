// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that a loop reads in each iteration, and nobody writes to meanwhile:
//
//   for (i = k; i < n; i++)
//     a[i + k * n] -= a[i + j * n] * a[k + j * n];       k > j
//
// are read once, in front of the loop. LLVM does so where its alias analysis
// tells the accesses apart; here the order of accesses does, too: what is
// written in later iterations is not what was read in an earlier one. So the
// reverse pass sums the adjoint of the element in a register, and adds that
// behind the loop.
//
// The first iteration reads what is there in front of it: the load is executed
// in each iteration that begins, and what writes before it, in the first one,
// does so elsewhere. All other writes, in whatever iteration, follow that first
// read, and the element is one and the same for the whole loop.
#include "Loops/LoopMemory.h"
#include "Prepare/Stages.h"

#include "llvm/Analysis/MustExecute.h"

using namespace llvm;

namespace adze {
namespace {

/// Questions to alias analysis, for one function.
constexpr unsigned Budget = 20000;
/// Writers in a loop, and loads of one function that are looked at.
constexpr size_t MaxWriters = 32, MaxLoads = 400;

class LoadHoisting {
public:
  explicit LoadHoisting(const Primal &P) : P(P), Memory(P, Budget) {}

  void hoistFrom(Loop &L);

private:
  bool staysSame(LoadInst &Load, const Loop &L);

  const Primal &P;
  LoopMemory Memory;
  size_t Loads = 0;
};

bool LoadHoisting::staysSame(LoadInst &Load, const Loop &L) {
  const MemoryLocation Loc = MemoryLocation::get(&Load);
  const ArrayRef<Instruction *> Writers = Memory.Writers.writersIn(L);
  return Writers.size() <= MaxWriters && all_of(Writers, [&](Instruction *W) {
           const bool IsBehind = P.DT->dominates(&Load, W);
           if (!IsBehind && Memory.Writers.mayWrite(*W, Loc, Times::same()))
             return false;
           return !Memory.Writers.mayWrite(*W, Loc, Times::in(L)) ||
                  Memory.Order.neverAfter(&Load, W);
         });
}

void LoadHoisting::hoistFrom(Loop &L) {
  SimpleLoopSafetyInfo Safety;
  Safety.computeLoopSafetyInfo(&L);
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  SmallVector<LoadInst *, 8> Same;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() || Loads == MaxLoads)
        continue;
      Value *Address = Load->getPointerOperand();
      if (!Memory.SE.isLoopInvariant(Memory.SE.getSCEV(Address), &L) ||
          !Safety.isGuaranteedToExecute(I, P.DT.get(), &L))
        continue;
      ++Loads;
      if (staysSame(*Load, L))
        Same.push_back(Load);
    }
  for (LoadInst *Load : Same) {
    bool Changed = false;
    if (L.makeLoopInvariant(Load->getPointerOperand(), Changed, Before,
                            /*MSSAU=*/nullptr, &Memory.SE)) {
      Load->moveBefore(Before);
      Memory.SE.forgetValue(Load);
    }
  }
}

} // namespace

void hoistLoads(const Primal &P) {
  if (P.Loops.empty())
    return;
  LoadHoisting Hoisting(P);
  // From the inside out: what was read in front of an inner loop is read in
  // each iteration of the outer one.
  for (const auto &R : reverse(P.Loops))
    Hoisting.hoistFrom(*R->L);
}

} // namespace adze

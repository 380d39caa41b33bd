// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Sharing/UniformReads.h"
#include "adze/Teams.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

bool UniformValues::isUniform(const Value &V) {
  if (auto *C = dyn_cast<Constant>(&V))
    return !C->isThreadDependent();
  if (auto *Arg = dyn_cast<Argument>(&V))
    return Arg->getArgNo() >= teams::RuntimeArgs;
  auto *Load = dyn_cast<LoadInst>(&V);
  if (!Load || !Load->isSimple())
    return false;
  auto [It, New] = Uniform.try_emplace(&V, false);
  if (New) {
    bool Is = isUniform(*Load->getPointerOperand()) && !isWritten(*Load);
    Uniform[&V] = Is;
  }
  return Uniform.lookup(&V);
}

bool UniformValues::isWritten(const LoadInst &Load) {
  const MemoryLocation Loc = MemoryLocation::get(&Load);
  return any_of(instructions(*P.F), [&](const Instruction &I) {
    // What other threads write before they meet here is written in this code.
    return !teams::isMeeting(I) && M.Writers.mayWrite(I, Loc, Times::any());
  });
}

bool UniformValues::isCalculatedAlike(const Value &V, unsigned Depth) {
  constexpr unsigned MaxDepth = 8;
  if (isUniform(V))
    return true;
  auto *I = dyn_cast<Instruction>(&V);
  return I && Depth < MaxDepth &&
         (isa<BinaryOperator, CmpInst, CastInst, SelectInst, FreezeInst,
              UnaryOperator>(I)) &&
         all_of(
             I->operands(),
             [&](const Use &Op) { return isCalculatedAlike(*Op, Depth + 1); });
}

bool UniformValues::areLeavesUniform(const SCEV *S) {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    return isa<SCEVCouldNotCompute>(Part) ||
           (Leaf && !isUniform(*Leaf->getValue()));
  });
}

UniformReads::UniformReads(const Primal &P, LoopMemory &M,
                           UniformValues &Values)
    : P(P), M(M), Values(Values),
      Addresses(P, M, [&](const Value &V) { return Values.isUniform(V); }),
      PDT(*P.F) {}

const LoopRecord *UniformReads::sharedLoopOf(const LoadInst &Load) {
  const LoopRecord *L = P.loopOf(Load.getParent());
  while (L && !Addresses.partsOf(*L))
    L = L->Parent;
  return L;
}

/// Whichever way it goes at the end of \p Branch, in a loop that is shared out
/// or a loop within, all iterations go the same way.
bool UniformReads::decidesAlike(const BasicBlock &Branch,
                                const LoopRecord &Shared) {
  const LoopRecord *L = P.loopOf(&Branch);
  if (!L)
    return false;
  if (L->ExitingBlock == &Branch && L->LastIteration) {
    // The end of the shared loop itself is that of the thread's iterations.
    const SCEV *Count = M.SE.getBackedgeTakenCount(L->L);
    return L == &Shared || Values.areLeavesUniform(Count);
  }
  auto *Br = dyn_cast<BranchInst>(Branch.getTerminator());
  return Br && Br->isConditional() &&
         Values.isCalculatedAlike(*Br->getCondition());
}

/// Each iteration of \p Shared executes \p B, or none, and as often: all
/// branches that decide on it do so alike.
bool UniformReads::isReachedAlike(const BasicBlock &B,
                                  const LoopRecord &Shared) {
  auto [It, New] = ReachedAlike.try_emplace(&B, false);
  if (!New)
    return It->second;
  const bool Alike = findsWayAlike(B, Shared);
  ReachedAlike[&B] = Alike;
  return Alike;
}

bool UniformReads::findsWayAlike(const BasicBlock &B,
                                 const LoopRecord &Shared) {
  constexpr unsigned MaxDecisions = 64;
  SmallSetVector<const BasicBlock *, 8> Decided;
  Decided.insert(&B);
  for (size_t K = 0; K < Decided.size(); ++K) {
    const BasicBlock *Here = Decided[K];
    for (const BasicBlock *Branch : Shared.L->blocks()) {
      if (Branch->getTerminator()->getNumSuccessors() < 2 ||
          Decided.contains(Branch) || PDT.properlyDominates(Here, Branch) ||
          none_of(successors(Branch), [&](const BasicBlock *Next) {
            return PDT.dominates(Here, Next);
          }))
        continue;
      if (Decided.size() == MaxDecisions || !decidesAlike(*Branch, Shared))
        return false;
      Decided.insert(Branch);
    }
    // Itself, if it decides whether it comes again.
    if (Here->getTerminator()->getNumSuccessors() > 1 &&
        !PDT.properlyDominates(Here, Here) &&
        any_of(successors(Here),
               [&](const BasicBlock *Next) {
                 return PDT.dominates(Here, Next);
               }) &&
        !decidesAlike(*Here, Shared))
      return false;
  }
  return true;
}

const Value *UniformReads::partsOf(const LoadInst &Load) {
  const LoopRecord *Shared = sharedLoopOf(Load);
  std::optional<LoopAccess> Read = accessOf(Load, M.SE);
  if (!Shared || !Read || !Values.areLeavesUniform(Read->Address) ||
      SCEVExprContains(Read->Address, [&](const SCEV *Part) {
        auto *A = dyn_cast<SCEVAddRecExpr>(Part);
        return A && A->getLoop() == Shared->L;
      }))
    return nullptr;
  return isReachedAlike(*Load.getParent(), *Shared) ? Addresses.partsOf(*Shared)
                                                    : nullptr;
}

} // namespace adze

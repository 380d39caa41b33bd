// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/AccessOrder.h"
#include "Loops/AccessCase.h"

#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Questions answered for one function.
constexpr unsigned MaxQuestions = 5000;
/// Loops around an access, and conditions on it.
constexpr size_t MaxLoops = 8;
constexpr size_t MaxConditions = 8;

} // namespace

/// Where the base of \p I, which is \p W's, is the pointer of a row: its table.
bool AccessOrder::findRow(const Instruction &I, Walk &W) const {
  auto *Pointer = dyn_cast<LoadInst>(W.Base);
  W.Rows = Pointer && Pointer->isSimple() ? Rows.of(I) : nullptr;
  if (!W.Rows)
    return false;
  const SCEV *From =
      SE.getSCEV(const_cast<Value *>(Pointer->getPointerOperand()));
  auto *Table = dyn_cast<SCEVUnknown>(SE.getPointerBase(From));
  if (!Table || SE.getTypeSizeInBits(From->getType()) != 64)
    return false;
  W.Base = Table->getValue();
  W.Slot = SE.removePointerBase(From);
  return true;
}

std::optional<AccessOrder::Walk> AccessOrder::walkOf(const LoopAccess &A) {
  const Instruction &I = *A.I;
  const SCEV *Address = A.Address;
  if (A.Size > INT32_MAX || SE.getTypeSizeInBits(Address->getType()) != 64)
    return std::nullopt;
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  if (!Base)
    return std::nullopt;
  Walk W;
  W.Base = Base->getValue();
  W.Offset = SE.removePointerBase(Address);
  W.Size = int64_t(A.Size);
  if (findRow(I, W) ||
      !getObjectSize(W.Base, W.Object, I.getModule()->getDataLayout(), nullptr))
    W.Object = 0;
  for (const Loop *L = P.LI->getLoopFor(I.getParent()); L;
       L = L->getParentLoop())
    W.Around.insert(W.Around.begin(), L);
  auto *Made = dyn_cast<Instruction>(W.Base);
  if ((Made && P.LI->getLoopFor(Made->getParent())) ||
      W.Around.size() > MaxLoops)
    return std::nullopt;
  if (!W.Around.empty())
    addConditions(I, W);
  W.Whole = W.Object ? firstWhole(I, W.Around) : W.Around.size();
  return W;
}

/// Where the loops begin that access with \p I in their last iterations, too,
/// if they do in any.
size_t AccessOrder::firstWhole(const Instruction &I,
                               ArrayRef<const Loop *> Around) {
  const BasicBlock *Reached = I.getParent();
  size_t From = Around.size();
  for (; From > 0; --From) {
    const Loop *L = Around[From - 1];
    const BasicBlock *Exiting = L->getExitingBlock();
    if (!Exiting || !P.DT->dominates(Reached, Exiting) || !comesToItsEnd(*L))
      break;
    Reached = L->getHeader();
  }
  return From;
}

/// Once \p L is entered, so is its last iteration.
bool AccessOrder::comesToItsEnd(const Loop &L) {
  auto [Entry, New] = Ends.try_emplace(&L, false);
  if (New)
    Entry->second = all_of(L.getLoopsInPreorder(),
                           [&](const Loop *Inner) {
                             return !isa<SCEVCouldNotCompute>(
                                 SE.getBackedgeTakenCount(Inner));
                           }) &&
                    all_of(L.blocks(), [](const BasicBlock *B) {
                      return all_of(*B, [](const Instruction &I) {
                        return isGuaranteedToTransferExecutionToSuccessor(&I);
                      });
                    });
  return Entry->second;
}

/// What dominating branches in the loops around \p I say: of the very
/// iterations that it is in.
void AccessOrder::addConditions(const Instruction &I, Walk &W) {
  const DomTreeNode *Node = P.DT->getNode(I.getParent());
  const BasicBlock *Last = W.Around.front()->getHeader();
  while (Node && Node->getBlock() != Last && W.If.size() < MaxConditions) {
    const BasicBlock *To = Node->getBlock();
    Node = Node->getIDom();
    const BasicBlock *From = Node ? Node->getBlock() : nullptr;
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
        Compare->getOperand(0)->getType()->getIntegerBitWidth() > 64)
      continue;
    for (unsigned Way : {0u, 1u}) {
      if (!P.DT->dominates(BasicBlockEdge(From, Branch->getSuccessor(Way)), To))
        continue;
      ICmpInst::Predicate Is =
          Way ? Compare->getInversePredicate() : Compare->getPredicate();
      Type *I64 = Type::getInt64Ty(SE.getContext());
      auto wide = [&](unsigned Side) {
        const SCEV *S = SE.getSCEV(Compare->getOperand(Side));
        return ICmpInst::isUnsigned(Is) ? SE.getNoopOrZeroExtend(S, I64)
                                        : SE.getNoopOrSignExtend(S, I64);
      };
      W.If.push_back({Is, wide(0), wide(1)});
    }
  }
}
bool AccessOrder::neverAfter(const Instruction *Access,
                             const Instruction *Writer, const Loop *Within) {
  std::optional<LoopAccess> A = accessOf(*Access, SE);
  return A && neverAfter(*A, Writer, Within);
}

bool AccessOrder::neverAfter(const LoopAccess &A, const Instruction *Writer,
                             const Loop *Within) {
  if (++Questions > MaxQuestions)
    return false;
  const Instruction *Access = A.I;
  std::optional<LoopAccess> Written = accessOf(*Writer, SE);
  std::optional<Walk> First = walkOf(A);
  std::optional<Walk> Later = Written ? walkOf(*Written) : std::nullopt;
  if (!First || !Later || First->Base != Later->Base ||
      First->Rows != Later->Rows)
    return false;
  size_t Common = 0;
  while (Common < std::min(First->Around.size(), Later->Around.size()) &&
         First->Around[Common] == Later->Around[Common])
    ++Common;
  auto placeOf = [](const LoopAccess &Each) {
    return Place(Each.I->getParent(), Each.Address, Each.Size);
  };
  auto staysApart = [&](unsigned Level) {
    auto [Entry, New] =
        Known.try_emplace({placeOf(A), placeOf(*Written), Level}, false);
    if (New) {
      Case C(SE, *P.LI, *First, *Later, Common, Level);
      Entry->second = C.staysApart(/*FirstsBoundsFirst=*/true) ||
                      C.staysApart(/*FirstsBoundsFirst=*/false);
    }
    return Entry->second;
  };
  // The loops around Within are in one iteration.
  const size_t Outer = Within ? Within->getLoopDepth() - 1 : 0;
  for (size_t Level = Outer; Level < Common; ++Level)
    if (!staysApart(Level))
      return false;
  bool Follows =
      Access != Writer &&
      (Common == 0
           ? Reach.after(Access, Writer)
           : Reach.afterAvoiding(Access, Writer,
                                 First->Around[Common - 1]->getHeader()));
  return !Follows || staysApart(Common);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every clause of Primal.h, checked. Each check returns the first violation
// as text. Names of checks are the names of clauses.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/Prepare.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace adze {
namespace {

Error violation(const Twine &Text, const Value *V = nullptr) {
  std::string S;
  raw_string_ostream OS(S);
  OS << Text << (V ? ": " : "");
  if (isa_and_nonnull<BasicBlock, Function>(V))
    V->printAsOperand(OS, /*PrintType=*/false);
  else if (V)
    V->print(OS);
  return createStringError(S);
}

Error checkFunction(const Primal &P) {
  if (!P.F || !P.Source || !P.DT || !P.LI)
    return violation("the record is incomplete");
  if (P.F->hasOptNone())
    return violation("optnone", P.F);
  if (!P.F->hasInternalLinkage())
    return violation("not internal", P.F);
  if (P.F->hasPersonalityFn())
    return violation("has a personality", P.F);
  DominatorTree Fresh(*const_cast<Function *>(P.F));
  if (Fresh.compare(*P.DT))
    return violation("the dominator tree is out of date");
  LoopInfo FreshLoops(Fresh);
  if (FreshLoops.getLoopsInPreorder().size() != P.Loops.size())
    return violation("the loops are out of date");
  return Error::success();
}

Error checkEnd(const Primal &P, const BasicBlock &B) {
  const Instruction *End = B.getTerminator();
  if (!isa<BranchInst, SwitchInst, ReturnInst, UnreachableInst>(End))
    return violation("block ends in something else than br, switch, ret, "
                     "unreachable",
                     End);
  if (isa<ReturnInst>(End) && &B != P.ReturnBlock)
    return violation("more than one block returns", &B);
  SmallPtrSet<const BasicBlock *, 8> Seen;
  for (const BasicBlock *Successor : successors(&B)) {
    if (!Seen.insert(Successor).second)
      return violation("two edges to one successor", &B);
    if (P.canReturn(Successor) && !P.canReturn(&B))
      return violation("block can return but is not recorded so", &B);
  }
  if (isa<ReturnInst>(End) != P.canReturn(&B) &&
      none_of(Seen, [&](const BasicBlock *S) { return P.canReturn(S); }))
    return violation("block cannot return but is recorded so", &B);
  return Error::success();
}

Error checkBlocks(const Primal &P) {
  for (const BasicBlock &B : *P.F) {
    if (!P.DT->isReachableFromEntry(&B))
      return violation("unreachable block", &B);
    if (B.isEHPad())
      return violation("landing pad", &B);
    if (Error Bad = checkEnd(P, B))
      return Bad;
  }
  ReversePostOrderTraversal<const Function *> Order(P.F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, *P.LI))
    return violation("irreducible control flow", P.F);
  return Error::success();
}

Error checkAlloca(const Primal &P, const AllocaInst &Slot) {
  if (Slot.isStaticAlloca())
    return isAllocaPromotable(&Slot) ? violation("promotable alloca", &Slot)
                                     : Error::success();
  if (isa<ConstantInt>(Slot.getArraySize()) && !Slot.isUsedWithInAlloca() &&
      !P.LI->getLoopFor(Slot.getParent()))
    return violation("static alloca outside of the entry block", &Slot);
  return Error::success();
}

Error checkCall(const CallBase &Call) {
  if (Call.isMustTailCall())
    return violation("musttail call", &Call);
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call)) {
    switch (Intrinsic->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::memcpy_inline:
    case Intrinsic::memset_inline:
    case Intrinsic::is_constant:
    case Intrinsic::objectsize:
    case Intrinsic::masked_load:
    case Intrinsic::masked_store:
    case Intrinsic::masked_gather:
    case Intrinsic::masked_scatter:
      return violation("intrinsic that is to be lowered", &Call);
    default:
      return Error::success();
    }
  }
  const KnownFunction *Known = lookupKnown(Call);
  if (Known && Known->reallocates() && StringRef(Known->Family) == "realloc")
    return violation("reallocation", &Call);
  return Error::success();
}

Error checkStored(const Primal &P, const Instruction &I) {
  auto It = P.Equivalents.find(&I);
  if (It == P.Equivalents.end())
    return Error::success();
  const Value *V = It->second;
  auto *Computed = dyn_cast<Instruction>(V);
  bool IsThere =
      isa<LoadInst, PHINode>(I) &&
      (!Computed || P.DT->dominates(P.blockOf(Computed), I.getParent()));
  if (!IsThere || V->getType() != I.getType())
    return violation("a value that stands for this one is not there", &I);
  return Error::success();
}

Error checkInstructions(const Primal &P) {
  for (const Instruction &I : instructions(*P.F)) {
    for (const Use &U : I.operands())
      if (isa<ConstantExpr>(U) && !mayStayConstant(U))
        return violation("constant expression as operand", &I);
    auto *Slot = dyn_cast<AllocaInst>(&I);
    auto *Call = dyn_cast<CallBase>(&I);
    if (Error Bad = Slot   ? checkAlloca(P, *Slot)
                    : Call ? checkCall(*Call)
                           : checkStored(P, I))
      return Bad;
  }
  return Error::success();
}

Error checkCounter(const LoopRecord &R) {
  using namespace PatternMatch;
  const BasicBlock *Header = R.L->getHeader();
  if (!R.Counter || R.Counter->getParent() != Header ||
      !R.Counter->getType()->isIntegerTy(64))
    return violation("loop without a 64-bit counter", Header);
  auto *Next = dyn_cast<BinaryOperator>(
      R.Counter->getIncomingValueForBlock(R.L->getLoopLatch()));
  if (!match(R.Counter->getIncomingValueForBlock(R.L->getLoopPreheader()),
             m_Zero()) ||
      !Next || !match(Next, m_c_Add(m_Specific(R.Counter), m_One())))
    return violation("counter does not run 0, 1, 2, ...", R.Counter);
  if (!Next->hasNoSignedWrap() || !Next->hasNoUnsignedWrap())
    return violation("counter may wrap", Next);
  return Error::success();
}

Error checkLoop(const Primal &P, const LoopRecord &R) {
  const BasicBlock *Header = R.L->getHeader();
  if (P.LoopOf.lookup(R.L) != &R ||
      R.Parent != P.LoopOf.lookup(R.L->getParentLoop()))
    return violation("loop with a wrong record", Header);
  if (!R.L->isLoopSimplifyForm())
    return violation("loop without preheader, single latch or own exits",
                     Header);
  if (!R.L->isLCSSAForm(*P.DT))
    return violation("a value leaves the loop without a phi", Header);
  for (const Value *Count : {R.LastIteration, R.Bound})
    if (Count &&
        (!Count->getType()->isIntegerTy(64) ||
         !P.DT->dominates(Count, R.L->getLoopPreheader()->getTerminator())))
      return violation("count is not there on entry of the loop", Count);
  if (R.LastIteration && (R.Bound != R.LastIteration || !R.ExitBlock))
    return violation("loop with a count but without bound or exit", Header);

  SmallVector<Loop::Edge, 4> Exits;
  R.L->getExitEdges(Exits);
  erase_if(Exits, [&](const Loop::Edge &E) { return !P.canReturn(E.second); });
  bool Single = Exits.size() == 1 && Exits[0].first == R.ExitingBlock &&
                Exits[0].second == R.ExitBlock;
  if (Exits.size() == 1 ? !Single : R.ExitBlock || R.ExitingBlock)
    return violation("loop with a wrong exit", Header);
  return checkCounter(R);
}

/// A value that B's reverse can ask for: it is there at the end of B.
bool isThere(const Primal &P, const Value *V, const BasicBlock *B) {
  return V && P.DT->dominates(V, B->getTerminator());
}

Error checkEntry(const Primal &P, BasicBlock *B) {
  bool IsMerge = P.canReturn(B) && !P.LI->isLoopHeader(B) && !pred_empty(B) &&
                 !B->getSinglePredecessor();
  auto It = P.EnteredFrom.find(B);
  if (IsMerge != (It != P.EnteredFrom.end()))
    return violation("merge block without entry, or the reverse", B);
  if (!IsMerge)
    return Error::success();
  const Primal::Entry &Entry = It->second;
  SmallPtrSet<const BasicBlock *, 8> Preds(pred_begin(B), pred_end(B));
  if (Entry.Preds.size() != Preds.size() ||
      any_of(Entry.Preds,
             [&](const BasicBlock *Pred) { return !Preds.erase(Pred); }))
    return violation("entry names wrong predecessors", B);
  if (!Entry.Index || !Entry.Index->getType()->isIntegerTy() ||
      isa<Constant>(Entry.Index) || !P.DT->dominates(Entry.Index, &B->back()))
    return violation("entry without an index", B);
  auto *Phi = dyn_cast<PHINode>(Entry.Index);
  if (!Phi || Phi->getParent() != B)
    return Error::success();
  for (auto [I, Pred] : enumerate(Entry.Preds)) {
    auto *Index = dyn_cast<ConstantInt>(Phi->getIncomingValueForBlock(Pred));
    if (!Index || Index->getZExtValue() != I)
      return violation("entry with a wrong index", Phi);
  }
  return Error::success();
}

Error checkExits(const Primal &P, BasicBlock *B) {
  SmallVector<const LoopRecord *, 2> Left;
  if (P.canReturn(B) && !pred_empty(B)) {
    const Loop *Inner = P.LI->getLoopFor(*pred_begin(B));
    for (const BasicBlock *Pred : predecessors(B))
      if (Inner && !Inner->contains(B) && P.LI->getLoopFor(Pred) != Inner)
        return violation("exit block entered from different loops", B);
    for (const Loop *L = Inner; L && !L->contains(B); L = L->getParentLoop())
      Left.push_back(P.LoopOf.lookup(L));
  }
  auto It = P.ExitCounters.find(B);
  if (Left.empty() != (It == P.ExitCounters.end()))
    return violation("exit block without counter, or the reverse", B);
  if (Left.empty())
    return Error::success();
  if (Left.size() != It->second.size())
    return violation("exit block with wrong counters", B);
  for (auto [Record, Exit] : zip(Left, It->second))
    if (Exit.Loop != Record || !isThere(P, Exit.Counter, B) ||
        !Exit.Counter->getType()->isIntegerTy(64))
      return violation("exit block with wrong counters", B);
  return Error::success();
}

} // namespace

Error verifyCanonical(const Primal &P) {
  for (auto *Check : {checkFunction, checkBlocks, checkInstructions}) {
    if (Error Bad = Check(P))
      return Bad;
  }
  for (const auto &R : P.Loops) {
    if (Error Bad = checkLoop(P, *R))
      return Bad;
  }
  for (BasicBlock &B : *P.F) {
    for (auto *Check : {checkEntry, checkExits}) {
      if (Error Bad = Check(P, &B))
        return Bad;
    }
  }
  return Error::success();
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReverseBlocks.h"
#include "adze/Emit.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// What the user, or an earlier pass, says of a loop and is true of the loop
/// that takes it back: how it is to be unrolled and vectorized, and that it
/// ends. Not that its iterations do not depend on each other: their adjoints
/// are added up. Nor that it must become vector code; nor where it stands: so
/// remarks tell the two loops apart, by the line of the loop and those in it.
static bool holdsReversed(const MDOperand &Property) {
  auto *Pair = dyn_cast<MDNode>(Property);
  auto *Name = Pair && Pair->getNumOperands() != 0
                   ? dyn_cast<MDString>(Pair->getOperand(0))
                   : nullptr;
  if (!Name)
    return false;
  StringRef Text = Name->getString();
  if (Text == "llvm.loop.vectorize.enable")
    return Pair->getNumOperands() == 2 &&
           mdconst::hasa<ConstantInt>(Pair->getOperand(1)) &&
           mdconst::extract<ConstantInt>(Pair->getOperand(1))->isZero();
  return Text.starts_with("llvm.loop.unroll.") ||
         Text.starts_with("llvm.loop.vectorize.followup_") ||
         Text == "llvm.loop.vectorize.width" ||
         Text == "llvm.loop.interleave.count" ||
         Text == "llvm.loop.mustprogress";
}

/// Null if nothing is said of \p L that holds.
static MDNode *reversedProperties(const Loop &L) {
  const MDNode *ID = L.getLoopID();
  if (!ID)
    return nullptr;
  SmallVector<Metadata *, 4> Kept(1); // the node itself
  for (const MDOperand &Property : drop_begin(ID->operands()))
    if (holdsReversed(Property))
      Kept.push_back(Property);
  if (Kept.size() == 1)
    return nullptr;
  MDNode *Reversed = MDNode::getDistinct(ID->getContext(), Kept);
  Reversed->replaceOperandWith(0, Reversed);
  return Reversed;
}

ReverseBlocks::ReverseBlocks(const Primal &P, Function &Out) : P(P) {
  LLVMContext &C = Out.getContext();
  for (const BasicBlock *B : P.Returning)
    Blocks[B] = BasicBlock::Create(C, "rev." + B->getName(), &Out);
  for (const BasicBlock *B : P.Returning)
    for (const BasicBlock *Pred : predecessors(B)) {
      BasicBlock *&Edge = Edges[{B, Pred}];
      if (Edge)
        continue;
      Edge = BasicBlock::Create(
          C, "rev." + B->getName() + ".to." + Pred->getName(), &Out);
      IRBuilder<>(Edge).CreateBr(Blocks.lookup(Pred));
    }
  IRBuilder<> Entry(&Out.getEntryBlock(), Out.getEntryBlock().begin());
  for (const auto &L : P.Loops)
    Counters[L.get()] =
        Entry.CreateAlloca(Entry.getInt64Ty(), nullptr, "counter");
}

/// One of the ways back, by which \p Branch leaves the reverse of \p Block, may
/// be that of the version for arrays that meet.
void ReverseBlocks::markVersion(Instruction &Branch, const BasicBlock *Block,
                                ArrayRef<BasicBlock *> Preds) const {
  if (!P.General || P.DT->dominates(P.General, Block))
    return;
  auto isGeneral = [&](const BasicBlock *Pred) {
    return P.DT->dominates(P.General, Pred);
  };
  if (count_if(Preds, isGeneral) != 1)
    return;
  const BasicBlock *Way = edge(Block, *find_if(Preds, isGeneral));
  for (unsigned I = 0; I < Branch.getNumSuccessors(); ++I)
    if (Branch.getSuccessor(I) == Way)
      markVersions(Branch, I);
}

Value *ReverseBlocks::counter(IRBuilder<> &B, const LoopRecord *L) const {
  return B.CreateLoad(B.getInt64Ty(), counterVariable(L));
}

void ReverseBlocks::branchBack(IRBuilder<> &B, const BasicBlock *Block,
                               Value *EnteredFrom) {
  const LoopRecord *L = P.loopOf(Block);
  if (L && L->L->getHeader() == Block) {
    BasicBlock *Latch = edge(Block, L->L->getLoopLatch());
    IRBuilder<> AtLatch(Latch->getTerminator());
    AtLatch.CreateStore(AtLatch.CreateSub(counter(AtLatch, L),
                                          AtLatch.getInt64(1), "",
                                          /*HasNUW=*/true),
                        counterVariable(L));
    Latch->getTerminator()->setMetadata(LLVMContext::MD_loop,
                                        reversedProperties(*L->L));
    B.CreateCondBr(B.CreateICmpEQ(counter(B, L), B.getInt64(0)),
                   edge(Block, L->L->getLoopPreheader()), Latch);
    return;
  }
  if (!EnteredFrom) {
    B.CreateBr(edge(Block, *pred_begin(Block)));
    return;
  }
  const Primal::Entry &Entry =
      P.EnteredFrom.find(const_cast<BasicBlock *>(Block))->second;
  if (EnteredFrom->getType()->isIntegerTy(1)) {
    markVersion(*B.CreateCondBr(EnteredFrom, edge(Block, Entry.Preds[1]),
                                edge(Block, Entry.Preds[0])),
                Block, Entry.Preds);
    return;
  }
  SwitchInst *Switch = B.CreateSwitch(EnteredFrom, edge(Block, Entry.Preds[0]));
  for (unsigned K = 1; K < Entry.Preds.size(); ++K)
    Switch->addCase(
        cast<ConstantInt>(ConstantInt::get(EnteredFrom->getType(), K)),
        edge(Block, Entry.Preds[K]));
  markVersion(*Switch, Block, Entry.Preds);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReverseBlocks.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

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
    B.CreateCondBr(EnteredFrom, edge(Block, Entry.Preds[1]),
                   edge(Block, Entry.Preds[0]));
    return;
  }
  SwitchInst *Switch = B.CreateSwitch(EnteredFrom, edge(Block, Entry.Preds[0]));
  for (unsigned K = 1; K < Entry.Preds.size(); ++K)
    Switch->addCase(
        cast<ConstantInt>(ConstantInt::get(EnteredFrom->getType(), K)),
        edge(Block, Entry.Preds[K]));
}

} // namespace adze

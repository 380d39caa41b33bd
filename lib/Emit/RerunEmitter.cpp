// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RerunEmitter.h"
#include "ForwardSweepEmitter.h"
#include "TapeWriter.h"
#include "adze/AliasScopes.h"
#include "adze/DeviceSync.h"
#include "adze/TapeMemory.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// Blocks of at most so many bytes are variables when an iteration runs again.
constexpr uint64_t MaxVariableBytes = 4096;

class RerunEmitter {
public:
  RerunEmitter(const Rerun &Again, BasicBlock &First, BasicBlock &Then,
               const RerunContext &C)
      : Again(Again), First(First), Then(Then), C(C), B(Out().getContext()),
        Writer(C.P, C.T, B, Again.L,
               [this](const Value *V) { return copyOf(V); }) {}

  void run();

private:
  Value *variable(uint64_t Bytes, const Value &Object);
  void makeScratch();
  Function &Out() const { return C.Out; }
  const Loop &loop() const { return *Again.L->L; }
  Value *copyOf(const Value *Operand);
  BasicBlock *blockOf(const BasicBlock *Block);
  void emitAlternatives(const Instruction &I);
  void emitBlock(const BasicBlock &Block);
  void emitPhis(const BasicBlock &Block);
  void emitTerminator(const Instruction &I);
  MaybeAlign mostAligned(const Value *Pointer) const;
  void limitAlignment(Instruction &New, const Instruction &I) const;
  void limitBounds(Instruction &New, const Instruction &I) const;
  Instruction *clone(const Instruction &I);
  void connectPhis();

  const Rerun &Again;
  BasicBlock &First, &Then;
  const RerunContext &C;
  IRBuilder<> B;
  TapeWriter Writer;
  DenseMap<const Value *, Value *> Copies;
  SmallVector<const BasicBlock *, 16> Inside; // in program order
  DenseMap<const BasicBlock *, BasicBlock *> Blocks;
  BasicBlock *Never = nullptr;
  SmallVector<Value *, 2> Taken; // copies of blocks, from the tape
};

/// What the iteration begins with is brought to its begin.
Value *RerunEmitter::copyOf(const Value *Operand) {
  const Value *V = C.F.P->Elsewhere.meaningOf(Operand);
  if (isa<Constant, MetadataAsValue>(V))
    return const_cast<Value *>(V);
  if (Value *Copy = Copies.lookup(V))
    return Copy;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Again.Code.contains(I))
    return Copies[V] = C.Values.get({V, Part::Primal}, {&First, &loop()});
  // An address in a scratch variable that the primal computes outside.
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(copyOf(U));
  limitBounds(*New, *I);
  New->insertBefore(First.getTerminator());
  return Copies[V] = New;
}

/// The way through the iteration led to its end.
BasicBlock *RerunEmitter::blockOf(const BasicBlock *Block) {
  if (BasicBlock *Copy = Blocks.lookup(Block))
    return Copy;
  if (!Never) {
    Never = BasicBlock::Create(Out().getContext(), "never", &Out());
    IRBuilder<>(Never).CreateUnreachable();
  }
  return Never;
}

/// Room for \p Bytes on the stack.
Value *RerunEmitter::variable(uint64_t Bytes, const Value &Object) {
  IRBuilder<> Entry(&Out().getEntryBlock(), Out().getEntryBlock().begin());
  AllocaInst *Copy =
      Entry.CreateAlloca(ArrayType::get(Entry.getInt8Ty(), Bytes), nullptr,
                         Object.getName() + ".again");
  Copy->setAlignment(Align(TapeBlockAlign));
  return Copy;
}

/// A copy of unknown size, or a large one, is a block of the tape.
void RerunEmitter::makeScratch() {
  for (const Value *Object : Again.Scratch) {
    if (auto *A = dyn_cast<AllocaInst>(Object)) {
      Copies[A] = copyAlloca(*A, Out(), A->getName() + ".again");
      continue;
    }
    const Extent All = Again.Extents.lookup(Object);
    auto *Size = dyn_cast<ConstantInt>(All.Bytes);
    if (Size && Size->getValue().ule(MaxVariableBytes)) {
      Copies[Object] = variable(Size->getZExtValue(), *Object);
      continue;
    }
    Value *Length = copyOf(All.Bytes);
    Value *Begin = All.Begin ? copyOf(All.Begin) : nullptr;
    IRBuilder<> At(First.getTerminator());
    Value *Copy =
        At.CreateCall(tapeAllocFunction(*Out().getParent()), {Length}, "again");
    Taken.push_back(Copy);
    // As far in front of the copy as the pointer is of what there is a copy of.
    Copies[Object] = Begin ? At.CreatePtrAdd(Copy, At.CreateNeg(Begin)) : Copy;
  }
}

void RerunEmitter::run() {
  ReversePostOrderTraversal<const Function *> Order(C.F.P->F);
  for (const BasicBlock *Block : Order)
    if (loop().contains(Block) && C.F.P->canReturn(Block)) {
      Inside.push_back(Block);
      Blocks[Block] = BasicBlock::Create(Out().getContext(),
                                         Block->getName() + ".again", &Out());
    }
  IRBuilder<>(&First).CreateBr(blockOf(loop().getHeader()));
  makeScratch();
  for (const BasicBlock *Block : Inside)
    emitBlock(*Block);
  connectPhis();
}

void RerunEmitter::emitPhis(const BasicBlock &Block) {
  if (&Block == loop().getHeader())
    return;
  for (const PHINode &Phi : Block.phis())
    if (Again.Code.contains(&Phi)) {
      B.SetCurrentDebugLocation(Phi.getDebugLoc());
      Copies[&Phi] = copyPhi(B, Phi);
    }
}

/// Those that stand in front of \p I.
void RerunEmitter::emitAlternatives(const Instruction &I) {
  for (const Instruction *Other : C.F.P->Elsewhere.before(&I))
    if (Again.Code.contains(Other)) {
      B.SetCurrentDebugLocation(Other->getDebugLoc());
      clone(*Other);
    }
}

void RerunEmitter::emitBlock(const BasicBlock &Block) {
  B.SetInsertPoint(blockOf(&Block));
  emitPhis(Block);
  Writer.enterBlock(Block);
  for (const Instruction &I : Block) {
    emitAlternatives(I);
    if (I.isTerminator())
      break;
    if (!Again.Code.contains(&I))
      continue;
    B.SetCurrentDebugLocation(I.getDebugLoc());
    if (const Value *Other = Again.Instead.lookup(&I))
      Copies[&I] = copyOf(Other);
    else if (!isa<PHINode>(I))
      clone(I);
    if (!I.getType()->isVoidTy())
      Writer.keep(I, Part::Primal, copyOf(&I));
  }
  Writer.leaveBlock(Block);
  B.SetCurrentDebugLocation(Block.getTerminator()->getDebugLoc());
  emitTerminator(*Block.getTerminator());
}

/// To how much an access may be aligned by \p Pointer, if that leads into a
/// copy: the pointer that a function is given may be aligned in any way.
MaybeAlign RerunEmitter::mostAligned(const Value *Pointer) const {
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  if (isa<AllocaInst>(Object) || !is_contained(Again.Scratch, Object))
    return std::nullopt;
  const bool IsWhole = !Again.Extents.lookup(Object).Begin;
  return Align(IsWhole && isa<CallBase>(Object) ? TapeBlockAlign : 1);
}

/// \p New may compute an address from one in front of the copy, for there is a
/// copy of a part.
void RerunEmitter::limitBounds(Instruction &New, const Instruction &I) const {
  if (isa<GetElementPtrInst>(I) &&
      Again.Extents.lookup(getUnderlyingObject(&I, /*MaxLookup=*/0)).Begin)
    New.dropPoisonGeneratingFlags();
}

/// \p New does in copies what \p I does.
void RerunEmitter::limitAlignment(Instruction &New,
                                  const Instruction &I) const {
  auto limit = [&](auto &Access, const Value *Pointer) {
    if (MaybeAlign Most = mostAligned(Pointer))
      Access.setAlignment(std::min(Access.getAlign(), *Most));
  };
  if (auto *Load = dyn_cast<LoadInst>(&New))
    limit(*Load, cast<LoadInst>(I).getPointerOperand());
  if (auto *Store = dyn_cast<StoreInst>(&New))
    limit(*Store, cast<StoreInst>(I).getPointerOperand());
  auto *Block = dyn_cast<MemIntrinsic>(&New);
  if (!Block)
    return;
  if (MaybeAlign Most = mostAligned(cast<MemIntrinsic>(I).getRawDest()))
    Block->setDestAlignment(
        std::min(Block->getDestAlign().valueOrOne(), *Most));
  auto *Move = dyn_cast<MemTransferInst>(Block);
  if (!Move)
    return;
  if (MaybeAlign Most = mostAligned(cast<MemTransferInst>(I).getRawSource()))
    Move->setSourceAlignment(
        std::min(Move->getSourceAlign().valueOrOne(), *Most));
}

Instruction *RerunEmitter::clone(const Instruction &I) {
  Instruction *New = I.clone();
  for (Use &U : New->operands())
    U.set(copyOf(U));
  B.Insert(New, I.getName());
  limitAlignment(*New, I);
  limitBounds(*New, I);
  tagAgain(*New, I, *C.F.P);
  Copies[&I] = New;
  return New;
}

void RerunEmitter::emitTerminator(const Instruction &I) {
  if (I.getParent() == loop().getLoopLatch()) {
    for (Value *Block : reverse(Taken))
      B.CreateCall(tapeFreeFunction(*Out().getParent()), {Block});
    if (!Again.Filled.empty() && !Again.MeetsFirst)
      createBarrierOfAll(B);
    B.CreateBr(&Then);
    return;
  }
  copyTerminator(B, I, [&](const Value *V) -> Value * {
    if (auto *Target = dyn_cast<BasicBlock>(V))
      return blockOf(Target);
    return copyOf(V);
  });
}

void RerunEmitter::connectPhis() {
  for (const BasicBlock *Block : drop_begin(Inside))
    for (const PHINode &Phi : Block->phis()) {
      if (!Again.Code.contains(&Phi))
        continue;
      auto *New = cast<PHINode>(Copies.lookup(&Phi));
      for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K)
        New->addIncoming(copyOf(Phi.getIncomingValue(K)),
                         blockOf(Phi.getIncomingBlock(K)));
    }
}

} // namespace

void emitRerun(const Rerun &Again, BasicBlock &First, BasicBlock &Then,
               const RerunContext &C) {
  RerunEmitter(Again, First, Then, C).run();
}

} // namespace adze

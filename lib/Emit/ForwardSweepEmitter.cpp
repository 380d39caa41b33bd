// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ForwardSweepEmitter.h"
#include "ShadowConstants.h"
#include "adze/AliasScopes.h"
#include "adze/Emit.h"
#include "adze/PlacedFloats.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

ForwardSweepEmitter::ForwardSweepEmitter(const Facts &F, const Plan &P,
                                         Function &Out, IRBuilder<> &B,
                                         const Lanes &L)
    : ForwardSweepContext(F, B, L), P(P), Out(Out) {
  mapArguments();
}

void ForwardSweepEmitter::mapArguments() {
  unsigned Next = 0;
  for (const Argument &Arg : F.P->F->args()) {
    Primals[&Arg] = Out.getArg(Next++);
    if (hasShadowParam(F.R.Args[Arg.getArgNo()]))
      Duals[&Arg] = Out.getArg(Next++);
  }
}

void ForwardSweepEmitter::run() {
  ReversePostOrderTraversal<const Function *> Order(F.P->F);
  for (const BasicBlock *Block : Order)
    Blocks[Block] =
        BasicBlock::Create(Out.getContext(), Block->getName(), &Out);
  B.CreateBr(blockOf(&F.P->F->getEntryBlock()));
  for (const BasicBlock *Block : Order)
    emitBlock(*Block);
  connectPhis();
}

void ForwardSweepEmitter::emitBlock(const BasicBlock &Block) {
  B.SetInsertPoint(blockOf(&Block));
  for (const PHINode &Phi : Block.phis()) {
    B.SetCurrentDebugLocation(Phi.getDebugLoc());
    Primals[&Phi] = copyPhi(B, Phi);
    if (carries(&Phi))
      Duals[&Phi] =
          B.CreatePHI(L.dualType(Phi.getType()), Phi.getNumIncomingValues(),
                      Phi.getName() + ".dual");
    Phis.push_back(&Phi);
  }
  enterBlock(Block);
  for (const PHINode &Phi : Block.phis())
    afterInstruction(Phi);
  for (const Instruction &I : Block) {
    if (isa<PHINode>(I))
      continue;
    beforeInstruction(I);
    B.SetCurrentDebugLocation(I.getDebugLoc());
    if (I.isTerminator()) {
      leaveBlock(Block);
      emitTerminator(I);
      continue;
    }
    emitInstruction(I);
    afterInstruction(I);
  }
}

void ForwardSweepEmitter::emitInstruction(const Instruction &I) {
  const Rule *R = P.Rules.lookup(&I);
  if (auto *A = dyn_cast<AllocaInst>(&I); A && !R && A->isStaticAlloca()) {
    setPrimal(&I, storageOf(A, /*Shadow=*/false));
    return;
  }
  if (!R || !R->ownsPrimal(I))
    clonePrimal(&I);
  if (R)
    R->propagate(I, *this);
  Globals.stopWithoutShadow(I, *this);
  tellOfPlacedFloats(I);
}

void ForwardSweepEmitter::tellOfPlacedFloats(const Instruction &I) {
  markPlacedFloats(I, F, B, [this](const Value *V) { return primal(V); });
}

void markVersions(Instruction &Branch, unsigned Successor) {
  LLVMContext &C = Branch.getContext();
  auto *Number = ConstantInt::get(Type::getInt32Ty(C), Successor);
  Branch.setMetadata(DerivedVersionsName,
                     MDNode::get(C, ConstantAsMetadata::get(Number)));
}

void ForwardSweepEmitter::emitTerminator(const Instruction &I) {
  if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    emitReturn(*Return);
    return;
  }
  Instruction *New = copyTerminator(B, I, [&](const Value *V) -> Value * {
    if (auto *Target = dyn_cast<BasicBlock>(V))
      return blockOf(Target);
    return primal(V);
  });
  if (!I.hasMetadata(VersionsName))
    return;
  // To a derivative of it, a derivative has no versions: its reverse pass goes
  // the way of the primal.
  New->setMetadata(VersionsName, nullptr);
  if (P.GeneralOnly)
    cast<BranchInst>(New)->setCondition(B.getFalse());
  else
    markVersions(*New, 1);
}

void ForwardSweepEmitter::returnStruct(const ReturnInst &Return,
                                       bool WithDual) {
  SmallVector<Value *, 2> Fields;
  const Value *V = Return.getReturnValue();
  if (F.R.ReturnPrimal)
    Fields.push_back(primal(V));
  if (WithDual)
    Fields.push_back(dual(V));
  returnFields(B, Fields);
}

void ForwardSweepEmitter::connectPhis() {
  for (const PHINode *Phi : Phis) {
    auto *New = cast<PHINode>(primal(Phi));
    auto *Dual = cast_or_null<PHINode>(Duals.lookup(Phi));
    for (unsigned K = 0; K < Phi->getNumIncomingValues(); ++K) {
      BasicBlock *From = blockOf(Phi->getIncomingBlock(K));
      B.SetInsertPoint(From->getTerminator());
      New->addIncoming(primal(Phi->getIncomingValue(K)), From);
      if (Dual)
        Dual->addIncoming(dualFor(*Phi, Phi->getIncomingValue(K)), From);
    }
  }
}

const CallPlan *ForwardSweepEmitter::callPlan(const CallBase &Call) {
  return P.callPlan(Call);
}

Value *ForwardSweepEmitter::primal(const Value *V) {
  if (isa<Constant>(V) || isa<MetadataAsValue>(V) || isa<InlineAsm>(V))
    return const_cast<Value *>(V);
  return Primals.lookup(V);
}

Value *ForwardSweepEmitter::dual(const Value *V) {
  if (auto *C = dyn_cast<Constant>(V)) {
    if (!hasShadow(C))
      return dualOrSelf(C);
    return shadowsOfConstant(B, const_cast<Constant *>(C), L);
  }
  Value *D = Duals.lookup(V);
  return D ? D : dualOrSelf(V);
}

void ForwardSweepEmitter::setDual(const Instruction *I, Value *D) {
  Duals[I] = D;
}

void ForwardSweepEmitter::setPrimal(const Instruction *I, Value *V) {
  Primals[I] = V;
}

Instruction *ForwardSweepEmitter::clonePrimal(const Instruction *I) {
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(primal(F.P->Elsewhere.meaningOf(U)));
  B.Insert(New, I->getName());
  tagAccess(*New, MemoryKind::Primal);
  Primals[I] = New;
  return New;
}

void returnFields(IRBuilder<> &B, ArrayRef<Value *> Fields) {
  if (Fields.empty())
    B.CreateRetVoid();
  else
    B.CreateAggregateRet(Fields.data(), Fields.size());
}

PHINode *copyPhi(IRBuilder<> &B, const PHINode &Phi) {
  PHINode *New =
      B.CreatePHI(Phi.getType(), Phi.getNumIncomingValues(), Phi.getName());
  if (isa<FPMathOperator>(&Phi))
    New->setFastMathFlags(Phi.getFastMathFlags());
  return New;
}

Instruction *copyTerminator(IRBuilder<> &B, const Instruction &I,
                            function_ref<Value *(const Value *)> CopyOf) {
  Instruction *New = I.clone();
  B.Insert(New);
  for (Use &U : New->operands())
    U.set(CopyOf(U));
  return New;
}

AllocaInst *copyAlloca(const AllocaInst &A, Function &Out, const Twine &Name) {
  BasicBlock &Entry = Out.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  AllocaInst *New = B.CreateAlloca(A.getAllocatedType(),
                                   const_cast<Value *>(A.getArraySize()), Name);
  New->setAlignment(A.getAlign());
  return New;
}

} // namespace adze

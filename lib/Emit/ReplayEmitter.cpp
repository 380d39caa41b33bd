// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward mode in two steps: see Recording.h. The replay is emitted first, with
// a call in the place of each value that may come from the record. What is left
// of these calls when the code that nobody needs is gone is what is recorded.
#include "ForwardEmitter.h"
#include "RecordCursor.h"
#include "adze/Deferred.h"
#include "adze/Emit.h"
#include "adze/Exceptions.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/PlacedFloats.h"
#include "adze/Recording.h"
#include "adze/Runtime.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace adze {

namespace {

/// Members of struct Record (Runtime/Records.c).
enum RecordField { Next, Limit, Current, First, Last, Owned };

class ReplayEmitter final : public ForwardEmitter {
public:
  using ForwardEmitter::ForwardEmitter;

  ~ReplayEmitter() override {
    for (auto &[Ty, F] : Placeholders)
      F->eraseFromParent();
  }

  Instruction *clonePrimal(const Instruction *I) override {
    switch (replayedAs(*I)) {
    case Replayed::Again:
      return ForwardEmitter::clonePrimal(I);
    case Replayed::Recorded:
      return fromRecord(*I);
    case Replayed::Left:
      return nullptr;
    }
    return nullptr;
  }

  Value *storageOf(const AllocaInst *A, bool Shadow) override {
    return Shadow ? ForwardEmitter::storageOf(A, Shadow) : fromRecord(*A);
  }

  /// Emits the whole replay; what it reads from the record.
  DenseSet<const Instruction *> emit();

protected:
  void afterInstruction(const Instruction &I) override;
  /// The record tells, while the memory is as it was.
  void tellOfPlacedFloats(const Instruction &) override {}

private:
  CallInst *fromRecord(const Instruction &I);
  void removeUnneeded();

  MapVector<Type *, Function *> Placeholders;
  DenseMap<const CallInst *, const Instruction *> Recorded;
  SetVector<CallInst *> Calls; // of other replays
};

/// A call that stands for the value of \p I.
CallInst *ReplayEmitter::fromRecord(const Instruction &I) {
  Function *&Of = Placeholders[I.getType()];
  if (!Of) {
    Of = createOwn(FunctionType::get(I.getType(), false),
                   GlobalValue::ExternalLinkage, "adze.recorded", module());
    Of->setDoesNotAccessMemory();
    Of->setDoesNotThrow();
    Of->addFnAttr(Attribute::WillReturn);
  }
  CallInst *Value = B.CreateCall(Of, {}, I.getName());
  Recorded[Value] = &I;
  setPrimal(&I, Value);
  return Value;
}

/// The rule has called the callee's forward derivative.
void ReplayEmitter::afterInstruction(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const CallPlan *Plan = Call ? callPlan(*Call) : nullptr;
  if (!Plan || Plan->Strategy != CallStrategy::AtOnce)
    return;
  for (Instruction &Emitted : make_early_inc_range(reverse(
           make_range(B.GetInsertBlock()->begin(), B.GetInsertPoint())))) {
    auto *Old = dyn_cast<CallInst>(&Emitted);
    if (!Old || Old->getCalledFunction() != Plan->Callee->Forward)
      continue;
    SmallVector<Value *, 8> Args(Old->args());
    Args.push_back(Out.getArg(Out.arg_size() - 1));
    CallInst *New =
        CallInst::Create(Plan->Callee->Replay, Args, "", Old->getIterator());
    New->setDebugLoc(Old->getDebugLoc());
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
    Calls.insert(New);
    return;
  }
}

/// Loops stay as they are, and so does what their tests need.
void ReplayEmitter::removeUnneeded() {
  SmallVector<Instruction *, 64> Todo;
  DenseSet<const Instruction *> Needed;
  for (Instruction &I : instructions(Out))
    if (I.isTerminator() || I.mayHaveSideEffects())
      Todo.push_back(&I);
  while (!Todo.empty()) {
    Instruction *I = Todo.pop_back_val();
    if (!Needed.insert(I).second)
      continue;
    for (Value *Operand : I->operands())
      if (auto *Other = dyn_cast<Instruction>(Operand))
        Todo.push_back(Other);
  }
  for (Instruction &I : make_early_inc_range(instructions(Out)))
    if (!Needed.contains(&I)) {
      I.replaceAllUsesWith(PoisonValue::get(I.getType()));
      I.eraseFromParent();
    }
}

DenseSet<const Instruction *> ReplayEmitter::emit() {
  run();
  removeUnneeded();
  DenseSet<const Instruction *> Read;
  const RecordCursor At(Out);
  for (Instruction &I : make_early_inc_range(instructions(Out))) {
    auto *Call = dyn_cast<CallInst>(&I);
    IRBuilder<> Here(&I);
    if (isa<ReturnInst>(I))
      At.give(Here);
    if (!Call)
      continue;
    if (Calls.contains(Call)) {
      At.give(Here);
      Here.SetInsertPoint(Call->getNextNode());
      At.take(Here);
      continue;
    }
    const Instruction *Primal = Recorded.lookup(Call);
    if (!Primal)
      continue;
    Type *Ty = Call->getType();
    Value *Loaded = PoisonValue::get(Ty); // of no bytes
    if (bytesOf(Ty, module())) {
      Read.insert(Primal);
      Loaded = Here.CreateAlignedLoad(Ty, At.pass(Here, Ty, "adze.record.get"),
                                      Align(1), I.getName());
    }
    Call->replaceAllUsesWith(Loaded);
    Call->eraseFromParent();
  }
  return Read;
}

/// The primal, which records.
class Recorder {
public:
  Recorder(const Facts &F, const Plan &P, Function &Out,
           const DenseSet<const Instruction *> &Read)
      : F(F), P(P), Out(Out), M(*Out.getParent()), Read(Read),
        Order(copyBody()), At(Out) {}

  void emit() {
    for (const BasicBlock *Block : Order)
      for (const Instruction &I : *Block) {
        auto *New = cast<Instruction>(VMap[&I]);
        if (!isa<PHINode>(I) && !I.isTerminator()) {
          IRBuilder<> B(New->getNextNode());
          markPlacedFloats(I, F, B, [this](const Value *V) { return copy(V); });
        }
        change(I, *New);
      }
  }

private:
  /// The primal's blocks, in order.
  std::vector<const BasicBlock *> copyBody();
  Value *copy(const Value *V) {
    if (isa<Constant>(V))
      return const_cast<Value *>(V);
    return VMap.lookup(V);
  }
  void change(const Instruction &I, Instruction &New);
  void changeCall(const CallBase &Call, CallInst &New);
  Value *inRecord(const AllocaInst &Old, AllocaInst &New);
  void keep(Value *V, Instruction *Before);

  const Facts &F;
  const Plan &P;
  Function &Out;
  Module &M;
  const DenseSet<const Instruction *> &Read;
  ValueToValueMapTy VMap;
  std::vector<const BasicBlock *> Order;
  RecordCursor At;
};

std::vector<const BasicBlock *> Recorder::copyBody() {
  Function &Primal = *F.P->F;
  for (Argument &A : Primal.args())
    VMap[&A] = Out.getArg(A.getArgNo());
  ReversePostOrderTraversal<const Function *> Blocks(&Primal);
  std::vector<const BasicBlock *> InOrder(Blocks.begin(), Blocks.end());
  for (const BasicBlock *Block : InOrder)
    VMap[Block] = CloneBasicBlock(Block, VMap, "", &Out);
  for (const BasicBlock *Block : InOrder)
    for (const Instruction &I : *Block)
      RemapInstruction(cast<Instruction>(VMap[&I]), VMap,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  return InOrder;
}

/// \p V goes to the record in front of \p Before.
void Recorder::keep(Value *V, Instruction *Before) {
  IRBuilder<> B(Before);
  B.CreateAlignedStore(V, At.pass(B, V->getType(), "adze.record.put"),
                       Align(1));
}

/// Memory that lives as long as the record does.
Value *Recorder::inRecord(const AllocaInst &Old, AllocaInst &New) {
  IRBuilder<> B(&New);
  Value *Bytes =
      B.CreateMul(B.CreateZExtOrTrunc(New.getArraySize(), B.getInt64Ty()),
                  B.getInt64(bytesOf(Old.getAllocatedType(), M)));
  Value *Block =
      B.CreateCall(runtimeFunction(M, RecordsUnit, "adze.record.block"),
                   {At.record(), Bytes, B.getInt64(Old.getAlign().value())});
  return B.CreateAddrSpaceCast(Block, Old.getType());
}

void Recorder::changeCall(const CallBase &Call, CallInst &New) {
  const CallPlan *Plan = P.callPlan(Call);
  IRBuilder<> B(&New);
  if (Plan && Plan->Strategy == CallStrategy::AtOnce) {
    SmallVector<Value *, 8> Args(New.args());
    Args.push_back(At.record());
    At.give(B);
    CallInst *Callee = B.CreateCall(Plan->Callee->Record, Args);
    Callee->setDebugLoc(New.getDebugLoc());
    if (Call.hasFnAttr(exceptions::Terminates))
      Callee->addFnAttr(Call.getFnAttr(exceptions::Terminates));
    At.take(B);
    New.replaceAllUsesWith(Callee);
    New.eraseFromParent();
    return;
  }
  const KnownFunction *Known = lookupKnown(Call);
  if (Known && Known->frees()) {
    deferFree(B, Call, New.getArgOperand(Known->FreeArg));
    if (!New.getType()->isVoidTy()) {
      Value *Done = Constant::getNullValue(New.getType()); // it succeeds
      if (Read.contains(&Call))
        keep(Done, &New);
      New.replaceAllUsesWith(Done);
    }
    New.eraseFromParent();
    return;
  }
  if (Read.contains(&Call))
    keep(&New, New.getNextNode());
}

void Recorder::change(const Instruction &I, Instruction &New) {
  if (isa<ReturnInst>(New)) {
    IRBuilder<> B(&New);
    At.give(B);
    return;
  }
  if (I.hasMetadata(VersionsName)) {
    New.setMetadata(VersionsName, nullptr);
    if (P.GeneralOnly)
      cast<BranchInst>(New).setCondition(ConstantInt::getFalse(M.getContext()));
  }
  if (auto *Call = dyn_cast<CallInst>(&New))
    return changeCall(cast<CallBase>(I), *Call);
  auto *Variable = dyn_cast<AllocaInst>(&New);
  if (Variable &&
      (Read.contains(&I) || PointerMayBeCaptured(&I, /*ReturnCaptures=*/true,
                                                 /*StoreCaptures=*/true))) {
    Value *Block = inRecord(cast<AllocaInst>(I), *Variable);
    if (Read.contains(&I))
      keep(Block, &New);
    New.replaceAllUsesWith(Block);
    New.eraseFromParent();
    return;
  }
  if (Read.contains(&I))
    keep(&New, New.getNextNode());
}

} // namespace

StructType *recordType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C);
  return StructType::get(C, SmallVector<Type *, 5>(Owned + 1, Ptr));
}

Function *beginRecord(Module &M) {
  return runtimeFunction(M, RecordsUnit, "adze.record.begin");
}
Function *finishRecord(Module &M) {
  return runtimeFunction(M, RecordsUnit, "adze.record.finish");
}
Function *rewindRecord(Module &M) {
  return runtimeFunction(M, RecordsUnit, "adze.record.rewind");
}
Function *checkRecord(Module &M) {
  return runtimeFunction(M, RecordsUnit, "adze.record.check");
}
Function *endRecord(Module &M) {
  return runtimeFunction(M, RecordsUnit, "adze.record.end");
}

void emitReplay(const Facts &F, const Plan &P, const Derivative &D) {
  IRBuilder<> B(BasicBlock::Create(D.Replay->getContext(), "entry", D.Replay));
  const Lanes L(F.R.Width);
  ReplayEmitter Replay(F, P, *D.Replay, B, L);
  const DenseSet<const Instruction *> Read = Replay.emit();
  Recorder(F, P, *D.Record, Read).emit();
}

} // namespace adze

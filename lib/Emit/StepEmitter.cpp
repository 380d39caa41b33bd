// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StepEmitter.h"
#include "ForwardSweepEmitter.h"
#include "TapeIO.h"
#include "TrackedSteps.h"
#include "adze/Checkpoints.h"
#include "adze/Deferred.h"
#include "adze/Options.h"
#include "adze/Runtime.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// What the runtime answers (Checkpoints.c).
enum Todo { RunStep = 1, ReverseStep = 2 };

class StepEmitter {
public:
  StepEmitter(const Facts &F, const Plan &P, const StepPlan &Steps,
              const checkpoints::Layout &L, const Derivative &D)
      : F(F), P(P), Steps(Steps), D(D), M(*D.Augmented->getParent()), L(L),
        Call(P.callPlan(*Steps.Step)) {}

  void emitAugmented();
  void emitReverse();

private:
  CallInst *call(IRBuilder<> &B, StringRef Name, ArrayRef<Value *> Args) {
    return B.CreateCall(runtimeFunction(M, CheckpointsUnit, Name), Args);
  }
  void mapArguments(Function &Out);
  Value *field(IRBuilder<> &B, Value *Tape);
  Value *begin(IRBuilder<> &B, Value *Tape);
  void callTracked(IRBuilder<> &B, CallInst &Step, Value *States);
  /// \p Do it with the shadow of an argument, or null, and the direction.
  void eachDirection(unsigned Argument, IRBuilder<> &B,
                     function_ref<void(Value *, Value *)> Do) {
    Value *Shadow = Shadows.lookup(Argument);
    if (!Shadow)
      return Do(Constant::getNullValue(B.getPtrTy()), B.getInt64(0));
    const Lanes Directions(F.R.Width);
    Directions.map(B, {Shadow}, [&](ArrayRef<Value *> D) -> Value * {
      Do(D.front(), B.getInt64(Directions.current()));
      return nullptr;
    });
  }

  const Facts &F;
  const Plan &P;
  const StepPlan &Steps;
  const Derivative &D;
  Module &M;
  const checkpoints::Layout &L; // of the source
  const CallPlan *Call;         // of the step; null if it takes no part
  SmallVector<Value *, 16> Primals;
  DenseMap<unsigned, Value *> Shadows; // by argument
};

void StepEmitter::mapArguments(Function &Out) {
  Primals.clear();
  Shadows.clear();
  unsigned Next = 0;
  for (unsigned K = 0; K < F.R.Args.size(); ++K) {
    Primals.push_back(Out.getArg(Next++));
    if (hasShadowParam(F.R.Args[K]))
      Shadows[K] = Out.getArg(Next++);
  }
}

/// Where the address of the states is kept.
Value *StepEmitter::field(IRBuilder<> &B, Value *Tape) {
  return StructTape(P, D.TapeType, Tape, M.getDataLayout()).field(B, 0);
}

Value *StepEmitter::begin(IRBuilder<> &B, Value *Tape) {
  Value *States =
      call(B, "adze.checkpoint.begin",
           {Primals[L.States], Primals[L.OnDisk],
            B.getInt64(Options::get().CheckpointMemory), Primals[L.Count]});
  B.CreateStore(States, field(B, Tape));
  for (const checkpoints::Layout::Region &R : L.Regions)
    eachDirection(R.Base, B, [&](Value *Shadow, Value *Direction) {
      call(B, "adze.checkpoint.region",
           {Primals[R.Base], Primals[R.Base], Primals[R.Bytes], Shadow, States,
            Direction});
    });
  for (const StateWords &W : Steps.Words) {
    const checkpoints::Layout::Region &R = L.Regions[W.Region];
    auto at = [&](Value *Begin) {
      return B.CreateConstGEP1_64(B.getInt8Ty(), Begin, W.Offset);
    };
    Value *Bytes =
        W.Bytes ? static_cast<Value *>(B.getInt64(W.Bytes)) : Primals[R.Bytes];
    eachDirection(R.Base, B, [&](Value *Begin, Value *Direction) {
      Value *Shadow = at(Begin);
      call(B,
           R.Pointers == checkpoints::Layout::Region::OneObject
               ? "adze.checkpoint.one.object"
               : "adze.checkpoint.words",
           {Shadow, Shadow, Bytes, at(Primals[R.Base]), States, Direction});
    });
  }
  if (Steps.Tracks)
    call(B, "adze.checkpoint.track", {States});
  return States;
}

/// In place of \p Step.
void StepEmitter::callTracked(IRBuilder<> &B, CallInst &Step, Value *States) {
  SmallVector<Value *, 16> Args(Step.args());
  Args.push_back(States);
  CallInst *Tracked =
      B.CreateCall(trackedStep(*Step.getCalledFunction(), Steps), Args);
  Tracked->setDebugLoc(Step.getDebugLoc());
  Step.replaceAllUsesWith(Tracked);
  Step.eraseFromParent();
}

/// The loop function's own code, with what states want around the step.
void StepEmitter::emitAugmented() {
  Function &Out = *D.Augmented;
  mapArguments(Out);
  ValueToValueMapTy Map;
  for (auto [K, Arg] : enumerate(L.Loop->args()))
    Map[&Arg] = Primals[K];
  SmallVector<BasicBlock *, 4> Blocks;
  for (BasicBlock &Block : *L.Loop) {
    BasicBlock *Copy = CloneBasicBlock(&Block, Map, "", &Out);
    Map[&Block] = Copy;
    Blocks.push_back(Copy);
  }
  remapInstructionsInBlocks(Blocks, Map);
  IRBuilder<> B(Blocks.front()->getTerminator());
  Value *States = Call ? begin(B, Out.getArg(Out.arg_size() - 1)) : nullptr;
  for (BasicBlock *Block : Blocks)
    for (Instruction &I : make_early_inc_range(*Block)) {
      B.SetInsertPoint(&I);
      if (isa<CallInst>(I) && States && &I == Map[L.step()]) {
        call(B, "adze.checkpoint.step", {States});
        if (Steps.Tracks)
          callTracked(B, cast<CallInst>(I), States);
        continue;
      }
      auto *Return = dyn_cast<ReturnInst>(&I);
      if (!Return)
        continue;
      if (States)
        call(B, "adze.checkpoint.end", {States});
      SmallVector<Value *, 1> Fields;
      if (F.R.ReturnPrimal)
        Fields.push_back(Return->getReturnValue());
      returnFields(B, Fields);
      Return->eraseFromParent();
    }
}

void StepEmitter::emitReverse() {
  Function &Out = *D.Reverse;
  mapArguments(Out);
  LLVMContext &C = Out.getContext();
  IRBuilder<> B(BasicBlock::Create(C, "entry", &Out));
  if (!Call)
    return returnFields(B, {});
  Value *States =
      B.CreateLoad(B.getPtrTy(), field(B, Out.getArg(Out.arg_size() - 1)));
  BasicBlock *Next = BasicBlock::Create(C, "next", &Out);
  BasicBlock *Run = BasicBlock::Create(C, "run", &Out);
  BasicBlock *Reverse = BasicBlock::Create(C, "reverse", &Out);
  BasicBlock *Done = BasicBlock::Create(C, "done", &Out);
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
  SwitchInst *Choice =
      B.CreateSwitch(call(B, "adze.checkpoint.next", {States}), Done, 2);
  Choice->addCase(B.getInt32(RunStep), Run);
  Choice->addCase(B.getInt32(ReverseStep), Reverse);
  auto arguments = [&](bool WithShadows) {
    SmallVector<Value *, 16> Args;
    for (unsigned K = 0; K < L.StepArgs; ++K) {
      Args.push_back(Primals[L.FirstStepArg + K]);
      if (WithShadows && hasShadowParam(Call->Callee->Req.Args[K]))
        Args.push_back(Shadows.lookup(L.FirstStepArg + K));
    }
    return Args;
  };
  B.SetInsertPoint(Run);
  B.CreateCall(L.step()->getCalledFunction(), arguments(false));
  B.CreateBr(Next);
  B.SetInsertPoint(Reverse);
  // What a step gives back is nobody's once it is reversed.
  Value *Outer = beginDeferredList(B);
  B.CreateCall(Call->Callee->Fused, arguments(true));
  freeDeferredList(B, setDeferredList(B, Outer));
  B.CreateBr(Next);
  B.SetInsertPoint(Done);
  returnFields(B, {});
}

} // namespace

void emitSteps(const Facts &F, const Plan &P, const Derivative &D) {
  const auto L = checkpoints::layoutOf(*F.P->Source);
  if (!P.Steps || !L) // the plan is one of a loop function
    return;
  StepEmitter Emitter(F, P, *P.Steps, *L, D);
  Emitter.emitAugmented();
  Emitter.emitReverse();
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reverse mode in its two shapes. Fused: one function runs the augmented
// primal, then the reverse pass, with the tape in its frame. Split: two
// functions, with the tape in a struct that the caller provides.
#include "AugmentedEmitter.h"
#include "NonFiniteTrap.h"
#include "StepEmitter.h"
#include "adze/Emit.h"
#include "adze/Options.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

class FusedAugmented final : public AugmentedEmitter {
public:
  FusedAugmented(const Facts &F, const Plan &P, Function &Out, IRBuilder<> &B,
                 const Lanes &L, Tape &T, BasicBlock &Reverse)
      : AugmentedEmitter(F, P, Out, B, L, T), Reverse(Reverse) {}
  Value *Result = nullptr;

protected:
  void emitReturn(const ReturnInst &Return) override {
    if (F.R.ReturnPrimal)
      Result = primal(Return.getReturnValue());
    B.CreateBr(&Reverse);
  }

private:
  BasicBlock &Reverse;
};

class SplitAugmented final : public AugmentedEmitter {
public:
  using AugmentedEmitter::AugmentedEmitter;

protected:
  void emitReturn(const ReturnInst &Return) override {
    returnStruct(Return, retHasShadow(F.R.Ret));
  }
};

/// The parameter that follows those of the primal's arguments.
unsigned firstExtraParam(const Request &R) {
  unsigned Count = R.Args.size();
  for (ArgActivity A : R.Args)
    Count += hasShadowParam(A);
  return Count;
}

Value *returnAdjoint(const Facts &F, Function &Out) {
  return retTakesAdjoint(F.R.Ret)
             ? Out.getArg(firstExtraParam(F.R) + F.R.Copied.size())
             : nullptr;
}

template <typename... Ts>
std::unique_ptr<ReverseEmitter> reverseEmitter(Ts &&...Args) {
  if (Options::get().TrapNaN)
    return std::make_unique<NonFiniteTrap>(Args...);
  return std::make_unique<ReverseEmitter>(Args...);
}

} // namespace

Error emitFused(const Facts &F, const Plan &P, const Derivative &D) {
  Function &Out = *D.Fused;
  LLVMContext &C = Out.getContext();
  Lanes L(F.R.Width);
  IRBuilder<> B(BasicBlock::Create(C, "entry", &Out));
  BasicBlock *Reverse = BasicBlock::Create(C, "reverse", &Out);
  FrameTape T(P, Out);
  FusedAugmented Augmented(F, P, Out, B, L, T, *Reverse);
  Augmented.run();
  if (!F.P->ReturnBlock) {
    IRBuilder<>(Reverse).CreateUnreachable();
    return Error::success();
  }
  return reverseEmitter(F, P, Out, *Reverse, B, L, T)
      ->run(returnAdjoint(F, Out), Augmented.Result);
}

namespace {
enum class Sums { InCopies, Atomic };
} // namespace

static Error emitReverseHalf(const Facts &F, const Plan &P, const Derivative &D,
                             Function &Out, bool Keeps, Sums How);

/// Where the copies cannot be made, behind \p Start, another version runs that
/// makes none.
static Error emitWithoutCopies(const Facts &F, const Plan &P,
                               const Derivative &D, BasicBlock &Start,
                               Value &AreUsed, bool Keeps) {
  Function &Out = *Start.getParent();
  Function *Other =
      createOwn(Out.getFunctionType(), GlobalValue::InternalLinkage,
                Out.getName() + ".atomic", *Out.getParent());
  Other->copyAttributesFrom(&Out);
  Other->setLinkage(GlobalValue::InternalLinkage);
  if (Error E = emitReverseHalf(F, P, D, *Other, Keeps, Sums::Atomic))
    return E;
  BasicBlock *Without =
      BasicBlock::Create(Out.getContext(), "atomically", &Out);
  IRBuilder<> B(Without);
  SmallVector<Value *, 8> Args(make_pointer_range(Out.args()));
  CallInst *Call = B.CreateCall(Other, Args);
  if (Out.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  Instruction *Next = Start.getTerminator();
  B.SetInsertPoint(Next);
  B.CreateCondBr(&AreUsed, Next->getSuccessor(0), Without);
  Next->eraseFromParent();
  InlineFunctionInfo Info;
  InlineFunction(*Call, Info);
  Other->eraseFromParent();
  return Error::success();
}

static Error emitReverseHalf(const Facts &F, const Plan &P, const Derivative &D,
                             Function &Out, bool Keeps, Sums How) {
  LLVMContext &C = Out.getContext();
  const DataLayout &DL = Out.getParent()->getDataLayout();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", &Out);
  if (!F.P->ReturnBlock) {
    IRBuilder<>(Entry).CreateUnreachable();
    return Error::success();
  }
  BasicBlock *Start = BasicBlock::Create(C, "reverse", &Out);
  Lanes L(F.R.Width);
  IRBuilder<> B(Entry);
  B.CreateBr(Start);
  StructTape T(P, D.TapeType, Out.getArg(Out.arg_size() - 1), DL);
  auto Emitter = reverseEmitter(F, P, Out, *Start, B, L, T);
  if (Keeps)
    Emitter->keepTape();
  if (How == Sums::InCopies)
    Emitter->useCopies();
  if (Error E = Emitter->run(returnAdjoint(F, Out), nullptr))
    return E;
  if (Value *AreUsed = Emitter->areCopiesUsed())
    return emitWithoutCopies(F, P, D, *Start, *AreUsed, Keeps);
  return Error::success();
}

Error emitSplit(const Facts &F, const Plan &P, const Derivative &D) {
  if (P.Steps) {
    emitSteps(F, P, D);
    return Error::success();
  }
  LLVMContext &C = D.Augmented->getContext();
  const DataLayout &DL = D.Augmented->getParent()->getDataLayout();
  Lanes L(F.R.Width);
  {
    Function &Out = *D.Augmented;
    IRBuilder<> B(BasicBlock::Create(C, "entry", &Out));
    StructTape T(P, D.TapeType, Out.getArg(firstExtraParam(F.R)), DL);
    SplitAugmented(F, P, Out, B, L, T).run();
  }
  if (D.ReverseKeepTape)
    if (Error E = emitReverseHalf(F, P, D, *D.ReverseKeepTape, /*Keeps=*/true,
                                  Sums::InCopies))
      return E;
  return emitReverseHalf(F, P, D, *D.Reverse, /*Keeps=*/false, Sums::InCopies);
}

} // namespace adze

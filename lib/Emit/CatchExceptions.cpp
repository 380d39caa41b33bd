// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derivative code calls functions that are no derivatives as the primal did.
// Where the code behind the call asks for an exception in flight, one that is
// thrown is caught here and left so.
#include "adze/Emit.h"
#include "adze/ExceptionShadows.h"
#include "adze/Exceptions.h"
#include "adze/KnownFunction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

/// A handler of everything, and what is caught.
static Value *catchAll(IRBuilderBase &B) {
  Type *Ptr = B.getPtrTy();
  LandingPadInst *Caught =
      B.CreateLandingPad(StructType::get(Ptr, B.getInt32Ty()), 1);
  Caught->addClause(Constant::getNullValue(Ptr));
  return B.CreateExtractValue(Caught, 0);
}

static BasicBlock *terminatingPad(Function &F) {
  BasicBlock *Pad = BasicBlock::Create(F.getContext(), "ends", &F);
  IRBuilder<> B(Pad);
  exceptions::emitTerminate(B, catchAll(B));
  return Pad;
}

static void catchIn(CallInst &Call) {
  Function &F = *Call.getFunction();
  LLVMContext &C = F.getContext();
  DebugLoc Loc = Call.getDebugLoc();
  BasicBlock *Pad = BasicBlock::Create(C, "thrown", &F);
  bool IsUsed = !Call.use_empty();
  BasicBlock *Rest = changeToInvokeAndSplitBasicBlock(&Call, Pad);
  auto *Invoke =
      cast<InvokeInst>(Rest->getSinglePredecessor()->getTerminator());
  IRBuilder<> B(Pad);
  B.SetCurrentDebugLocation(Loc);
  Value *Object = catchAll(B);
  exceptions::emitLeave(B, Object);
  BranchInst *Back = B.CreateBr(Rest);
  const KnownFunction *Known = lookupKnown(*Invoke);
  if (Known && Known->Facts.Exception == ExceptionStep::Throws)
    exceptions::emitKeepShadow(*Invoke, *Back, Object);
  if (!IsUsed)
    return;
  B.SetInsertPoint(Rest, Rest->begin());
  PHINode *Result = B.CreatePHI(Invoke->getType(), 2);
  Invoke->replaceAllUsesWith(Result);
  Result->addIncoming(Invoke, Invoke->getParent());
  Result->addIncoming(Constant::getNullValue(Invoke->getType()), Pad);
}

void catchExceptions(Function &Derivative) {
  SmallVector<CallInst *, 8> Calls, Last, Dropped;
  for (Instruction &I : instructions(Derivative)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    const KnownFunction *Known = lookupKnown(*Call);
    if (Known && Known->Facts.Exception == ExceptionStep::Drops)
      Dropped.push_back(Call);
    if (Call->hasFnAttr(exceptions::Terminates)) {
      Call->removeFnAttr(exceptions::Terminates);
      Last.push_back(Call);
    }
    if (!Call->hasFnAttr(exceptions::Catches))
      continue;
    Call->removeFnAttr(exceptions::Catches);
    Calls.push_back(Call);
  }
  Module &M = *Derivative.getParent();
  if (!Calls.empty() || !Last.empty())
    Derivative.setPersonalityFn(
        cast<Constant>(M.getOrInsertFunction(
                            "__gxx_personality_v0",
                            FunctionType::get(Type::getInt32Ty(M.getContext()),
                                              /*isVarArg=*/true))
                           .getCallee()));
  for (CallInst *Call : Calls)
    catchIn(*Call);
  if (!Last.empty()) {
    BasicBlock *End = terminatingPad(Derivative);
    for (CallInst *Call : Last)
      changeToInvokeAndSplitBasicBlock(Call, End);
  }
  if (Derivative.getParent()->getNamedGlobal(exceptions::Memory))
    for (CallInst *Drop : Dropped) {
      IRBuilder<> B(Drop);
      exceptions::emitDropShadow(B, Drop->getArgOperand(0));
    }
  // From here on their bodies say what they do to memory.
  for (Instruction &I : instructions(Derivative))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && exceptions::isOurs(*Call))
      Call->removeFnAttr(Attribute::Memory);
}

} // namespace adze

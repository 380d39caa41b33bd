// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/RuntimeStop.h"

#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

static constexpr const char *StopName = "adze.stop";

/// void adze.stop(ptr text): writes the text to file 2, and aborts.
static Function *stopFunction(Module &M) {
  if (Function *F = M.getFunction(StopName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
                       GlobalValue::InternalLinkage, StopName, M);
  F->addFnAttr(Attribute::Cold);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoReturn);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  FunctionCallee Print = M.getOrInsertFunction(
      "dprintf",
      FunctionType::get(B.getInt32Ty(), {B.getInt32Ty(), Ptr}, true));
  B.CreateCall(Print,
               {B.getInt32(2), B.CreateGlobalString("%s\n", "adze.format"),
                F->getArg(0)});
  B.CreateCall(M.getOrInsertFunction("abort", B.getVoidTy()));
  B.CreateUnreachable();
  return F;
}

CallInst *emitRuntimeStop(IRBuilderBase &B, StringRef Reason) {
  Function *Stop = stopFunction(*B.GetInsertBlock()->getModule());
  Value *Text = B.CreateGlobalString(("adze: " + Reason).str(), "adze.message");
  CallInst *Call = B.CreateCall(Stop, {Text});
  Call->setDoesNotReturn();
  return Call;
}

void emitRuntimeStopIf(IRBuilderBase &B, Value *Condition, StringRef Reason) {
  Module &M = *B.GetInsertBlock()->getModule();
  LLVMContext &C = M.getContext();
  Function *F = Function::Create(
      FunctionType::get(Type::getVoidTy(C), {Type::getInt1Ty(C)}, false),
      GlobalValue::InternalLinkage, "adze.check", M);
  F->addFnAttr(Attribute::AlwaysInline);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock *Stop = BasicBlock::Create(C, "stop", F);
  BasicBlock *Fine = BasicBlock::Create(C, "fine", F);
  IRBuilder<> Body(BasicBlock::Create(C, "entry", F, Stop));
  Body.CreateCondBr(F->getArg(0), Stop, Fine);
  Body.SetInsertPoint(Stop);
  emitRuntimeStop(Body, Reason);
  Body.CreateUnreachable();
  Body.SetInsertPoint(Fine);
  Body.CreateRetVoid();
  B.CreateCall(F, {Condition});
}

} // namespace adze

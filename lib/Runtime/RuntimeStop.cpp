// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/RuntimeStop.h"

#include "adze/OwnFunction.h"
#include "adze/Runtime.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

constexpr const char *StopName = "adze.stop";

/// adze.stop for a GPU: CUDA has vprintf, and its driver shows what was printed
/// before a trap. AMD's printf needs a library: there it is the trap alone.
static void defineDeviceStop(Module &M, bool CanPrint) {
  LLVMContext &C = M.getContext();
  auto *Ptr = PointerType::getUnqual(C);
  Function *F = createOwn(FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
                          GlobalValue::InternalLinkage, StopName, M);
  F->setDoesNotReturn();
  F->setDoesNotThrow();
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  if (CanPrint) {
    FunctionCallee Print = M.getOrInsertFunction(
        "vprintf", FunctionType::get(B.getInt32Ty(), {Ptr, Ptr}, false));
    Value *Arguments = B.CreateAlloca(Ptr);
    B.CreateStore(F->getArg(0), Arguments);
    B.CreateCall(Print,
                 {B.CreateGlobalString("%s\n", "adze.format"), Arguments});
  }
  B.CreateIntrinsic(Intrinsic::trap, {}, {});
  B.CreateUnreachable();
}

static Function *function(IRBuilderBase &B, StringRef Name) {
  Module &M = *B.GetInsertBlock()->getModule();
  const Triple Target(M.getTargetTriple());
  if ((Target.isNVPTX() || Target.isAMDGPU()) && !M.getFunction(StopName))
    defineDeviceStop(M, Target.isNVPTX());
  return runtimeFunction(M, StopUnit, Name);
}

static Value *textOf(IRBuilderBase &B, StringRef Reason) {
  return B.CreateGlobalString(("adze: " + Reason).str(), "adze.message");
}

CallInst *emitRuntimeStop(IRBuilderBase &B, StringRef Reason) {
  CallInst *Call = B.CreateCall(function(B, StopName), {textOf(B, Reason)});
  Call->setDoesNotReturn();
  return Call;
}

void emitRuntimeStopIf(IRBuilderBase &B, Value *Condition, StringRef Reason) {
  B.CreateCall(function(B, "adze.stop.if"), {Condition, textOf(B, Reason)});
}

} // namespace adze

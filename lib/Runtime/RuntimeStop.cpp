// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/RuntimeStop.h"

#include "adze/Runtime.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

static Function *function(IRBuilderBase &B, StringRef Name) {
  return runtimeFunction(*B.GetInsertBlock()->getModule(), StopUnit, Name);
}

static Value *textOf(IRBuilderBase &B, StringRef Reason) {
  return B.CreateGlobalString(("adze: " + Reason).str(), "adze.message");
}

CallInst *emitRuntimeStop(IRBuilderBase &B, StringRef Reason) {
  CallInst *Call = B.CreateCall(function(B, "adze.stop"), {textOf(B, Reason)});
  Call->setDoesNotReturn();
  return Call;
}

void emitRuntimeStopIf(IRBuilderBase &B, Value *Condition, StringRef Reason) {
  B.CreateCall(function(B, "adze.stop.if"), {Condition, textOf(B, Reason)});
}

} // namespace adze

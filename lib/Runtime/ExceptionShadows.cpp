// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ExceptionShadows.h"

#include "adze/Exceptions.h"
#include "adze/Runtime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::exceptions {

static CallInst *call(IRBuilderBase &B, StringRef Name,
                      ArrayRef<Value *> Args) {
  Module &M = *B.GetInsertBlock()->getModule();
  std::string Full = (Twine(Prefix) + Name).str();
  return B.CreateCall(runtimeFunction(M, ExceptionShadowsUnit, Full), Args);
}

void emitSetShadow(IRBuilderBase &B, Value *Thrown, Value *Bytes, Value *Shadow,
                   bool EndsWithIt) {
  call(B, "set", {Thrown, Bytes, Shadow, B.getInt1(EndsWithIt)});
}

Value *emitDistance(IRBuilderBase &B, Value *Bytes) {
  constexpr uint64_t Align = 16; // of what is thrown
  return B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(Align - 1)),
                     B.getInt64(~(Align - 1)));
}

Value *emitShadowOf(IRBuilderBase &B, Value *Object, Value *Caught,
                    unsigned Direction) {
  return call(B, "shadow", {Object, Caught, B.getInt64(Direction)});
}

void emitKeepShadow(CallBase &Throw, Instruction &Handler, Value *Object) {
  Value *Thrown = Throw.getArgOperand(0);
  IRBuilder<> B(&Throw);
  Throw.setArgOperand(2, call(B, "keep", {Thrown, Throw.getArgOperand(2)}));
  B.SetInsertPoint(&Handler);
  call(B, "bind", {Thrown, Object});
}

bool isOfShadows(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  return Name.consume_front(Prefix) &&
         (Name.starts_with("set") || Name.starts_with("shadow"));
}

void emitDropShadow(IRBuilderBase &B, Value *Thrown) {
  call(B, "drop", {Thrown});
}

} // namespace adze::exceptions

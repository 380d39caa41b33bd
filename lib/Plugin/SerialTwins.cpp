// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/SerialTwins.h"

#include "adze/HeaderBodies.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace adze {
namespace {

/// What is appended to the name of a function. A twin is code of the program:
/// what works becomes a part of it.
constexpr StringRef TwinSuffix = ".adze.serial";

/// What the names of the members of the class begin with whose run() \p Run is;
/// empty if it is no such function.
StringRef classOf(const Function &Run) {
  const StringRef Name = Run.getName();
  constexpr StringRef Classes[] = {
      "_ZN3tbb6detail2d19start_forINS1_13blocked_rangeI",
      "_ZN3tbb6detail2d112start_reduceINS1_13blocked_rangeI"};
  constexpr StringRef Partitioners[] = {"16auto_partitionerE",
                                        "18static_partitionerE"};
  if (none_of(Classes, [&](StringRef C) { return Name.starts_with(C); }))
    return "";
  for (StringRef Partitioner : Partitioners)
    if (size_t At = Name.rfind((Partitioner + "E3runERKS").str());
        At != StringRef::npos)
      return Name.take_front(At + Partitioner.size());
  return "";
}

/// The one call in \p F of a function whose name \p Fits; null if there is none
/// or more.
template <typename Predicate>
const CallBase *onlyCall(const Function &F, Predicate Fits) {
  const CallBase *Found = nullptr;
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(I))
      continue;
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || !Fits(*Callee))
      continue;
    if (Found)
      return nullptr;
    Found = Call;
  }
  return Found;
}

/// The member of the class \p Class whose name goes on with \p Rest.
const Function *memberOf(const Module &M, StringRef Class, StringRef Rest,
                         unsigned NumArgs) {
  for (const Function &F : M)
    if (!F.isDeclaration() && F.arg_size() == NumArgs &&
        F.getName().starts_with(Class) &&
        F.getName().drop_front(Class.size()).starts_with(Rest))
      return &F;
  return nullptr;
}

bool takesPointers(const CallBase &Call, unsigned Count) {
  return Call.arg_size() == Count && all_of(Call.args(), [](const Use &U) {
           return U->getType()->isPointerTy();
         });
}

/// Calls what \p Like calls, with other operands.
CallInst *callLike(IRBuilder<> &B, const CallBase &Like,
                   ArrayRef<Value *> Operands) {
  CallInst *Call =
      B.CreateCall(Like.getFunctionType(), Like.getCalledOperand(), Operands);
  Call->setCallingConv(Like.getCallingConv());
  Call->setAttributes(Like.getAttributes());
  return Call;
}

Function *makeTwin(Function &Run, const CallBase &Empty, const CallBase &Work) {
  Module &M = *Run.getParent();
  Function *Twin =
      Function::Create(Run.getFunctionType(), GlobalValue::InternalLinkage,
                       Run.getName() + TwinSuffix, M);
  BasicBlock *Entry = BasicBlock::Create(M.getContext(), "", Twin);
  BasicBlock *Go = BasicBlock::Create(M.getContext(), "work", Twin);
  BasicBlock *Exit = BasicBlock::Create(M.getContext(), "exit", Twin);
  IRBuilder<> B(Entry);
  Argument *Range = Twin->getArg(0), *Body = Twin->getArg(1);
  B.CreateCondBr(callLike(B, Empty, {Range}), Exit, Go);
  B.SetInsertPoint(Go);
  callLike(B, Work, {Body, Range});
  B.CreateBr(Exit);
  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
  return Twin;
}

} // namespace

bool giveSerialTwin(Function &Run) {
  const StringRef Class = classOf(Run);
  if (Class.empty() || Run.isDeclaration() || Run.arg_size() < 3 ||
      !Run.getReturnType()->isVoidTy() || Run.hasFnAttribute(SerialTwin))
    return false;
  const Module &M = *Run.getParent();
  constexpr unsigned WithContext = 4;
  const Function *Begins = memberOf(M, Class, "E3runERKS", WithContext);
  const Function *Works = memberOf(M, Class, "E8run_bodyERS", 2);
  if (!Begins || !Works)
    return false;
  const CallBase *Empty = onlyCall(*Begins, [](const Function &F) {
    return F.getName().starts_with("_ZNK3tbb6detail2d113blocked_rangeI") &&
           F.getName().ends_with("E5emptyEv");
  });
  const CallBase *Work =
      onlyCall(*Works, [](const Function &) { return true; });
  if (!Empty || !takesPointers(*Empty, 1) ||
      !Empty->getType()->isIntegerTy(1) || !Work || !takesPointers(*Work, 2) ||
      !Work->getType()->isVoidTy())
    return false;
  Function *Twin = makeTwin(Run, *Empty, *Work);
  Run.addFnAttr(SerialTwin, Twin->getName());
  // Used otherwise than by calls, a function keeps its type.
  appendToCompilerUsed(*Run.getParent(), {Twin});
  return true;
}

bool isSerialTwin(const Function &F) {
  return F.getName().ends_with(TwinSuffix);
}

bool releaseTwins(Module &M) {
  bool Has = false;
  for (Function &F : M)
    if (F.hasFnAttribute(SerialTwin)) {
      F.removeFnAttr(SerialTwin);
      Has = true;
    }
  return Has;
}

} // namespace adze

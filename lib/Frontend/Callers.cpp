// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Callers.h"

#include "Frontend/ResultType.h"
#include "Frontend/SplitParameters.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

/// \p V as the same bytes of type \p Ty.
static Value *sameBytes(IRBuilder<> &B, Value *V, Type *Ty) {
  if (V->getType() == Ty)
    return V;
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  Type *Larger = DL.getTypeAllocSize(Ty) > DL.getTypeAllocSize(V->getType())
                     ? Ty
                     : V->getType();
  AllocaInst *Memory = B.CreateAlloca(Larger);
  Memory->setAlignment(Align(16));
  Value *Place = B.CreateAddrSpaceCast(Memory, B.getPtrTy());
  B.CreateAlignedStore(V, Place, Align(16));
  return B.CreateAlignedLoad(Ty, Place, Align(16));
}

/// A function of ours for \p F, with the same arguments: without attributes of
/// the function, and of types that have changed.
static Function *declareCaller(Function &F, Type *Result, bool MemoryAsValue,
                               StringRef Name) {
  LLVMContext &Context = F.getContext();
  const AttributeList Given = F.getAttributes();
  AttributeList Attributes;
  if (Result == F.getReturnType())
    Attributes = Attributes.addRetAttributes(
        Context, AttrBuilder(Context, Given.getRetAttrs()));
  SmallVector<Type *, 8> Params;
  for (const Argument &A : F.args()) {
    if (A.hasStructRetAttr() && MemoryAsValue)
      continue;
    AttrBuilder Kept(Context, Given.getParamAttrs(A.getArgNo()));
    Type *Ty = shownParameter(F, A.getArgNo());
    if (Ty != A.getType())
      Kept.remove(AttributeFuncs::typeIncompatible(Ty));
    Attributes = Attributes.addParamAttributes(Context, Params.size(), Kept);
    Params.push_back(Ty);
  }
  Function *Caller =
      createOwn(FunctionType::get(Result, Params, false),
                GlobalValue::InternalLinkage, Name, *F.getParent());
  Caller->setCallingConv(F.getCallingConv());
  Caller->setAttributes(Attributes);
  markOwn(*Caller);
  copySplitNote(F, *Caller);
  return Caller;
}

Function *adze::callerOf(Function &F, bool MemoryAsValue) {
  Module &M = *F.getParent();
  const StringRef Prefix = MemoryAsValue    ? ValuePrefix
                           : hidesFloats(F) ? ShownPrefix
                                            : HelperPrefix;
  std::string Name = (Prefix + F.getName()).str();
  if (Function *Made = M.getFunction(Name))
    return Made;
  Type *Returned = MemoryAsValue ? sourceResult(F) : shownResult(F);
  Function *Caller = declareCaller(F, Returned, MemoryAsValue, Name);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Caller));
  SmallVector<Value *, 8> Args;
  Value *Memory = nullptr;
  unsigned Next = 0;
  for (const Argument &A : F.args())
    if (A.hasStructRetAttr() && MemoryAsValue) {
      Memory = B.CreateAddrSpaceCast(B.CreateAlloca(Returned), A.getType());
      Args.push_back(Memory);
    } else {
      Args.push_back(sameBytes(B, Caller->getArg(Next++), A.getType()));
    }
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(F.getAttributes().removeFnAttributes(M.getContext()));
  if (Returned->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Memory ? B.CreateLoad(Returned, Memory)
                       : sameBytes(B, Call, Returned));
  return Caller;
}

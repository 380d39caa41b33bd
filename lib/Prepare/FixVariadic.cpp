// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function with `...` that never looks at what stands there (the library has
// such, to choose between overloads) is a function without: calls of it become
// calls of a copy that has the named parameters alone.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

static bool readsNone(const Function &F) {
  return none_of(instructions(F), [](const Instruction &I) {
    return isa<VAStartInst>(I) || isa<VAArgInst>(I) ||
           (isa<CallInst>(I) && cast<CallInst>(I).isMustTailCall());
  });
}

static Function *fixedCopy(Function &F) {
  std::string Name = ("adze.fixed." + F.getName()).str();
  Module &M = *F.getParent();
  auto *Ty = FunctionType::get(F.getReturnType(), F.getFunctionType()->params(),
                               false);
  if (Function *Made = M.getFunction(Name))
    return Made->getFunctionType() == Ty ? Made : nullptr;
  Function *Copy = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  ValueToValueMapTy Map;
  for (Argument &A : F.args())
    Map[&A] = Copy->getArg(A.getArgNo());
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  markOwn(*Copy);
  return Copy;
}

void fixVariadicCalls(Function &F) {
  SmallVector<CallInst *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Function *Callee = Call->getCalledFunction();
          Callee && Callee->isVarArg() && !Callee->isDeclaration() &&
          !isDeclaredInactive(*Call) && !lookupKnown(*Call) &&
          !Call->hasOperandBundles() && readsNone(*Callee))
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    Function *Copy = fixedCopy(*Call->getCalledFunction());
    if (!Copy)
      continue;
    SmallVector<Value *, 8> Args(Call->arg_begin(),
                                 Call->arg_begin() + Copy->arg_size());
    CallInst *New = CallInst::Create(Copy, Args, "", Call->getIterator());
    New->setCallingConv(Call->getCallingConv());
    New->setDebugLoc(Call->getDebugLoc());
    AttributeList Given = Call->getAttributes();
    SmallVector<AttributeSet, 8> Named;
    for (unsigned I = 0; I < Args.size(); ++I)
      Named.push_back(Given.getParamAttrs(I));
    New->setAttributes(AttributeList::get(F.getContext(), Given.getFnAttrs(),
                                          Given.getRetAttrs(), Named));
    New->takeName(Call);
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
  }
}

} // namespace adze

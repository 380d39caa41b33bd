// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that does one of several things, as an argument says (the manager
// of a std::any or std::function), is a function for each of them: its calls
// with a constant become calls of a copy that knows it.
//
//   manage(Clone, a, b)     becomes     manage.Clone(Clone, a, b)
//
// What one operation stores is then not taken for what another one reads.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

/// The function that another one is made of.
constexpr const char *MadeOf = "adze-made-of";

const Function &originalOf(const Function &F) {
  const Function *Of = &F;
  while (Of->hasFnAttribute(MadeOf)) {
    const Function *Next = F.getParent()->getFunction(
        Of->getFnAttribute(MadeOf).getValueAsString());
    if (!Next || Next == Of)
      break;
    Of = Next;
  }
  return *Of;
}

void noteOriginal(Function &Copy, const Function &Original) {
  Copy.addFnAttr(MadeOf, Original.getName());
}

/// Larger functions have no copies, and none has more than these.
static constexpr unsigned MaxSize = 500, MaxCopies = 8;

/// \p V decides what \p F does: alone, or in a function that it hands it to.
static bool decides(const Value &V, const Function &F) {
  return any_of(V.users(), [&](const User *U) {
    if (isa<SwitchInst>(U))
      return true;
    if (auto *Test = dyn_cast<ICmpInst>(U))
      return F.hasAddressTaken() && Test->isEquality() &&
             isa<ConstantInt>(Test->getOperand(1));
    if (auto *Call = dyn_cast<CallBase>(U))
      return !Call->isInlineAsm() && !Call->getCalledFunction();
    return isa<TruncInst, ZExtInst, SExtInst>(U) && decides(*U, F);
  });
}

/// Unoptimized code keeps its arguments in variables.
static bool isOperation(const Argument &A) {
  const Function &F = *A.getParent();
  return A.getType()->isIntegerTy() &&
         (decides(A, F) || any_of(A.users(), [&](const User *U) {
            auto *Store = dyn_cast<StoreInst>(U);
            auto *Slot = Store
                             ? dyn_cast<AllocaInst>(Store->getPointerOperand())
                             : nullptr;
            return Slot && Store->getValueOperand() == &A &&
                   any_of(Slot->users(), [&](const User *Of) {
                     return isa<LoadInst>(Of) && decides(*Of, F);
                   });
          }));
}

/// \p F may have one more.
static bool mayHaveCopies(const Function &F) {
  return F.getInstructionCount() <= MaxSize &&
         count_if(*F.getParent(), [&](const Function &Copy) {
           return &Copy != &F && &originalOf(Copy) == &originalOf(F);
         }) < MaxCopies;
}

static Function *copyFor(Function &F, const Argument &A, ConstantInt &C) {
  Module &M = *F.getParent();
  // Demanglers show what stands before the suffix.
  std::string Name = (F.getName() + ".adze.operation." + Twine(A.getArgNo()) +
                      "." + toString(C.getValue(), 10, /*Signed=*/false))
                         .str();
  if (Function *Made = M.getFunction(Name))
    return isOwn(*Made) && &originalOf(*Made) == &originalOf(F) ? Made
                                                                : nullptr;
  if (!mayHaveCopies(F))
    return nullptr;
  Function *Copy =
      createOwn(F.getFunctionType(), GlobalValue::InternalLinkage, Name, M);
  ValueToValueMapTy Map;
  for (Argument &Old : F.args())
    Map[&Old] = Copy->getArg(Old.getArgNo());
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  Copy->getArg(A.getArgNo())->replaceAllUsesWith(&C);
  noteOriginal(*Copy, F);
  markOwn(*Copy);
  return Copy;
}

/// The constant in \p Call that says what \p F does, and its parameter.
static std::pair<const Argument *, ConstantInt *>
operationOf(const CallInst &Call, const Function &F) {
  for (const Argument &A : F.args())
    if (auto *C = dyn_cast<ConstantInt>(Call.getArgOperand(A.getArgNo())))
      if (isOperation(A))
        return {&A, C};
  return {};
}

void chooseOperations(Function &F, const Function &Source) {
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() || Callee->isVarArg() ||
        Callee->getFunctionType() != Call->getFunctionType() ||
        isOwn(*Callee) || &originalOf(Source) == Callee ||
        isDeclaredInactive(*Call) || lookupKnown(*Call))
      continue;
    if (auto [A, C] = operationOf(*Call, *Callee); A)
      if (Function *Copy = copyFor(*Callee, *A, *C))
        Call->setCalledFunction(Copy);
  }
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions that are reached are copied first, then each copy refers to
// copies alone, so that recursion and functions that are passed on to a
// library (threads, parallel regions, comparisons of a sort) stay together.
#include "Precision/Narrower.h"
#include "adze/InternalCopy.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace adze;

namespace {

/// The functions that \p C mentions, other than through variables.
void addFunctionsIn(Constant &C, SmallSetVector<Function *, 16> &Found) {
  SmallSetVector<Constant *, 8> Seen;
  Seen.insert(&C);
  for (unsigned I = 0; I != Seen.size(); ++I) {
    if (auto *F = dyn_cast<Function>(Seen[I])) {
      if (!F->isDeclaration())
        Found.insert(F);
      continue;
    }
    if (isa<GlobalVariable>(Seen[I]) || isa<BlockAddress>(Seen[I]))
      continue;
    for (Value *Operand : Seen[I]->operands())
      if (auto *Inner = dyn_cast<Constant>(Operand))
        Seen.insert(Inner);
  }
}

/// What the optimizer may take for granted of numbers of the wide format: the
/// narrow ones overflow earlier.
void dropRangePromises(Function &F) {
  AttributeMask Classes;
  Classes.addAttribute(Attribute::NoFPClass);
  F.removeRetAttrs(Classes);
  for (Argument &A : F.args())
    A.removeAttrs(Classes);
  for (Instruction &I : instructions(F)) {
    if (isa<FPMathOperator>(I)) {
      I.setHasNoNaNs(false);
      I.setHasNoInfs(false);
    }
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      Call->removeRetAttrs(Classes);
      for (unsigned A = 0; A != Call->arg_size(); ++A)
        Call->removeParamAttrs(A, Classes);
    }
  }
}

} // namespace

std::vector<Function *> adze::reachedFrom(Function &F) {
  SmallSetVector<Function *, 16> Found;
  Found.insert(&F);
  for (unsigned N = 0; N != Found.size(); ++N)
    for (Instruction &I : instructions(*Found[N]))
      for (Value *Operand : I.operands())
        if (auto *C = dyn_cast<Constant>(Operand))
          addFunctionsIn(*C, Found);
  return {Found.begin(), Found.end()};
}

Function &Narrower::copyOf(Function &F) {
  return *internalCopy(F, F.getName() + ".narrow." + Form.text());
}

Function *Narrower::narrowed(Function &F, Report Tell) {
  if (Function *Done = Copies.lookup(&F))
    return Done;
  std::vector<Function *> Reached = reachedFrom(F);
  bool Fine = true;
  for (Function *Each : Reached)
    if (!Copies.contains(Each))
      for (Instruction &I : instructions(*Each))
        if (std::optional<NarrowObstacle> O = obstacleOf(I, Form)) {
          Tell(I, O->What, O->Cure);
          Fine = false;
        }
  if (!Fine)
    return nullptr;
  SmallVector<Function *, 8> New;
  for (Function *Each : Reached)
    if (!Copies.contains(Each))
      New.push_back(Copies[Each] = &copyOf(*Each));
  ValueToValueMapTy Map;
  for (auto [Of, Copy] : Copies)
    Map[Of] = Copy;
  for (Function *Copy : New) {
    RemapFunction(*Copy, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    dropRangePromises(*Copy);
    narrowOperations(*Copy, Form);
  }
  return Copies.lookup(&F);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values in words, for messages.
#include "adze/Diagnostics.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace adze;

/// The variable that holds \p V according to the debug information.
static std::string variableName(const Value *V) {
  auto *Mutable = const_cast<Value *>(V);
  SmallVector<DbgVariableIntrinsic *, 4> Intrinsics;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(Intrinsics, Mutable, &Records);
  for (const DbgVariableRecord *R : Records)
    return R->getVariable()->getName().str();
  for (const DbgVariableIntrinsic *I : Intrinsics)
    return I->getVariable()->getName().str();
  return "";
}

/// Unoptimized code stores an argument to the variable that bears its name.
static std::string argumentName(const Argument &A) {
  if (std::string Name = variableName(&A); !Name.empty())
    return Name;
  for (const User *U : A.users())
    if (const auto *S = dyn_cast<StoreInst>(U))
      if (const auto *Variable = dyn_cast<AllocaInst>(
              S->getPointerOperand()->stripInBoundsConstantOffsets()))
        if (std::string Name = variableName(Variable); !Name.empty())
          return Name;
  return "";
}

static std::string ordinal(unsigned N) {
  return "argument " + std::to_string(N + 1);
}

/// The object that \p Pointer points into, in words; "" if it has no name.
static std::string objectName(const Value *Pointer) {
  // A chain of address computations is followed a few steps only: this is
  // text for people.
  for (unsigned Steps = 0; Steps != 16; ++Steps) {
    if (std::string Name = variableName(Pointer); !Name.empty())
      return "'" + Name + "'";
    if (const auto *G = dyn_cast<GlobalVariable>(Pointer))
      return "'" + sourceName(G->getName()) + "'";
    if (const auto *A = dyn_cast<Argument>(Pointer))
      return describe(A);
    const auto *U = dyn_cast<User>(Pointer);
    if (U && (isa<GEPOperator>(U) || isa<CastInst>(U)))
      Pointer = U->getOperand(0);
    else if (const auto *A = dyn_cast<AllocaInst>(Pointer))
      return A->hasName() ? ("'" + A->getName() + "'").str() : "";
    else
      return "";
  }
  return "";
}

std::string adze::describe(const Value *V) {
  if (!V)
    return "nothing";
  if (const auto *F = dyn_cast<Function>(V))
    return "'" + sourceName(*F) + "'";
  if (const auto *G = dyn_cast<GlobalValue>(V))
    return "'" + sourceName(G->getName()) + "'";
  if (const auto *A = dyn_cast<Argument>(V)) {
    if (std::string Name = argumentName(*A); !Name.empty())
      return "'" + Name + "'";
    std::string Of = " of '" + sourceName(*A->getParent()) + "'";
    if (A->hasName())
      return ("'" + A->getName() + "'").str() + Of;
    return ordinal(A->getArgNo()) + Of;
  }
  if (std::string Name = variableName(V); !Name.empty())
    return "'" + Name + "'";
  if (const auto *L = dyn_cast<LoadInst>(V))
    if (std::string Name = objectName(L->getPointerOperand()); !Name.empty())
      return "the value loaded from " + Name;
  if (V->getType()->isPointerTy())
    if (std::string Name = objectName(V); !Name.empty())
      return "the address in " + Name;
  if (const auto *C = dyn_cast<CallBase>(V))
    if (const Function *F = C->getCalledFunction())
      return "the result of '" + sourceName(*F) + "'";
  std::string Text;
  raw_string_ostream OS(Text);
  if (isa<Constant>(V) || isa<BasicBlock>(V))
    V->printAsOperand(OS, false);
  else
    V->print(OS);
  // Metadata and attributes after the operands help nobody.
  StringRef Shown = StringRef(Text).split(", !").first.split(" #").first;
  return "'" + Shown.trim().str() + "'";
}

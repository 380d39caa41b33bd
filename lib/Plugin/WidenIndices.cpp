// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/WidenIndices.h"
#include "Plugin/InlineChoices.h"
#include "Plugin/WidenVariables.h"

#include "adze/DeviceTarget.h"
#include "adze/Marker.h"
#include "adze/ReachableConstants.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Operations in one index; longer ones stay as they are.
constexpr size_t MaxOperations = 16;

/// i * (i + 1) / 2, a place in a triangle. (Other quotients stay: the optimizer
/// would make one of i / 8 and the size of an element.)
bool isQuotientOfProduct(const BinaryOperator &Op) {
  if (Op.getOpcode() != Instruction::SDiv)
    return false;
  auto *By = dyn_cast<ConstantInt>(Op.getOperand(1));
  auto *Product = dyn_cast<BinaryOperator>(Op.getOperand(0));
  return By && By->getValue().isStrictlyPositive() && Product &&
         Product->getOpcode() == Instruction::Mul &&
         !isa<Constant>(Product->getOperand(0)) &&
         !isa<Constant>(Product->getOperand(1));
}

/// A sum, difference or product that does not overflow, or such a quotient.
bool isExact(const Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  if (!Op)
    return false;
  return isa<OverflowingBinaryOperator>(Op)
             ? Op->hasNoSignedWrap() && Op->getOpcode() != Instruction::Shl
             : isQuotientOfProduct(*Op);
}

/// A variable, a member, a number: not an element of an array.
bool isVariable(const Value *V) {
  if (isa<Argument, ConstantInt>(V))
    return true;
  auto *Load = dyn_cast<LoadInst>(V);
  if (!Load)
    return false;
  const Value *From = Load->getPointerOperand();
  if (auto *GEP = dyn_cast<GEPOperator>(From))
    return GEP->hasAllConstantIndices();
  return isa<AllocaInst, GlobalVariable, LoadInst, Argument>(From);
}

/// The operations under \p Index, operands first; none if something else than
/// a variable is among the operands.
SmallVector<Instruction *, 8> operationsOf(Instruction *Index) {
  SmallVector<Instruction *, 8> Operations(1, Index);
  for (size_t Next = 0; Next < Operations.size(); ++Next)
    for (Value *Op : Operations[Next]->operands()) {
      if (isExact(Op))
        Operations.push_back(cast<Instruction>(Op));
      else if (!isVariable(Op))
        return {};
      if (Operations.size() > MaxOperations)
        return {};
    }
  std::reverse(Operations.begin(), Operations.end());
  return Operations;
}

bool widen(SExtInst &Extension) {
  auto *Index = dyn_cast<Instruction>(Extension.getOperand(0));
  if (!Index || !isExact(Index))
    return false;
  SmallVector<Instruction *, 8> Operations = operationsOf(Index);
  if (Operations.empty() || Extension.getType()->isVectorTy())
    return false;
  IRBuilder<> B(&Extension);
  DenseMap<Value *, Value *> Wide;
  auto wide = [&](Value *V) {
    Value *&W = Wide[V];
    if (!W)
      W = B.CreateSExt(V, Extension.getType());
    return W;
  };
  for (Instruction *Op : Operations) {
    if (Wide.contains(Op))
      continue;
    Value *Left = wide(Op->getOperand(0)), *Right = wide(Op->getOperand(1));
    auto *New = BinaryOperator::Create(cast<BinaryOperator>(Op)->getOpcode(),
                                       Left, Right, Op->getName());
    if (isa<OverflowingBinaryOperator>(New))
      New->setHasNoSignedWrap();
    New->setDebugLoc(Op->getDebugLoc());
    B.Insert(New);
    Wide[Op] = New;
  }
  Extension.replaceAllUsesWith(Wide.lookup(Index));
  Extension.eraseFromParent();
  return true;
}

/// Of an array, or, as an argument, of a container: std::vector's operator[] is
/// not inlined yet.
bool isIndex(const SExtInst &Extension, const DataLayout &DL) {
  if (Extension.getType()->getScalarSizeInBits() != DL.getIndexSizeInBits(0))
    return false;
  return all_of(Extension.users(), [](const User *U) {
    return isa<GetElementPtrInst, CallBase>(U);
  });
}

} // namespace

PreservedAnalyses adze::WidenIndicesPass::run(Module &M,
                                              ModuleAnalysisManager &) {
  SetVector<const Function *> Holders;
  for (const CallBase *Call : findMarkers(M))
    Holders.insert(Call->getFunction());
  if (Holders.empty())
    return PreservedAnalyses::all();
  bool Changed = false;
  SetVector<const Constant *> Reachable =
      reachableConstants(Holders.getArrayRef());
  for (Function &F : M) {
    if (!Reachable.contains(&F))
      continue;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Extension = dyn_cast<SExtInst>(&I))
        if (isIndex(*Extension, M.getDataLayout()))
          Changed |= widen(*Extension);
    if (!isDevice(M)) {
      Changed |= adze::inlineChoices(F);
      Changed |= adze::widenVariables(F);
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

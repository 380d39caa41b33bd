// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/WidenVariables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/// Operations between a variable and what is stored or compared.
constexpr unsigned MaxDepth = 6;

/// A local variable of 32 bits of which all uses are known.
bool isSimple(const AllocaInst &Variable) {
  return Variable.getAllocatedType()->isIntegerTy(32) &&
         Variable.isStaticAlloca() && !Variable.isArrayAllocation() &&
         all_of(Variable.users(), [&](const User *U) {
           if (auto *Load = dyn_cast<LoadInst>(U))
             return Load->isSimple() && Load->getType()->isIntegerTy(32);
           if (auto *Store = dyn_cast<StoreInst>(U))
             return Store->isSimple() &&
                    Store->getPointerOperand() == &Variable &&
                    Store->getValueOperand()->getType()->isIntegerTy(32);
           auto *Call = dyn_cast<IntrinsicInst>(U);
           return Call && Call->isLifetimeStartOrEnd();
         });
}

/// A sum, difference or product that does not overflow.
bool isExact(const Value *V) {
  auto *Op = dyn_cast<BinaryOperator>(V);
  return Op && isa<OverflowingBinaryOperator>(Op) && Op->hasNoSignedWrap() &&
         Op->getOpcode() != Instruction::Shl;
}

/// By a constant: i % 3.
bool isRemainder(const Instruction &I) {
  auto *By = I.getOpcode() == Instruction::SRem
                 ? dyn_cast<ConstantInt>(I.getOperand(1))
                 : nullptr;
  return By && By->getValue().isStrictlyPositive();
}

AllocaInst *loadedFrom(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  return Load ? dyn_cast<AllocaInst>(
                    const_cast<Value *>(Load->getPointerOperand()))
              : nullptr;
}

/// One of \p Choices is a part, and the others are, too, or variables or
/// constants.
bool areChosen(ArrayRef<const Value *> Choices,
               function_ref<bool(const Value *)> IsPart) {
  return any_of(Choices, IsPart) && all_of(Choices, [&](const Value *V) {
           return IsPart(V) || isa<ConstantInt, Argument>(V) || loadedFrom(V);
         });
}

/// \p V is `b + 24` or `b + size` of \p Variable b.
bool isStepOf(const Value *V, const AllocaInst &Variable) {
  return isExact(V) &&
         any_of(cast<Instruction>(V)->operands(),
                [&](const Value *Op) { return loadedFrom(Op) == &Variable; }) &&
         all_of(cast<Instruction>(V)->operands(), [](const Value *Op) {
           return isa<ConstantInt, Argument>(Op) || loadedFrom(Op);
         });
}

/// \p Variable is stepped by more than one: it goes from block to block.
bool advancesByBlocks(const AllocaInst &Variable) {
  return any_of(Variable.users(), [&](const User *U) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || !isStepOf(Store->getValueOperand(), Variable))
      return false;
    return none_of(cast<Instruction>(Store->getValueOperand())->operands(),
                   [](const Value *Op) {
                     auto *By = dyn_cast<ConstantInt>(Op);
                     return By && (By->isOne() || By->isMinusOne());
                   });
  });
}

/// \p Stored is a parameter, and \p Variable a number for indices.
bool isIndexParameter(const Value *Stored, const AllocaInst &Variable) {
  return isa<Argument>(Stored) && any_of(Variable.users(), [](const User *U) {
           return isa<LoadInst>(U) && any_of(U->users(), [](const User *V) {
                    return isExact(V) || isa<SExtInst>(V);
                  });
         });
}

class Variables {
public:
  explicit Variables(Function &F)
      : F(F), Wide(Type::getInt64Ty(F.getContext())) {}

  bool find();
  void widen();

private:
  bool isWide(const Value *V, unsigned Depth = 0) const;
  bool isFound(const Value *V) const {
    AllocaInst *From = loadedFrom(V);
    return From && Found.contains(From);
  }
  bool gains(const AllocaInst &Variable) const;
  Value *wide(Value *V, Instruction *At);
  Value *make(Instruction &I);
  void widenCompare(ICmpInst &Compare);
  void widenExtension(SExtInst &Extension);
  void replaceAll(ArrayRef<Instruction *> Narrow);

  Function &F;
  Type *Wide;
  SetVector<AllocaInst *> Found;
  DenseMap<Value *, Value *> Known;
};

/// \p V is computed of variables that are found, by what does not overflow.
bool Variables::isWide(const Value *V, unsigned Depth) const {
  if (isFound(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth || !I->getType()->isIntegerTy(32))
    return false;
  auto isPart = [&](const Value *Op) { return isWide(Op, Depth + 1); };
  if (isExact(I) || isRemainder(*I))
    return any_of(I->operands(), isPart);
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return areChosen({Choice->getTrueValue(), Choice->getFalseValue()}, isPart);
  auto *Choice = dyn_cast<PHINode>(I);
  return Choice &&
         areChosen(SmallVector<const Value *, 4>(Choice->incoming_values()),
                   isPart);
}

/// \p Variable is stepped, `b += 24`, or is given what is computed of such
/// ones. What a call has put into a variable is left alone: by such numbers the
/// iterations of a thread are known.
bool Variables::gains(const AllocaInst &Variable) const {
  bool Gains = false;
  for (const User *U : Variable.users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store)
      continue;
    const Value *Stored = Store->getValueOperand();
    if (AllocaInst *From = loadedFrom(Stored); From && !isSimple(*From))
      return false;
    Gains |= isWide(Stored) || isStepOf(Stored, Variable) ||
             isIndexParameter(Stored, Variable);
  }
  return Gains;
}

bool Variables::find() {
  SmallVector<AllocaInst *, 16> Left;
  for (Instruction &I : F.getEntryBlock())
    if (auto *Variable = dyn_cast<AllocaInst>(&I);
        Variable && isSimple(*Variable))
      Left.push_back(Variable);
  // The optimizer manages what goes one by one, and has made it what the rest
  // of the way is used to.
  if (none_of(Left, [](const AllocaInst *V) { return advancesByBlocks(*V); }))
    return false;
  for (bool Changed = true; Changed;) {
    Changed = false;
    erase_if(Left, [&](AllocaInst *Variable) {
      const bool IsNew = gains(*Variable) && Found.insert(Variable);
      Changed |= IsNew;
      return IsNew;
    });
  }
  return !Found.empty();
}

/// \p V in 64 bits, for \p At.
Value *Variables::wide(Value *V, Instruction *At) {
  if (!isWide(V))
    return IRBuilder<>(At).CreateSExt(V, Wide);
  if (Value *Made = Known.lookup(V))
    return Made;
  return make(cast<Instruction>(*V));
}

/// In front of \p I, what it is in 64 bits.
Value *Variables::make(Instruction &I) {
  IRBuilder<> B(&I);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Known[&I] = B.CreateAlignedLoad(Wide, Load->getPointerOperand(),
                                           Align(8), Load->getName());
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    PHINode *New = B.CreatePHI(Wide, Phi->getNumIncomingValues());
    Known[&I] = New;
    for (auto [Incoming, From] :
         zip_equal(Phi->incoming_values(), Phi->blocks()))
      New->addIncoming(wide(Incoming, From->getTerminator()), From);
    return New;
  }
  if (auto *Choice = dyn_cast<SelectInst>(&I))
    return Known[&I] = B.CreateSelect(Choice->getCondition(),
                                      wide(Choice->getTrueValue(), &I),
                                      wide(Choice->getFalseValue(), &I));
  Value *Left = wide(I.getOperand(0), &I), *Right = wide(I.getOperand(1), &I);
  Value *New = B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), Left, Right);
  if (auto *Op = dyn_cast<BinaryOperator>(New))
    Op->setHasNoSignedWrap();
  return Known[&I] = New;
}

void Variables::widenCompare(ICmpInst &Compare) {
  Value *Left = Compare.getOperand(0), *Right = Compare.getOperand(1);
  if (Compare.isUnsigned() || !Left->getType()->isIntegerTy(32) ||
      (!isWide(Left) && !isWide(Right)))
    return;
  Value *WideLeft = wide(Left, &Compare), *WideRight = wide(Right, &Compare);
  Compare.setOperand(0, WideLeft);
  Compare.setOperand(1, WideRight);
}

void Variables::widenExtension(SExtInst &Extension) {
  Value *Narrow = Extension.getOperand(0);
  if (Extension.getType() != Wide || !isWide(Narrow))
    return;
  Extension.replaceAllUsesWith(wide(Narrow, &Extension));
  Extension.eraseFromParent();
}

/// What else reads one of \p Narrow reads a truncation of which nothing is
/// lost.
void Variables::replaceAll(ArrayRef<Instruction *> Narrow) {
  SmallPtrSet<const User *, 32> Unread;
  SmallVector<Instruction *, 32> Read;
  for (Instruction *I : reverse(Narrow))
    if (all_of(I->users(), [&](const User *U) { return Unread.contains(U); }))
      Unread.insert(I);
    else
      Read.push_back(I);
  for (Instruction *I : Read)
    wide(I, I);
  for (Instruction *I : Read) {
    BasicBlock &B = *I->getParent();
    IRBuilder<> At(&B, isa<PHINode>(I) ? B.getFirstInsertionPt()
                                       : I->getIterator());
    I->replaceAllUsesWith(At.CreateTrunc(Known.lookup(I), I->getType(), "",
                                         /*IsNUW=*/false, /*IsNSW=*/true));
  }
  for (Instruction *I : reverse(Narrow)) {
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
}

void Variables::widen() {
  SmallVector<Instruction *, 32> Narrow;
  SmallVector<StoreInst *, 32> Stores;
  SmallVector<ICmpInst *, 16> Compares;
  SmallVector<SExtInst *, 16> Extensions;
  for (Instruction &I : instructions(F)) {
    if (isWide(&I))
      Narrow.push_back(&I);
    else if (auto *Compare = dyn_cast<ICmpInst>(&I))
      Compares.push_back(Compare);
    else if (auto *Extension = dyn_cast<SExtInst>(&I))
      Extensions.push_back(Extension);
    else if (auto *Store = dyn_cast<StoreInst>(&I);
             Store &&
             Found.contains(dyn_cast<AllocaInst>(Store->getPointerOperand())))
      Stores.push_back(Store);
  }
  for (ICmpInst *Compare : Compares)
    widenCompare(*Compare);
  for (SExtInst *Extension : Extensions)
    widenExtension(*Extension);
  for (StoreInst *Store : Stores) {
    IRBuilder<>(Store).CreateAlignedStore(wide(Store->getValueOperand(), Store),
                                          Store->getPointerOperand(), Align(8));
    Store->eraseFromParent();
  }
  replaceAll(Narrow);
  for (AllocaInst *Variable : Found) {
    Variable->setAllocatedType(Wide);
    Variable->setAlignment(Align(8));
    for (User *U : Variable->users())
      if (auto *Call = dyn_cast<IntrinsicInst>(U))
        Call->setArgOperand(0, ConstantInt::get(Wide, 8));
  }
}

} // namespace

bool adze::widenVariables(Function &F) {
  Variables V(F);
  if (F.isDeclaration() || F.hasOptNone() || !V.find())
    return false;
  V.widen();
  return true;
}

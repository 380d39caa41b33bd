// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address inside a global variable is written as a constant expression, and
// a shadow of it would have to be found inside the constant. As instructions
// they are differentiated by the rules of getelementptr and casts, like any
// other address. In the entry block they are available everywhere.
//
// What optimizers make of an element of an array that is not there, as of
// `v.back()` where v is empty, is a small number as an address. As the distance
// from null that it is, it leads to no memory.
#include "Prepare/Stages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {
namespace {

/// No object is so near to null.
constexpr uint64_t MaxDistanceFromNull = 4096;

/// \p Expr as a distance from null; null if it may be an address of something.
Instruction *distanceFromNull(const ConstantExpr &Expr, const Function &F) {
  auto *Address = Expr.getOpcode() == Instruction::IntToPtr
                      ? dyn_cast<ConstantInt>(Expr.getOperand(0))
                      : nullptr;
  auto *Type = dyn_cast<PointerType>(Expr.getType());
  if (!Address || !Type || NullPointerIsDefined(&F, Type->getAddressSpace()) ||
      F.getDataLayout().isNonIntegralPointerType(Type))
    return nullptr;
  // A shorter number is an address without sign.
  const APInt &Distance = Address->getValue();
  if (Distance.getBitWidth() !=
          F.getDataLayout().getPointerTypeSizeInBits(Type) ||
      Distance.abs().ugt(MaxDistanceFromNull))
    return nullptr;
  return GetElementPtrInst::Create(Type::getInt8Ty(F.getContext()),
                                   ConstantPointerNull::get(Type), Address);
}

class ConstantExpansion {
public:
  explicit ConstantExpansion(Function &F)
      : Point(F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {}

  void expand(Use &U) { U.set(instructionFor(cast<ConstantExpr>(U))); }

private:
  BasicBlock::iterator Point;
  DenseMap<ConstantExpr *, Instruction *> Made;

  /// Operands are made before their users, and each at the end of what was
  /// made so far: the order is right whoever asks first.
  Instruction *instructionFor(ConstantExpr *Root) {
    SmallVector<ConstantExpr *, 4> Stack{Root};
    while (!Stack.empty()) {
      ConstantExpr *Expr = Stack.back();
      ConstantExpr *Missing = nullptr;
      for (Value *Operand : Expr->operands())
        if (auto *Inner = dyn_cast<ConstantExpr>(Operand))
          if (!Made.lookup(Inner))
            Missing = Inner;
      if (Missing) {
        Stack.push_back(Missing);
        continue;
      }
      Stack.pop_back();
      if (Made.lookup(Expr))
        continue;
      Instruction *I = distanceFromNull(*Expr, *Point->getFunction());
      if (!I)
        I = Expr->getAsInstruction();
      for (Use &U : I->operands())
        if (auto *Inner = dyn_cast<ConstantExpr>(U))
          U.set(Made.lookup(Inner));
      I->insertBefore(*Point->getParent(), Point);
      I->setName("adze.constant");
      Made[Expr] = I;
    }
    return Made.lookup(Root);
  }
};

} // namespace

bool mayStayConstant(const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  auto *Call = dyn_cast<CallBase>(I);
  return isa<AllocaInst>(I) || I->isEHPad() ||
         (Call && (Call->isInlineAsm() || Call->isCallee(&U)));
}

static void expandOnce(Function &F) {
  ConstantExpansion Expansion(F);
  SmallVector<Use *, 16> Uses;
  for (Instruction &I : instructions(F))
    for (Use &U : I.operands())
      if (isa<ConstantExpr>(U) && !mayStayConstant(U))
        Uses.push_back(&U);
  for (Use *U : Uses)
    Expansion.expand(*U);
}

void expandConstantExpressions(Function &F) {
  expandOnce(F);
  if (usePlainConstants(F))
    expandOnce(F);
}

} // namespace adze

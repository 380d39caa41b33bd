// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An address inside a global variable is written as a constant expression, and
// a shadow of it would have to be found inside the constant. As instructions
// they are differentiated by the rules of getelementptr and casts, like any
// other address. In the entry block they are available everywhere.
#include "Prepare/Stages.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {
namespace {

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
      Instruction *I = Expr->getAsInstruction();
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

void expandConstantExpressions(Function &F) {
  ConstantExpansion Expansion(F);
  SmallVector<Use *, 16> Uses;
  for (Instruction &I : instructions(F))
    for (Use &U : I.operands())
      if (isa<ConstantExpr>(U) && !mayStayConstant(U))
        Uses.push_back(&U);
  for (Use *U : Uses)
    Expansion.expand(*U);
}

} // namespace adze

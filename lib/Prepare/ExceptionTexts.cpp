// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// e.what(), where e is what a handler caught: a virtual function of which the
// file may see no body, or not all. It gives a text, which has no derivative.
#include "Prepare/Stages.h"
#include "adze/Exceptions.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

/// Longer chains of base classes are not looked at.
static constexpr unsigned MaxBases = 16;

bool isStandardException(const Constant &Type) {
  const Constant *Base = &Type;
  for (unsigned I = 0; I != MaxBases; ++I) {
    auto *Info = dyn_cast<GlobalVariable>(Base);
    if (!Info)
      return false;
    if (Info->getName().starts_with("_ZTISt"))
      return true;
    // { vtable of the kind of class, name, the one base }
    auto *Fields = Info->hasInitializer()
                       ? dyn_cast<ConstantStruct>(Info->getInitializer())
                       : nullptr;
    if (!Fields || Fields->getNumOperands() != 3)
      return false;
    Base = Fields->getOperand(2);
  }
  return false;
}

/// \p Call is p->vtable[2](p), the first function after the destructors, and p
/// is what was caught.
static bool asksForText(const CallInst &Call) {
  if (Call.getCalledFunction() || Call.arg_size() != 1 ||
      !Call.getType()->isPointerTy())
    return false;
  Value *Object = Call.getArgOperand(0), *Place = nullptr;
  auto *Caught = dyn_cast<CallBase>(Object);
  if (!Caught || !Caught->hasFnAttr(exceptions::Standard) ||
      !match(Call.getCalledOperand(), m_Load(m_Value(Place))))
    return false;
  APInt Offset(64, 0);
  Value *Table = Place->stripAndAccumulateInBoundsConstantOffsets(
      Call.getDataLayout(), Offset);
  return Offset == 2 * Call.getDataLayout().getPointerSize() &&
         match(Table, m_Load(m_Specific(Object)));
}

void markExceptionTexts(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && asksForText(*Call))
      Call->addFnAttr(Attribute::get(F.getContext(), declared::Inactive));
}

} // namespace adze

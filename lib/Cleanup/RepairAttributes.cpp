// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Cleanup.h"

#include "adze/AliasScopes.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

/// Statements on effects of the whole function.
static AttributeMask functionMask() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync,
        Attribute::WillReturn, Attribute::NoRecurse, Attribute::Speculatable,
        Attribute::NoCallback, Attribute::NoReturn, Attribute::AllocSize,
        Attribute::AllocKind, Attribute::OptimizeNone})
    Mask.addAttribute(Kind);
  Mask.addAttribute("alloc-family");
  return Mask;
}

/// Statements on what happens to the memory behind a parameter, and on the
/// returned value, which is another one.
static AttributeMask parameterMask() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::ReadOnly, Attribute::ReadNone, Attribute::WriteOnly,
        Attribute::NoCapture, Attribute::NoFree, Attribute::Returned,
        Attribute::Writable, Attribute::DeadOnUnwind, Attribute::Initializes,
        Attribute::AllocatedPointer, Attribute::AllocAlign})
    Mask.addAttribute(Kind);
  return Mask;
}

static AttributeMask resultMask() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::NoAlias, Attribute::NonNull, Attribute::Dereferenceable,
        Attribute::DereferenceableOrNull, Attribute::NoUndef,
        Attribute::Alignment, Attribute::Range})
    Mask.addAttribute(Kind);
  return Mask;
}

template <typename FunctionOrCall>
static void strip(FunctionOrCall &Of, unsigned Params) {
  AttributeList List = Of.getAttributes();
  LLVMContext &Context = Of.getContext();
  List = List.removeFnAttributes(Context, functionMask());
  List = List.removeRetAttributes(Context, resultMask());
  for (unsigned I = 0; I != Params; ++I)
    List = List.removeParamAttributes(Context, I, parameterMask());
  Of.setAttributes(List);
}

void repairAttributes(Function &F) {
  strip(F, F.arg_size());
  forgetScopes(F);
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || !isOwn(*Callee) || Callee->isDeclaration())
      continue;
    const bool Repeated = isRepeated(*Call);
    strip(*Call, Call->arg_size());
    if (Repeated)
      markRepeated(*Call);
  }
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marker's operands are those of a variadic call; the function's own are
// found as for the other markers, and so is the place of its result.
#include "Frontend/InactiveCalls.h"

#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

static std::vector<CallBase *> inactiveCalls(Module &M) {
  std::vector<CallBase *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->isInlineAsm())
        if (const Function *Callee = functionBehind(Call->getCalledOperand());
            Callee && markerKind(*Callee) == MarkerKind::CallInactive)
          Calls.push_back(Call);
  return Calls;
}

static void replace(Marker &M) {
  LLVMContext &Context = M.Call->getContext();
  AttributeList Given = M.Call->getAttributes();
  unsigned Fixed = M.Req.Primal->arg_size(), All = M.Operands.size();
  unsigned First = M.Call->arg_size() - (All - Fixed);
  CallBase *New = replaceByCall(M, *M.Req.Primal);
  // How a variadic operand is passed stands at the call.
  for (unsigned I = Fixed; I != All; ++I)
    New->setAttributes(New->getAttributes().addParamAttributes(
        Context, I,
        AttrBuilder(Context, Given.getParamAttrs(First + (I - Fixed)))));
  New->addFnAttr(Attribute::get(Context, declared::Inactive));
}

bool adze::replaceInactiveCalls(Module &M, Diagnostics &Diags) {
  std::vector<CallBase *> Calls = inactiveCalls(M);
  for (CallBase *Call : Calls)
    if (std::optional<Marker> Parsed = parseInactiveCall(*Call, Diags))
      replace(*Parsed);
  return !Calls.empty();
}

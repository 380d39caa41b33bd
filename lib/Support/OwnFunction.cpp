// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/OwnFunction.h"
#include "adze/DeviceTarget.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

static constexpr char Mark[] = "adze.own";

void markOwn(Function &F) { F.addFnAttr(Mark); }

bool isOwn(const Function &F) { return F.hasFnAttribute(Mark); }

static constexpr char Repeated[] = "adze.repeated";

void markRepeated(CallBase &Call) {
  Call.addFnAttr(Attribute::get(Call.getContext(), Repeated));
  Call.setOnlyReadsMemory();
  Call.addFnAttr(Attribute::WillReturn);
}

bool isRepeated(const CallBase &Call) { return Call.hasFnAttr(Repeated); }

Function *createOwn(FunctionType *Ty, GlobalValue::LinkageTypes Linkage,
                    const Twine &Name, Module &M) {
  Function *F = Function::Create(Ty, Linkage, Name, M);
  markOwn(*F);
  // Threads may meet there; LLVM takes it away where they do not.
  if (isDevice(M))
    F->setConvergent();
  return F;
}

} // namespace adze

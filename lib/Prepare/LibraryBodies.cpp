// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of library functions for which Adze has a body (LibraryBodies.c) become
// calls of that, in the canonical clone alone: the program's own calls stay as
// they are.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/Runtime.h"
#include "adze/SerialThreads.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

// Made of LibraryBodies.c, TeamBodies.c and ThreadBodies.c while the plugin is
// built.
extern const unsigned char BodiesBitcode[], TeamBodiesBitcode[],
    ThreadBodiesBitcode[];
extern const unsigned long BodiesBitcodeSize, TeamBodiesBitcodeSize,
    ThreadBodiesBitcodeSize;
static const RuntimeUnit Units[] = {
    {"body", BodiesBitcode, &BodiesBitcodeSize},
    {"team.body", TeamBodiesBitcode, &TeamBodiesBitcodeSize},
    {"thread.body", ThreadBodiesBitcode, &ThreadBodiesBitcodeSize}};

/// Where a function pointer is called for a number, with nothing but addresses,
/// that decides on an order, and such numbers have no derivative.
static void declareOrdersInactive(Module &Bodies) {
  for (Function &F : Bodies)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && Call->isIndirectCall() && Call->getType()->isIntegerTy() &&
          all_of(Call->args(),
                 [](const Use &U) { return U->getType()->isPointerTy(); }))
        Call->addFnAttr(Attribute::get(F.getContext(), declared::Inactive));
}

/// What is declared of a unit's functions, or of what it calls.
static void declareFacts(Module &Bodies) {
  declareOrdersInactive(Bodies);
  // Where threads begin and end, nothing of the program's memory is looked at.
  for (Function &F : Bodies)
    if (F.isDeclaration() && F.getName().starts_with(ThreadFunctionPrefix) &&
        !F.getName().ends_with("lock")) {
      F.setOnlyAccessesInaccessibleMemory();
      F.setDoesNotThrow();
    }
}

Function *libraryBody(Module &M, StringRef Name) {
  if (M.getDataLayout().getPointerSize() != 8)
    return nullptr;
  Function *F = nullptr;
  for (const RuntimeUnit &Unit : Units)
    if (!F)
      F = runtimeFunction(M, Unit, ("adze." + Name).str(), declareFacts);
  return F && !F->isDeclaration() ? F : nullptr;
}

/// The body for \p Call, or null where the program's function of that name
/// takes and returns something else.
static Function *bodyFor(CallBase &Call, const LibraryBody &Body) {
  Function *F = libraryBody(*Call.getModule(), Body.Name);
  return F && F->getFunctionType() == Call.getFunctionType() ? F : nullptr;
}

bool giveBodies(Function &F) {
  SmallVector<std::pair<CallBase *, const LibraryBody *>, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const LibraryBody *Body = libraryBodyOf(*Call))
        Calls.push_back({Call, Body});
  bool Changed = false;
  for (auto [Call, Body] : Calls) {
    Function *Ours = bodyFor(*Call, *Body);
    if (!Ours)
      continue;
    Call->setCalledFunction(Ours);
    // What the declaration promises is about the library's function.
    Call->setAttributes(AttributeList());
    Call->setCallingConv(Ours->getCallingConv());
    if (InlineFunctionInfo Info; Body->Inline)
      InlineFunction(*Call, Info);
    Changed = true;
  }
  return Changed;
}

} // namespace adze

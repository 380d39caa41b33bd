// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/LoopWriters.h"
#include "Loops/Reachability.h"

using namespace llvm;

namespace adze {

const LoopWriters::Facts &LoopWriters::factsOf(const Loop &Nest) {
  std::unique_ptr<Facts> &Known = Nests[&Nest];
  if (Known)
    return *Known;
  Known = std::make_unique<Facts>();
  for (BasicBlock *B : Nest.blocks())
    for (Instruction &I : *B) {
      Known->MayEnd |= !isGuaranteedToTransferExecutionToSuccessor(&I);
      if (writesMemory(I))
        Known->Writers.push_back(&I);
    }
  return *Known;
}

bool LoopWriters::mayWrite(const Loop &Nest, LoadInst &Load) {
  const Facts &N = factsOf(Nest);
  MemoryLocation Array = MemoryLocation::getBeforeOrAfter(
      Load.getPointerOperand(), Load.getAAMetadata());
  return N.MayEnd || any_of(N.Writers, [&](Instruction *I) {
           return Alias.mayWrite(*I, Array, Times::in(Nest)) &&
                  !Ranges.areDisjoint(*I, &Nest, Load, &Nest);
         });
}

bool LoopWriters::mayWrite(Instruction &Writer, LoadInst &Load, Value *Array) {
  // Scopes are those of one place, and say nothing of others.
  AAMDNodes Tags;
  Tags.TBAA = Load.getMetadata(LLVMContext::MD_tbaa);
  return Alias.mayWrite(Writer, MemoryLocation::getBeforeOrAfter(Array, Tags),
                        Times::any());
}

bool LoopWriters::mayWriteBetween(const BasicBlock *From, BasicBlock *To,
                                  const MemoryLocation &Loc,
                                  const Instruction *Known) {
  return any_of(Reachability::between(From, To), [&](BasicBlock *B) {
    return any_of(*B, [&](Instruction &I) {
      return &I != Known && I.mayWriteToMemory() &&
             Alias.mayWrite(I, Loc, Times::any());
    });
  });
}

} // namespace adze

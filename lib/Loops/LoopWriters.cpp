// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/LoopWriters.h"
#include "Loops/Reachability.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

LoopWriters::LoopWriters(const Primal &P, LoopAlias &Alias,
                         AccessRanges &Ranges, AccessOrder &Order)
    : Alias(Alias), Ranges(Ranges), Order(Order) {
  CalleeWritesCache Callees;
  for (Instruction &I : instructions(*P.F))
    if (std::optional<WriteEffect> E = writeEffect(I, Callees, Alias.TLI)) {
      Effects[&I] = All.size();
      All.push_back(std::move(*E));
    }
}

const LoopWriters::Facts &LoopWriters::factsOf(const Loop &Nest) {
  std::unique_ptr<Facts> &Known = Nests[&Nest];
  if (Known)
    return *Known;
  Known = std::make_unique<Facts>();
  for (BasicBlock *B : Nest.blocks())
    for (Instruction &I : *B) {
      Known->MayEnd |= !isGuaranteedToTransferExecutionToSuccessor(&I);
      if (writes(I))
        Known->Writers.push_back(&I);
    }
  return *Known;
}

bool LoopWriters::mayWriteAnywhere(const WriteEffect &Writer,
                                   const MemoryLocation &Loc, Times T) {
  auto *Call = dyn_cast<CallBase>(Writer.I);
  return !Call || Alias.mayAccess(*Call, Loc, ModRefInfo::Mod, T);
}

bool LoopWriters::mayWrite(const Instruction &I, const MemoryLocation &Loc,
                           Times T) {
  auto It = Effects.find(&I);
  if (It == Effects.end())
    return false;
  const WriteEffect &Writer = All[It->second];
  return any_of(Writer.Locations,
                [&](const MemoryLocation &Own) {
                  return Alias.mayAlias(Own, Loc, T);
                }) ||
         (Writer.Anywhere && mayWriteAnywhere(Writer, Loc, T));
}

bool LoopWriters::mayWriteIn(const Loop &Nest, Instruction &Writer,
                             LoadInst &Load) {
  MemoryLocation Array = MemoryLocation::getBeforeOrAfter(
      Load.getPointerOperand(), Load.getAAMetadata());
  return mayWrite(Writer, Array, Times::in(Nest)) &&
         !Ranges.areDisjoint(Writer, &Nest, Load, &Nest);
}

bool LoopWriters::mayWrite(const Loop &Nest, LoadInst &Load) {
  const Facts &N = factsOf(Nest);
  return N.MayEnd || any_of(N.Writers, [&](Instruction *I) {
           return mayWriteIn(Nest, *I, Load);
         });
}

bool LoopWriters::mayWriteFirst(const Loop &Nest, LoadInst &Load) {
  const Facts &N = factsOf(Nest);
  return N.MayEnd || any_of(N.Writers, [&](Instruction *I) {
           return mayWriteIn(Nest, *I, Load) &&
                  !Order.neverAfter(I, &Load, &Nest);
         });
}

bool LoopWriters::mayWrite(Instruction &Writer, LoadInst &Load, Value *Array) {
  // Scopes are those of one place, and say nothing of others.
  AAMDNodes Tags;
  Tags.TBAA = Load.getMetadata(LLVMContext::MD_tbaa);
  return mayWrite(Writer, MemoryLocation::getBeforeOrAfter(Array, Tags),
                  Times::any());
}

bool LoopWriters::mayWriteBetween(const BasicBlock *From, BasicBlock *To,
                                  const MemoryLocation &Loc,
                                  const Instruction *Known) {
  return any_of(Reachability::between(From, To), [&](BasicBlock *B) {
    return any_of(*B, [&](Instruction &I) {
      return &I != Known && mayWrite(I, Loc, Times::any());
    });
  });
}

} // namespace adze

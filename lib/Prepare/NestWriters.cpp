// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/NestWriters.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

/// Questions to alias analysis for all loads of a function.
static constexpr unsigned MaxQuestions = 200000;

bool writesMemory(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return I.mayWriteToMemory() &&
         !(Call && Call->onlyAccessesInaccessibleMemory());
}

NestWriters::NestWriters(Primal &P, LoopMemory &M)
    : P(P), Ranges(P, M), Results(M.TLI), Alias(Results) {
  Results.addAAResult(M.Basic);
  Results.addAAResult(M.Typed);
  Results.addAAResult(Scoped);
  Alias.enableCrossIterationMode();
  for (Instruction &I : instructions(*P.F))
    if (auto *Decl = dyn_cast<NoAliasScopeDeclInst>(&I))
      Scopes.push_back(Decl);
}

const NestWriters::Facts &NestWriters::factsOf(const Loop &Nest) {
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
  for (const NoAliasScopeDeclInst *Decl : Scopes)
    if (P.DT->properlyDominates(Decl->getParent(), Nest.getHeader()))
      for (const MDOperand &Scope : Decl->getScopeList()->operands())
        Known->Promised.insert(Scope.get());
  return *Known;
}

/// The promises of restrict that \p Load makes, if they hold for the whole
/// nest: if they were made in front of it.
AAMDNodes NestWriters::promisesOf(const LoadInst &Load, const Facts &Nest) {
  AAMDNodes Tags = Load.getAAMetadata();
  auto holds = [&](const MDNode *List) {
    return !List || all_of(List->operands(), [&](const MDOperand &Scope) {
      return Nest.Promised.contains(Scope.get());
    });
  };
  if (!holds(Tags.Scope))
    Tags.Scope = nullptr;
  if (!holds(Tags.NoAlias))
    Tags.NoAlias = nullptr;
  return Tags;
}

/// Where \p Writer writes, if that is one place.
static std::optional<MemoryLocation> placeOf(const Instruction &Writer) {
  if (auto *Block = dyn_cast<AnyMemIntrinsic>(&Writer))
    return MemoryLocation::getForDest(Block);
  return MemoryLocation::getOrNone(&Writer);
}

bool NestWriters::mayWrite(Instruction &Writer, const MemoryLocation &Array) {
  std::optional<MemoryLocation> Own = placeOf(Writer);
  if (++Questions > MaxQuestions || !Own)
    return true;
  // Answers about calls compare what one iteration hands over.
  if (isa<CallBase>(Writer))
    return Alias.alias(*Own, Array) != AliasResult::NoAlias;
  return isModSet(Alias.getModRefInfo(&Writer, Array));
}

bool NestWriters::mayWrite(const Loop &Nest, LoadInst &Load) {
  const Facts &N = factsOf(Nest);
  // Alias analysis compares two phis of one block edge by edge.
  auto varies = [&](const Value *Ptr) {
    auto *Object = dyn_cast<Instruction>(getUnderlyingObject(Ptr, 0));
    return Object && isa<PHINode, SelectInst>(Object) && Nest.contains(Object);
  };
  MemoryLocation Array = MemoryLocation::getBeforeOrAfter(
      Load.getPointerOperand(), promisesOf(Load, N));
  if (N.MayEnd || varies(Array.Ptr))
    return true;
  return any_of(N.Writers, [&](Instruction *I) {
    std::optional<MemoryLocation> Own = placeOf(*I);
    return ((Own && varies(Own->Ptr)) || mayWrite(*I, Array)) &&
           !Ranges.areDisjoint(*I, &Nest, Load, &Nest);
  });
}

bool NestWriters::mayWrite(Instruction &Writer, LoadInst &Load, Value *Array) {
  auto isChosen = [](const Value *Ptr) {
    return isa<PHINode, SelectInst>(getUnderlyingObject(Ptr, /*MaxLookup=*/0));
  };
  std::optional<MemoryLocation> Own = placeOf(Writer);
  if (isChosen(Array) || (Own && isChosen(Own->Ptr)))
    return true;
  // Scopes are those of one place, and say nothing of others.
  AAMDNodes Tags;
  Tags.TBAA = Load.getMetadata(LLVMContext::MD_tbaa);
  return mayWrite(Writer, MemoryLocation::getBeforeOrAfter(Array, Tags));
}

} // namespace adze

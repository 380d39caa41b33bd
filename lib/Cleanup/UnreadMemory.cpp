// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/UnreadMemory.h"

#include "EmptyTurns.h"
#include "PointerClasses.h"
#include "adze/OwnFunction.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Where \p I writes, if writing there is all that it does beside its result.
const Value *onlyWritten(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isUnordered() ? Store->getPointerOperand() : nullptr;
  // An order that others could rely on is more.
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Update->getOrdering() == AtomicOrdering::Monotonic &&
                   !Update->isVolatile()
               ? Update->getPointerOperand()
               : nullptr;
  if (auto *Block = dyn_cast<MemIntrinsic>(&I))
    return Block->isVolatile() ? nullptr : Block->getRawDest();
  return nullptr;
}

/// Where \p I reads, beside what it writes; null if nowhere that it shows.
const Value *readBy(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->getPointerOperand();
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return Update->use_empty() ? nullptr : Update->getPointerOperand();
  if (auto *Move = dyn_cast<MemTransferInst>(&I))
    return Move->getRawSource();
  return nullptr;
}

/// Which instructions does anything depend on that is seen from outside?
/// Optimistic: none, until one is found that does.
class Needed {
public:
  Needed(const SetVector<Function *> &Functions,
         PointerClasses::LibraryOf Library)
      : Functions(Functions), Classes(Functions, Library) {}

  /// True if there are writes that nobody needs.
  bool find();
  bool contains(const Instruction &I) const {
    return Instructions.contains(&I);
  }

private:
  void add(const Instruction &I) {
    if (Instructions.insert(&I).second)
      Work.push_back(&I);
  }
  void read(unsigned Class);

  const SetVector<Function *> &Functions;
  PointerClasses Classes;
  DenseSet<const Instruction *> Instructions;
  SmallVector<const Instruction *, 32> Work;
  /// Of each class: what writes there, until it is read.
  DenseMap<unsigned, SmallVector<const Instruction *, 2>> Writes;
};

void Needed::read(unsigned Class) {
  auto It = Writes.find(Class);
  if (It == Writes.end())
    return;
  for (const Instruction *I : It->second)
    add(*I);
  Writes.erase(It);
}

bool Needed::find() {
  for (Function *F : Functions)
    for (Instruction &I : instructions(*F)) {
      const Value *Place = onlyWritten(I);
      if (Place && !Classes.isUnknown(Classes.of(*Place)))
        Writes[Classes.of(*Place)].push_back(&I);
      else if (I.isTerminator() || I.mayHaveSideEffects() || I.isEHPad())
        add(I);
    }
  while (!Work.empty()) {
    const Instruction &I = *Work.pop_back_val();
    if (const Value *Place = readBy(I))
      read(Classes.of(*Place));
    else if (isa<AtomicCmpXchgInst>(I))
      read(Classes.of(*I.getOperand(0)));
    for (const Value *Operand : I.operands())
      if (auto *Def = dyn_cast<Instruction>(Operand))
        add(*Def);
  }
  return !Writes.empty();
}

/// Erases the instructions of \p F that are not \p Needed. True if there was
/// one.
bool eraseOthers(Function &F, const Needed &Needed) {
  SmallVector<Instruction *, 16> Dead;
  for (Instruction &I : instructions(F))
    if (!Needed.contains(I))
      Dead.push_back(&I);
  for (Instruction *I : Dead)
    I->dropAllReferences(); // they use each other
  for (Instruction *I : Dead)
    I->eraseFromParent();
  return !Dead.empty();
}

} // namespace

bool dropUnreadMemory(Module &M, FunctionAnalysisManager &FAM) {
  SetVector<Function *> Functions;
  for (Function &F : M)
    if (!F.isDeclaration() && F.hasLocalLinkage() && isOwn(F))
      Functions.insert(&F);
  Needed Needed(Functions, [&](Function &F) -> const TargetLibraryInfo & {
    return FAM.getResult<TargetLibraryAnalysis>(F);
  });
  if (!Needed.find())
    return false;
  for (Function *F : Functions)
    if (eraseOthers(*F, Needed)) {
      dropEmptyTurns(*F);
      FAM.invalidate(*F, PreservedAnalyses::none());
    }
  return true;
}

} // namespace adze

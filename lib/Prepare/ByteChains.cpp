// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/ByteChains.h"
#include "Loops/LoopAccess.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include <optional>

using namespace llvm;

namespace adze {
namespace {

class ChainSearch {
public:
  ChainSearch(const DataLayout &DL, ScalarEvolution &SE) : DL(DL), SE(SE) {}

  void run(BasicBlock &B, SmallVectorImpl<Chain> &Chains);

private:
  const DataLayout &DL;
  ScalarEvolution &SE;

  bool isMovedBits(const Instruction *I) const;
  bool samePlace(Value *A, Value *B);
  std::optional<Element> elementAt(ArrayRef<Instruction *> Accesses);
  std::optional<int64_t> apart(Value *From, Value *To) {
    return distance(SE.getSCEV(From), SE.getSCEV(To), SE);
  }
  bool append(Chain &C, const Element &E);
};

/// An integer that is loaded and goes nowhere but to memory, or its store.
bool ChainSearch::isMovedBits(const Instruction *I) const {
  auto *Store = dyn_cast<StoreInst>(I);
  Type *Ty = Store ? Store->getValueOperand()->getType() : I->getType();
  if (!Ty->isIntOrIntVectorTy() ||
      DL.getTypeSizeInBits(Ty) != 8 * DL.getTypeStoreSize(Ty) ||
      DL.getTypeStoreSize(Ty) != DL.getTypeAllocSize(Ty))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Load->isSimple() && Load->hasOneUse();
  return Store && Store->isSimple();
}

bool ChainSearch::samePlace(Value *A, Value *B) {
  return A == B || SE.getSCEV(A) == SE.getSCEV(B);
}

/// What \p Accesses, the next ones to memory, begin with.
std::optional<Element>
ChainSearch::elementAt(ArrayRef<Instruction *> Accesses) {
  auto load = [&](unsigned K) {
    return K < Accesses.size() ? dyn_cast<LoadInst>(Accesses[K]) : nullptr;
  };
  auto store = [&](unsigned K) {
    return K < Accesses.size() ? dyn_cast<StoreInst>(Accesses[K]) : nullptr;
  };
  Element E;
  LoadInst *First = load(0), *Second = load(1);
  if (!First || !isMovedBits(First))
    return std::nullopt;
  E.Size = DL.getTypeStoreSize(First->getType());
  if (StoreInst *S = store(1)) {
    if (S->getValueOperand() != First || !isMovedBits(S))
      return std::nullopt;
    E.To = S->getPointerOperand();
    E.Source = First->getPointerOperand();
    E.ToAlign = S->getAlign();
    E.SourceAlign = First->getAlign();
    E.Loads = {First};
    E.Stores = {S};
    return E;
  }
  StoreInst *S = store(2), *T = store(3);
  if (!Second || !S || !T || !isMovedBits(Second) || !isMovedBits(S) ||
      !isMovedBits(T) || Second->getType() != First->getType())
    return std::nullopt;
  LoadInst *ToT = S->getValueOperand() == First ? Second : First;
  LoadInst *ToS = ToT == First ? Second : First;
  if (S->getValueOperand() != ToS || T->getValueOperand() != ToT ||
      !samePlace(S->getPointerOperand(), ToT->getPointerOperand()) ||
      !samePlace(T->getPointerOperand(), ToS->getPointerOperand()))
    return std::nullopt;
  E.To = S->getPointerOperand();
  E.Source = T->getPointerOperand();
  E.ToAlign = S->getAlign();
  E.SourceAlign = T->getAlign();
  E.Exchange = true;
  E.Loads = {First, Second};
  E.Stores = {S, T};
  return E;
}

/// Adds \p E to \p C if it stands beside the last one.
bool ChainSearch::append(Chain &C, const Element &E) {
  if (C.Elements.empty()) {
    C.Elements.push_back(E);
    return true;
  }
  const Element &Last = C.Elements.back();
  if (E.Size != Last.Size || E.Exchange != Last.Exchange)
    return false;
  std::optional<int64_t> To = apart(Last.To, E.To);
  if (!To || To != apart(Last.Source, E.Source))
    return false;
  auto Size = int64_t(E.Size);
  bool First = C.Elements.size() == 1;
  if (*To != (First ? (*To < 0 ? -Size : Size) : C.Down ? -Size : Size))
    return false;
  C.Down = *To < 0;
  C.Elements.push_back(E);
  return true;
}

void ChainSearch::run(BasicBlock &B, SmallVectorImpl<Chain> &Chains) {
  SmallVector<Instruction *, 32> Accesses;
  auto flush = [&] {
    Chain C;
    auto end = [&] {
      if (!C.Elements.empty())
        Chains.push_back(std::exchange(C, {}));
    };
    for (unsigned K = 0; K < Accesses.size();) {
      std::optional<Element> E = elementAt(ArrayRef(Accesses).drop_front(K));
      if (!E) {
        end();
        ++K;
        continue;
      }
      if (!append(C, *E)) {
        end();
        append(C, *E);
      }
      K += E->Loads.size() + E->Stores.size();
    }
    end();
    Accesses.clear();
  };
  for (Instruction &I : B) {
    if ((isa<LoadInst>(I) || isa<StoreInst>(I)))
      Accesses.push_back(&I);
    else if (I.mayReadOrWriteMemory() ||
             !isGuaranteedToTransferExecutionToSuccessor(&I))
      flush();
  }
  flush();
}

} // namespace

void findChains(BasicBlock &B, ScalarEvolution &SE,
                SmallVectorImpl<Chain> &Chains) {
  ChainSearch(B.getModule()->getDataLayout(), SE).run(B, Chains);
}

} // namespace adze

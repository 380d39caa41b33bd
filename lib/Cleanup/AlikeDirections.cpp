// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AlikeDirections.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

/// Instructions and operands of one direction; beyond, a loop is left alone.
constexpr unsigned MaxInstructions = 400, MaxOperands = 64;

Instruction *AlikeDirections::inside(Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && I->getParent() == &Body ? I : nullptr;
}

bool AlikeDirections::isShared(const Instruction *First) const {
  return all_equal(others(First));
}

/// The instructions of \p Alike do the same if their operands are alike.
bool AlikeDirections::pair(const Row &Alike) {
  Instruction *First = Alike.front();
  auto [Known, New] = Rows.try_emplace(First, Alike);
  if (!New)
    return Known->second == Alike;
  Order.push_back(First);
  return Order.size() <= MaxInstructions && all_of(Alike, [&](Instruction *I) {
           return First->isSameOperationAs(I) &&
                  !I->mayHaveSideEffects() == !isa<StoreInst>(I);
         });
}

void AlikeDirections::addOperand(const Use &U, DirectionOperand Each) {
  const auto *Known = find_if(Operands, [&](const DirectionOperand &Other) {
    return Other.Each == Each.Each;
  });
  OperandOf[&U] = unsigned(Known - Operands.begin());
  if (Known == Operands.end())
    Operands.push_back(std::move(Each));
}

bool AlikeDirections::matchOperand(Instruction &First, unsigned Index) {
  DirectionOperand Each;
  for (const Instruction *I : others(&First))
    Each.Each.push_back(I->getOperand(Index));
  Value *V = Each.Each.front();
  const bool Same = all_equal(Each.Each);
  if (!inside(V)) {
    if (Same)
      return true;
    addOperand(First.getOperandUse(Index), Each);
    return Operands.size() <= MaxOperands &&
           canReplaceOperandWithVariable(&First, Index) &&
           none_of(Each.Each, [&](Value *Other) {
             return inside(Other) || Other->getType() != V->getType();
           });
  }
  if (isa<PHINode>(V))
    return Same;
  Row Alike;
  for (Value *Other : Each.Each) {
    Alike.push_back(inside(Other));
    if (!Alike.back())
      return false;
  }
  return pair(Alike);
}

/// What a direction reads before it stores, all of them read before they store.
bool AlikeDirections::keepsOrder() const {
  for (const Instruction *Store : Order)
    for (const Instruction *Load : Order) {
      if (!isa<StoreInst>(Store) || !isa<LoadInst>(Load) || isShared(Load))
        continue;
      const bool Before = Load->comesBefore(Store);
      for (auto [S, L] : zip(others(Store), others(Load)))
        if (L->comesBefore(S) != Before)
          return false;
    }
  return true;
}

bool AlikeDirections::match(ArrayRef<SmallVector<StoreInst *, 4>> Stores) {
  Count = unsigned(Stores.size());
  const size_t Each = Stores.front().size();
  if (any_of(Stores, [&](const auto &Of) { return Of.size() != Each; }))
    return false;
  for (size_t Index = 0; Index != Each; ++Index) {
    Row Alike;
    for (const auto &Of : Stores)
      Alike.push_back(Of[Index]);
    if (!pair(Alike))
      return false;
  }
  for (size_t Next = 0; Next != Order.size(); ++Next) // grows
    for (unsigned Index = 0; Index != Order[Next]->getNumOperands(); ++Index)
      if (!matchOperand(*Order[Next], Index))
        return false;
  return keepsOrder();
}

} // namespace adze

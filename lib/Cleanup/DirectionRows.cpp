// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DirectionRows.h"
#include "adze/AliasScopes.h"
#include "adze/GuardedProduct.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace adze {

constexpr size_t MaxRows = 20000;
/// In operations: of putting a vector together from scalars, or taking it
/// apart.
constexpr uint64_t PriceOfMove = 2;

bool holdsDirections(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return numberedDirection(I).has_value();
  });
}

Instruction *DirectionRow::last() const {
  Instruction *Last = at(0);
  for (Value *V : drop_begin(Each))
    if (auto *I = cast<Instruction>(V); Last->comesBefore(I))
      Last = I;
  return Last;
}

/// Rows of what is stored for all directions, the first store for one beside
/// the first ones for the others.
void DirectionRows::addStores(BasicBlock &B) {
  SmallVector<SmallVector<StoreInst *, 16>, 8> Stores(Count);
  for (Instruction &I : B)
    if (auto *Store = dyn_cast<StoreInst>(&I))
      if (auto Of = numberedDirection(I); Of && Of->Count == Count)
        Stores[Of->Number].push_back(Store);
  const size_t Each = Stores.front().size();
  if (any_of(Stores, [&](const auto &Of) { return Of.size() != Each; }))
    return;
  for (size_t Index = 0; Index != Each; ++Index) {
    SmallVector<Value *, 8> Row;
    for (const auto &Of : Stores)
      Row.push_back(Of[Index]->getValueOperand());
    rowOf(Row);
  }
}

/// A row of what becomes a dual of all directions: a result, an argument.
void DirectionRows::addArray(InsertValueInst &Last) {
  auto *Ty = dyn_cast<ArrayType>(Last.getType());
  if (!Ty || Ty->getNumElements() != Count)
    return;
  SmallVector<Value *, 8> Row(Count, nullptr);
  for (Value *V = &Last; auto *In = dyn_cast<InsertValueInst>(V);
       V = In->getAggregateOperand())
    if (Value *&Of = Row[In->getIndices().front()];
        !Of && In->getNumIndices() == 1)
      Of = In->getInsertedValueOperand();
  if (!is_contained(Row, nullptr))
    rowOf(Row);
}

void DirectionRows::addSeeds(BasicBlock &B) {
  addStores(B);
  for (Instruction &I : B)
    if (auto *In = dyn_cast<InsertValueInst>(&I))
      if (none_of(I.users(),
                  [](const User *U) { return isa<InsertValueInst>(U); }))
        addArray(*In);
}

bool DirectionRows::isOperation(ArrayRef<Value *> Each) const {
  auto *First = dyn_cast<Instruction>(Each.front());
  if (!First || !MayHold(*First->getParent()))
    return false;
  switch (First->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::PHI:
  case Instruction::Select:
    break;
  case Instruction::Call:
    if (isGuardedProduct(*First))
      break;
    return false;
  default:
    return false;
  }
  SmallPtrSet<const Value *, 16> Seen;
  return all_of(Each, [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || I->getParent() != First->getParent() || !Seen.insert(I).second ||
        RowWith.count(I) || !First->isSameOperationAs(I))
      return false;
    if (auto *Choice = dyn_cast<SelectInst>(I))
      return Choice->getCondition() == cast<SelectInst>(First)->getCondition();
    if (auto *Call = dyn_cast<CallInst>(I))
      return Call->getCalledOperand() ==
             cast<CallInst>(First)->getCalledOperand();
    return true;
  });
}

/// The row of these values, made where there is none.
unsigned DirectionRows::rowOf(ArrayRef<Value *> Each) {
  auto &Known = ByFirst[Each.front()];
  for (unsigned Index : Known)
    if (Each.equals(Rows[Index].Each))
      return Index;
  const auto Index = unsigned(Rows.size());
  Known.push_back(Index);
  const bool IsFloat = Each.front()->getType()->isFloatingPointTy();
  const auto Form = all_equal(Each)                ? DirectionRow::Shared
                    : IsFloat && isOperation(Each) ? DirectionRow::Vector
                                                   : DirectionRow::Gathered;
  Rows.push_back({Form, SmallVector<Value *, 8>(Each), {}});
  if (Form == DirectionRow::Vector)
    for (Value *V : Each)
      RowWith[V] = Index;
  return Index;
}

void DirectionRows::addOperands(unsigned Index) {
  const SmallVector<Value *, 8> Each = Rows[Index].Each;
  SmallVector<unsigned, 3> Operands;
  auto add = [&](function_ref<Value *(Instruction *)> Of) {
    SmallVector<Value *, 8> Row;
    for (Value *V : Each)
      Row.push_back(Of(cast<Instruction>(V)));
    Operands.push_back(rowOf(Row));
  };
  auto *First = cast<Instruction>(Each.front());
  if (auto *Phi = dyn_cast<PHINode>(First)) {
    for (BasicBlock *From : Phi->blocks())
      add([From](Instruction *I) {
        return cast<PHINode>(I)->getIncomingValueForBlock(From);
      });
  } else {
    auto *Call = dyn_cast<CallInst>(First);
    const unsigned End = Call ? Call->arg_size() : First->getNumOperands();
    for (unsigned Op = isa<SelectInst>(First) ? 1 : 0; Op != End; ++Op)
      add([Op](Instruction *I) { return I->getOperand(Op); });
  }
  Rows[Index].Operands = std::move(Operands);
}

bool DirectionRows::isReadElsewhere(const Instruction &I) const {
  return any_of(I.users(), [&](const User *U) { return !RowWith.count(U); });
}

/// Some element is read by what is no row before all are computed.
bool DirectionRows::isReadTooEarly(const DirectionRow &Row) const {
  if (Row.isPhi())
    return false;
  const Instruction *Last = Row.last();
  return any_of(Row.Each, [&](const Value *V) {
    return any_of(V->users(), [&](const User *U) {
      auto *Reader = cast<Instruction>(U);
      return !RowWith.count(U) && !isa<PHINode>(U) &&
             Reader->getParent() == Last->getParent() &&
             Reader->comesBefore(Last);
    });
  });
}

void DirectionRows::drop(DirectionRow &Row) {
  Row.Is = DirectionRow::Gathered;
  Row.Operands.clear();
  for (const Value *V : Row.Each)
    RowWith.erase(V);
}

/// What is put together for \p Row is in part an element of another vector, or
/// the result of a terminator, behind which nothing can be put.
bool DirectionRows::readsElements(const DirectionRow &Row) const {
  auto isUnfit = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return RowWith.count(V) || (I && I->isTerminator());
  };
  return any_of(Row.Operands, [&](unsigned Op) {
    return Rows[Op].Is != DirectionRow::Vector &&
           any_of(Rows[Op].Each, isUnfit);
  });
}

/// Until all that is left can stay; all goes where that takes too long.
void DirectionRows::dropMisplaced() {
  constexpr unsigned MaxRounds = 32;
  bool Changed = true;
  for (unsigned Round = 0; Changed; ++Round) {
    Changed = false;
    for (DirectionRow &Row : Rows)
      if (Row.Is == DirectionRow::Vector &&
          (Round == MaxRounds || isReadTooEarly(Row) || readsElements(Row))) {
        drop(Row);
        Changed = true;
      }
  }
}

/// How often the values are computed, roughly.
uint64_t DirectionRows::weightOf(const DirectionRow &Row) const {
  constexpr unsigned MaxDepth = 6;
  unsigned Depth = 0;
  for (const Value *V : Row.Each)
    if (auto *I = dyn_cast<Instruction>(V))
      Depth = std::max(Depth, LI.getLoopDepth(I->getParent()));
  return uint64_t(1) << 3 * std::min(Depth, MaxDepth);
}

/// What hangs together and takes more to put together and to take apart than
/// it saves.
void DirectionRows::dropUnworthy() {
  struct Worth {
    uint64_t Operations = 0, Moves = 0;
    DenseSet<unsigned> Gathered;
  };
  EquivalenceClasses<unsigned> Together;
  auto isVector = [&](unsigned Index) {
    return Rows[Index].Is == DirectionRow::Vector;
  };
  for (auto [Index, Row] : enumerate(Rows))
    if (isVector(unsigned(Index))) {
      Together.insert(unsigned(Index));
      for (unsigned Op : Row.Operands)
        if (isVector(Op))
          Together.unionSets(unsigned(Index), Op);
    }
  MapVector<unsigned, Worth> Of;
  for (auto [Index, Row] : enumerate(Rows)) {
    if (!isVector(unsigned(Index)))
      continue;
    Worth &W = Of[Together.getLeaderValue(unsigned(Index))];
    if (!Row.isPhi())
      W.Operations += weightOf(Row);
    if (any_of(Row.Each, [&](const Value *V) {
          return isReadElsewhere(*cast<Instruction>(V));
        }))
      W.Moves += weightOf(Row);
    for (unsigned Op : Row.Operands)
      if (Rows[Op].Is == DirectionRow::Gathered && !Rows[Op].isConstant() &&
          W.Gathered.insert(Op).second)
        W.Moves += weightOf(Rows[Op]);
  }
  for (auto [Index, Row] : enumerate(Rows))
    if (isVector(unsigned(Index))) {
      const Worth &W = Of[Together.getLeaderValue(unsigned(Index))];
      if (W.Operations <= PriceOfMove * W.Moves)
        drop(Row);
    }
}

bool DirectionRows::find() {
  for (const Instruction &I : instructions(F))
    if (auto Of = numberedDirection(I))
      Count = std::max(Count, Of->Count);
  if (Count < 2)
    return false;
  for (BasicBlock &B : F)
    if (MayHold(B))
      addSeeds(B);
  for (unsigned Next = 0; Next != Rows.size(); ++Next) { // grows
    if (Rows.size() > MaxRows)
      return false;
    if (Rows[Next].Is == DirectionRow::Vector)
      addOperands(Next);
  }
  dropMisplaced();
  dropUnworthy();
  dropMisplaced();
  return any_of(Rows, [](const DirectionRow &Row) {
    return Row.Is == DirectionRow::Vector;
  });
}

} // namespace adze

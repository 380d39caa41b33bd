// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/FloatPuns.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <optional>

using namespace llvm;

namespace adze {

namespace {

/// Bit casts, and variables that are accessed as both.
class Puns {
public:
  explicit Puns(const Function &F) : DL(F.getDataLayout()) {
    for (const Instruction &I : instructions(F))
      visit(I);
    // What is copied from variable to variable is there, too.
    for (unsigned Round = 0; Round < 2; ++Round)
      for (auto [A, B] : Copies) {
        Uses Both = Of[A] | Of[B];
        Of[A] = Of[B] = Both;
      }
  }

  bool any() const {
    return Casts || any_of(Of, [](const auto &Place) {
             return Place.second == (Float | Integer);
           });
  }

private:
  using Place = std::pair<const AllocaInst *, int64_t>;
  using Uses = unsigned;
  enum : Uses { Float = 1, Integer = 2 };

  void visit(const Instruction &I) {
    if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      Casts |= Cast->getSrcTy()->isFloatingPointTy() !=
               Cast->getDestTy()->isFloatingPointTy();
      return;
    }
    if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      std::optional<Place> To = placeOf(Copy->getArgOperand(0));
      std::optional<Place> From = placeOf(Copy->getArgOperand(1));
      if (To && From && isa<ConstantInt>(Copy->getLength()))
        Copies.push_back({*To, *From});
      return;
    }
    if (!isa<LoadInst, StoreInst>(I))
      return;
    const Type *Ty =
        isa<StoreInst>(I) ? I.getOperand(0)->getType() : I.getType();
    std::optional<Place> P = placeOf(getLoadStorePointerOperand(&I));
    if (!P || !(Ty->isFloatingPointTy() || Ty->isIntegerTy()))
      return;
    // (Parts of one word are at one place.)
    P->second &= -int64_t(sizeof(double));
    Of[*P] |= Ty->isIntegerTy() ? Uses(Integer) : Uses(Float);
  }

  /// Of elements that the run knows, the first.
  std::optional<Place> placeOf(const Value *Ptr) const {
    int64_t Offset = 0;
    while (auto *Step = dyn_cast<GEPOperator>(Ptr)) {
      APInt By(DL.getIndexTypeSizeInBits(Step->getType()), 0);
      if (Step->accumulateConstantOffset(DL, By))
        Offset += By.getSExtValue();
      Ptr = Step->getPointerOperand();
    }
    auto *Slot = dyn_cast<AllocaInst>(Ptr);
    return Slot ? std::optional(Place(Slot, Offset)) : std::nullopt;
  }

  const DataLayout &DL;
  bool Casts = false;
  DenseMap<Place, Uses> Of;
  SmallVector<std::pair<Place, Place>, 4> Copies;
};

} // namespace

bool takesFloatsApart(const Function &F) { return Puns(F).any(); }

} // namespace adze

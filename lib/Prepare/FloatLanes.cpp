// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   b = bitcast <2 x double> x to <4 x i32>    b = bitcast x to <2 x i64>
//   m = xor b, <0, 0, 0, sign>                 m = xor b, <0, sign>
//   s = shuffle m, 2 3 0 1                     s = shuffle m, 1 0
//   y = bitcast s to <2 x double>              y = bitcast s to <2 x double>
//
// Code for vector registers says with lanes of any size what it does to bits:
// complex numbers are conjugated and multiplied like this. With a lane for each
// float it is seen what that does to a float.
#include "Prepare/Stages.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetFolder.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

using Builder = IRBuilder<TargetFolder>; // casts of constants are constants

/// Moves integers of vectors as they are, or does something to their bits.
bool movesLanes(const Value *V) {
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  if (!Vector || !Vector->getElementType()->isIntegerTy())
    return false;
  auto *Op = dyn_cast<BinaryOperator>(V);
  return (Op && Op->isBitwiseLogicOp()) || isa<ShuffleVectorInst>(V);
}

/// The size of the lanes of \p Ty that a cast leads to or comes from, or 0.
unsigned laneSize(const Type *Ty) {
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  const bool Holds = Vector && (Vector->getElementType()->isFloatingPointTy() ||
                                Vector->getElementType()->isIntegerTy());
  return Holds ? Vector->getScalarSizeInBits() : 0;
}

/// The largest lanes that values beside \p I are cast from or to.
unsigned lanesAround(const Instruction &I) {
  unsigned Size = 0;
  for (const Value *V : I.operand_values())
    if (auto *Cast = dyn_cast<BitCastInst>(V))
      Size = std::max(Size, laneSize(Cast->getSrcTy()));
  for (const User *U : I.users())
    if (isa<BitCastInst>(U))
      Size = std::max(Size, laneSize(U->getType()));
  return Size;
}

Value *castTo(Builder &B, Value *V, unsigned Size) {
  const unsigned Bits = V->getType()->getPrimitiveSizeInBits();
  while (auto *Cast = dyn_cast<BitCastInst>(V))
    V = Cast->getOperand(0);
  return B.CreateBitCast(V,
                         FixedVectorType::get(B.getIntNTy(Size), Bits / Size));
}

/// What \p I computes, in lanes of \p Size bits; null where they are cut.
Value *inLanes(Builder &B, Instruction &I, unsigned Size) {
  auto fits = [&](const Value *V) {
    return V->getType()->getPrimitiveSizeInBits() % Size == 0;
  };
  const unsigned Old = I.getType()->getScalarSizeInBits();
  if (Size % Old != 0 || !fits(&I) || !fits(I.getOperand(0)))
    return nullptr;
  SmallVector<int, 8> Mask;
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
  if (Shuffle &&
      !widenShuffleMaskElts(int(Size / Old), Shuffle->getShuffleMask(), Mask))
    return nullptr;
  Value *Left = castTo(B, I.getOperand(0), Size);
  Value *Right = castTo(B, I.getOperand(1), Size);
  return Shuffle
             ? B.CreateShuffleVector(Left, Right, Mask)
             : B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), Left, Right);
}

/// Casts of \p Back, a cast of \p New to its lanes before, are casts of that.
void shortenCasts(Value *Back, Value *New) {
  for (User *U : make_early_inc_range(Back->users())) {
    auto *Cast = dyn_cast<BitCastInst>(U);
    if (!Cast)
      continue;
    Cast->setOperand(0, New);
    if (Cast->getType() == New->getType())
      Cast->replaceAllUsesWith(New);
    if (Cast->use_empty())
      Cast->eraseFromParent();
  }
  if (auto *Cast = dyn_cast<BitCastInst>(Back); Cast && Cast->use_empty())
    Cast->eraseFromParent();
}

} // namespace

void joinFloatLanes(Function &F) {
  SmallSetVector<Instruction *, 8> Work;
  for (Instruction &I : instructions(F))
    if (movesLanes(&I))
      Work.insert(&I);
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    const unsigned Size = lanesAround(*I);
    if (Size <= I->getType()->getScalarSizeInBits())
      continue;
    Builder B(F.getContext(), TargetFolder(F.getDataLayout()));
    B.SetInsertPoint(I);
    Value *New = inLanes(B, *I, Size);
    if (!New)
      continue;
    // Operations before and after it see their neighbour's lanes now.
    for (Value *V : I->operand_values())
      if (movesLanes(V))
        Work.insert(cast<Instruction>(V));
    for (User *U : I->users())
      if (movesLanes(U))
        Work.insert(cast<Instruction>(U));
    Value *Back = B.CreateBitCast(New, I->getType());
    I->replaceAllUsesWith(Back);
    I->eraseFromParent();
    shortenCasts(Back, New);
  }
}

} // namespace adze

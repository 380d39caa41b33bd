// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shuffles of both kinds of GPU in the words of adze/LaneShuffles.h. Both move
// 32 bits; a number of 64 is moved as two halves in the same way,
//
//   low  = trunc x                    y = shuffle x
//   high = trunc (lshr x, 32)         trunc y
//   shuffle low; shuffle high         trunc (lshr y, 32)
//
// which is one exchange of it.
#include "Prepare/Stages.h"
#include "adze/DeviceTarget.h"
#include "adze/LaneShuffles.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

std::optional<shuffles::Kind> kindOf(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
    return shuffles::Down;
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
    return shuffles::Up;
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
    return shuffles::Xor;
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
    return shuffles::Index;
  case Intrinsic::amdgcn_ds_bpermute:
    return shuffles::Permute;
  default:
    return std::nullopt;
  }
}

/// Its operands, as they are by now: kind, mask, b, c.
SmallVector<Value *, 4> howOf(const IntrinsicInst &I) {
  LLVMContext &C = I.getContext();
  auto number = [&](unsigned N) -> Value * {
    return ConstantInt::get(Type::getInt32Ty(C), N);
  };
  const std::optional<shuffles::Kind> Kind = kindOf(I.getIntrinsicID());
  if (!Kind)
    return {};
  if (*Kind == shuffles::Permute)
    return {number(*Kind), number(0), I.getArgOperand(0), number(0)};
  return {number(*Kind), I.getArgOperand(0), I.getArgOperand(2),
          I.getArgOperand(3)};
}

/// What is moved; of both targets.
Value *movedBy(const IntrinsicInst &I) { return I.getArgOperand(1); }

/// As a float, where \p X is the bits of one.
Value *asNumber(Value *X) {
  Value *Float = nullptr;
  return match(X, m_BitCast(m_Value(Float))) &&
                 (Float->getType()->isFloatTy() ||
                  Float->getType()->isDoubleTy())
             ? Float
             : X;
}

Value *emit(IRBuilder<> &B, Value *X, ArrayRef<Value *> How) {
  Value *Number = asNumber(X);
  SmallVector<Value *, 5> Args{Number};
  append_range(Args, How);
  Module &M = *B.GetInsertBlock()->getModule();
  Value *Y = B.CreateCall(shuffles::function(M, Number->getType()), Args);
  return B.CreateBitCast(Y, X->getType());
}

void replace(IntrinsicInst &I, Value *By) {
  I.replaceAllUsesWith(By);
  I.eraseFromParent();
}

/// The number of which \p X is a half, and whether that is the high one.
std::pair<Value *, bool> halfOf(Value *X) {
  Value *Of = nullptr;
  if (match(X, m_Trunc(m_LShr(m_Value(Of), m_SpecificInt(32)))) &&
      Of->getType()->isIntegerTy(64))
    return {Of, true};
  if (match(X, m_Trunc(m_Value(Of))) && Of->getType()->isIntegerTy(64))
    return {Of, false};
  return {nullptr, false};
}

/// The other half of what \p I moves, moved in the same way further down in its
/// block.
IntrinsicInst *otherHalf(IntrinsicInst &I) {
  auto [Of, IsHigh] = halfOf(movedBy(I));
  if (!Of)
    return nullptr;
  const auto How = howOf(I);
  for (Instruction *Next = I.getNextNode(); Next; Next = Next->getNextNode()) {
    auto *Other = dyn_cast<IntrinsicInst>(Next);
    if (Other && kindOf(Other->getIntrinsicID()) && howOf(*Other) == How &&
        halfOf(movedBy(*Other)) == std::pair(Of, !IsHigh))
      return Other;
  }
  return nullptr;
}

void lower(IntrinsicInst &I, IntrinsicInst *Other) {
  IRBuilder<> B(&I);
  if (!Other)
    return replace(I, emit(B, movedBy(I), howOf(I)));
  auto [Of, IsHigh] = halfOf(movedBy(I));
  Value *Y = emit(B, Of, howOf(I));
  Value *Low = B.CreateTrunc(Y, B.getInt32Ty());
  Value *High = B.CreateTrunc(B.CreateLShr(Y, 32), B.getInt32Ty());
  replace(I, IsHigh ? High : Low);
  replace(*Other, IsHigh ? Low : High);
}

} // namespace

static SmallSetVector<IntrinsicInst *, 16> exchangesIn(Function &F) {
  SmallSetVector<IntrinsicInst *, 16> Exchanges;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && kindOf(Call->getIntrinsicID()))
      Exchanges.insert(Call);
  return Exchanges;
}

void lowerShuffles(Function &F, FunctionAnalysisManager &FAM) {
  if (!isDevice(*F.getParent()) || exchangesIn(F).empty())
    return;
  // Without optimization, halves stand in numbers that have half of the result
  // already, and are moved by equal operands that are several values.
  FunctionPassManager Passes;
  Passes.addPass(InstCombinePass());
  Passes.addPass(EarlyCSEPass());
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, Passes.run(F, FAM));
  SmallSetVector<IntrinsicInst *, 16> Exchanges = exchangesIn(F);
  while (!Exchanges.empty()) {
    IntrinsicInst *I = Exchanges.front();
    IntrinsicInst *Other = otherHalf(*I);
    Exchanges.remove(I);
    if (Other)
      Exchanges.remove(Other);
    lower(*I, Other);
  }
}

} // namespace adze

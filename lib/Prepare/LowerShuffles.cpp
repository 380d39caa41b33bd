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

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include <array>
#include <map>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

struct Exchange {
  IntrinsicInst *I;
  Value *X;
  SmallVector<Value *, 4> How; // kind, mask, b, c
};

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

std::optional<Exchange> exchangeOf(Instruction &Inst) {
  auto *I = dyn_cast<IntrinsicInst>(&Inst);
  const auto Kind = I ? kindOf(I->getIntrinsicID()) : std::nullopt;
  if (!Kind)
    return std::nullopt;
  IRBuilder<> B(I);
  Value *Number = B.getInt32(*Kind);
  if (*Kind == shuffles::Permute)
    return Exchange{
        I,
        I->getArgOperand(1),
        {Number, B.getInt32(0), I->getArgOperand(0), B.getInt32(0)}};
  return Exchange{
      I,
      I->getArgOperand(1),
      {Number, I->getArgOperand(0), I->getArgOperand(2), I->getArgOperand(3)}};
}

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

void replace(Exchange &E, Value *By) {
  E.I->replaceAllUsesWith(By);
  E.I->eraseFromParent();
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

/// Both halves of one number are moved in one way, in one block.
void joinHalves(std::vector<Exchange> &Exchanges) {
  using Key = std::pair<std::pair<Value *, BasicBlock *>, std::vector<Value *>>;
  std::map<Key, std::array<size_t, 2>> Halves;
  std::vector<bool> Gone(Exchanges.size());
  for (size_t K = 0; K < Exchanges.size(); ++K) {
    Exchange &E = Exchanges[K];
    auto [Of, IsHigh] = halfOf(E.X);
    if (!Of)
      continue;
    auto &Found =
        Halves[{{Of, E.I->getParent()}, {E.How.begin(), E.How.end()}}];
    Found[IsHigh] = K + 1;
    if (!Found[0] || !Found[1])
      continue;
    Exchange &Low = Exchanges[Found[0] - 1], &High = Exchanges[Found[1] - 1];
    // All operands are there already where the first one stands.
    Exchange &First = Low.I->comesBefore(High.I) ? Low : High;
    IRBuilder<> B(First.I);
    Value *Y = emit(B, Of, First.How);
    replace(Low, B.CreateTrunc(Y, B.getInt32Ty()));
    replace(High, B.CreateTrunc(B.CreateLShr(Y, 32), B.getInt32Ty()));
    Gone[Found[0] - 1] = Gone[Found[1] - 1] = true;
    Found = {0, 0};
  }
  size_t K = 0;
  llvm::erase_if(Exchanges, [&](const Exchange &) { return Gone[K++]; });
}

} // namespace

void lowerShuffles(Function &F) {
  if (!isDevice(*F.getParent()))
    return;
  std::vector<Exchange> Exchanges;
  for (Instruction &I : instructions(F))
    if (std::optional<Exchange> E = exchangeOf(I))
      Exchanges.push_back(std::move(*E));
  joinHalves(Exchanges);
  for (Exchange &E : Exchanges) {
    IRBuilder<> B(E.I);
    replace(E, emit(B, E.X, E.How));
  }
}

} // namespace adze

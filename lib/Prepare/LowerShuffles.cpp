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
  case Intrinsic::amdgcn_ds_permute:
    return shuffles::Push;
  case Intrinsic::amdgcn_readlane:
    return shuffles::Lane;
  case Intrinsic::amdgcn_readfirstlane:
    return shuffles::First;
  case Intrinsic::amdgcn_ds_swizzle:
    return shuffles::Swizzle;
  case Intrinsic::amdgcn_update_dpp:
  case Intrinsic::amdgcn_mov_dpp:
    return shuffles::Dpp;
  default:
    return std::nullopt;
  }
}

/// Which lanes read by a control of DPP, and what lanes have that do not.
struct DppWords {
  unsigned Control, Masks; // of rows, and of banks
  bool ZeroBeyond;         // the end of a row
  Value *Old;              // null: anything
};

DppWords dppOf(const IntrinsicInst &I) {
  const unsigned First = I.getIntrinsicID() == Intrinsic::amdgcn_update_dpp;
  auto number = [&](unsigned K) {
    return unsigned(
        cast<ConstantInt>(I.getArgOperand(First + K))->getZExtValue());
  };
  Value *Old = First ? I.getArgOperand(0) : nullptr;
  return {number(1), (number(2) & 15) | (number(3) & 15) << 4, number(4) != 0,
          Old && !isa<UndefValue>(Old) ? Old : nullptr};
}

/// Those of GFX9, and what later ones have in their place (AMDGPUUsage, DPP).
bool isKnownDpp(unsigned Control) {
  constexpr unsigned Others[] = {0x130, 0x134, 0x138, 0x13c,
                                 0x140, 0x141, 0x142, 0x143};
  const unsigned Row = Control >> 4;
  return Row < 0x10 || (Row <= 0x12 && (Control & 15) != 0) || Row == 0x15 ||
         Row == 0x16 || is_contained(Others, Control);
}

bool isExchange(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  const auto Kind = Call ? kindOf(Call->getIntrinsicID()) : std::nullopt;
  const unsigned Bits = I.getType()->getPrimitiveSizeInBits();
  return Kind && (Bits == 32 || Bits == 64) && !I.getType()->isVectorTy() &&
         (Kind != shuffles::Dpp || isKnownDpp(dppOf(*Call).Control));
}

/// Its operands, as they are by now: kind, mask, b, c.
SmallVector<Value *, 4> howOf(const IntrinsicInst &I) {
  LLVMContext &C = I.getContext();
  auto number = [&](unsigned N) -> Value * {
    return ConstantInt::get(Type::getInt32Ty(C), N);
  };
  const std::optional<shuffles::Kind> Exchange = kindOf(I.getIntrinsicID());
  if (!Exchange || !isExchange(I))
    return {};
  const shuffles::Kind Kind = *Exchange;
  switch (Kind) {
  case shuffles::Permute:
  case shuffles::Push:
    return {number(Kind), number(0), I.getArgOperand(0), number(0)};
  case shuffles::Lane:
  case shuffles::Swizzle:
    return {number(Kind), number(0), I.getArgOperand(1), number(0)};
  case shuffles::First:
    return {number(Kind), number(0), number(0), number(0)};
  case shuffles::Dpp: {
    const DppWords Words = dppOf(I);
    return {number(Kind), number(Words.Old && Words.ZeroBeyond),
            number(Words.Control), number(Words.Masks)};
  }
  default:
    return {number(Kind), I.getArgOperand(0), I.getArgOperand(2),
            I.getArgOperand(3)};
  }
}

/// What is moved.
Value *movedBy(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::amdgcn_readlane:
  case Intrinsic::amdgcn_readfirstlane:
  case Intrinsic::amdgcn_ds_swizzle:
  case Intrinsic::amdgcn_mov_dpp:
    return I.getArgOperand(0);
  default:
    return I.getArgOperand(1);
  }
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

/// Lanes that do not read have zero of an exchange by DPP; here they get the
/// old value.
Value *keepOld(IRBuilder<> &B, Value *Y, Value *Old, const IntrinsicInst &I) {
  if (!Old || match(Old, m_Zero()))
    return Y;
  constexpr unsigned Itself = 0xe4, All = 0xff; // the control of quads
  DppWords Words = dppOf(I);
  if (Words.ZeroBeyond)
    Words.Control = Itself;
  if (Words.Masks == All && Words.Control < 0x100)
    return Y;
  SmallVector<Value *, 4> How = howOf(I);
  How[2] = B.getInt32(Words.Control);
  Value *Reads = B.CreateICmpNE(emit(B, B.getInt32(1), How), B.getInt32(0));
  // Floats are chosen from as floats.
  Value *Number = asNumber(Y);
  Value *OldNumber = B.CreateBitCast(asNumber(Old), Number->getType());
  return B.CreateBitCast(B.CreateSelect(Reads, Number, OldNumber),
                         Y->getType());
}

Value *oldOf(const IntrinsicInst &I) {
  return kindOf(I.getIntrinsicID()) == shuffles::Dpp ? dppOf(I).Old : nullptr;
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

/// Two halves as one number; null where they are of none.
Value *joinHalves(Value *Low, Value *High) {
  auto [OfLow, LowIsHigh] = halfOf(Low);
  auto [OfHigh, HighIsHigh] = halfOf(High);
  if (OfLow && OfLow == OfHigh && !LowIsHigh && HighIsHigh)
    return OfLow;
  auto *L = dyn_cast<ConstantInt>(Low), *H = dyn_cast<ConstantInt>(High);
  return L && H ? ConstantInt::get(Type::getInt64Ty(L->getContext()),
                                   H->getZExtValue() << 32 | L->getZExtValue())
                : nullptr;
}

/// Halves of numbers that come together are those of the numbers that do.
bool joinPhis(PHINode &Low, PHINode &High) {
  SmallVector<Value *, 4> Numbers;
  for (const BasicBlock *From : Low.blocks())
    if (Value *Number = joinHalves(Low.getIncomingValueForBlock(From),
                                   High.getIncomingValueForBlock(From)))
      Numbers.push_back(Number);
    else
      return false;
  IRBuilder<> B(&Low);
  PHINode *Both = B.CreatePHI(B.getInt64Ty(), Numbers.size());
  for (auto [Number, From] : zip(Numbers, Low.blocks()))
    Both->addIncoming(Number, From);
  BasicBlock *Block = Low.getParent();
  B.SetInsertPoint(Block, Block->getFirstInsertionPt());
  Low.replaceAllUsesWith(B.CreateTrunc(Both, Low.getType()));
  High.replaceAllUsesWith(
      B.CreateTrunc(B.CreateLShr(Both, 32), High.getType()));
  Low.eraseFromParent();
  High.eraseFromParent();
  return true;
}

/// What lanes keep that do not read: null of both, or of neither.
Value *joinOld(const IntrinsicInst &Low, const IntrinsicInst &High) {
  Value *OfLow = oldOf(Low), *OfHigh = oldOf(High);
  return OfLow && OfHigh ? joinHalves(OfLow, OfHigh) : nullptr;
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
    if (Other && isExchange(*Other) && howOf(*Other) == How &&
        halfOf(movedBy(*Other)) == std::pair(Of, !IsHigh))
      return !oldOf(I) == !oldOf(*Other) &&
                     (!oldOf(I) ||
                      joinOld(IsHigh ? *Other : I, IsHigh ? I : *Other))
                 ? Other
                 : nullptr;
  }
  return nullptr;
}

void lower(IntrinsicInst &I, IntrinsicInst *Other) {
  IRBuilder<> B(&I);
  if (!Other)
    return replace(I, keepOld(B, emit(B, movedBy(I), howOf(I)), oldOf(I), I));
  auto [Of, IsHigh] = halfOf(movedBy(I));
  IntrinsicInst &Low = IsHigh ? *Other : I, &High = IsHigh ? I : *Other;
  Value *Y = keepOld(B, emit(B, Of, howOf(I)), joinOld(Low, High), I);
  Value *Words[] = {B.CreateTrunc(Y, B.getInt32Ty()),
                    B.CreateTrunc(B.CreateLShr(Y, 32), B.getInt32Ty())};
  replace(Low, Words[0]);
  replace(High, Words[1]);
}

} // namespace

static SmallSetVector<IntrinsicInst *, 16> exchangesIn(Function &F) {
  SmallSetVector<IntrinsicInst *, 16> Exchanges;
  for (Instruction &I : instructions(F))
    if (isExchange(I))
      Exchanges.insert(cast<IntrinsicInst>(&I));
  return Exchanges;
}

/// Where each half that is moved is a phi.
static void joinMovedPhis(ArrayRef<IntrinsicInst *> Exchanges) {
  for (IntrinsicInst *I : Exchanges) {
    auto *Low = dyn_cast<PHINode>(movedBy(*I));
    const auto How = howOf(*I);
    for (IntrinsicInst *Other : Exchanges) {
      auto *High = dyn_cast<PHINode>(movedBy(*Other));
      if (Low && High && Low->getType()->isIntegerTy(32) && Low != High &&
          Low->getParent() == High->getParent() && howOf(*Other) == How &&
          joinPhis(*Low, *High))
        break;
    }
  }
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
  joinMovedPhis(Exchanges.getArrayRef());
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

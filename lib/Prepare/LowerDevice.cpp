// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics of NVPTX and AMDGPU, and functions of libdevice, that LLVM has
// plainer words for: moves of bits, loads, casts of addresses, divisions in
// pieces. Rules and analyses know those. Semantics: PTX ISA; LLVM's
// AMDGPUUsage.
#include "Prepare/Stages.h"
#include "adze/DeviceTarget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

/// What \p Call is in other words; null where it stays.
using Lowering = Value *(*)(IRBuilderBase &, CallInst &);

Value *itself(IRBuilderBase &, CallInst &Call) { return Call.getArgOperand(0); }

// ---- Bits
// --------------------------------------------------------------------

Value *bits(IRBuilderBase &B, CallInst &Call) {
  return B.CreateBitCast(Call.getArgOperand(0), Call.getType());
}

template <unsigned Shift>
Value *halfOfDouble(IRBuilderBase &B, CallInst &Call) {
  Value *Whole = B.CreateBitCast(Call.getArgOperand(0), B.getInt64Ty());
  return B.CreateTrunc(Shift ? B.CreateLShr(Whole, Shift) : Whole,
                       Call.getType());
}

/// Operand \p High is the upper half, the other one the lower.
template <unsigned High>
Value *doubleOfHalves(IRBuilderBase &B, CallInst &Call) {
  Type *Wide = B.getInt64Ty();
  Value *Upper = B.CreateZExt(Call.getArgOperand(High), Wide);
  Value *Lower = B.CreateZExt(Call.getArgOperand(1 - High), Wide);
  return B.CreateBitCast(B.CreateOr(B.CreateShl(Upper, 32), Lower),
                         Call.getType());
}

Value *swapHalves(IRBuilderBase &B, CallInst &Call) {
  Value *X = Call.getArgOperand(0);
  return B.CreateIntrinsic(Intrinsic::fshl, {X->getType()},
                           {X, X, ConstantInt::get(X->getType(), 32)});
}

template <Intrinsic::ID Funnel>
Value *rotate(IRBuilderBase &B, CallInst &Call) {
  Value *X = Call.getArgOperand(0);
  Value *By = B.CreateZExt(Call.getArgOperand(1), X->getType());
  return B.CreateIntrinsic(Funnel, {X->getType()}, {X, X, By});
}

/// Bytes of two words, by a constant: four bits for each that are no
/// repetition of a sign.
Value *permuteBytes(IRBuilderBase &B, CallInst &Call) {
  auto *Selector = dyn_cast<ConstantInt>(Call.getArgOperand(2));
  if (!Selector || (Selector->getZExtValue() & 0x8888) != 0)
    return nullptr;
  Type *Word = Call.getType();
  auto source = [&](unsigned K) {
    return unsigned(Selector->getZExtValue() >> (4 * K)) & 7;
  };
  Value *Result = ConstantInt::get(Word, 0);
  for (unsigned First = 0, End; First != 4; First = End) {
    // Neighbours that stay neighbours move together.
    const unsigned From = source(First);
    for (End = First + 1; End != 4 && source(End) == From + (End - First) &&
                          source(End) / 4 == From / 4;)
      ++End;
    Value *X = Call.getArgOperand(From / 4);
    if (unsigned By = 8 * (From % 4))
      X = B.CreateLShr(X, By);
    const unsigned Width = 8 * (End - First);
    if (Width != 32)
      X = B.CreateAnd(
          X, ConstantInt::get(Word, maskTrailingOnes<uint32_t>(Width)));
    if (First != 0)
      X = B.CreateShl(X, 8 * First);
    Result = B.CreateOr(Result, X);
  }
  return Result;
}

// ---- Conversions
// -------------------------------------------------------------

Value *toHalfBits(IRBuilderBase &B, CallInst &Call) {
  return B.CreateBitCast(B.CreateFPTrunc(Call.getArgOperand(0), B.getHalfTy()),
                         Call.getType());
}

Value *ofHalfBits(IRBuilderBase &B, CallInst &Call) {
  return B.CreateFPExt(B.CreateBitCast(Call.getArgOperand(0), B.getHalfTy()),
                       Call.getType());
}

// (bfloat has a wider range than half, half is more precise)
Value *bfloatToHalfBits(IRBuilderBase &B, CallInst &Call) {
  Value *Wide = B.CreateFPExt(Call.getArgOperand(0), B.getFloatTy());
  return B.CreateBitCast(B.CreateFPTrunc(Wide, B.getHalfTy()), Call.getType());
}

Value *atLeastZero(IRBuilderBase &B, Value *X) {
  return B.CreateBinaryIntrinsic(Intrinsic::maximum, X,
                                 Constant::getNullValue(X->getType()));
}

template <Intrinsic::ID Convert>
Value *convertPositive(IRBuilderBase &B, CallInst &Call) {
  return B.CreateIntrinsic(Convert, {},
                           {atLeastZero(B, Call.getArgOperand(0))});
}

/// Two floats as a vector of narrow ones, operand \p First the first of it.
template <unsigned First, bool Positive = false>
Value *pack(IRBuilderBase &B, CallInst &Call) {
  Value *Result = PoisonValue::get(Call.getType());
  for (unsigned K : {0U, 1U}) {
    Value *X = Call.getArgOperand(K == 0 ? First : 1 - First);
    if (Positive)
      X = atLeastZero(B, X);
    X = B.CreateFPTrunc(X, Call.getType()->getScalarType());
    Result = B.CreateInsertElement(Result, X, K);
  }
  return Result;
}

// ---- Integers
// -----------------------------------------------------------------

template <Intrinsic::ID Same>
Value *intrinsic(IRBuilderBase &B, CallInst &Call) {
  return B.CreateIntrinsic(Same, {Call.getType()},
                           SmallVector<Value *, 2>(Call.args()));
}

Value *magnitude(IRBuilderBase &B, CallInst &Call) {
  return B.CreateBinaryIntrinsic(Intrinsic::abs, Call.getArgOperand(0),
                                 B.getFalse());
}

/// The upper half of a product.
template <bool Signed> Value *upperProduct(IRBuilderBase &B, CallInst &Call) {
  const unsigned Bits = Call.getType()->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(2 * Bits);
  auto widen = [&](unsigned K) {
    return B.CreateIntCast(Call.getArgOperand(K), Wide, Signed);
  };
  return B.CreateTrunc(B.CreateLShr(B.CreateMul(widen(0), widen(1)), Bits),
                       Call.getType());
}

// ---- Memory and addresses
// ----------------------------------------------------

Value *load(IRBuilderBase &B, CallInst &Call) {
  auto *Bytes = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  return B.CreateAlignedLoad(Call.getType(), Call.getArgOperand(0),
                             Align(Bytes ? Bytes->getZExtValue() : 1));
}

// Nobody writes there as long as the kernel runs.
Value *loadConstant(IRBuilderBase &B, CallInst &Call) {
  auto *Load = cast<LoadInst>(load(B, Call));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(Call.getContext(), {}));
  return Load;
}

Value *castAddress(IRBuilderBase &B, CallInst &Call) {
  return B.CreateAddrSpaceCast(Call.getArgOperand(0), Call.getType());
}

// ---- Atomic operations
// -----------------------------------------------------------

// Those of a block are of the device then, which holds as well. (Those of the
// system stay: there is no other word for them.)
template <AtomicRMWInst::BinOp Op>
Value *change(IRBuilderBase &B, CallInst &Call) {
  Type *Ty = Call.getType();
  const bool OnFloats = Op == AtomicRMWInst::FAdd ||
                        Op == AtomicRMWInst::FMax || Op == AtomicRMWInst::FMin;
  if (OnFloats ? !Ty->isFloatTy() && !Ty->isDoubleTy() : !Ty->isIntegerTy())
    return nullptr;
  return B.CreateAtomicRMW(Op, Call.getArgOperand(0), Call.getArgOperand(1),
                           MaybeAlign(), AtomicOrdering::Monotonic);
}

Value *exchangeIfEqual(IRBuilderBase &B, CallInst &Call) {
  constexpr auto Order = AtomicOrdering::Monotonic;
  Value *Pair =
      B.CreateAtomicCmpXchg(Call.getArgOperand(0), Call.getArgOperand(1),
                            Call.getArgOperand(2), MaybeAlign(), Order, Order);
  return B.CreateExtractValue(Pair, 0);
}

// ---- Division in pieces
// ------------------------------------------------------

// (quotient without corrections, denominator, numerator): the quotient
Value *quotient(IRBuilderBase &B, CallInst &Call) {
  return B.CreateFDiv(Call.getArgOperand(2), Call.getArgOperand(1));
}

const DenseMap<unsigned, Lowering> &intrinsics() {
  static const auto &Table = *new DenseMap<unsigned, Lowering>{
      {Intrinsic::nvvm_bitcast_d2ll, bits},
      {Intrinsic::nvvm_bitcast_f2i, bits},
      {Intrinsic::nvvm_bitcast_i2f, bits},
      {Intrinsic::nvvm_bitcast_ll2d, bits},
      {Intrinsic::nvvm_d2i_hi, halfOfDouble<32>},
      {Intrinsic::nvvm_d2i_lo, halfOfDouble<0>},
      {Intrinsic::nvvm_lohi_i2d, doubleOfHalves<1>},
      {Intrinsic::nvvm_swap_lo_hi_b64, swapHalves},
      {Intrinsic::nvvm_rotate_b32, rotate<Intrinsic::fshl>},
      {Intrinsic::nvvm_rotate_b64, rotate<Intrinsic::fshl>},
      {Intrinsic::nvvm_rotate_right_b64, rotate<Intrinsic::fshr>},
      {Intrinsic::nvvm_prmt, permuteBytes},
      {Intrinsic::nvvm_move_i16, itself},
      {Intrinsic::nvvm_move_i32, itself},
      {Intrinsic::nvvm_move_i64, itself},
      {Intrinsic::nvvm_move_ptr, itself},
      {Intrinsic::nvvm_f2h_rn, toHalfBits},
      {Intrinsic::nvvm_f2h_rn_ftz, toHalfBits},
      {Intrinsic::nvvm_bf2h_rn, bfloatToHalfBits},
      {Intrinsic::nvvm_bf2h_rn_ftz, bfloatToHalfBits},
      {Intrinsic::convert_to_fp16, toHalfBits},
      {Intrinsic::convert_from_fp16, ofHalfBits},
      {Intrinsic::nvvm_f2bf16_rn_relu,
       convertPositive<Intrinsic::nvvm_f2bf16_rn>},
      {Intrinsic::nvvm_f2bf16_rz_relu,
       convertPositive<Intrinsic::nvvm_f2bf16_rz>},
      {Intrinsic::nvvm_ff2bf16x2_rn, pack<1>},
      {Intrinsic::nvvm_ff2bf16x2_rn_relu, pack<1, true>},
      {Intrinsic::nvvm_ff2f16x2_rn, pack<1>},
      {Intrinsic::nvvm_ff2f16x2_rn_relu, pack<1, true>},
      {Intrinsic::nvvm_ldg_global_f, loadConstant},
      {Intrinsic::nvvm_ldg_global_i, loadConstant},
      {Intrinsic::nvvm_ldg_global_p, loadConstant},
      {Intrinsic::nvvm_ldu_global_f, load},
      {Intrinsic::nvvm_ldu_global_i, load},
      {Intrinsic::nvvm_ldu_global_p, load},
      {Intrinsic::nvvm_ptr_constant_to_gen, castAddress},
      {Intrinsic::nvvm_ptr_gen_to_constant, castAddress},
      {Intrinsic::nvvm_ptr_gen_to_global, castAddress},
      {Intrinsic::nvvm_ptr_gen_to_local, castAddress},
      {Intrinsic::nvvm_ptr_gen_to_shared, castAddress},
      {Intrinsic::nvvm_ptr_global_to_gen, castAddress},
      {Intrinsic::nvvm_ptr_local_to_gen, castAddress},
      {Intrinsic::nvvm_ptr_shared_to_gen, castAddress},
      {Intrinsic::amdgcn_addrspacecast_nonnull, castAddress},
      {Intrinsic::nvvm_atomic_add_gen_f_cta, change<AtomicRMWInst::FAdd>},
      {Intrinsic::nvvm_atomic_add_gen_i_cta, change<AtomicRMWInst::Add>},
      {Intrinsic::nvvm_atomic_exch_gen_i_cta, change<AtomicRMWInst::Xchg>},
      {Intrinsic::nvvm_atomic_cas_gen_i_cta, exchangeIfEqual},
      {Intrinsic::amdgcn_flat_atomic_fadd, change<AtomicRMWInst::FAdd>},
      {Intrinsic::amdgcn_flat_atomic_fmax, change<AtomicRMWInst::FMax>},
      {Intrinsic::amdgcn_flat_atomic_fmin, change<AtomicRMWInst::FMin>},
      {Intrinsic::amdgcn_global_atomic_fadd, change<AtomicRMWInst::FAdd>},
      {Intrinsic::amdgcn_global_atomic_fmax, change<AtomicRMWInst::FMax>},
      {Intrinsic::amdgcn_global_atomic_fmin, change<AtomicRMWInst::FMin>},
      {Intrinsic::amdgcn_cvt_pkrtz, pack<0>},
      {Intrinsic::amdgcn_div_fixup, quotient}};
  return Table;
}

const StringMap<Lowering> &functions() {
  static const auto &Table = *new StringMap<Lowering>{
      {"__nv_double2hiint", halfOfDouble<32>},
      {"__nv_double2loint", halfOfDouble<0>},
      {"__nv_hiloint2double", doubleOfHalves<0>},
      {"__nv_double_as_longlong", bits},
      {"__nv_longlong_as_double", bits},
      {"__nv_float_as_int", bits},
      {"__nv_float_as_uint", bits},
      {"__nv_int_as_float", bits},
      {"__nv_uint_as_float", bits},
      {"__nv_half2float", ofHalfBits},
      {"__nv_float2half_rn", toHalfBits},
      {"__nv_min", intrinsic<Intrinsic::smin>},
      {"__nv_llmin", intrinsic<Intrinsic::smin>},
      {"__nv_umin", intrinsic<Intrinsic::umin>},
      {"__nv_ullmin", intrinsic<Intrinsic::umin>},
      {"__nv_max", intrinsic<Intrinsic::smax>},
      {"__nv_llmax", intrinsic<Intrinsic::smax>},
      {"__nv_umax", intrinsic<Intrinsic::umax>},
      {"__nv_ullmax", intrinsic<Intrinsic::umax>},
      {"__nv_abs", magnitude},
      {"__nv_llabs", magnitude},
      {"__nv_brev", intrinsic<Intrinsic::bitreverse>},
      {"__nv_brevll", intrinsic<Intrinsic::bitreverse>},
      {"__nv_mulhi", upperProduct<true>},
      {"__nv_mul64hi", upperProduct<true>},
      {"__nv_umulhi", upperProduct<false>},
      {"__nv_umul64hi", upperProduct<false>},
      {"__nv_byte_perm", permuteBytes}};
  return Table;
}

Lowering loweringOf(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return nullptr;
  if (Callee->isIntrinsic())
    return intrinsics().lookup(Callee->getIntrinsicID());
  return functions().lookup(Callee->getName());
}

/// CUDA's headers hold a half as an integer. What is read as one, and taken for
/// floats, is read as those: sums of adjoints in memory are of floats.
void loadFloats(LoadInst &Load) {
  if (!Load.getType()->isIntegerTy() || !Load.isSimple())
    return;
  auto Taken = find_if(Load.users(), [](const User *U) {
    return isa<BitCastInst>(U) && U->getType()->isFPOrFPVectorTy();
  });
  if (Taken == Load.user_end())
    return;
  IRBuilder<> B(&Load);
  LoadInst *Floats = B.CreateAlignedLoad(
      (*Taken)->getType(), Load.getPointerOperand(), Load.getAlign());
  copyMetadataForLoad(*Floats, Load);
  for (User *U : make_early_inc_range(Load.users()))
    if (isa<BitCastInst>(U) && U->getType() == Floats->getType()) {
      U->replaceAllUsesWith(Floats);
      cast<Instruction>(U)->eraseFromParent();
    }
  if (!Load.use_empty())
    Load.replaceAllUsesWith(B.CreateBitCast(Floats, Load.getType()));
  Load.eraseFromParent();
}

void storeFloats(StoreInst &Store) {
  auto *Bits = dyn_cast<BitCastInst>(Store.getValueOperand());
  if (Bits && Bits->getType()->isIntegerTy() &&
      Bits->getSrcTy()->isFPOrFPVectorTy() && Store.isSimple())
    Store.setOperand(0, Bits->getOperand(0));
}

} // namespace

bool isLoweredOnDevice(unsigned ID) { return intrinsics().contains(ID); }
bool isLoweredOnDevice(StringRef Name) { return functions().contains(Name); }

void lowerDevice(Function &F) {
  if (!isDevice(*F.getParent()))
    return;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    Lowering Lower = Call ? loweringOf(*Call) : nullptr;
    if (!Lower)
      continue;
    IRBuilder<> B(Call);
    Value *Same = Lower(B, *Call);
    if (!Same)
      continue;
    Call->replaceAllUsesWith(Same);
    Call->eraseFromParent();
  }
  SmallVector<LoadInst *, 16> Loads;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Loads.push_back(Load);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      storeFloats(*Store);
  for (LoadInst *Load : Loads)
    loadFloats(*Load);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/X86Lanes.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <numeric>

using namespace llvm;

namespace adze {

unsigned lanes(const Value *V) {
  return cast<FixedVectorType>(V->getType())->getNumElements();
}

unsigned lanesInBlock(const Value *V) {
  return 128 / V->getType()->getScalarSizeInBits();
}

uint64_t immediate(const IntrinsicInst &I, unsigned K) {
  auto *C = dyn_cast<ConstantInt>(I.getArgOperand(K));
  return C ? C->getZExtValue() : 0;
}

bool isDefaultRounding(const Value *Operand) {
  constexpr uint64_t Current = 4, NearestQuietly = 8;
  auto *C = dyn_cast<ConstantInt>(Operand);
  return C &&
         (C->getZExtValue() == Current || C->getZExtValue() == NearestQuietly);
}

Intrinsic::ID rounding(uint64_t Imm) {
  constexpr uint64_t AsTheMachine = 4, Quietly = 8;
  if (Imm & AsTheMachine)
    return Imm & Quietly ? Intrinsic::nearbyint : Intrinsic::rint;
  static const Intrinsic::ID Fixed[] = {Intrinsic::roundeven, Intrinsic::floor,
                                        Intrinsic::ceil, Intrinsic::trunc};
  return Fixed[Imm & 3];
}

CmpInst::Predicate predicate(uint64_t Imm) {
  // The upper half differs in which comparisons signal.
  static const CmpInst::Predicate Table[] = {
      CmpInst::FCMP_OEQ, CmpInst::FCMP_OLT, CmpInst::FCMP_OLE,
      CmpInst::FCMP_UNO, CmpInst::FCMP_UNE, CmpInst::FCMP_UGE,
      CmpInst::FCMP_UGT, CmpInst::FCMP_ORD, CmpInst::FCMP_UEQ,
      CmpInst::FCMP_ULT, CmpInst::FCMP_ULE, CmpInst::FCMP_FALSE,
      CmpInst::FCMP_ONE, CmpInst::FCMP_OGE, CmpInst::FCMP_OGT,
      CmpInst::FCMP_TRUE};
  return Table[Imm & 15];
}

Value *first(IRBuilderBase &B, Value *V) {
  return B.CreateExtractElement(V, uint64_t(0));
}

Value *withFirst(IRBuilderBase &B, Value *V, Value *Lane) {
  return B.CreateInsertElement(V, Lane, uint64_t(0));
}

static SmallVector<int, 16> upTo(unsigned N) {
  SmallVector<int, 16> Mask(N);
  std::iota(Mask.begin(), Mask.end(), 0);
  return Mask;
}

Value *firstLanes(IRBuilderBase &B, Value *V, unsigned N) {
  return N == lanes(V) ? V : B.CreateShuffleVector(V, upTo(N));
}

Value *padded(IRBuilderBase &B, Value *V, unsigned N) {
  if (N == lanes(V))
    return V;
  SmallVector<int, 16> Mask = upTo(lanes(V));
  Mask.resize(N, int(lanes(V)));
  return B.CreateShuffleVector(V, Constant::getNullValue(V->getType()), Mask);
}

Value *chooseLanes(IRBuilderBase &B, Value *Yes, Value *No,
                   function_ref<bool(unsigned)> Choose) {
  SmallVector<int, 16> Mask;
  for (unsigned K = 0, N = lanes(Yes); K < N; ++K)
    Mask.push_back(int(Choose(K) ? K : K + N));
  return B.CreateShuffleVector(Yes, No, Mask);
}

Value *evenOdd(IRBuilderBase &B, Value *Even, Value *Odd) {
  return chooseLanes(B, Even, Odd, [](unsigned K) { return K % 2 == 0; });
}

static Type *integersLike(Type *Ty) {
  return Ty->getWithNewType(
      IntegerType::get(Ty->getContext(), Ty->getScalarSizeInBits()));
}

Value *negative(IRBuilderBase &B, Value *V) {
  Value *Bits = B.CreateBitCast(V, integersLike(V->getType()));
  return B.CreateICmpSLT(Bits, Constant::getNullValue(Bits->getType()));
}

Value *asMask(IRBuilderBase &B, Value *Holds, Type *Ty) {
  return B.CreateBitCast(B.CreateSExt(Holds, integersLike(Ty)), Ty);
}

Value *maskLanes(IRBuilderBase &B, Value *Mask, unsigned N) {
  if (Mask->getType()->isIntegerTy())
    Mask = B.CreateBitCast(
        Mask, FixedVectorType::get(B.getInt1Ty(),
                                   Mask->getType()->getIntegerBitWidth()));
  return firstLanes(B, Mask, N);
}

Value *addresses(IRBuilderBase &B, Value *Base, Value *Indices,
                 uint64_t Scale) {
  auto *Wide = FixedVectorType::get(B.getInt64Ty(), lanes(Indices));
  Value *Bytes =
      B.CreateMul(B.CreateSExt(Indices, Wide), ConstantInt::get(Wide, Scale));
  return B.CreateGEP(B.getInt8Ty(), Base, Bytes);
}

Value *permuted(IRBuilderBase &B, Value *X, Value *Y, Value *Indices,
                function_ref<LaneIndex(unsigned)> Of) {
  unsigned N = lanes(Indices);
  auto *Known = dyn_cast<Constant>(Indices);
  SmallVector<int, 16> Mask;
  for (unsigned K = 0; Known && K < N; ++K)
    if (auto *At = dyn_cast_or_null<ConstantInt>(Known->getAggregateElement(K)))
      Mask.push_back(
          int(Of(K).First + (At->getZExtValue() >> Of(K).Shift & Of(K).Mask)));
  if (Mask.size() == N)
    return Y ? B.CreateShuffleVector(X, Y, Mask)
             : B.CreateShuffleVector(X, Mask);
  if (Y) {
    SmallVector<int, 32> Both = SmallVector<int, 32>(upTo(2 * N));
    X = B.CreateShuffleVector(X, Y, Both);
  }
  Value *Result =
      PoisonValue::get(FixedVectorType::get(X->getType()->getScalarType(), N));
  for (unsigned K = 0; K < N; ++K) {
    LaneIndex L = Of(K);
    Value *At = B.CreateExtractElement(Indices, K);
    At = B.CreateAnd(B.CreateLShr(At, L.Shift), L.Mask);
    At = B.CreateAdd(At, ConstantInt::get(At->getType(), L.First));
    Result = B.CreateInsertElement(Result, B.CreateExtractElement(X, At), K);
  }
  return Result;
}

} // namespace adze

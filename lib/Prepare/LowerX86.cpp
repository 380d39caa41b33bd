// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86's vector instructions, as clang's headers call them, in LLVM's own words:
// shuffles, selections, arithmetic, masked accesses. Rules and analyses know
// those, and the code generator makes the same instructions of them. Semantics:
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
#include "Prepare/Stages.h"
#include "Prepare/X86Lanes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace adze {

namespace {

/// What \p I is in other words; null where it stays.
using Lowering = Value *(*)(IRBuilderBase &, IntrinsicInst &);

// ---- Arithmetic on neighbours ----------------------------------------------

// y = a - b in even lanes, a + b in odd ones
Value *addsub(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  return evenOdd(B, B.CreateFSub(X, Y), B.CreateFAdd(X, Y));
}

// y = a b - c in even lanes, a b + c in odd ones
Value *fmaddsub(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1),
        *Z = I.getArgOperand(2);
  if (I.arg_size() > 3 && !isDefaultRounding(I.getArgOperand(3)))
    return nullptr;
  auto fma = [&](Value *C) {
    return B.CreateIntrinsic(Intrinsic::fma, {X->getType()}, {X, Y, C});
  };
  return evenOdd(B, fma(B.CreateFNeg(Z)), fma(Z));
}

// Sums of pairs: in each block of 128 bits those of a, then those of b.
template <Instruction::BinaryOps Op>
Value *horizontal(IRBuilderBase &B, IntrinsicInst &I) {
  unsigned N = lanes(&I), InBlock = lanesInBlock(&I);
  SmallVector<int, 16> Even, Odd;
  for (unsigned Block = 0; Block < N; Block += InBlock)
    for (unsigned From : {0u, N})
      for (unsigned K = 0; K < InBlock; K += 2) {
        Even.push_back(From + Block + K);
        Odd.push_back(From + Block + K + 1);
      }
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  Value *First = B.CreateShuffleVector(X, Y, Even);
  return B.CreateBinOp(Op, First, B.CreateShuffleVector(X, Y, Odd));
}

// Products in the lanes of the immediate's upper half, their sum in those of
// its lower half.
Value *dotProduct(IRBuilderBase &B, IntrinsicInst &I) {
  uint64_t Imm = immediate(I, 2);
  unsigned N = lanes(&I), InBlock = lanesInBlock(&I);
  Constant *Zero = Constant::getNullValue(I.getType());
  Value *P = B.CreateFMul(I.getArgOperand(0), I.getArgOperand(1));
  P = chooseLanes(B, P, Zero,
                  [&](unsigned K) { return Imm >> (4 + K % InBlock) & 1; });
  // As the instruction adds: neighbours first.
  for (unsigned Far = 1; Far < InBlock; Far *= 2) {
    SmallVector<int, 8> Other;
    for (unsigned K = 0; K < N; ++K)
      Other.push_back(int(K ^ Far));
    P = B.CreateFAdd(P, B.CreateShuffleVector(P, Other));
  }
  return chooseLanes(B, P, Zero,
                     [&](unsigned K) { return Imm >> (K % InBlock) & 1; });
}

// AVX-512 with a rounding mode: what the instruction without one computes.
template <Instruction::BinaryOps Op>
Value *arithmetic(IRBuilderBase &B, IntrinsicInst &I) {
  if (!isDefaultRounding(I.getArgOperand(2)))
    return nullptr;
  return B.CreateBinOp(Op, I.getArgOperand(0), I.getArgOperand(1));
}

Value *fma512(IRBuilderBase &B, IntrinsicInst &I) {
  if (!isDefaultRounding(I.getArgOperand(3)))
    return nullptr;
  return B.CreateIntrinsic(
      Intrinsic::fma, {I.getType()},
      {I.getArgOperand(0), I.getArgOperand(1), I.getArgOperand(2)});
}

Value *sqrt512(IRBuilderBase &B, IntrinsicInst &I) {
  if (!isDefaultRounding(I.getArgOperand(1)))
    return nullptr;
  return B.CreateUnaryIntrinsic(Intrinsic::sqrt, I.getArgOperand(0));
}

// ---- Smaller, larger, compared ---------------------------------------------

// x < y ? x : y; the second where they are equal or a NaN is met
template <CmpInst::Predicate First>
Value *extremum(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0), *Y = I.getArgOperand(1);
  return B.CreateSelect(B.CreateFCmp(First, X, Y), X, Y);
}

// The same of the first lanes; the others are those of a.
template <CmpInst::Predicate First>
Value *firstExtremum(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = first(B, I.getArgOperand(0)), *Y = first(B, I.getArgOperand(1));
  return withFirst(B, I.getArgOperand(0),
                   B.CreateSelect(B.CreateFCmp(First, X, Y), X, Y));
}

// All bits of a lane are one where the comparison holds.
Value *compare(IRBuilderBase &B, IntrinsicInst &I) {
  Value *Holds = B.CreateFCmp(predicate(immediate(I, 2)), I.getArgOperand(0),
                              I.getArgOperand(1));
  return asMask(B, Holds, I.getType());
}

Value *compareFirst(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = first(B, I.getArgOperand(0)), *Y = first(B, I.getArgOperand(1));
  Value *Holds = B.CreateFCmp(predicate(immediate(I, 2)), X, Y);
  return withFirst(B, I.getArgOperand(0), asMask(B, Holds, X->getType()));
}

Value *compare512(IRBuilderBase &B, IntrinsicInst &I) {
  Value *Holds = B.CreateFCmp(predicate(immediate(I, 2)), I.getArgOperand(0),
                              I.getArgOperand(1));
  return B.CreateAnd(Holds, I.getArgOperand(3));
}

template <CmpInst::Predicate P>
Value *compareToInt(IRBuilderBase &B, IntrinsicInst &I) {
  return B.CreateZExt(B.CreateFCmp(P, first(B, I.getArgOperand(0)),
                                   first(B, I.getArgOperand(1))),
                      I.getType());
}

Value *signBits(IRBuilderBase &B, IntrinsicInst &I) {
  Value *Signs = negative(B, I.getArgOperand(0));
  return B.CreateZExt(B.CreateBitCast(Signs, B.getIntNTy(lanes(Signs))),
                      I.getType());
}

// ---- Selection and shuffles ------------------------------------------------

Value *blendBySign(IRBuilderBase &B, IntrinsicInst &I) {
  return B.CreateSelect(negative(B, I.getArgOperand(2)), I.getArgOperand(1),
                        I.getArgOperand(0));
}

// A lane of b into a lane of a; the immediate's last four clear lanes.
Value *insertLane(IRBuilderBase &B, IntrinsicInst &I) {
  uint64_t Imm = immediate(I, 2);
  Value *Y = B.CreateInsertElement(
      I.getArgOperand(0),
      B.CreateExtractElement(I.getArgOperand(1), Imm >> 6 & 3), Imm >> 4 & 3);
  return chooseLanes(B, Constant::getNullValue(I.getType()), Y,
                     [&](unsigned K) { return Imm >> K & 1; });
}

/// Lane \p K of a permutation is lane (index >> \p Shift) of its source,
/// within its block of 128 bits if \p InBlock.
template <unsigned Shift, bool InBlock>
Value *permute(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0);
  unsigned N = lanes(&I), Range = InBlock ? lanesInBlock(&I) : N;
  return permuted(B, X, nullptr, I.getArgOperand(1), [&](unsigned K) {
    return LaneIndex{Shift, Range - 1, InBlock ? K / Range * Range : 0};
  });
}

// The index chooses from both.
Value *permuteTwo(IRBuilderBase &B, IntrinsicInst &I) {
  unsigned N = lanes(&I);
  return permuted(B, I.getArgOperand(0), I.getArgOperand(2), I.getArgOperand(1),
                  [&](unsigned) { return LaneIndex{0, 2 * N - 1, 0}; });
}

// Bytes within blocks of 128 bits; zero where the index is negative.
Value *shuffleBytes(IRBuilderBase &B, IntrinsicInst &I) {
  auto *Index = dyn_cast<Constant>(I.getArgOperand(1));
  if (!Index)
    return nullptr;
  SmallVector<int, 32> Mask;
  int N = int(lanes(&I));
  for (int K = 0; K < N; ++K) {
    auto *At = dyn_cast_or_null<ConstantInt>(Index->getAggregateElement(K));
    if (!At)
      return nullptr;
    Mask.push_back(
        At->isNegative() ? N : K / 16 * 16 + int(At->getZExtValue() % 16));
  }
  return B.CreateShuffleVector(I.getArgOperand(0),
                               Constant::getNullValue(I.getType()), Mask);
}

// The lanes that are on, one after the other.
Value *compress(IRBuilderBase &B, IntrinsicInst &I) {
  Value *Result = I.getArgOperand(1), *At = B.getInt32(0);
  for (unsigned K = 0; K < lanes(&I); ++K) {
    Value *On = B.CreateExtractElement(I.getArgOperand(2), K);
    Value *With = B.CreateInsertElement(
        Result, B.CreateExtractElement(I.getArgOperand(0), K), At);
    Result = B.CreateSelect(On, With, Result);
    // The last lane's successor would be none.
    if (K + 1 < lanes(&I))
      At = B.CreateAdd(At, B.CreateZExt(On, B.getInt32Ty()));
  }
  return Result;
}

// One lane after the other to those that are on.
Value *expand(IRBuilderBase &B, IntrinsicInst &I) {
  Value *Result = I.getArgOperand(1), *At = B.getInt32(0);
  for (unsigned K = 0; K < lanes(&I); ++K) {
    Value *On = B.CreateExtractElement(I.getArgOperand(2), K);
    Value *With = B.CreateInsertElement(
        Result, B.CreateExtractElement(I.getArgOperand(0), At), K);
    Result = B.CreateSelect(On, With, Result);
    if (K + 1 < lanes(&I))
      At = B.CreateAdd(At, B.CreateZExt(On, B.getInt32Ty()));
  }
  return Result;
}

// ---- Shifts of all lanes by one constant -----------------------------------

template <Instruction::BinaryOps Op>
Value *shift(IRBuilderBase &B, IntrinsicInst &I) {
  auto *Count = dyn_cast<ConstantInt>(I.getArgOperand(1));
  if (!Count)
    return nullptr;
  unsigned Bits = I.getType()->getScalarSizeInBits();
  uint64_t By = Count->getZExtValue();
  if (By >= Bits && Op != Instruction::AShr)
    return Constant::getNullValue(I.getType());
  return B.CreateBinOp(
      Op, I.getArgOperand(0),
      ConstantInt::get(I.getType(), std::min<uint64_t>(By, Bits - 1)));
}

// ---- Memory ----------------------------------------------------------------

Value *unalignedLoad(IRBuilderBase &B, IntrinsicInst &I) {
  return B.CreateAlignedLoad(I.getType(), I.getArgOperand(0), Align(1));
}

Value *maskedLoad(IRBuilderBase &B, IntrinsicInst &I) {
  return B.CreateMaskedLoad(I.getType(), I.getArgOperand(0), Align(1),
                            negative(B, I.getArgOperand(1)),
                            Constant::getNullValue(I.getType()));
}

Value *maskedStore(IRBuilderBase &B, IntrinsicInst &I) {
  return B.CreateMaskedStore(I.getArgOperand(2), I.getArgOperand(0), Align(1),
                             negative(B, I.getArgOperand(1)));
}

// (otherwise, base, indices, mask, scale): as many lanes as there are indices
// and results; results beyond are zero.
Value *gather(IRBuilderBase &B, IntrinsicInst &I) {
  Value *Mask = I.getArgOperand(3);
  if (!Mask->getType()->getScalarType()->isIntegerTy(1))
    Mask = negative(B, Mask);
  unsigned N = lanes(&I), Used = std::min(N, lanes(I.getArgOperand(2)));
  Value *From =
      addresses(B, I.getArgOperand(1), firstLanes(B, I.getArgOperand(2), Used),
                immediate(I, 4));
  Value *Read = B.CreateMaskedGather(
      FixedVectorType::get(I.getType()->getScalarType(), Used), From, Align(1),
      firstLanes(B, Mask, Used), firstLanes(B, I.getArgOperand(0), Used));
  return Used == N ? Read : padded(B, Read, N);
}

// (base, mask, indices, values, scale)
Value *scatter(IRBuilderBase &B, IntrinsicInst &I) {
  Value *What = I.getArgOperand(3);
  unsigned Used = std::min(lanes(What), lanes(I.getArgOperand(2)));
  Value *To =
      addresses(B, I.getArgOperand(0), firstLanes(B, I.getArgOperand(2), Used),
                immediate(I, 4));
  return B.CreateMaskedScatter(firstLanes(B, What, Used), To, Align(1),
                               firstLanes(B, I.getArgOperand(1), Used));
}

// ---- Rounding and conversion -----------------------------------------------

Value *round(IRBuilderBase &B, IntrinsicInst &I) {
  return B.CreateUnaryIntrinsic(rounding(immediate(I, 1)), I.getArgOperand(0));
}

// The first lane of b, rounded, before the others of a.
Value *roundFirst(IRBuilderBase &B, IntrinsicInst &I) {
  return withFirst(B, I.getArgOperand(0),
                   B.CreateUnaryIntrinsic(rounding(immediate(I, 2)),
                                          first(B, I.getArgOperand(1))));
}

// (a, immediate, otherwise, mask, rounding); the immediate's upper half is a
// number of binary digits to keep.
Value *roundScale(IRBuilderBase &B, IntrinsicInst &I) {
  uint64_t Imm = immediate(I, 1);
  if (Imm >> 4)
    return nullptr;
  Value *Y = B.CreateUnaryIntrinsic(rounding(Imm), I.getArgOperand(0));
  return B.CreateSelect(maskLanes(B, I.getArgOperand(3), lanes(&I)), Y,
                        I.getArgOperand(2));
}

Value *narrow(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0);
  Value *Y = B.CreateFPTrunc(
      X, FixedVectorType::get(I.getType()->getScalarType(), lanes(X)));
  return padded(B, Y, lanes(&I));
}

Value *narrowFirst(IRBuilderBase &B, IntrinsicInst &I) {
  return withFirst(B, I.getArgOperand(0),
                   B.CreateFPTrunc(first(B, I.getArgOperand(1)),
                                   I.getType()->getScalarType()));
}

Value *narrow512(IRBuilderBase &B, IntrinsicInst &I) {
  if (!isDefaultRounding(I.getArgOperand(3)))
    return nullptr;
  return B.CreateSelect(maskLanes(B, I.getArgOperand(2), lanes(&I)),
                        B.CreateFPTrunc(I.getArgOperand(0), I.getType()),
                        I.getArgOperand(1));
}

// 1 / x and 1 / sqrt(x) of the first lane: there is a row for all lanes.
template <Intrinsic::ID All>
Value *firstOnly(IRBuilderBase &B, IntrinsicInst &I) {
  Value *X = I.getArgOperand(0);
  return withFirst(B, X, first(B, B.CreateIntrinsic(All, {}, {X})));
}

const DenseMap<Intrinsic::ID, Lowering> &lowerings() {
  static const DenseMap<Intrinsic::ID, Lowering> Table = [] {
    DenseMap<Intrinsic::ID, Lowering> T;
#define ADZE_X86(LOWERING, INTRINSIC) T[Intrinsic::x86_##INTRINSIC] = LOWERING;
#include "Prepare/X86.def"
    return T;
  }();
  return Table;
}

} // namespace

void lowerX86(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    Lowering Lower =
        Call ? lowerings().lookup(Call->getIntrinsicID()) : nullptr;
    if (!Lower)
      continue;
    IRBuilder<> B(Call);
    if (isa<FPMathOperator>(Call))
      B.setFastMathFlags(Call->getFastMathFlags());
    Value *Same = Lower(B, *Call);
    if (!Same)
      continue;
    if (!Call->getType()->isVoidTy()) {
      Same->takeName(Call);
      Call->replaceAllUsesWith(Same);
    }
    Call->eraseFromParent();
  }
}

} // namespace adze

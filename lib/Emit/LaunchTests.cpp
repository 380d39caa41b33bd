// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All is calculated in 64 bits. Addresses and coefficients are right modulo
// 2^64, as those of the program are. What is multiplied has 31 bits each.
#include "LaunchTests.h"

#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {

static constexpr uint64_t Limit = uint64_t(1) << 31;
/// From the first thread's place to that of the last one. Sums of some of those
/// do not overflow.
static constexpr uint64_t MostBytes = uint64_t(1) << 56;

/// Of AMDGPU: what the packet of the launch has there.
Value *LaunchTests::packetWord(unsigned Byte, Type *Ty) {
  Value *Packet = B.CreateIntrinsic(Intrinsic::amdgcn_dispatch_ptr, {}, {});
  return B.CreateZExt(
      B.CreateAlignedLoad(
          Ty, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Packet, Byte),
          Align(Ty->getScalarSizeInBits() / 8)),
      B.getInt64Ty());
}

Value *LaunchTests::number(LaunchForms::Number N) {
  const auto [Is, D] = N;
  const bool IsNvptx =
      Triple(B.GetInsertBlock()->getModule()->getTargetTriple()).isNVPTX();
  if (!IsNvptx) {
    if (Is == LaunchNumber::BlockSize)
      return packetWord(4 + 2 * D, B.getInt16Ty());
    Value *Items = packetWord(12 + 4 * D, B.getInt32Ty());
    if (Is == LaunchNumber::Items)
      return Items;
    Value *Size = number({LaunchNumber::BlockSize, D});
    return B.CreateUDiv(B.CreateAdd(Items, B.CreateSub(Size, B.getInt64(1))),
                        Size);
  }
  if (Is == LaunchNumber::Items)
    return B.CreateMul(number({LaunchNumber::BlockSize, D}),
                       number({LaunchNumber::GridSize, D}));
  static constexpr Intrinsic::ID Sizes[2][LaunchDimensions] = {
      {Intrinsic::nvvm_read_ptx_sreg_ntid_x,
       Intrinsic::nvvm_read_ptx_sreg_ntid_y,
       Intrinsic::nvvm_read_ptx_sreg_ntid_z},
      {Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
       Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
       Intrinsic::nvvm_read_ptx_sreg_nctaid_z}};
  const Intrinsic::ID ID = Sizes[Is == LaunchNumber::GridSize][D];
  return B.CreateZExt(B.CreateIntrinsic(ID, {}, {}), B.getInt64Ty());
}

/// Of the program's own width.
Value *LaunchTests::value(const SCEV *S) {
  Type *Ty = S->getType();
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getValue();
  if (auto *Leaf = dyn_cast<SCEVUnknown>(S)) {
    if (auto *Arg = dyn_cast<Argument>(Leaf->getValue())) {
      Value *V = ArgumentOf(*Arg);
      return V->getType()->isPointerTy() ? B.CreatePtrToInt(V, B.getInt64Ty())
                                         : V;
    }
    const auto Number = LaunchForms::numberOf(*Leaf->getValue());
    assert(Number && "nothing else is the same in all threads");
    return B.CreateTrunc(number(Number.value_or(LaunchForms::Number())), Ty);
  }
  if (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S)) {
    Value *Of = value(Cast->getOperand());
    return isa<SCEVTruncateExpr>(S)     ? B.CreateTrunc(Of, Ty)
           : isa<SCEVSignExtendExpr>(S) ? B.CreateSExt(Of, Ty)
                                        : B.CreateZExt(Of, Ty);
  }
  if (auto *Quotient = dyn_cast<SCEVUDivExpr>(S))
    return B.CreateUDiv(value(Quotient->getLHS()), value(Quotient->getRHS()));
  auto *Many = cast<SCEVNAryExpr>(S);
  Value *Result = value(Many->getOperand(0));
  for (const SCEV *Op : drop_begin(Many->operands())) {
    Value *Next = value(Op);
    switch (S->getSCEVType()) {
    case scAddExpr:
      Result = B.CreateAdd(Result, Next);
      break;
    case scMulExpr:
      Result = B.CreateMul(Result, Next);
      break;
    case scSMaxExpr:
      Result = B.CreateBinaryIntrinsic(Intrinsic::smax, Result, Next);
      break;
    case scSMinExpr:
      Result = B.CreateBinaryIntrinsic(Intrinsic::smin, Result, Next);
      break;
    case scUMaxExpr:
      Result = B.CreateBinaryIntrinsic(Intrinsic::umax, Result, Next);
      break;
    default: // the minimum in turn is one where nothing is poison
      Result = B.CreateBinaryIntrinsic(Intrinsic::umin, Result, Next);
    }
  }
  return Result;
}

Value *LaunchTests::value(Polynomial::Symbol S) {
  auto [It, New] = Symbols.try_emplace(S);
  if (New) {
    Value *V = nullptr;
    if (auto N = Forms.numberOf(S))
      V = number(*N);
    else
      V = B.CreateSExtOrTrunc(value(Forms.valueOf(S)), B.getInt64Ty());
    Symbols[S] = V;
  }
  return Symbols.lookup(S);
}

Value *LaunchTests::value(const Polynomial &P) {
  Value *Sum = B.getInt64(0);
  for (const auto &[Factors, Coefficient] : P.terms()) {
    Value *Term = B.getInt64(Coefficient);
    for (Polynomial::Symbol S : Factors)
      Term = B.CreateMul(Term, value(S));
    Sum = B.CreateAdd(Sum, Term);
  }
  return Sum;
}

void LaunchTests::require(Value *V) { All = All ? B.CreateAnd(All, V) : V; }

/// Each factor, each product of factors and the sum have 31 bits; so no sum of
/// multiples of them has more than 64.
void LaunchTests::requireFits(const Polynomial &P) {
  auto fits = [&](Value *V) {
    require(B.CreateICmpULT(V, B.getInt64(Limit)));
    return V;
  };
  Value *Sum = B.getInt64(0);
  for (const auto &[Factors, Coefficient] : P.terms()) {
    Value *Product = nullptr;
    for (Polynomial::Symbol S : Factors) {
      Value *V = value(S);
      // A size of a block has less.
      auto N = Forms.numberOf(S);
      if (!N || N->first == LaunchNumber::Items)
        fits(V);
      Product = Product ? fits(B.CreateMul(Product, V)) : V;
    }
    Value *Times = B.getInt64(Coefficient);
    Sum = B.CreateAdd(Sum, Product ? B.CreateMul(Times, Product) : Times);
  }
  fits(Sum);
}

Value *LaunchTests::boundOf(const LaunchForm::Part &P) {
  Value *Bound = nullptr;
  for (const Polynomial &Of : P.Bounds) {
    Value *V = value(Of);
    Bound = Bound ? B.CreateBinaryIntrinsic(Intrinsic::smin, Bound, V) : V;
  }
  // Where no digit is allowed, nothing is accessed.
  Bound = B.CreateBinaryIntrinsic(Intrinsic::smax, Bound, B.getInt64(1));
  require(B.CreateICmpULE(Bound, B.getInt64(Limit)));
  return Bound;
}

LaunchTests::Range LaunchTests::rangeOf(const LaunchForm &F, bool IsOfThread) {
  for (const Polynomial &P : F.Fits)
    requireFits(P);
  Value *One = B.getInt64(1), *Bytes = B.getInt64(F.Size);
  for (const LaunchForm::Part &P : F.Parts) {
    Value *Step = value(P.Coefficient);
    require(B.CreateICmpULT(B.CreateSub(Step, One), B.getInt64(Limit - 1)));
    // Behind a digit without a bound there is room for no other one.
    if (IsOfThread)
      require(Bytes ? B.CreateICmpUGE(Step, Bytes) : B.getFalse());
    if (P.Bounds.empty())
      Bytes = nullptr;
    if (!Bytes)
      continue;
    Value *Way = B.CreateMul(Step, B.CreateSub(boundOf(P), One));
    require(B.CreateICmpULT(Way, B.getInt64(MostBytes)));
    Bytes = B.CreateAdd(Bytes, Way);
  }
  if (IsOfThread)
    for (const Polynomial &P : Forms.untold(F))
      require(B.CreateICmpEQ(value(P), One));
  if (F.Way) {
    Value *All = B.CreateAdd(
        B.CreateBinaryIntrinsic(Intrinsic::smax, value(*F.Way), B.getInt64(0)),
        B.getInt64(F.Size));
    Bytes = Bytes ? B.CreateBinaryIntrinsic(Intrinsic::umin, Bytes, All) : All;
  }
  return {value(F.Start), Bytes};
}

Value *LaunchTests::isBehind(Value *Start, const Range &Of) {
  return B.CreateICmpSGE(B.CreateSub(Start, Of.Start), Of.Bytes);
}

Value *LaunchTests::emit(const LaunchSums::Test &T) {
  All = nullptr;
  SmallVector<Range, 8> Ranges;
  for (auto [I, F] : enumerate(T.Places))
    Ranges.push_back(rangeOf(F, is_contained(T.OfThreads, I)));
  for (auto [First, Second] : T.Ascending)
    require(isBehind(Ranges[Second].Start, Ranges[First]));
  for (const LaunchSums::Test::Apart &A : T.Ranges)
    require(B.CreateOr(isBehind(Ranges[A.OtherFirst].Start, Ranges[A.Last]),
                       isBehind(Ranges[A.First].Start, Ranges[A.OtherLast])));
  return All;
}

} // namespace adze

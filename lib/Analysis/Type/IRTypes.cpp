// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeTreeBuilder.h"
#include "adze/Options.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace adze;

uint64_t adze::storeSize(Type *Ty, const DataLayout &DL) {
  if (!Ty->isSized())
    return 0;
  TypeSize S = DL.getTypeStoreSize(Ty);
  return S.isScalable() ? 0 : S.getFixedValue();
}

uint64_t adze::allocSize(Type *Ty, const DataLayout &DL) {
  if (!Ty->isSized())
    return 0;
  TypeSize S = DL.getTypeAllocSize(Ty);
  return S.isScalable() ? 0 : S.getFixedValue();
}

uint64_t adze::vectorStride(Type *Ty, const DataLayout &DL) {
  auto *VT = dyn_cast<FixedVectorType>(Ty);
  if (!VT)
    return 0;
  uint64_t Bits = DL.getTypeSizeInBits(VT->getElementType()).getFixedValue();
  return Bits % 8 == 0 ? Bits / 8 : 0;
}

uint64_t adze::elementOffset(Type *Ty, ArrayRef<unsigned> Indices,
                             const DataLayout &DL) {
  uint64_t Offset = 0;
  for (unsigned I : Indices) {
    if (auto *ST = dyn_cast<StructType>(Ty)) {
      Offset += DL.getStructLayout(ST)->getElementOffset(I).getFixedValue();
      Ty = ST->getElementType(I);
    } else {
      Ty = cast<ArrayType>(Ty)->getElementType();
      Offset += I * allocSize(Ty, DL);
    }
  }
  return Offset;
}

static TypeTree treeOfScalar(Type *Ty, const DataLayout &DL, Certainty C,
                             const Value *Witness, IntegersAre Ints) {
  uint64_t Size = storeSize(Ty, DL);
  if (Ty->isFloatingPointTy()) {
    // The store size of x86_fp80 is its 10 bytes; padding is not part of it.
    return TypeTree::at(0, Size, ConcreteType::floating(Ty), C, Witness);
  }
  if (Ty->isPointerTy())
    return TypeTree::at(0, Size, ConcreteType::Pointer, C, Witness);
  if (Ty->isIntegerTy() && Ints == IntegersAre::Anything)
    return TypeTree::at(0, Size, ConcreteType::Anything, C, Witness);
  if (Ty->isIntegerTy() && Ints == IntegersAre::Numbers)
    return TypeTree::at(0, Size, ConcreteType::Integer, C, Witness);
  return TypeTree();
}

/// Unions of C and C++ are structures of one member, named so.
static bool isUnion(const StructType *ST) {
  return ST->hasName() && ST->getName().starts_with("union.");
}

TypeTree adze::treeOfType(Type *Ty, const DataLayout &DL, Certainty C,
                          const Value *Witness, IntegersAre Ints) {
  if (auto *ST = dyn_cast<StructType>(Ty)) {
    if (!ST->isSized() || DL.getTypeAllocSize(ST).isScalable())
      return TypeTree();
    if (C == Certainty::Hint && isUnion(ST))
      return TypeTree();
    if (C == Certainty::Hint && ST->hasName())
      Ints = IntegersAre::Numbers;
    TypeTreeBuilder B;
    const StructLayout *SL = DL.getStructLayout(ST);
    uint64_t Weight = 0, MaxFacts = Options::get().MaxTypeFacts;
    for (unsigned I = 0; I != ST->getNumElements() && Weight < MaxFacts; ++I) {
      TypeTree E = treeOfType(ST->getElementType(I), DL, C, Witness, Ints);
      Weight += E.weight();
      B.add(E.shifted(int64_t(SL->getElementOffset(I).getFixedValue())));
    }
    return B.take();
  }
  if (auto *AT = dyn_cast<ArrayType>(Ty)) {
    Dimension D;
    D.Stride = allocSize(AT->getElementType(), DL);
    D.Count = AT->getNumElements();
    if (D.Stride == 0 || D.Count == 0)
      return TypeTree();
    if (AT->getElementType()->isIntegerTy(8) && Ints == IntegersAre::Numbers)
      return TypeTree();
    return treeOfType(AT->getElementType(), DL, C, Witness, Ints).repeated(D);
  }
  if (auto *VT = dyn_cast<FixedVectorType>(Ty)) {
    Dimension D;
    D.Stride = vectorStride(Ty, DL);
    D.Count = VT->getNumElements();
    if (D.Stride == 0)
      return TypeTree();
    return treeOfScalar(VT->getElementType(), DL, C, Witness, Ints).repeated(D);
  }
  return treeOfScalar(Ty, DL, C, Witness, Ints);
}

namespace {

/// Collects the padding of \p Ty, but none within a union, which may keep
/// something else in what is padding of one member. False for types whose size
/// is not known.
bool collectPadding(Type *Ty, const DataLayout &DL, const Value *Witness,
                    TypeTree &Out) {
  auto gap = [&](uint64_t Begin, uint64_t End) {
    TypePlace P;
    P.Start = Begin;
    P.Size = End - Begin;
    TypeTreeBuilder B;
    B.add(Out);
    B.add(TypeTree::of(P, ConcreteType::Anything, Certainty::Hint, Witness));
    if (End > Begin)
      Out = B.take();
  };
  if (Ty->isX86_FP80Ty()) {
    gap(Ty->getPrimitiveSizeInBits() / 8, allocSize(Ty, DL));
    return true;
  }
  if (auto *AT = dyn_cast<ArrayType>(Ty)) {
    TypeTree Element;
    if (!collectPadding(AT->getElementType(), DL, Witness, Element))
      return false;
    Dimension D;
    D.Stride = allocSize(AT->getElementType(), DL);
    D.Count = AT->getNumElements();
    if (!Element.isUnknown() && D.Stride && D.Count)
      Out = Element.repeated(D);
    return true;
  }
  auto *ST = dyn_cast<StructType>(Ty);
  if (!ST)
    return true;
  if (!ST->isSized() || DL.getTypeAllocSize(ST).isScalable())
    return false;
  if (isUnion(ST))
    return true;
  const StructLayout *SL = DL.getStructLayout(ST);
  TypeTreeBuilder Members;
  uint64_t End = 0;
  for (unsigned I = 0; I != ST->getNumElements(); ++I) {
    uint64_t Begin = SL->getElementOffset(I).getFixedValue();
    gap(End, Begin);
    TypeTree Member;
    if (!collectPadding(ST->getElementType(I), DL, Witness, Member))
      return false;
    Members.add(Member.shifted(int64_t(Begin)));
    End = Begin + allocSize(ST->getElementType(I), DL);
  }
  gap(End, SL->getSizeInBytes());
  Members.add(Out);
  Out = Members.take();
  return true;
}

} // namespace

TypeTree adze::treeOfObject(Type *Ty, const DataLayout &DL,
                            const Value *Witness) {
  TypeTree Padding;
  if (!collectPadding(Ty, DL, Witness, Padding))
    Padding = TypeTree();
  TypeTreeBuilder B;
  B.add(treeOfType(Ty, DL, Certainty::Hint, Witness));
  B.add(Padding);
  return B.take();
}

/// Large factors are of no use, and products of them must not overflow.
static uint64_t bounded(uint64_t Factor) {
  return Factor < TypeTree::MaxOffset ? Factor : 1;
}

/// What \p V is divided by without a rest, as the distance of two elements is
/// by their size.
static uint64_t exactDivisor(const Value *V) {
  constexpr unsigned MaxUsers = 16;
  if (!isa<Instruction>(V))
    return 1;
  unsigned Seen = 0;
  for (const User *U : V->users()) {
    if (++Seen > MaxUsers)
      break;
    auto *Op = dyn_cast<PossiblyExactOperator>(U);
    auto *C = Op && Op->isExact() && Op->getOperand(0) == V
                  ? dyn_cast<ConstantInt>(Op->getOperand(1))
                  : nullptr;
    if (!C || C->getValue().getActiveBits() > 16)
      continue;
    const bool Shifts = cast<Operator>(U)->getOpcode() == Instruction::AShr ||
                        cast<Operator>(U)->getOpcode() == Instruction::LShr;
    const uint64_t By = C->getZExtValue();
    if (Shifts ? By < 16 : By != 0)
      return bounded(Shifts ? uint64_t(1) << By : By);
  }
  return 1;
}

uint64_t adze::knownFactor(const Value *V, unsigned Depth) {
  constexpr unsigned MaxDepth = 6;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().getActiveBits() <= 16 ? C->getZExtValue() : 1;
  auto *Op = dyn_cast<Operator>(V);
  if (!Op || Depth == MaxDepth)
    return 1;
  auto Of = [&](unsigned I) {
    return knownFactor(Op->getOperand(I), Depth + 1);
  };
  switch (Op->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
    return Of(0);
  case Instruction::Add:
  case Instruction::Sub: {
    const uint64_t Parts = std::gcd(Of(0), Of(1)), Whole = exactDivisor(V);
    return Parts % Whole == 0 ? Parts : Whole;
  }
  case Instruction::Mul:
    return bounded(Of(0) * Of(1));
  case Instruction::Shl: {
    auto *C = dyn_cast<ConstantInt>(Op->getOperand(1));
    return C && C->getValue().ult(16) ? bounded(Of(0) << C->getZExtValue()) : 1;
  }
  default:
    return 1;
  }
}

/// \p Index, of bytes, as a constant and what divides the rest: the constant is
/// the place of a member, if it is no multiple of that.
static std::pair<int64_t, uint64_t> splitIndex(const Value *Index,
                                               const DataLayout &DL) {
  constexpr unsigned MaxAddends = 6, MaxBits = 32;
  int64_t Constant = 0;
  const Value *Rest = Index, *Next;
  const APInt *C;
  for (unsigned N = 0; N != MaxAddends; ++N) {
    if (!match(Rest, m_c_Add(m_Value(Next), m_APInt(C))) &&
        !match(Rest, m_DisjointOr(m_Value(Next), m_APInt(C))))
      break;
    if (!C->isSignedIntN(MaxBits))
      break;
    Constant += C->getSExtValue();
    Rest = Next;
  }
  const uint64_t Factor = knownFactor(Rest);
  // A narrower sum may wrap round before it is extended.
  if (Factor <= 1 || Constant % int64_t(Factor) == 0 ||
      Index->getType()->getScalarSizeInBits() < DL.getPointerSizeInBits())
    return {0, knownFactor(Index)};
  return {Constant, Factor};
}

AddressOffset adze::offsetOf(const GEPOperator &GEP, const DataLayout &DL) {
  AddressOffset A;
  Type *Container = nullptr; // what this index selects from
  for (auto It = gep_type_begin(GEP), End = gep_type_end(GEP); It != End;
       ++It) {
    const Value *Index = It.getOperand();
    auto *Array = dyn_cast_or_null<ArrayType>(Container);
    Container = It.getIndexedType();
    if (StructType *ST = It.getStructTypeOrNull()) {
      uint64_t Field = cast<ConstantInt>(Index)->getZExtValue();
      A.Constant += int64_t(
          DL.getStructLayout(ST)->getElementOffset(Field).getFixedValue());
      continue;
    }
    TypeSize Element = It.getSequentialElementStride(DL);
    if (Element.isScalable()) {
      A.Known = false;
      return A;
    }
    uint64_t Stride = Element.getFixedValue();
    if (auto *C = dyn_cast<ConstantInt>(Index)) {
      A.Constant += C->getSExtValue() * int64_t(Stride);
      continue;
    }
    Dimension D;
    if (Array) {
      D.Stride = Stride;
    } else if (Stride == 1) {
      auto [Constant, Factor] = splitIndex(Index, DL);
      A.Constant += Constant;
      D.Stride = Factor;
    } else {
      D.Stride = Stride * knownFactor(Index);
    }
    // [0 x T] and [1 x T] at the end of a struct are C's arrays without end.
    if (Array && Array->getNumElements() > 1)
      D.Count = Array->getNumElements();
    if (Stride)
      A.Dims.push_back(D);
  }
  return A;
}

TypeTree adze::treeOfArray(const GEPOperator &GEP, const DataLayout &DL,
                           const TypeTree &Element) {
  if (Element.isUnknown() || GEP.getNumIndices() == 0)
    return TypeTree();
  Dimension D;
  D.Stride = allocSize(GEP.getSourceElementType(), DL);
  if (auto *Index = dyn_cast<ConstantInt>(*GEP.idx_begin()))
    return Element.shifted(Index->getSExtValue() * int64_t(D.Stride));
  return D.Stride ? Element.repeated(D) : TypeTree();
}

TypeTree adze::hintOfGEP(const GEPOperator &GEP, const DataLayout &DL) {
  Type *Source = GEP.getSourceElementType();
  if (GEP.getNumIndices() == 0)
    return TypeTree();
  uint64_t Stride = allocSize(Source, DL);
  if (auto *Index = dyn_cast<ConstantInt>(*GEP.idx_begin()))
    return treeOfType(Source, DL, Certainty::Hint, &GEP)
        .shifted(Index->getSExtValue() * int64_t(Stride));
  // An address that moves by whole objects walks over an array of exactly this
  // type; one of a member may be in a derived class, which may have members of
  // its own in the padding at the end of its base.
  TypeTree T = treeOfObject(Source, DL, &GEP);
  if (T.isUnknown())
    return T;
  Dimension D;
  D.Stride = Stride;
  return T.repeated(D);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places in memory that only the run knows, where types see no floats.
#include "Analysis/Type/CutPlaces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"
#include <numeric>

using namespace llvm;

namespace adze {

bool seesNoFloatAround(const TypeInfo &Types, const DataLayout &DL,
                       const Value *Ptr) {
  AnsweredTrees Trees(Types);
  WritePlace P;
  P.Base = Ptr;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    if (!floatsOf(Trees.behind(P.Base)).empty())
      return false;
    if (!P.step(DL))
      break;
  }
  auto *A = dyn_cast<Argument>(P.Base);
  return !A || Trees.around(*A).isUnknown();
}

/// \p Index, which counts bytes, is made of products: of whole elements of a
/// size that only the run knows (rows of Fortran).
static bool countsElements(const Value *Index, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  auto *I = dyn_cast<Operator>(Index);
  if (isa<Constant>(Index) || !I || Depth == MaxDepth)
    return isa<Constant>(Index);
  switch (I->getOpcode()) {
  case Instruction::Mul:
  case Instruction::Shl:
    return true;
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
    return countsElements(I->getOperand(0), Depth + 1);
  case Instruction::Add:
  case Instruction::Sub:
    return countsElements(I->getOperand(0), Depth + 1) &&
           countsElements(I->getOperand(1), Depth + 1);
  default:
    return false;
  }
}

/// Bytes are counted on the way from \p P to where it came from, not floats of
/// \p Size bytes.
static bool countsBytes(const WritePlace &P, uint64_t Size, bool OfFloats,
                        const DataLayout &DL) {
  auto *GEP = dyn_cast<GEPOperator>(P.Base);
  if (!GEP)
    return isa<PHINode>(P.Base);
  if (GEP->hasAllConstantIndices())
    return false;
  if (!OfFloats || GEP->getNumIndices() != 1)
    return true;
  const Value *Index = GEP->getOperand(1);
  return computeKnownBits(Index, DL).countMinTrailingZeros() <
             Log2_64_Ceil(Size) &&
         !countsElements(Index);
}

static bool hasRows(const TypeTree &Memory) {
  return any_of(Memory.facts(),
                [](const TypeFact &F) { return F.Place.Stride != 0; });
}

bool isPlacedByRun(const TypeInfo &Types, const DataLayout &DL,
                   const Value *Ptr, uint64_t Size, Align A, bool OfFloats) {
  AnsweredTrees Trees(Types);
  WritePlace P;
  P.Base = Ptr;
  bool Counts = false;
  for (unsigned Step = 0; Step < MaxSteps; ++Step) {
    // What is seen right there, accesses beside this one have shown.
    if (P.Stride != 0 || (P.Base != Ptr && !isa<GEPOperator>(P.Base)))
      for (const TypeFact &F : floatsOf(Trees.behind(P.Base))) {
        uint64_t Rows = std::gcd(P.Stride, F.Place.Stride);
        if (Rows == 0 || Rows >= F.Place.Size)
          return false;
      }
    bool ByBytes = countsBytes(P, Size, OfFloats, DL);
    uint64_t Before = P.Stride;
    if (!P.step(DL))
      break;
    bool OffGrid =
        P.Stride % Size != 0 || (!OfFloats && !hasRows(Trees.behind(P.Base)));
    Counts |= ByBytes && P.Stride != Before && OffGrid;
  }
  bool IsWhole =
      isa<AllocaInst, GlobalVariable>(P.Base) || isNoAliasCall(P.Base);
  bool ByCaller = P.Stride == 0 && !IsWhole;
  return Counts || (ByCaller && A.value() < Size) ||
         (Size == 1 && (ByCaller || P.Stride != 0));
}

/// Nobody stores a float of these bits: it would be next to zero, or no number.
static bool isNoFloat(const APInt &Bits) {
  const fltSemantics &Kind =
      Bits.getBitWidth() == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
  APFloat Float(Kind, Bits);
  return Float.isDenormal() || Float.isNaN();
}

std::optional<uint64_t> numberOffGrid(const Instruction &I) {
  constexpr uint64_t FloatSize = 4, DoubleSize = 8;
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    const Value *V = S->getValueOperand();
    uint64_t Size = I.getDataLayout().getTypeStoreSize(V->getType());
    if (!V->getType()->isIntegerTy() ||
        (Size > 1 && S->getAlign().value() >= Size))
      return std::nullopt;
    auto *Number = dyn_cast<ConstantInt>(V);
    if (Number && (Size == FloatSize || Size == DoubleSize) &&
        !isNoFloat(Number->getValue().zext(Size * 8)))
      return std::nullopt;
    return Size;
  }
  auto *Fill = dyn_cast<AnyMemSetInst>(&I);
  auto *Length = Fill ? dyn_cast<ConstantInt>(Fill->getLength()) : nullptr;
  if (!Length || Length->getValue().ugt(DoubleSize) ||
      Length->getZExtValue() % FloatSize == 0)
    return std::nullopt;
  return Length->getZExtValue();
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperationPrices.h"
#include "TripCounts.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace adze {

namespace {

constexpr uint64_t Arithmetic = 1, Division = 8, LibraryFunction = 50;
constexpr uint64_t CallOfBody = 3;
/// Bigger functions are not called again.
constexpr uint64_t MaxBody = 200;
constexpr auto Throughput = TargetTransformInfo::TCK_RecipThroughput;

uint64_t lanesOf(const Type *Ty) {
  auto *Vector = dyn_cast<FixedVectorType>(Ty);
  return Vector ? Vector->getNumElements() : 1;
}

/// Of a row of Known, for one element.
uint64_t priceOf(Price Is) {
  switch (Is) {
  case Price::Instruction:
    return Arithmetic;
  case Price::TwoInstructions:
    return 2 * Arithmetic;
  case Price::Division:
    return Division;
  case Price::Function:
    return LibraryFunction;
  }
  return LibraryFunction;
}

} // namespace

OperationPrices::OperationPrices(const TargetTransformInfo *Target,
                                 const DataLayout &DL, LLVMContext &Context)
    : Common(DL), TTI(Target ? *Target : Common) {
  auto Addition = TTI.getArithmeticInstrCost(
      Instruction::FAdd, Type::getDoubleTy(Context), Throughput);
  Unit = std::max<int64_t>(Addition.getValue().value_or(1), 1);
}

/// At least an addition, at most a division for each element: LLVM's tables for
/// a processor that nobody names are those of the oldest of its kind, where a
/// division takes 19 additions (x86-64). Programs run on younger ones.
uint64_t OperationPrices::bounded(InstructionCost Cost, const Type *Ty) const {
  const int64_t Most = Division * lanesOf(Ty);
  return std::clamp<int64_t>(Cost.getValue().value_or(Most * Unit) / Unit,
                             Arithmetic, Most);
}

/// The price of a call of a function of the program.
uint64_t OperationPrices::ofBody(const Function &F) const {
  if (F.isDeclaration())
    return LibraryFunction;
  uint64_t Price = CallOfBody, Counted = 0;
  bool Loops = false;
  SmallPtrSet<const BasicBlock *, 8> Before;
  for (const BasicBlock &B : F) {
    Before.insert(&B);
    for (const BasicBlock *S : successors(&B))
      Loops |= Before.contains(S);
    for (const Instruction &I : B) {
      if (++Counted > MaxBody)
        return MaxEstimate;
      auto *Call = dyn_cast<CallBase>(&I);
      const bool IsNested = Call && !isa<IntrinsicInst>(Call);
      Price += IsNested ? LibraryFunction : std::max(of(I), Arithmetic);
    }
  }
  return std::min(SaturatingMultiply(
                      Price, uint64_t(Loops ? Options::get().AssumedTrips : 1)),
                  MaxEstimate);
}

uint64_t OperationPrices::ofCall(const CallBase &Call) const {
  const KnownFunction *Known = lookupKnown(Call);
  Type *Ty = Call.getType();
  auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  if (Intrinsic && !isa<ConstrainedFPIntrinsic>(Intrinsic)) {
    // Which of them are calls of the library the row says.
    if (Known && Known->IntrinsicPrice == Price::Function)
      return LibraryFunction * lanesOf(Ty);
    SmallVector<Type *, 4> Operands;
    for (const Use &Arg : Call.args())
      Operands.push_back(Arg->getType());
    IntrinsicCostAttributes Attributes(Intrinsic->getIntrinsicID(), Ty,
                                       Operands);
    return bounded(TTI.getIntrinsicInstrCost(Attributes, Throughput), Ty);
  }
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->hasFnAttribute(declared::ShouldRecompute))
    return Arithmetic;
  if (!Known && Callee)
    return ofBody(*Callee);
  return (Known ? priceOf(Known->CallPrice) : LibraryFunction) * lanesOf(Ty);
}

uint64_t OperationPrices::of(const Instruction &I) const {
  Type *Ty = I.getType();
  if (auto *Call = dyn_cast<CallBase>(&I))
    return ofCall(*Call);
  if (isa<BinaryOperator, UnaryOperator>(I)) {
    // The remainder of floats is the library's fmod.
    if (I.getOpcode() == Instruction::FRem)
      return LibraryFunction * lanesOf(Ty);
    return bounded(TTI.getArithmeticInstrCost(I.getOpcode(), Ty, Throughput),
                   Ty);
  }
  if (isa<CmpInst, SelectInst>(I)) {
    Type *Of = isa<CmpInst>(I) ? I.getOperand(0)->getType() : Ty;
    auto *Cmp = dyn_cast<CmpInst>(&I);
    return bounded(TTI.getCmpSelInstrCost(
                       I.getOpcode(), Of, CmpInst::makeCmpResultType(Of),
                       Cmp ? Cmp->getPredicate() : CmpInst::BAD_ICMP_PREDICATE,
                       Throughput),
                   Ty);
  }
  return isa<ShuffleVectorInst>(I) ? Arithmetic : 0;
}

} // namespace adze

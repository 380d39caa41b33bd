// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rule an instruction has. Calls go by what is known of the callee.
#include "Rules.h"
#include "adze/DeviceTarget.h"
#include "adze/GivenDerivatives.h"
#include "adze/GuardedProduct.h"
#include "adze/Mpi.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Data of unknown origin may be stored to inactive memory only.
const Rule *constantsRule(const CallBase &Call, const Facts &F) {
  for (const Use &Arg : Call.args())
    if (Arg->getType()->isPointerTy() && F.hasShadow(Arg))
      return nullptr;
  return &zeroRule();
}

template <const Rule &R()>
const Rule *always(const KnownFunction &, const CallBase &, const Facts &) {
  return &R();
}

struct DerivationRow {
  Derivation By;
  const Rule *(*RuleOf)(const KnownFunction &, const CallBase &, const Facts &);
};

constexpr DerivationRow Derivations[] = {
    {Derivation::Zero, always<zeroRule>},
    {Derivation::Partials, always<scalarRule>},
    {Derivation::OutputPartials,
     [](const KnownFunction &Known, const CallBase &, const Facts &) {
       return outScalarRule(Known.Family);
     }},
    {Derivation::ComplexPartials,
     [](const KnownFunction &Known, const CallBase &, const Facts &) {
       return complexRule(Known.Family);
     }},
    {Derivation::Conversion, always<castRule>},
    {Derivation::NewBlock, always<allocateRule>},
    {Derivation::NewBlockTo, always<allocateToRule>},
    {Derivation::Release, always<freeRule>},
    {Derivation::NewException, always<newExceptionRule>},
    {Derivation::CaughtException, always<caughtExceptionRule>},
    {Derivation::BlockCopy, always<blockCopyRule>},
    {Derivation::BlockSet, always<blockSetRule>},
    {Derivation::FirstOperand, always<passthroughRule>},
    {Derivation::States, always<statesRule>},
    {Derivation::Text, always<textRule>},
    {Derivation::Within, always<withinRule>},
    {Derivation::Mirror, always<mirrorRule>},
    {Derivation::Shuffle, always<shuffleRule>},
    {Derivation::Constants,
     [](const KnownFunction &, const CallBase &Call, const Facts &F) {
       return constantsRule(Call, F);
     }},
};

const Rule *ruleOfKnown(const KnownFunction &Known, const CallBase &Call,
                        const Facts &F) {
  for (const DerivationRow &Row : Derivations)
    if (Row.By == Known.Facts.By)
      return Row.RuleOf(Known, Call, F);
  return nullptr;
}

const Rule *ruleOfCall(const CallBase &Call, const Facts &F) {
  if (const Rule *Cut = cutRule(Call, F))
    return Cut;
  if (mpi::exchangesNumbers(Call))
    return &numberExchangeRule();
  if (isGuardedProduct(Call))
    return &guardedProductRule();
  if (isa<MinMaxIntrinsic>(Call))
    return &integerChoiceRule();
  if (isVectorReduction(Call))
    return &vectorReduceRule();
  if (isAddressIntrinsic(Call) && F.hasShadow(&Call) && !F.isActive(&Call))
    return &addressIntrinsicRule();
  if (const KnownFunction *Known = lookupKnown(Call))
    return ruleOfKnown(*Known, Call, F);
  if (isBitIntrinsic(Call))
    return &bitIntrinsicRule();
  if (given::calleeOf(Call, F.R.Kind.Mode))
    return &callRule();
  const Function *Callee = Call.getCalledFunction();
  return Callee && !Callee->isDeclaration() ? &callRule() : nullptr;
}

const Rule *ruleOfBinary(const Instruction &I, const Facts &F) {
  if (I.getType()->isFPOrFPVectorTy())
    return arithmeticRow(I.getOpcode()) ? &scalarRule() : nullptr;
  if (F.hasShadow(&I) && !F.isActive(&I))
    return &addressRule();
  if (!F.hasShadow(&I) && isBitArithmetic(I, F))
    return &bitArithmeticRule();
  return &bitMoveRule(I, F);
}

const Rule *ruleOfCast(const CastInst &I, const Facts &F) {
  Type *From = I.getSrcTy(), *To = I.getDestTy();
  if (From->isPtrOrPtrVectorTy() || To->isPtrOrPtrVectorTy())
    return &pointerRule();
  switch (I.getOpcode()) {
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::BitCast:
    return &castRule();
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return F.hasShadow(&I) && !F.isActive(&I) ? &pointerRule()
                                              : &bitMoveRule(I, F);
  default: // float <-> integer numbers: piecewise constant, unless it is bits
    return isBitArithmetic(I, F) ? &bitArithmeticRule() : &zeroRule();
  }
}

} // namespace

bool needsRuleIfInactive(const Instruction &I) {
  if (auto *A = dyn_cast<AllocaInst>(&I))
    return !A->isStaticAlloca();
  if (isa<FenceInst>(I))
    return isDevice(*I.getModule());
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && (Known->frees() || Known->returnsNewBlock() ||
                   Known->Facts.By == Derivation::Mirror);
}

const Rule *lookupRule(const Instruction &I, const Facts &F) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return ruleOfCall(*Call, F);
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return ruleOfCast(*Cast, F);
  if (I.isBinaryOp())
    return ruleOfBinary(I, F);
  switch (I.getOpcode()) {
  case Instruction::FNeg:
    return &scalarRule();
  case Instruction::Fence:
    return &fenceRule();
  case Instruction::Freeze:
    return &castRule();
  case Instruction::Select:
    return &selectRule();
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    return &vectorElementRule();
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return &aggregateRule();
  case Instruction::Load:
    return &loadRule();
  case Instruction::Store: {
    const Rule *Cut = cutRule(I, F);
    return Cut ? Cut : &storeRule();
  }
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg: {
    const Rule *Cut = cutRule(I, F);
    return Cut ? Cut : &atomicRule(I, F);
  }
  case Instruction::GetElementPtr:
    return &pointerRule();
  case Instruction::Alloca:
    return &allocaRule();
  case Instruction::ICmp:
  case Instruction::FCmp:
    return &zeroRule();
  default:
    return nullptr;
  }
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/RuleContext.h"
#include "FloatBits.h"
#include "FloatLeaves.h"
#include "Rules.h"
#include "Words.h"
#include "adze/GuardedProduct.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

RuleContext::~RuleContext() = default;
Rule::~Rule() = default;

bool Rule::ownsPrimal(const Instruction &) const { return false; }

bool RuleContext::carriesFloats() const {
  return F.R.Kind == DerivativeKind::Forward;
}

const DataLayout &RuleContext::dataLayout() const {
  return F.P->F->getParent()->getDataLayout();
}

Type *Lanes::dualType(Type *Ty) const { return dualTypeOf(Ty, Width); }

Constant *Lanes::zero(Type *Ty) const {
  return Constant::getNullValue(dualType(Ty));
}

/// The element of direction \p Lane, without code where it was put in here.
static Value *elementOf(IRBuilderBase &B, Value *Packed, unsigned Lane) {
  for (Value *V = Packed; auto *Insert = dyn_cast<InsertValueInst>(V);
       V = Insert->getAggregateOperand()) {
    if (Insert->getIndices().front() != Lane)
      continue;
    if (Insert->getNumIndices() == 1)
      return Insert->getInsertedValueOperand();
    break;
  }
  return B.CreateExtractValue(Packed, Lane);
}

/// Never a constant, of which there may be arrays: nobody uses it yet, and
/// LLVM's linker frees those, which is called when code needs the runtime.
Value *Lanes::insert(IRBuilderBase &B, Value *Packed, Value *V,
                     unsigned Lane) const {
  return B.Insert(InsertValueInst::Create(Packed, V, {Lane}));
}

Value *Lanes::map(IRBuilderBase &B, ArrayRef<Value *> In,
                  function_ref<Value *(ArrayRef<Value *>)> Body) const {
  if (Width == 1)
    return Body(In);
  Value *Packed = nullptr;
  for (unsigned Lane = 0; Lane < Width; ++Lane) {
    Current = Lane;
    SmallVector<Value *, 4> Elements;
    for (Value *V : In)
      Elements.push_back(elementOf(B, V, Lane));
    Value *Out = Body(Elements);
    if (!Out)
      continue;
    if (!Packed)
      Packed = PoisonValue::get(dualType(Out->getType()));
    Packed = insert(B, Packed, Out, Lane);
  }
  return Packed;
}

Value *Lanes::make(IRBuilderBase &B, Type *Ty,
                   function_ref<Value *()> Body) const {
  if (Width == 1)
    return Body();
  Value *Packed = PoisonValue::get(dualType(Ty));
  for (unsigned Lane = 0; Lane < Width; ++Lane) {
    Current = Lane;
    Packed = insert(B, Packed, Body(), Lane);
  }
  return Packed;
}

Value *Lanes::splat(IRBuilderBase &B, Value *V) const {
  return make(B, V->getType(), [V] { return V; });
}

Value *Lanes::first(IRBuilderBase &B, Value *Dual) const {
  return Width == 1 ? Dual : elementOf(B, Dual, 0);
}

Module &EmitContext::module() const { return *B.GetInsertBlock()->getModule(); }

namespace {

/// True if \p Partial is the constant \p Number in every element.
bool isSplat(Value *Partial, double Number) {
  auto *C = dyn_cast<Constant>(Partial);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  auto *FP = dyn_cast_or_null<ConstantFP>(C);
  return FP && FP->isExactlyValue(Number);
}

} // namespace

/// A choice between numbers, as in fmin, fdim, copysign of a sign.
static bool isChoice(Value *Partial) {
  auto *Choice = dyn_cast<SelectInst>(Partial);
  return Choice && all_of(drop_begin(Choice->operands()), [](Value *Arm) {
           return isa<Constant>(Arm) || isChoice(Arm);
         });
}

/// \p Dual times a choice between numbers: chosen, not multiplied, so that
/// what is not chosen contributes nothing even if it is infinite.
static Value *choose(IRBuilderBase &B, Value *Partial, Value *Dual) {
  if (auto *Choice = dyn_cast<SelectInst>(Partial))
    return B.CreateSelect(Choice->getCondition(),
                          choose(B, Choice->getTrueValue(), Dual),
                          choose(B, Choice->getFalseValue(), Dual));
  if (isSplat(Partial, 1))
    return Dual;
  if (isSplat(Partial, -1))
    return B.CreateFNeg(Dual);
  if (isSplat(Partial, 0))
    return Constant::getNullValue(Dual->getType());
  return B.CreateFMul(Partial, Dual);
}

Value *EmitContext::product(Value *Partial, Value *Dual, bool PartialIsFinite) {
  if (isSplat(Partial, 1))
    return Dual;
  if (PartialIsFinite && isChoice(Partial))
    return L.map(B, {Dual},
                 [&](ArrayRef<Value *> D) { return choose(B, Partial, D[0]); });
  bool Guard = zeroGuardsOf(facts()) != ZeroGuards::None && !PartialIsFinite;
  FastMathFlags Flags = B.getFastMathFlags();
  if (Guard && isKnownNeverInfOrNaN(Partial, 0, SimplifyQuery(dataLayout())))
    Guard = false;
  // How an adjoint or tangent is rounded is not the primal's business.
  Flags.setAllowContract();
  IRBuilderBase::FastMathFlagGuard KeepFlags(B);
  B.setFastMathFlags(Flags);
  return L.map(B, {Dual}, [&](ArrayRef<Value *> D) -> Value * {
    if (isSplat(Partial, -1))
      return B.CreateFNeg(D[0]);
    if (auto *C = dyn_cast<ConstantFP>(D[0]); Guard && C)
      return C->isZero() ? C : B.CreateFMul(Partial, C);
    return Guard ? guardedProduct(B, Partial, D[0], KeptZeros::OfSecond)
                 : B.CreateFMul(Partial, D[0]);
  });
}

Value *EmitContext::plus(Value *Sum, Value *Term) {
  if (!Sum || !Term)
    return Sum ? Sum : Term;
  // As in product(): both must allow it for the two to become one instruction.
  FastMathFlags Flags = B.getFastMathFlags();
  Flags.setAllowContract();
  IRBuilderBase::FastMathFlagGuard KeepFlags(B);
  B.setFastMathFlags(Flags);
  return L.map(B, {Sum, Term},
               [&](ArrayRef<Value *> T) { return B.CreateFAdd(T[0], T[1]); });
}

Value *EmitContext::sum(const Value *Like, Value *A, Value *C) {
  BlockLayout Layout;
  if (!A->getType()->isFPOrFPVectorTy())
    Layout = layoutOfBits(Like, F);
  // The order in which contributions to an adjoint are added is ours to
  // choose, whatever the primal may reorder: so the compiler may keep several
  // partial sums, and vectorize. Nor does the sign of a zero mean anything:
  // then adding to a place that was just cleared is a move.
  IRBuilderBase::FastMathFlagGuard Guard(B);
  FastMathFlags Flags = B.getFastMathFlags();
  Flags.setAllowReassoc();
  Flags.setNoSignedZeros();
  Flags.setAllowContract();
  B.setFastMathFlags(Flags);
  return addFloatLeaves(B, A, C, Layout, dataLayout());
}

Value *EmitContext::sumOfUses(const Value *V, Value *A, Value *C) {
  if (F.Activity->isMovedWord(V) &&
      (F.hasShadow(V) || A->getType()->isPtrOrPtrVectorTy()))
    return sumOfWords(B, A, C, F.DoublesAlone);
  bool Parts = A->getType()->isIntOrIntVectorTy() && isTakenApart(V, F);
  if (Parts)
    return addBits(B, A, C);
  if (A->getType()->isIntegerTy() && isPassedOn(V, F))
    emitStopIfTailMeets(B, A, C);
  return sum(V, A, C);
}

} // namespace adze

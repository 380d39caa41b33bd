// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of merges, aggregates and vectors, and the dispatch.
#include "Analysis/Type/FunctionTypes.h"
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace adze;

/// Operands that the language wants to be numbers: indices, sizes, switch
/// conditions, operands of int-to-float conversions.
void FunctionTypes::useAsNumbers(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::GetElementPtr:
    for (const Value *Index : cast<GetElementPtrInst>(I).indices())
      addNumber(Index, Certainty::Definite, &I);
    return;
  case Instruction::Alloca:
  case Instruction::Switch:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    addNumber(I.getOperand(0), Certainty::Definite, &I);
    return;
  case Instruction::ExtractElement:
    addNumber(I.getOperand(1), Certainty::Definite, &I);
    return;
  case Instruction::InsertElement:
    addNumber(I.getOperand(2), Certainty::Definite, &I);
    return;
  default:
    return;
  }
}

void FunctionTypes::applyInstruction(const Instruction &I,
                                     SummarySource &Callees) {
  useAsNumbers(I);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return flowCall(*Call, Callees);
  if (I.isCast())
    return flowCast(I);
  if (I.isBinaryOp())
    return flowBinary(I);
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Select:
    return flowMerge(I);
  case Instruction::Load:
    return flowAccess(I, I.getOperand(0), nullptr, &I);
  case Instruction::Store:
    return flowAccess(I, I.getOperand(1), I.getOperand(0), nullptr);
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return flowAtomic(I);
  case Instruction::GetElementPtr:
    return flowGEP(cast<GetElementPtrInst>(I));
  case Instruction::Alloca:
    return flowAlloca(I);
  case Instruction::ICmp:
    return flowCompare(I);
  case Instruction::ExtractValue: {
    auto &E = cast<ExtractValueInst>(I);
    const Value *Whole = E.getAggregateOperand();
    return flowPart(Whole, &I,
                    elementOffset(Whole->getType(), E.getIndices(), DL));
  }
  case Instruction::InsertValue:
    return flowInsertValue(cast<InsertValueInst>(I));
  case Instruction::ExtractElement:
    return flowExtractElement(I);
  case Instruction::InsertElement:
    return flowInsertElement(cast<InsertElementInst>(I));
  case Instruction::ShuffleVector:
    return flowShuffle(cast<ShuffleVectorInst>(I));
  default:
    return; // floats, control: nothing that types could flow through
  }
}

/// Both values have the same bytes.
void FunctionTypes::flowSame(const Value *A, const Value *B) {
  addOwn(A, own(B));
  addOwn(B, own(A));
}

static SmallVector<const Value *, 4> mergedValues(const Instruction &I) {
  SmallVector<const Value *, 4> In;
  if (auto *Phi = dyn_cast<PHINode>(&I))
    In.append(Phi->value_op_begin(), Phi->value_op_end());
  else
    In = {I.getOperand(1), I.getOperand(2)};
  return In;
}

/// What null and undef point to is never looked at: they agree with all.
static bool isNeutral(const Value *V) {
  return isa<UndefValue>(V) || isa<ConstantPointerNull>(V);
}

/// A merge is what all its inputs are; each input is used as the merge is. A
/// use through a merge of several pointers may be guarded by a test that
/// excludes one of them, so what it says of the others is indirect.
void FunctionTypes::flowMerge(const Instruction &I) {
  bool IsPointer = I.getType()->isPointerTy();
  TypeTree Here =
      IsPointer ? memory(&I) : own(&I).dropping(ConcreteType::Anything);
  if (IsPointer && Values.inputsOf(&I) > 1)
    Here = Here.demoted(Certainty::Indirect);
  bool First = true, Shared = false;
  TypeTree All;
  for (const Value *In : mergedValues(I)) {
    if (isNeutral(In))
      continue;
    if (Values.inOneCycle(&I, In)) {
      Shared = true;
      continue;
    }
    if (IsPointer)
      addMemory(In, isMemberAddress(In)
                        ? TypeTreeBuilder::ofMember(Here, memory(In))
                        : Here);
    else
      addOwn(In, Here);
    TypeTree T = IsPointer ? memory(In) : own(In);
    All = First ? T : TypeTree::meet(All, T);
    First = false;
  }
  // A member of a cycle takes its inputs through the cycle's own constraint.
  if (Shared || Values.inOneCycle(&I, &I))
    return;
  if (IsPointer)
    addMemory(&I, All);
  else
    addOwn(&I, All);
}

void FunctionTypes::applyCycle(const Cycle &C) {
  const Cell &Shared = Values.List[C.Cell];
  bool First = true;
  TypeTree All;
  for (auto &[Member, Input] : C.Inputs) {
    if (isNeutral(Input))
      continue;
    TypeTree T;
    if (Member->getType()->isPointerTy()) {
      T = memory(Input);
      int64_t Delta = Values.of(Member).Delta;
      if (auto *GEP = dyn_cast<GEPOperator>(Member))
        Delta -= offsetOf(*GEP, DL).Constant;
      if (Shared.Fold) {
        Dimension Step;
        Step.Stride = Shared.Fold;
        T = T.invariant(Step).everywhere(Shared.Fold).rotated(-Delta);
      } else {
        T = T.shifted(Delta);
      }
    } else {
      T = own(Input);
    }
    All = First ? T : TypeTree::meet(All, T);
    First = false;
  }
  add(C.Cell, All);
}

void FunctionTypes::applyCountingCycle(const CountingCycle &C) {
  for (const Value *In : C.Inputs)
    if (!isNumber(In))
      return;
  for (const Instruction *M : C.Members)
    addNumber(M, Certainty::Indirect, M);
}

void FunctionTypes::flowPart(const Value *Whole, const Value *Part,
                             uint64_t Offset) {
  addOwn(Part, own(Whole).slice(Offset, sizeOf(Part)));
  addOwn(Whole, own(Part).shifted(int64_t(Offset)));
}

/// \p Result is \p Whole with the bytes at \p Offset replaced by \p Part.
void FunctionTypes::flowReplace(const Value *Result, const Value *Whole,
                                const Value *Part, uint64_t Offset) {
  uint64_t End = Offset + sizeOf(Part);
  flowPart(Result, Part, Offset);
  addOwn(Result, own(Whole).without(Offset, End));
  addOwn(Whole,
         own(Result).without(Offset, End).dropping(ConcreteType::Anything));
}

void FunctionTypes::flowInsertValue(const InsertValueInst &I) {
  flowReplace(&I, I.getAggregateOperand(), I.getInsertedValueOperand(),
              elementOffset(I.getType(), I.getIndices(), DL));
}

/// The elements of a vector as one dimension.
static Dimension elementsOf(Type *Ty, uint64_t Stride) {
  Dimension D;
  D.Stride = Stride;
  D.Count = cast<FixedVectorType>(Ty)->getNumElements();
  return D;
}

void FunctionTypes::flowExtractElement(const Instruction &I) {
  const Value *Vector = I.getOperand(0);
  uint64_t Stride = vectorStride(Vector->getType(), DL);
  if (Stride == 0)
    return;
  if (auto *Index = dyn_cast<ConstantInt>(I.getOperand(1)))
    return flowPart(Vector, &I, Index->getZExtValue() * Stride);
  addOwn(&I, own(Vector).invariant(elementsOf(Vector->getType(), Stride)));
}

void FunctionTypes::flowInsertElement(const InsertElementInst &I) {
  uint64_t Stride = vectorStride(I.getType(), DL);
  if (Stride == 0)
    return;
  const Value *Vector = I.getOperand(0), *Element = I.getOperand(1);
  if (auto *Index = dyn_cast<ConstantInt>(I.getOperand(2)))
    return flowReplace(&I, Vector, Element, Index->getZExtValue() * Stride);
  Dimension D = elementsOf(I.getType(), Stride);
  addOwn(&I, TypeTree::meet(own(Vector), own(Element).repeated(D)));
  addOwn(Element, own(&I).invariant(D));
}

void FunctionTypes::flowShuffle(const ShuffleVectorInst &I) {
  uint64_t Stride = vectorStride(I.getType(), DL);
  auto *VT = dyn_cast<FixedVectorType>(I.getOperand(0)->getType());
  if (Stride == 0 || !VT || VT->getNumElements() > 256)
    return;
  int Count = int(VT->getNumElements());
  TypeTree Ops[2] = {own(I.getOperand(0)), own(I.getOperand(1))};
  TypeTree Here = own(&I).dropping(ConcreteType::Anything), New, Back[2];
  ArrayRef<int> Mask = I.getShuffleMask();
  for (unsigned To = 0; To != Mask.size(); ++To) {
    if (Mask[To] < 0) { // no value, so of any type
      New.join(TypeTree::at(To * Stride, Stride, ConcreteType::Anything));
      continue;
    }
    unsigned Op = Mask[To] >= Count, From = Mask[To] % Count;
    New.join(Ops[Op].slice(From * Stride, Stride).shifted(To * Stride));
    Back[Op].join(Here.slice(To * Stride, Stride).shifted(From * Stride));
  }
  addOwn(&I, New);
  addOwn(I.getOperand(0), Back[0]);
  addOwn(I.getOperand(1), Back[1]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of memory: what an access moves is what is behind its pointer.
#include "Analysis/Type/FunctionTypes.h"
#include "Analysis/Type/IRTypes.h"
#include "Analysis/Type/TypeFacts.h"
#include "Analysis/Type/TypeTreeBuilder.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace adze;

/// Where integers become pointers somewhere, a declaration as large as one says
/// nothing: what is only copied or compared may be an address.
TypeTree FunctionTypes::doubtLong(const TypeTree &T) const {
  if (!Declared->hasIntegerPointers())
    return T;
  TypeTreeBuilder B;
  for (const TypeFact &F : T.facts())
    if (!F.Type.isInteger() || F.Place.Size < DL.getPointerSize())
      B.add(F);
  return B.take();
}

/// What memory holds that an integer is stored to: pointers may stand there at
/// other times (a union, a variant). Where the integer comes from says more.
static TypeTree doubtPointers(const TypeTree &T) {
  TypeTree Rest = T.dropping(ConcreteType::Pointer);
  Rest.join(T.only(ConcreteType::Pointer).demoted(Certainty::Indirect));
  return Rest;
}

/// \p Element, for every element that an index walks over.
static TypeTree ofEach(const TypeTree &Element, ArrayRef<Dimension> Dims) {
  uint64_t Stride = UINT64_MAX;
  for (const Dimension &D : Dims)
    Stride = std::min(Stride, D.Stride);
  return withoutWords(Element, Stride).repeated(Dims);
}

void FunctionTypes::flowTBAA(const Instruction &I, const Value *Ptr, Type *Ty) {
  TBAAFacts Facts = factsOfTBAA(I, Ty, DL);
  Facts.Tree = doubtLong(Facts.Tree);
  if (Facts.Tree.isUnknown())
    return;
  int64_t Back = -int64_t(Facts.Back);
  addMemory(Ptr, Facts.Tree, Back);
  // A field of some element of an array of structs: the fields before it lie
  // before this address, but not before the array.
  auto *GEP = dyn_cast<GEPOperator>(Ptr);
  if (!GEP || Back == 0)
    return;
  AddressOffset A = offsetOf(*GEP, DL);
  if (A.Known && !A.Dims.empty())
    addMemory(GEP->getPointerOperand(), ofEach(Facts.Tree, A.Dims),
              A.Constant + Back);
}

/// The address of a member is stored where addresses of whole objects may be
/// stored, too: the header of a list, beside its nodes. What stands behind the
/// member tells of no node, and a node tells nothing of it.
void FunctionTypes::flowMemberAddress(const Instruction &I, const Value *Ptr,
                                      const Value *Member) {
  const uint64_t Size = sizeOf(Member);
  TypeTree Here = memory(Member);
  TypeTree There = memory(Ptr, Size).pointeeAt(0);
  addMemory(Ptr, TypeTreeBuilder::ofMember(Here, Here)
                     .demoted(Certainty::Indirect)
                     .behindPointer(Size, &I));
  addMemory(Member, TypeTreeBuilder::ofMember(
                        There.demoted(Certainty::Indirect), Here));
}

void FunctionTypes::flowAccess(const Instruction &I, const Value *Ptr,
                               const Value *Stored, const Value *Loaded) {
  const Value *V = Stored ? Stored : Loaded;
  if (Stored && isMemberAddress(V)) {
    flowTBAA(I, Ptr, V->getType());
    return flowMemberAddress(I, Ptr, V);
  }
  uint64_t Size = sizeOf(V);
  TypeTree Moved = treeOfType(V->getType(), DL, Certainty::Definite, &I);
  Moved.join(own(V));
  // A constant is every type, but the memory that it is stored to is not: it
  // says nothing of what else may be stored there. (In memory, Anything is
  // padding.)
  addMemory(Ptr, Moved.dropping(ConcreteType::Anything));
  flowTBAA(I, Ptr, V->getType());
  // Where memory holds floats at one time and pointers at another (the buffer
  // of std::function), the tag says which it is here.
  if (TypeTree Float = floatOfTBAA(I, V->getType(), DL); !Float.isUnknown())
    return addOwn(V, Float);
  TypeTree Held = memory(Ptr, Size);
  // What memory is declared to hold: the bits of a float may be stored there.
  if (Stored && !isNumber(Stored))
    Held = Held.dropping(ConcreteType::Integer);
  // A part of a wider type has none of its own: what is said of the bytes is
  // said of the padding around it.
  if (V->getType()->isIntegerTy() && Size < DL.getPointerSize())
    Held = Held.dropping(ConcreteType::Anything);
  if (Stored && V->getType()->isIntegerTy())
    Held = doubtPointers(Held);
  addOwn(V, Held);
}

void FunctionTypes::flowAtomic(const Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    const Value *Ptr = RMW->getPointerOperand();
    flowAccess(I, Ptr, nullptr, &I);
    if (RMW->getOperation() == AtomicRMWInst::Xchg)
      flowAccess(I, Ptr, RMW->getValOperand(), nullptr);
    // Else nothing is said of integers: they may be the bits of a float, of
    // which the sign changes, or the greatest is kept.
    return;
  }
  auto &X = cast<AtomicCmpXchgInst>(I);
  const Value *Ptr = X.getPointerOperand(), *New = X.getNewValOperand();
  uint64_t Size = sizeOf(New);
  flowAccess(I, Ptr, New, nullptr);
  addMemory(Ptr, own(&I).slice(0, Size).dropping(ConcreteType::Anything));
  TypeTree T = memory(Ptr, Size).dropping(ConcreteType::Anything);
  addOwn(&I, T);
  addOwn(X.getCompareOperand(), T);
}

void FunctionTypes::flowGEP(const GetElementPtrInst &I) {
  if (!I.getType()->isPointerTy())
    return;
  auto &GEP = cast<GEPOperator>(I);
  const Value *Base = GEP.getPointerOperand();
  if (!Base->getType()->isPointerTy())
    return;
  addMemory(Base, hintOfGEP(GEP, DL));
  addMemory(Base, treeOfArray(GEP, DL,
                              Declared->ofType(*GEP.getSourceElementType(),
                                               Trust, &GEP)));
  AddressOffset A = offsetOf(GEP, DL);
  // At a constant distance, or on a cycle: both share a cell.
  if (!A.Known || A.Dims.empty() || Values.inOneCycle(&I, Base))
    return;
  addMemory(Base, ofEach(memory(&I), A.Dims), A.Constant);
  addMemory(&I, memory(Base).shifted(-A.Constant).invariant(A.Dims));
}

void FunctionTypes::flowAlloca(const Instruction &I) {
  auto &A = cast<AllocaInst>(I);
  TypeTree T = treeOfObject(A.getAllocatedType(), DL, &I);
  T.join(Declared->ofType(*A.getAllocatedType(), Trust, &I));
  if (A.isArrayAllocation()) {
    Dimension D;
    D.Stride = allocSize(A.getAllocatedType(), DL);
    if (auto *Count = dyn_cast<ConstantInt>(A.getArraySize()))
      D.Count = Count->getZExtValue();
    T = T.repeated(D);
  }
  addMemory(&I, T);
}

void FunctionTypes::flowBlockCopy(const Instruction &I, const Value *Dst,
                                  const Value *Src, const Value *Bytes) {
  addNumber(Bytes, Certainty::Definite, &I);
  TypeTree Declared = doubtLong(treeOfTBAAStruct(I, DL)), From, To;
  if (auto *C = dyn_cast<ConstantInt>(Bytes)) {
    uint64_t Size = C->getZExtValue();
    From = memory(Src, Size);
    To = memory(Dst, Size);
  } else {
    // If it copies anything, it copies at least what divides its length.
    uint64_t AtLeast = knownFactor(Bytes);
    From = memory(Src).prefix(AtLeast);
    To = memory(Dst).prefix(AtLeast);
  }
  addMemory(Dst, Declared);
  addMemory(Src, Declared);
  addMemory(Dst, From);
  addMemory(Src, To);
}

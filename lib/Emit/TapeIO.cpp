// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TapeIO.h"
#include "adze/Emit.h"
#include "adze/Options.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// The alignment that the slot's field must have beyond its type's.
MaybeAlign storageAlign(const Slot &S) {
  if (!S.IsStorage)
    return MaybeAlign();
  return cast<AllocaInst>(S.Holds.V)->getAlign();
}

/// Where each slot's field stands in the tape struct. Storage that is aligned
/// more than its type is preceded by an empty array of vectors of that
/// alignment; if it is aligned more than the tape itself, it gets room to be
/// aligned when its address is taken.
struct StructFields {
  SmallVector<Type *, 16> Types;
  DenseMap<unsigned, unsigned> FieldOf;
};

StructFields structFields(const Plan &P, const DataLayout &DL, LLVMContext &C) {
  StructFields Result;
  Type *Byte = Type::getInt8Ty(C);
  for (unsigned I = 0; I < P.Slots.size(); ++I) {
    const Slot &S = P.Slots[I];
    if (S.Base != NoSlot || S.Rerun)
      continue;
    Type *Ty = fieldType(S);
    if (MaybeAlign Wanted = storageAlign(S); Wanted && *Wanted > TapeAlign)
      Ty = ArrayType::get(Byte, DL.getTypeAllocSize(Ty) + Wanted->value() - 1);
    else if (Wanted && *Wanted > DL.getABITypeAlign(Ty))
      Result.Types.push_back(
          ArrayType::get(FixedVectorType::get(Byte, Wanted->value()), 0));
    Result.FieldOf[I] = Result.Types.size();
    Result.Types.push_back(Ty);
  }
  return Result;
}

} // namespace

Type *fieldType(const Slot &S) {
  if (S.Size != Sizing::Static)
    return S.Element;
  uint64_t Count = 1;
  for (uint64_t Extent : S.Extents)
    Count *= Extent;
  return ArrayType::get(S.Element, Count);
}

uint64_t elementBytes(const Slot &S, const DataLayout &DL) {
  return DL.getTypeAllocSize(S.Element);
}

Tape::~Tape() = default;

/// \p Field as what the variable's address is: on AMDGPU one of the thread's
/// own memory, where tapes of calls lie. LowerLanes.cpp has it asked for.
static Value *asAddressOf(const Value &Variable, Value *Field,
                          IRBuilderBase &B) {
  Type *Ty = Variable.getType();
  if (Ty->getPointerAddressSpace() ==
      Field->getType()->getPointerAddressSpace())
    return Field;
  Module &M = *B.GetInsertBlock()->getModule();
  FunctionCallee Cast =
      M.getOrInsertFunction(PrivateFieldFunction, Ty, Field->getType());
  auto *F = cast<Function>(Cast.getCallee());
  F->setDoesNotThrow();
  F->setDoesNotAccessMemory();
  return B.CreateCall(Cast, {Field});
}

Value *Tape::storage(IRBuilderBase &B, unsigned Index, const Lanes &L) {
  Value *Field = asAddressOf(*P.Slots[Index].Holds.V, field(B, Index), B);
  const Slot &S = P.Slots[Index];
  if (S.Holds.Which != Part::Shadow || L.isOne())
    return Field;
  return L.make(B, Field->getType(), [&] {
    return B.CreateConstInBoundsGEP2_64(S.Element, Field, 0, L.current());
  });
}

Value *FrameTape::field(IRBuilderBase &, unsigned Index) {
  Value *&Variable = Variables[Index];
  if (!Variable) {
    const Slot &S = P.Slots[Index];
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> B(&Entry, Entry.begin());
    AllocaInst *A = B.CreateAlloca(fieldType(S), nullptr, "tape");
    if (MaybeAlign Wanted = storageAlign(S))
      A->setAlignment(std::max(*Wanted, A->getAlign()));
    if (Options::get().PoisonTapes)
      B.CreateMemSet(A, B.getInt8(0xff),
                     F.getDataLayout().getTypeAllocSize(fieldType(S)),
                     A->getAlign());
    Variable = A;
  }
  return Variable;
}

static Function &functionOf(Value *Base) {
  return *cast<Argument>(Base)->getParent();
}

StructTape::StructTape(const Plan &P, StructType *Ty, Value *Base,
                       const DataLayout &DL)
    : Tape(P), Ty(Ty), Base(Base), OfReruns(P, functionOf(Base)),
      FieldOf(structFields(P, DL, Ty->getContext()).FieldOf) {}

Value *StructTape::field(IRBuilderBase &B, unsigned Index) {
  if (P.Slots[Index].Rerun)
    return OfReruns.field(B, Index);
  Value *Field = B.CreateStructGEP(Ty, Base, FieldOf.lookup(Index), "tape");
  MaybeAlign Wanted = storageAlign(P.Slots[Index]);
  if (!Wanted || *Wanted <= TapeAlign)
    return Field;
  Value *Above =
      B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Field, Wanted->value() - 1);
  // (No llvm.ptrmask: BasicAA of LLVM 19 takes its result for its operand.)
  Value *Rest = B.CreateAnd(B.CreatePtrToInt(Above, B.getInt64Ty()),
                            B.getInt64(Wanted->value() - 1));
  return B.CreateGEP(B.getInt8Ty(), Above, B.CreateNeg(Rest));
}

void layOutTape(const Plan &P, Derivative &D) {
  if (!D.TapeType)
    return;
  const Module &M = *D.Augmented->getParent();
  D.TapeType->setBody(structFields(P, M.getDataLayout(), M.getContext()).Types);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Materialize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace adze;

Materializer::Materializer(const MarkerCall &C)
    : C(C), DL(C.layout()), B(C.Call) {}

Value *Materializer::memory(Type *Ty) {
  // In the entry block: a marker in a loop must not grow the stack.
  BasicBlock &Entry = C.Call->getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  AllocaInst *A = AtEntry.CreateAlloca(Ty);
  A->setAlignment(std::max(A->getAlign(), Align(16)));
  return B.CreateAddrSpaceCast(A, B.getPtrTy());
}

Value *Materializer::zeroedMemory(Type *Ty) {
  Value *M = memory(Ty);
  B.CreateMemSet(M, B.getInt8(0), DL.getTypeAllocSize(Ty).getFixedValue(),
                 Align(16));
  return M;
}

Value *Materializer::copy(Value *Memory, Type *Ty) {
  Value *M = zeroedMemory(Ty);
  B.CreateMemCpy(M, Align(16), Memory, MaybeAlign(),
                 DL.getTypeAllocSize(Ty).getFixedValue());
  return M;
}

Value *Materializer::at(Value *Memory, uint64_t Offset) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Memory, Offset);
}

void Materializer::storeToFloats(Value *Memory, Type *Ty, double X) {
  SmallVector<AbiScalar, 8> Scalars;
  collectAbiScalars(Ty, DL, Scalars);
  for (const AbiScalar &L : Scalars)
    if (L.Ty->isFloatingPointTy())
      B.CreateAlignedStore(ConstantFP::get(L.Ty, X), at(Memory, L.Offset),
                           commonAlignment(Align(16), L.Offset));
}

void Materializer::zeroFloats(Value *Memory, Type *Ty) {
  storeToFloats(Memory, Ty, 0);
}

void Materializer::seedFloats(Value *Memory, Type *Ty) {
  storeToFloats(Memory, Ty, 1);
}

Value *Materializer::convert(Value *V, Type *Ty, bool Unsigned) {
  Type *From = V->getType();
  if (From == Ty)
    return V;
  if (From->isFloatingPointTy() && Ty->isFloatingPointTy()) {
    // A float that was promoted for the variadic call.
    if (auto *Promoted = dyn_cast<FPExtInst>(V))
      if (Promoted->getSrcTy() == Ty)
        return Promoted->getOperand(0);
    return B.CreateFPCast(V, Ty);
  }
  if (From->isIntegerTy() && Ty->isIntegerTy())
    return B.CreateIntCast(V, Ty, !Unsigned);
  if (From->isPointerTy() && Ty->isPointerTy())
    return B.CreateAddrSpaceCast(V, Ty);
  if (Ty->isPointerTy()) // a literal 0
    return Constant::getNullValue(Ty);
  // The same bytes in other registers.
  Value *M = memory(From);
  B.CreateAlignedStore(V, M, Align(16));
  return B.CreateAlignedLoad(Ty, M, Align(16));
}

Value *Materializer::value(const Group &G, const Instance &I, unsigned P,
                           bool Shared) {
  const Function &F = *C.Primal;
  Type *Ty = F.getArg(P)->getType();
  Type *Memory = memoryType(F, P);
  Value *First = C.Operands[I.First].V;
  switch (I.How) {
  case Instance::Direct: {
    Value *V = C.Operands[I.First + (P - G.FirstParam)].V;
    if (!Memory)
      return convert(V, Ty, F.hasParamAttribute(P, Attribute::ZExt));
    return convert(Shared ? V : copy(V, Memory), Ty, /*Unsigned=*/false);
  }
  case Instance::Indirect: {
    SmallVector<Type *, 2> Pieces;
    for (unsigned N = 0; N != G.NumParams; ++N)
      Pieces.push_back(F.getArg(G.FirstParam + N)->getType());
    SmallVector<uint64_t, 2> Offsets;
    pieceOffsets(Pieces, DL, Offsets);
    return B.CreateAlignedLoad(Ty, at(First, Offsets[P - G.FirstParam]),
                               Align(1));
  }
  case Instance::Gathered:
    break;
  case Instance::Packed:
    return packed(G, P, /*Direction=*/0);
  }
  uint64_t Size = DL.getTypeAllocSize(Memory).getFixedValue();
  ArrayRef<Operand> Pieces = ArrayRef(C.Operands).slice(I.First, I.Count);
  return convert(gathered(Pieces, Size), Ty, /*Unsigned=*/false);
}

/// Memory of at least \p Size bytes that holds a structure that was split.
Value *Materializer::gathered(ArrayRef<Operand> Pieces, uint64_t Size) {
  SmallVector<Type *, MaxPieces> Types;
  for (const Operand &O : Pieces)
    Types.push_back(O.V->getType());
  SmallVector<uint64_t, MaxPieces> Offsets;
  uint64_t End = pieceOffsets(Types, DL, Offsets);
  // The last register may reach past the end of the structure.
  Value *M = memory(ArrayType::get(B.getInt8Ty(), std::max(Size, End)));
  for (auto [O, Offset] : zip_equal(Pieces, Offsets))
    B.CreateAlignedStore(O.V, at(M, Offset), Align(1));
  return M;
}

ArrayRef<Operand> Materializer::seedIn(unsigned Direction) const {
  const size_t Count = C.Seed.size() / C.Width;
  return ArrayRef(C.Seed).slice(Direction * Count, Count);
}

Value *Materializer::seedAddress(Type *Ty, unsigned Direction) {
  ArrayRef<Operand> Seed = seedIn(Direction);
  if (Seed.size() == 1 && Seed[0].ByVal)
    return Seed[0].V;
  return gathered(Seed, DL.getTypeAllocSize(Ty).getFixedValue());
}

Value *Materializer::seeds(Type *Ty) {
  SmallVector<Value *, 1> Seeds;
  for (unsigned K = 0; K != C.Width; ++K) {
    ArrayRef<Operand> Seed = seedIn(K);
    Seeds.push_back(
        Seed.size() == 1 && !Seed[0].ByVal
            ? convert(Seed[0].V, Ty, /*Unsigned=*/false)
            : B.CreateAlignedLoad(Ty, seedAddress(Ty, K), Align(1)));
  }
  return together(Seeds);
}

void Materializer::storeSeed(Value *Memory, Type *Ty, unsigned Direction) {
  Value *From = seedAddress(Ty, Direction);
  if (!scalarClasses(Ty).Pointers) {
    B.CreateMemCpy(Memory, Align(16), From, MaybeAlign(),
                   DL.getTypeAllocSize(Ty).getFixedValue());
    return;
  }
  SmallVector<AbiScalar, 8> Scalars;
  collectAbiScalars(Ty, DL, Scalars);
  for (const AbiScalar &L : Scalars)
    if (L.Ty->isFloatingPointTy())
      B.CreateAlignedStore(
          B.CreateAlignedLoad(L.Ty, at(From, L.Offset), Align(1)),
          at(Memory, L.Offset), commonAlignment(Align(16), L.Offset));
}

/// One of the scalars that are passed as one value.
Value *Materializer::packed(const Group &G, unsigned P, unsigned Direction) {
  const Instance &I = G.Shadows[0];
  Type *Ty = C.Primal->getArg(P)->getType();
  Value *M = C.Operands[I.First].V;
  if (!C.Operands[I.First].ByVal) {
    SmallVector<Type *, 2> Pieces;
    for (unsigned N = 0; N != I.Count; ++N)
      Pieces.push_back(C.Operands[I.First + N].V->getType());
    SmallVector<uint64_t, 2> Offsets;
    M = memory(
        ArrayType::get(B.getInt8Ty(), pieceOffsets(Pieces, DL, Offsets)));
    for (unsigned N = 0; N != I.Count; ++N)
      B.CreateAlignedStore(C.Operands[I.First + N].V, at(M, Offsets[N]),
                           Align(1));
  }
  uint64_t Offset = Direction * DL.getTypeAllocSize(Ty).getFixedValue();
  return B.CreateAlignedLoad(Ty, at(M, Offset), Align(1));
}

Value *Materializer::shadow(const Group &G, unsigned P, unsigned Direction,
                            bool Shared) {
  if (G.Shadows[0].How == Instance::Packed)
    return packed(G, P, Direction);
  if (!G.Stride)
    return value(G, G.Shadows[Direction], P, Shared);
  Value *First = value(G, G.Shadows[0], P, Shared);
  Type *Offset = DL.getIndexType(First->getType());
  Value *Bytes = B.CreateMul(B.CreateSExtOrTrunc(G.Stride, Offset),
                             ConstantInt::get(Offset, Direction));
  return B.CreatePtrAdd(First, Bytes);
}

Value *Materializer::together(ArrayRef<Value *> Directions) {
  if (Directions.size() == 1)
    return Directions[0];
  Value *All =
      PoisonValue::get(dualTypeOf(Directions[0]->getType(), Directions.size()));
  // No constant, which could be freed before it is used (see Lanes).
  for (auto [K, V] : enumerate(Directions))
    All = B.Insert(InsertValueInst::Create(All, V, {unsigned(K)}));
  return All;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/AggregateParts.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace adze {

uint64_t countParts(Type *Ty, uint64_t Most) {
  if (auto *S = dyn_cast<StructType>(Ty)) {
    uint64_t N = 0;
    for (Type *E : S->elements())
      N = std::min(N + countParts(E, Most), Most + 1);
    return N;
  }
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return std::min(std::min(A->getNumElements(), Most + 1) *
                        countParts(A->getElementType(), Most),
                    Most + 1);
  return 1;
}

namespace {
/// A type whose members are walked over.
struct Level {
  Type *Ty;
  uint64_t Offset;
  uint64_t Next = 0, Members = 0;

  Level(Type *Ty, uint64_t Offset) : Ty(Ty), Offset(Offset) {
    if (auto *S = dyn_cast<StructType>(Ty))
      Members = S->getNumElements();
    else if (auto *A = dyn_cast<ArrayType>(Ty))
      // An array of empty structures may be of any length.
      Members = countParts(A->getElementType(), 1) ? A->getNumElements() : 0;
  }

  Level nextMember(const DataLayout &DL) {
    uint64_t I = Next++;
    if (auto *S = dyn_cast<StructType>(Ty))
      return {
          S->getElementType(I),
          Offset +
              DL.getStructLayout(S)->getElementOffset(I).getKnownMinValue()};
    Type *Element = Ty->getArrayElementType();
    return {Element,
            Offset + I * DL.getTypeAllocSize(Element).getKnownMinValue()};
  }
};
} // namespace

void forEachPart(Type *Ty, const DataLayout &DL,
                 function_ref<void(const AggregatePart &)> Body) {
  SmallVector<Level, 4> Open{{Ty, 0}};
  SmallVector<unsigned, 4> Path;
  while (!Open.empty()) {
    Level &Top = Open.back();
    if (Top.Next < Top.Members) {
      Path.push_back(Top.Next);
      Level Member = Top.nextMember(DL);
      Open.push_back(Member);
      continue;
    }
    if (!Top.Ty->isAggregateType())
      Body({Top.Ty, Top.Offset, Path});
    Open.pop_back();
    if (!Path.empty())
      Path.pop_back();
  }
}

} // namespace adze

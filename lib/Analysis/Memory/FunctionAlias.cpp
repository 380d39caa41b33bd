// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Memory/FunctionAlias.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// More uses than this are taken for a capture.
static constexpr unsigned MaxUses = 10000;

bool PatientCaptureInfo::isNotCapturedBefore(const Value *Object,
                                             const Instruction *, bool) {
  auto [It, New] = Known.try_emplace(Object, false);
  if (New)
    It->second = isIdentifiedFunctionLocal(Object) &&
                 !PointerMayBeCaptured(Object, /*ReturnCaptures=*/false,
                                       /*StoreCaptures=*/true, MaxUses);
  return It->second;
}

/// The objects that \p Ptr may point into, whatever iteration it is from;
/// empty if \p Ptr is no phi or select (BasicAA is right for the rest).
static SmallVector<const Value *, 4> mergedObjects(const Value *Ptr) {
  SmallVector<const Value *, 4> Objects;
  const Value *Base = getUnderlyingObject(Ptr, /*MaxLookup=*/0);
  if (isa<PHINode, SelectInst>(Base))
    getUnderlyingObjects(Ptr, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Objects;
}

bool FunctionAlias::mayAlias(const MemoryLocation &A, const MemoryLocation &B,
                             Times T) {
  if (T == SameTime)
    return Plain.alias(A, B) != AliasResult::NoAlias;
  // What the types say does not depend on the addresses.
  if (Types.alias(A, B) == AliasResult::NoAlias)
    return false;
  SmallVector<const Value *, 4> ObjectsA = mergedObjects(A.Ptr);
  SmallVector<const Value *, 4> ObjectsB = mergedObjects(B.Ptr);
  if (ObjectsA.empty() && ObjectsB.empty())
    return Cross.alias(A, B) != AliasResult::NoAlias;
  if (ObjectsA.empty())
    ObjectsA.push_back(A.Ptr);
  if (ObjectsB.empty())
    ObjectsB.push_back(B.Ptr);
  for (const Value *ObjectA : ObjectsA)
    for (const Value *ObjectB : ObjectsB) {
      // A phi that is left here (unreachable cycles) says nothing.
      if (isa<PHINode, SelectInst>(ObjectA) ||
          isa<PHINode, SelectInst>(ObjectB))
        return true;
      if (Cross.alias(MemoryLocation::getBeforeOrAfter(ObjectA, A.AATags),
                      MemoryLocation::getBeforeOrAfter(ObjectB, B.AATags)) !=
          AliasResult::NoAlias)
        return true;
    }
  return false;
}

bool FunctionAlias::operandMayAlias(const CallBase &Call,
                                    const MemoryLocation &Loc) {
  for (const Value *Arg : Call.args())
    if (Arg->getType()->isPtrOrPtrVectorTy() &&
        (Arg->getType()->isVectorTy() ||
         mayAlias(MemoryLocation::getBeforeOrAfter(Arg), Loc, AnyIterations)))
      return true;
  return false;
}

// BasicAA compares operands of calls with locations inside its answers, so
// across iterations that comparison is made here too, for all operands.

bool FunctionAlias::mayAccess(const CallBase &Call, const MemoryLocation &Loc,
                              ModRefInfo How, Times T) {
  if (T == SameTime)
    return isModOrRefSet(Plain.getModRefInfo(&Call, Loc) & How);
  return isModOrRefSet(Cross.getModRefInfo(&Call, Loc) & How) ||
         (isModOrRefSet(Call.getMemoryEffects().getModRef() & How) &&
          operandMayAlias(Call, Loc));
}

bool FunctionAlias::mayAccess(const CallBase &Call, const CallBase &Writer,
                              ModRefInfo How, Times T) {
  if (T == SameTime)
    return isModOrRefSet(Plain.getModRefInfo(&Call, &Writer) & How);
  if (isModOrRefSet(Cross.getModRefInfo(&Call, &Writer) & How))
    return true;
  if (!isModOrRefSet(Call.getMemoryEffects().getModRef() & How) ||
      Writer.onlyReadsMemory())
    return false;
  for (const Value *Arg : Writer.args())
    if (Arg->getType()->isPtrOrPtrVectorTy() &&
        (Arg->getType()->isVectorTy() ||
         operandMayAlias(Call, MemoryLocation::getBeforeOrAfter(Arg))))
      return true;
  return false;
}

} // namespace adze

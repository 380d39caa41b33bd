// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/FloatsInAddresses.h"
#include "adze/TypeInfo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// More values than this are not looked through.
static constexpr unsigned MaxMoves = 64;

static bool chooses(const Value *V) { return isa<PHINode, SelectInst>(V); }

/// \p V has the bits of its operand.
static bool moves(const Value *V) {
  return isa<FreezeInst>(V) ||
         (isa<BitCastInst>(V) && !V->getType()->isPtrOrPtrVectorTy());
}

/// A choice between its bits and those of floats is that of a union: it is not
/// the float.
static bool leadsSomewhere(const Value *Pointer, const TypeInfo &Types) {
  return isa<Constant, AllocaInst>(Pointer) ||
         !Types.treeOf(Pointer).pointeeAt(0).isUnknown();
}

/// \p Pointer is only followed: as a pointer, whatever it is at other times.
static bool isOnlyFollowed(const Instruction &Pointer) {
  return all_of(Pointer.uses(), [](const Use &U) {
    const User *By = U.getUser();
    if (auto *Call = dyn_cast<CallBase>(By))
      return Call->getCalledFunction() &&
             Call->getCalledFunction()->isDeclaration();
    return isa<LoadInst, GetElementPtrInst, ICmpInst>(By) ||
           (isa<StoreInst>(By) && U.getOperandNo() != 0);
  });
}

bool makesAddressOfFloat(const Instruction &I, const TypeInfo &Types) {
  if (!isa<IntToPtrInst>(I))
    return false;
  bool MayChoose = !leadsSomewhere(&I, Types) || !isOnlyFollowed(I);
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(I.getOperand(0));
  for (unsigned K = 0; K < Seen.size() && K < MaxMoves; ++K) {
    const Value *V = Seen[K];
    if (moves(V) || (MayChoose && chooses(V)))
      for (const Value *Operand : cast<Instruction>(V)->operand_values())
        Seen.insert(Operand);
    else if (V->getType()->isFPOrFPVectorTy() && !chooses(V) &&
             !isa<Constant>(V))
      return true;
  }
  return false;
}

bool makesFloatOfAddress(const Instruction &I, const TypeInfo &Types) {
  if (!isa<PtrToIntInst>(I) || isa<Constant, AllocaInst>(I.getOperand(0)))
    return false;
  bool MayChoose = !leadsSomewhere(I.getOperand(0), Types);
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&I);
  for (unsigned K = 0; K < Seen.size() && K < MaxMoves; ++K)
    for (const User *U : Seen[K]->users()) {
      if (moves(U) || (MayChoose && chooses(U)))
        Seen.insert(U);
      else if (Seen[K]->getType()->isFPOrFPVectorTy() && !chooses(U) &&
               !isa<FCmpInst>(U))
        return true;
    }
  return false;
}

bool becomesFloat(const Instruction &I) {
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&I);
  for (unsigned K = 0; K < Seen.size() && K < MaxMoves; ++K) {
    if (Seen[K]->getType()->isFPOrFPVectorTy())
      return true;
    for (const User *U : Seen[K]->users())
      if (moves(U) || chooses(U))
        Seen.insert(U);
  }
  return false;
}

bool walksOverObject(const Value *Place) {
  return Place->stripInBoundsConstantOffsets() !=
         getUnderlyingObject(Place, /*MaxLookup=*/0);
}

bool isOfMixedObject(const Value *Place, const TypeInfo &Types) {
  if (!walksOverObject(Place))
    return false;
  const Value *Object = getUnderlyingObject(Place, /*MaxLookup=*/0);
  const TypeTree Behind = Types.treeOf(Object).pointeeAt(0);
  return any_of(Behind.facts(), [&](const TypeFact &F) {
    return F.Type.isFloat() && F.Sure != Certainty::Hint &&
           any_of(Behind.facts(), [&](const TypeFact &Q) {
             return Q.Type.isPointer() &&
                    (Q.Place.contains(F.Place, /*Exact=*/true) ||
                     F.Place.contains(Q.Place, /*Exact=*/true));
           });
  });
}

/// Types see a float as large as a pointer right behind \p Place.
static bool holdsFloat(const Value *Place, uint64_t Size,
                       const TypeInfo &Types) {
  if (isOfMixedObject(Place, Types))
    return true;
  const TypeTree Behind = Types.treeOf(Place).pointeeAt(0);
  return any_of(Behind.facts(), [&](const TypeFact &F) {
    return F.Type.isFloat() && F.Sure != Certainty::Hint &&
           F.Place.Start == 0 && F.Place.Size == Size;
  });
}

/// Of the program: a function of the library gives and takes pointers.
static bool callsProgram(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  return Call && !(Call->getCalledFunction() &&
                   Call->getCalledFunction()->isDeclaration());
}

/// With \p Chosen also after a choice between pointers.
static bool passes(const Instruction &I, bool Chosen) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->getType()->isPointerTy())
    return false;
  // Aligned words are moved as such, if nothing is chosen between.
  bool Aligned = Load->getAlign() >= sizeof(double);
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(Load);
  for (unsigned K = 0; K < Seen.size() && K < MaxMoves; ++K)
    for (const Use &U : Seen[K]->uses()) {
      const User *By = U.getUser();
      auto *Store = dyn_cast<StoreInst>(By);
      if (Chosen && (chooses(By) || isa<FreezeInst>(By)))
        Seen.insert(By);
      else if (isa<ReturnInst, InsertValueInst>(By) || callsProgram(By) ||
               (Store && U.getOperandNo() == 0 &&
                (K != 0 || !Aligned || Store->getAlign() < sizeof(double))))
        return true;
    }
  return false;
}

bool passesPointer(const Instruction &I) { return passes(I, true); }

bool passesFloat(const Instruction &I) {
  if (!isa<LoadInst>(I) || !I.getType()->isPtrOrPtrVectorTy())
    return false;
  SmallSetVector<const Value *, 8> Seen;
  Seen.insert(&I);
  for (unsigned K = 0; K < Seen.size() && K < MaxMoves; ++K)
    for (const Use &U : Seen[K]->uses()) {
      const User *By = U.getUser();
      if (chooses(By) || isa<FreezeInst, ExtractElementInst, InsertElementInst,
                             ShuffleVectorInst>(By))
        Seen.insert(By);
      else if (isa<ReturnInst, InsertValueInst>(By) || callsProgram(By) ||
               (isa<StoreInst>(By) && U.getOperandNo() == 0) ||
               (isa<PtrToIntInst>(By) && becomesFloat(*cast<Instruction>(By))))
        return true;
    }
  return false;
}

bool passesAnyWord(const Instruction &I, const TypeInfo &Types) {
  return passes(I, true) && !leadsSomewhere(&I, Types);
}

bool loadsFloatAsAddress(const Instruction &I, const TypeInfo &Types) {
  return passes(I, false) && !leadsSomewhere(&I, Types) &&
         holdsFloat(cast<LoadInst>(I).getPointerOperand(),
                    I.getDataLayout().getTypeStoreSize(I.getType()), Types);
}

bool storesFloatAsAddress(const Instruction &I, const TypeInfo &Types) {
  auto *Store = dyn_cast<StoreInst>(&I);
  if (!Store || !Store->getValueOperand()->getType()->isPointerTy())
    return false;
  const Value *V = Store->getValueOperand(), *From = V;
  if (auto *Part = dyn_cast<ExtractValueInst>(V))
    From = Part->getAggregateOperand();
  return callsProgram(From) && !leadsSomewhere(V, Types) &&
         holdsFloat(Store->getPointerOperand(),
                    I.getDataLayout().getTypeStoreSize(V->getType()), Types);
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Sharing/ThreadObjects.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

SmallVector<const Value *, 2>
ThreadObjects::objectsBehind(const Value *Pointer) {
  SmallVector<const Value *, 2> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return Objects;
}

namespace {

/// Who compares an address does not put it away: so do the tests in front of
/// two versions.
struct PutAway : CaptureTracker {
  bool Is = false;
  void tooManyUses() override { Is = true; }
  bool captured(const Use *U) override {
    return Is |= !isa<ICmpInst>(U->getUser());
  }
};

} // namespace

bool ThreadObjects::isCaptured(const Value &V) {
  auto [It, New] = Captured.try_emplace(&V, true);
  if (!New)
    return It->second;
  PutAway Tracker;
  PointerMayBeCaptured(&V, &Tracker);
  return Captured[&V] = Tracker.Is;
}

bool ThreadObjects::areOfThread(ArrayRef<const Value *> Objects) {
  return all_of(Objects, [&](const Value *V) {
    return (isa<AllocaInst>(V) || isNoAliasCall(V)) && !isCaptured(*V);
  });
}

/// The caller has said so, and no address of it is put away.
bool ThreadObjects::isReachedAlone(const Value &V) {
  auto *Arg = dyn_cast<Argument>(&V);
  return Arg &&
         R.Pairs.of(Arg->getArgNo(), Arg->getArgNo()) == AddressPair::Apart &&
         !isCaptured(V);
}

bool ThreadObjects::areGivenApart(const Value &A, const Value &B) const {
  auto *X = dyn_cast<Argument>(&A), *Y = dyn_cast<Argument>(&B);
  return X && Y &&
         R.Pairs.of(X->getArgNo(), Y->getArgNo()) == AddressPair::Apart;
}

/// An object of its own, whatever is done to it. (Two noalias arguments may
/// lead to one that nobody writes.)
static bool isObject(const Value &V) {
  auto *Arg = dyn_cast<Argument>(&V);
  return Arg ? Arg->hasByValAttr() : isIdentifiedObject(&V);
}

bool ThreadObjects::areApart(ArrayRef<const Value *> A,
                             ArrayRef<const Value *> B) {
  return all_of(A, [&](const Value *X) {
    return all_of(B, [&](const Value *Y) {
      return X != Y && (areGivenApart(*X, *Y) || isReachedAlone(*X) ||
                        isReachedAlone(*Y) || (isObject(*X) && isObject(*Y)));
    });
  });
}

} // namespace adze

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
  return Arg && Arg->getArgNo() < R.Apart.size() && R.Apart[Arg->getArgNo()] &&
         !isCaptured(V);
}

bool ThreadObjects::areApart(ArrayRef<const Value *> A,
                             ArrayRef<const Value *> B) {
  return all_of(A, [&](const Value *X) {
    return all_of(B, [&](const Value *Y) {
      return X != Y && (isReachedAlone(*X) || isReachedAlone(*Y) ||
                        (isIdentifiedObject(X) && isIdentifiedObject(Y)));
    });
  });
}

} // namespace adze

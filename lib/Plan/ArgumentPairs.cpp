// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ArgumentPairs.h"
#include "Analysis/Sharing/ThreadObjects.h"
#include "Loops/LoopMemory.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned QueryBudget = 20000, MaxUses = 10000;
/// Of calls with more pointers, and of pointers to more objects, nothing is
/// known.
constexpr size_t MaxPointers = 40, MaxObjects = 16;

/// Follows the address of an object: to be given to one call is no escape.
class GivenToOne : public CaptureTracker {
public:
  explicit GivenToOne(const CallBase &Call) : Call(Call) {}
  bool Escapes = false;

  void tooManyUses() override { Escapes = true; }
  bool captured(const Use *U) override {
    return Escapes |= U->getUser() != &Call;
  }

private:
  const CallBase &Call;
};

class PairFinder {
public:
  PairFinder(const CallBase &Call, const Primal &P, const Request &R)
      : Call(Call), R(R), Alias(loopMemoryOf(P, QueryBudget).Alias),
        Objects(R) {}

  ArgumentPairs run();

private:
  using ObjectList = SmallVector<const Value *, 2>;
  /// An operand that is an address.
  struct Pointer {
    unsigned Number;
    const Value *V;
    ObjectList Objects;
  };

  void collect();
  bool isNothing(const Value *Object) const;
  bool mayAlias(const Value *A, const Value *B, Times T);
  bool areDifferent(const Value *A, const Value *B);
  bool areEqual(const Value *A, const Value *B) const;
  bool areApart(const Pointer &A, const Pointer &B);
  bool isGivenAlone(const Value *Object) const;
  bool isReachedAlone(const Pointer &A);

  const CallBase &Call;
  const Request &R;
  LoopAlias &Alias;
  ThreadObjects Objects;
  SmallVector<Pointer, 8> Pointers;
};

/// An object that the caller makes.
bool isMade(const Value *Object) {
  return isa<AllocaInst>(Object) || isNoAliasCall(Object);
}

/// All that is known of \p Object may be a promise of restrict.
bool isPromised(const Value *Object) {
  auto *Arg = dyn_cast<Argument>(Object);
  return Arg && Arg->hasNoAliasAttr() && !Arg->hasByValAttr();
}

bool PairFinder::isNothing(const Value *Object) const {
  return isa<ConstantPointerNull, UndefValue>(Object) &&
         !NullPointerIsDefined(Call.getFunction(),
                               Object->getType()->getPointerAddressSpace());
}

void PairFinder::collect() {
  for (const Use &Arg : Call.args()) {
    if (!Arg->getType()->isPointerTy())
      continue;
    ObjectList Behind = ThreadObjects::objectsBehind(Arg);
    erase_if(Behind, [&](const Value *Object) { return isNothing(Object); });
    Pointers.push_back({Call.getArgOperandNo(&Arg), Arg, std::move(Behind)});
  }
}

bool PairFinder::mayAlias(const Value *A, const Value *B, Times T) {
  return Alias.mayAlias(MemoryLocation::getBeforeOrAfter(A),
                        MemoryLocation::getBeforeOrAfter(B), T);
}

/// Two objects, whenever the function has the addresses.
bool PairFinder::areDifferent(const Value *A, const Value *B) {
  if (A == B)
    return false;
  if (Objects.areApart(A, B) || (isMade(A) && isa<Argument>(B)) ||
      (isMade(B) && isa<Argument>(A)))
    return true;
  return !isPromised(A) && !isPromised(B) && !mayAlias(A, B, Times::any());
}

bool PairFinder::areEqual(const Value *A, const Value *B) const {
  auto *X = dyn_cast<Argument>(A), *Y = dyn_cast<Argument>(B);
  return A == B ||
         (X && Y &&
          R.Pairs.of(X->getArgNo(), Y->getArgNo()) == AddressPair::Equal);
}

bool PairFinder::areApart(const Pointer &A, const Pointer &B) {
  if (A.Objects.size() > MaxObjects || B.Objects.size() > MaxObjects)
    return false;
  // Two buffers that a loop swaps are apart at any one time.
  if (none_of(A.Objects, isPromised) && none_of(B.Objects, isPromised) &&
      !mayAlias(A.V, B.V, Times::same()))
    return true;
  return all_of(A.Objects, [&](const Value *X) {
    return all_of(B.Objects,
                  [&](const Value *Y) { return areDifferent(X, Y); });
  });
}

/// Nobody has the address of \p Object but this function, and whom it calls
/// here.
bool PairFinder::isGivenAlone(const Value *Object) const {
  auto *Arg = dyn_cast<Argument>(Object);
  if (!isMade(Object) &&
      !(Arg &&
        R.Pairs.of(Arg->getArgNo(), Arg->getArgNo()) == AddressPair::Apart))
    return false;
  GivenToOne Tracker(Call);
  PointerMayBeCaptured(Object, &Tracker, MaxUses);
  return !Tracker.Escapes;
}

bool PairFinder::isReachedAlone(const Pointer &A) {
  return !A.Objects.empty() && A.Objects.size() <= MaxObjects &&
         all_of(A.Objects,
                [&](const Value *Object) { return isGivenAlone(Object); }) &&
         all_of(Pointers,
                [&](const Pointer &B) { return &A == &B || areApart(A, B); });
}

ArgumentPairs PairFinder::run() {
  ArgumentPairs Pairs;
  collect();
  if (Pointers.size() > MaxPointers)
    return Pairs;
  for (const Pointer &A : Pointers) {
    for (const Pointer &B : Pointers)
      if (A.Number < B.Number) {
        if (areEqual(A.V, B.V))
          Pairs.set(A.Number, B.Number, AddressPair::Equal);
        else if (areApart(A, B))
          Pairs.set(A.Number, B.Number, AddressPair::Apart);
      }
    if (isReachedAlone(A))
      Pairs.set(A.Number, A.Number, AddressPair::Apart);
  }
  return Pairs;
}

} // namespace

ArgumentPairs pairsOf(const CallBase &Call, const Primal &P, const Request &R) {
  return PairFinder(Call, P, R).run();
}

} // namespace adze

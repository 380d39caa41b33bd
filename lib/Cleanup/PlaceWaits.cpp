// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reverse half of a task begins where its creation is reversed. All that
// its thread does there after it, up to the end of the function, the primal did
// before it, so it may depend on what the task accumulates:
//
//   primal:   y = x * x      create(&y, &r)      create(&y, &s)      wait
//   reverse:                 begin(&y', &s')     begin(&y', &r')     x' += ..
//                                                                  ^
// The wait is put there: in front of the first instruction, on each way, that
// touches shadow memory or whatever a reverse half may touch. These are all
// accesses but those to
//   * the primal's memory, which no reverse pass writes;
//   * the tape, of which each function and each task has its own;
//   * pointers: shadows of those are written by the augmented half alone;
//   * variables of which nobody has the address.
//
// Tasks of which the primal creates one behind a wait for the other are not
// begun at the same time either: where that wait is reversed, there is one.
//
// A half that runs in the primal's order waits where the primal does.
#include "LowerTaskCalls.h"
#include "adze/AliasScopes.h"
#include "adze/Tasks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Tasks that may be running, by what must wait for them.
struct Running {
  bool Strict = false, Beside = false;

  bool any() const { return Strict || Beside; }
  /// Whether that is more than before.
  bool add(Running O) {
    const bool IsMore = (O.Strict && !Strict) || (O.Beside && !Beside);
    Strict |= O.Strict;
    Beside |= O.Beside;
    return IsMore;
  }
};

class Placement {
public:
  explicit Placement(Function &F) : F(F) {}

  void run();

private:
  /// \p State in front of \p I becomes that behind it. True if a wait must be
  /// in between.
  bool pass(const Instruction &I, Running &State);
  bool mayMeet(const Instruction &I);
  bool mayMeetAccess(const Instruction &I, const Value &Pointer);
  bool mayMeetCall(const CallBase &Call);
  bool isOwnVariable(const Value &Pointer);

  Function &F;
  DenseMap<const BasicBlock *, Running> Before;
  DenseMap<const Value *, bool> Own;
};

bool Placement::isOwnVariable(const Value &Pointer) {
  const Value *Object = getUnderlyingObject(&Pointer, /*MaxLookup=*/0);
  if (!isa<AllocaInst>(Object))
    return false;
  auto [It, New] = Own.try_emplace(Object, false);
  if (New)
    It->second = !PointerMayBeCaptured(Object, /*ReturnCaptures=*/true,
                                       /*StoreCaptures=*/true);
  return It->second;
}

bool Placement::mayMeetAccess(const Instruction &I, const Value &Pointer) {
  if (I.isAtomic() || I.isVolatile())
    return !isOwnVariable(Pointer);
  if (isa<LoadInst>(I) &&
      (I.getType()->isPtrOrPtrVectorTy() || isAccessOf(I, MemoryKind::Primal) ||
       isAccessOf(I, MemoryKind::Tape)))
    return false;
  return !isOwnVariable(Pointer);
}

bool Placement::mayMeetCall(const CallBase &Call) {
  if (tasks::isSpawn(Call) || tasks::isWaitMirror(Call) ||
      tasks::isJoin(Call) || Call.doesNotAccessMemory() ||
      Call.isDebugOrPseudoInst())
    return false;
  if (auto *Mark = dyn_cast<IntrinsicInst>(&Call);
      Mark && (Mark->isAssumeLikeIntrinsic() && !Mark->isLifetimeStartOrEnd()))
    return false;
  if (Call.isLifetimeStartOrEnd())
    return !isOwnVariable(*Call.getArgOperand(1));
  // Elements of an array of slots: no task reads them.
  const Function *Callee = Call.getCalledFunction();
  return !Callee || Callee->getName() != "adze.tape.shrink";
}

bool Placement::mayMeet(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return mayMeetCall(*Call);
  if (const Value *Pointer = getLoadStorePointerOperand(&I))
    return mayMeetAccess(I, *Pointer);
  return I.mayReadOrWriteMemory();
}

bool Placement::pass(const Instruction &I, Running &State) {
  if (tasks::isWait(I)) {
    State = {};
    return false;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  const bool Leaves = isa<ReturnInst, ResumeInst>(I);
  const bool Waits = (State.any() && (Leaves || tasks::isWaitMirror(I))) ||
                     (State.Strict && mayMeet(I));
  if (Waits)
    State = {};
  if (Call && tasks::isSpawn(*Call)) {
    State.Strict |= tasks::orderOf(*Call) == tasks::Order::Strict;
    State.Beside |= tasks::orderOf(*Call) == tasks::Order::Beside;
  }
  if (tasks::isJoin(I) && State.Beside)
    State = {/*Strict=*/true, /*Beside=*/false};
  return Waits;
}

void Placement::run() {
  ReversePostOrderTraversal<Function *> Blocks(&F);
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (BasicBlock *B : Blocks) {
      Running State = Before[B];
      for (const Instruction &I : *B)
        pass(I, State);
      for (const BasicBlock *Next : successors(B))
        Changes |= Before[Next].add(State);
    }
  }
  for (BasicBlock *B : Blocks) {
    Running State = Before.lookup(B);
    for (Instruction &I : *B)
      if (pass(I, State)) {
        IRBuilder<> At(&I);
        tasks::createCall(At, tasks::Wait);
      }
  }
}

} // namespace

void placeWaits(Function &F) { Placement(F).run(); }

} // namespace adze

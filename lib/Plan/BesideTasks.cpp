// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   create(a)        what is between the two does not depend on the task, for
//   b = f(x)         the program has no races; so the reverse half of the task
//   wait             may begin where the wait is reversed, beside that of f
//
// Unless threads meet in between, or f waits for tasks, too: a wait is for all
// tasks that this one has created, whoever did it. What f does behind that may
// depend on the task.
#include "BesideTasks.h"
#include "adze/Primal.h"
#include "adze/Tasks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace adze {

namespace {

/// What may run between a task call and the first wait behind it.
class Stretch {
public:
  Stretch(const CallBase &Task, const Primal &P) : Task(Task), P(P) {}

  const Instruction *wait();

private:
  /// Looks at \p B from \p From on, up to a wait. False if there may be none,
  /// or another one than on other ways.
  bool walk(const BasicBlock &B, BasicBlock::const_iterator From);
  bool endsAt(const Instruction &Wait);

  const CallBase &Task;
  const Primal &P;
  const Instruction *Wait = nullptr;
  SmallSetVector<const BasicBlock *, 8> Blocks; // entered, up to the wait
};

bool Stretch::endsAt(const Instruction &Found) {
  const bool IsNew = Wait && Wait != &Found;
  Wait = &Found;
  return !IsNew;
}

bool Stretch::walk(const BasicBlock &B, BasicBlock::const_iterator From) {
  for (const Instruction &I : make_range(From, B.end())) {
    if (tasks::isWait(I))
      return endsAt(I);
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call ? !tasks::isTaskCall(*Call) && tasks::mayWaitIn(*Call)
             : I.isAtomic())
      return false;
  }
  if (isa<UnreachableInst>(B.getTerminator()))
    return true;
  const Loop *L = P.LI->getLoopFor(Task.getParent());
  for (const BasicBlock *Next : successors(&B)) {
    if (Next == Task.getParent() || (L && Next == L->getHeader()))
      return false;
    Blocks.insert(Next);
  }
  return succ_begin(&B) != succ_end(&B);
}

const Instruction *Stretch::wait() {
  if (!walk(*Task.getParent(), std::next(Task.getIterator())))
    return nullptr;
  for (size_t K = 0; K < Blocks.size(); ++K)
    if (!walk(*Blocks[K], Blocks[K]->begin()))
      return nullptr;
  if (!Wait || !P.DT->dominates(&Task, Wait) ||
      P.LI->getLoopFor(Task.getParent()) != P.LI->getLoopFor(Wait->getParent()))
    return nullptr;
  return Wait;
}

} // namespace

const Instruction *waitFor(const CallBase &Task, const Primal &P) {
  return Stretch(Task, P).wait();
}

} // namespace adze

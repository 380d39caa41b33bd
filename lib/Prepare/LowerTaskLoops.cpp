// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of tasks
//
//   __kmpc_taskloop(place, thread, task, .., lower, upper, step, ..)
//
// become loops that create a task for each part of the iterations, with a copy
// of the block (TeamBodies.c: body_task_loop, body_task_loop_beside).
#include "Prepare/TaskLowering.h"
#include "adze/Prepare.h"
#include "adze/Tasks.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze::tasks {

bool isLoop(const CallBase &Call) {
  return isCallOf(Call, "__kmpc_taskloop") ||
         isCallOf(Call, "__kmpc_taskloop_5");
}

/// Operands of a loop of tasks: (.., block, if, lower, upper, step, nogroup,
/// schedule, size, [strict], copy).
enum { If = 3, Lower, Upper, Step, NoGroup, Schedule, Size, Strict };

static Value *strictOf(const CallInst &Loop) {
  return Loop.arg_size() == 12
             ? Loop.getArgOperand(Strict)
             : ConstantInt::get(Type::getInt32Ty(Loop.getContext()), 0);
}

/// The same, where tasks may run beside each other.
bool TaskLowering::loopBeside(CallInst &Call, const Task &T, Value &Copy) {
  auto *Condition = dyn_cast<ConstantInt>(Call.getArgOperand(If));
  if (!Condition || Condition->isZero() ||
      !isa<ConstantPointerNull>(Call.getArgOperand(Call.arg_size() - 1))) {
    remark(Call, "it has a condition, or objects that are copied");
    return false;
  }
  std::optional<TaskFunction> Called = beside(Call, T);
  if (!Called)
    return false;
  IRBuilder<> B(&Call);
  CallInst *Run =
      call(libraryBody(M, "body_task_loop_beside"),
           {T.Block, &Copy,
            B.getInt64(T.Block->getAllocatedType()->getArrayNumElements()),
            Call.getArgOperand(Lower), Call.getArgOperand(Upper),
            Call.getArgOperand(Step), Call.getArgOperand(Schedule),
            Call.getArgOperand(Size), strictOf(Call)},
           Call);
  if (!Run)
    return false;
  InlineFunctionInfo Info;
  if (!InlineFunction(*Run, Info).isSuccess())
    return false;
  for (CallBase *Inner : Info.InlinedCallSites)
    if (isCallOf(*Inner, "adze.task.create"))
      createBeside(cast<CallInst>(*Inner), Copy, *Called);
  auto *Group = dyn_cast<ConstantInt>(Call.getArgOperand(NoGroup));
  if (!Group || Group->isZero())
    createCall(B, Wait);
  erase(Call);
  return true;
}

/// A task for each part of the iterations, with a copy of the block.
void TaskLowering::loop(CallInst &Call, const Frame *In) {
  const Task *Found = taskOf(Call.getArgOperand(Block));
  if (!Found)
    return;
  const Task T = *Found;
  IRBuilder<> First(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Copy =
      First.CreateAlloca(T.Block->getAllocatedType(), nullptr, "task.part");
  Copy->setAlignment(T.Block->getAlign());
  if (loopBeside(Call, T, *Copy))
    return;
  IRBuilder<> B(&Call);
  Value *Number = Call.getArgOperand(Thread);
  CallInst *Run =
      call(libraryBody(M, "body_task_loop"),
           {Number, T.Block, Copy,
            B.getInt64(T.Block->getAllocatedType()->getArrayNumElements()),
            Call.getArgOperand(Lower), Call.getArgOperand(Upper),
            Call.getArgOperand(Step), Call.getArgOperand(Schedule),
            Call.getArgOperand(Size), strictOf(Call),
            Call.getArgOperand(Call.arg_size() - 1), T.Entry,
            B.getInt32(T.MayBeUntied), functionOrNull(T.Destructor)},
           Call);
  if (!Run)
    return;
  inlineCall(*Run, In, /*IsBody=*/true);
  erase(Call);
}

} // namespace adze::tasks

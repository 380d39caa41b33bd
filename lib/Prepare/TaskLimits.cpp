// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a task may do, it and all that it calls, if derivatives are to run it
// beside others. The reverse halves of two tasks run in an order that nobody
// has kept. So where threads wait for each other in another way than for the
// end of tasks, tasks run where they are created; and where it matters which
// thread runs them.
#include "Prepare/TaskFunctions.h"
#include "adze/Checkpoints.h"
#include "adze/KnownFunction.h"
#include "adze/Teams.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// Functions of the runtime that are tasks themselves, or questions.
static bool isHarmless(StringRef Name) {
  static const StringSet<> Names = {
      "__kmpc_omp_task_alloc",     "__kmpc_omp_task",
      "__kmpc_omp_taskwait",       "__kmpc_omp_taskyield",
      "__kmpc_taskgroup",          "__kmpc_end_taskgroup",
      "__kmpc_taskloop",           "__kmpc_taskloop_5",
      "__kmpc_omp_task_begin_if0", "__kmpc_omp_task_complete_if0",
      "__kmpc_global_thread_num"};
  return Names.contains(Name) || Name.starts_with("omp_get_");
}

/// What \p Call, of a function without a body, or through a pointer, does that
/// orders threads; null if nothing.
static const char *whyNotCall(const CallBase &Call) {
  const Function *F = dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!F)
    return Call.isInlineAsm() && Call.doesNotAccessMemory()
               ? nullptr
               : "it calls a function through a pointer";
  const StringRef Name = F->getName();
  if (F->isIntrinsic() || isHarmless(Name))
    return nullptr;
  if (checkpoints::isMarker(Call))
    return "it has a loop with adze_checkpoint";
  const bool IsOfRuntime = Name.starts_with("__kmpc_") ||
                           Name.starts_with("omp_") ||
                           Name.starts_with("__tgt_");
  if (IsOfRuntime)
    return Name.contains("reduction") || Name.contains("taskred")
               ? "it takes part in a reduction"
           : Name.contains("deps") ? "it creates tasks that depend on others"
           : Name.contains("fork") ? "it has a parallel region"
                                   : "it has sections of one thread at a time, "
                                     "or other places where threads meet";
  const KnownFunction *Known = lookupKnown(Call);
  if (Known && Known->Facts.By != Derivation::Mirror)
    return nullptr;
  return Call.doesNotAccessMemory() || Call.hasFnAttr(Attribute::NoSync)
             ? nullptr
             : "it calls a function of which nobody knows whether threads wait "
               "there";
}

static const char *whyNot(const Instruction &I) {
  if (I.isAtomic())
    return "it has atomic operations";
  if (I.isEHPad() || isa<ResumeInst>(I))
    return "it handles exceptions";
  for (const Value *Op : I.operand_values())
    if (auto *Variable =
            dyn_cast<GlobalVariable>(Op->stripInBoundsConstantOffsets());
        Variable && Variable->isThreadLocal())
      return "it uses variables of the thread";
  return nullptr;
}

const char *whyTaskRunsAtOnce(const Function &Entry) {
  constexpr size_t MostFunctions = 200;
  SmallSetVector<const Function *, 16> Reached;
  Reached.insert(&Entry);
  for (size_t K = 0; K < Reached.size(); ++K) {
    if (K == MostFunctions)
      return "it calls too many functions";
    for (const Instruction &I : instructions(*Reached[K])) {
      if (const char *Why = whyNot(I))
        return Why;
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      auto *Callee = dyn_cast<Function>(
          Call->getCalledOperand()->stripPointerCastsAndAliases());
      // (A task within one that reads functions by their address is found by
      // that.)
      for (const Use &Arg : Call->args())
        if (auto *Given = dyn_cast<Function>(Arg->stripPointerCasts());
            Given && !Given->isDeclaration())
          Reached.insert(Given);
      if (Callee && !Callee->isDeclaration() && !lookupKnown(*Call))
        Reached.insert(Callee);
      else if (const char *Why = whyNotCall(*Call))
        return Why;
    }
  }
  return nullptr;
}

} // namespace adze

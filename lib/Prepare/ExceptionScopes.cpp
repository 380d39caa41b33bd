// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/ExceptionScopes.h"
#include "Prepare/Stages.h"
#include "adze/GivenDerivatives.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

const Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// Derivatives are made of its body, so that exceptions may become values
/// there.
bool isDerived(const Function &F) {
  return !F.isDeclaration() && !given::hasAny(F);
}

/// Functions that an indirect \p Call may call, as far as their type tells.
template <typename Visitor>
void forEachTarget(const CallBase &Call, Visitor Visit) {
  if (Call.isInlineAsm())
    return;
  if (const Function *F = calleeOf(Call))
    return Visit(*const_cast<Function *>(F));
  for (Function &F : *const_cast<Module *>(Call.getModule()))
    if (!F.isDeclaration() && F.getFunctionType() == Call.getFunctionType() &&
        F.hasAddressTaken())
      Visit(F);
}

/// Whether the function goes on to return where \p Pad has caught: a handler
/// that does not throw again at its end. (A function that throws does not come
/// back to where it was called.)
bool catches(const BasicBlock &Pad) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Open{&Pad};
  while (!Open.empty()) {
    const BasicBlock *B = Open.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    if (isa<ReturnInst>(B->getTerminator()))
      return true;
    append_range(Open, successors(B));
  }
  return false;
}

} // namespace

ExceptionScopes::Scope ExceptionScopes::of(const Function &F) const {
  return Scopes.lookup(&originalOf(F));
}

bool ExceptionScopes::mayThrow(const CallBase &Call) const {
  if (Call.doesNotThrow() || Call.isInlineAsm() || isa<IntrinsicInst>(Call))
    return false;
  const KnownFunction *Known = lookupKnown(Call);
  const Function *Callee = calleeOf(Call);
  if (Known && !Known->isDeclaredInactive())
    return Known->Throws;
  return !Callee || Callee->isDeclaration() ||
         Throwing.contains(&originalOf(*Callee));
}

/// By a resumed exception, or by a call that is no invoke.
bool ExceptionScopes::throwsPlainly(const Function &F) const {
  return any_of(instructions(F), [&](const Instruction &I) {
    auto *Call = dyn_cast<CallInst>(&I);
    return isa<ResumeInst>(I) || (Call && mayThrow(*Call));
  });
}

void ExceptionScopes::findThrowing(const Module &M) {
  SmallVector<const Function *, 32> Open;
  auto add = [&](const Function &F) {
    if (!F.isDeclaration() && !F.doesNotThrow() && !Throwing.contains(&F) &&
        throwsPlainly(F)) {
      Throwing.insert(&F);
      Open.push_back(&F);
    }
  };
  for (const Function &F : M)
    add(F);
  while (!Open.empty())
    for (const User *U : Open.pop_back_val()->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        add(*Call->getFunction());
}

void ExceptionScopes::findReached(ArrayRef<Function *> Roots) {
  for (Function *F : Roots)
    Reached.insert(F);
  for (unsigned I = 0; I != Reached.size(); ++I)
    for (Instruction &Inst : instructions(Reached[I])) {
      // What gives a future its result is called by a body of ours.
      for (Value *Op : Inst.operands())
        if (auto *F = dyn_cast<Function>(Op); F && keepsExceptionInFuture(*F))
          Reached.insert(F);
      if (auto *Call = dyn_cast<CallBase>(&Inst)) {
        forEachTarget(*Call, [&](Function &F) {
          if (isDerived(F))
            Reached.insert(&F);
        });
        // What a runtime calls: the code of regions, tasks and threads.
        for (Value *Arg : Call->args())
          if (auto *F = dyn_cast<Function>(Arg->stripPointerCasts());
              F && isDerived(*F))
            Reached.insert(F);
      }
    }
}

void ExceptionScopes::makeWhole(const CallBase &Call) {
  if (!mayThrow(Call))
    return;
  forEachTarget(Call, [&](Function &F) {
    if (!Throwing.contains(&F) || !isDerived(F) || of(F) == Whole)
      return;
    Scopes[&F] = Whole;
    Todo.push_back(&F);
  });
}

/// Whether \p Call throws what a program may well go on from. That a container
/// would be larger than memory, a function called that is none, or a future
/// asked that has no state, is no such exception: to ask for it behind each
/// call of a vector would cost too much.
static bool throwsOnPurpose(const CallBase &Call) {
  auto isOfContainers = [](StringRef Name) {
    constexpr StringRef Errors[] = {"length_error",  "bad_alloc",
                                    "bad_array_new", "bad_function_call",
                                    "logic_error",   "future_error"};
    return any_of(Errors, [&](StringRef Error) {
      return Name.contains(("__throw_" + Error).str());
    });
  };
  const Function *Callee = calleeOf(Call);
  const KnownFunction *Known = lookupKnown(Call);
  if (!Callee || !Known || !Known->Throws)
    return false;
  return (Known->Facts.Exception == ExceptionStep::Throws ||
          Callee->getName().contains("__throw_")) &&
         !isOfContainers(Callee->getName()) &&
         !isOfContainers(Call.getFunction()->getName());
}

/// Makes whole what exceptions pass through that leave one of \p Roots.
void ExceptionScopes::findLeaving(ArrayRef<Function *> Roots) {
  SetVector<const Function *> Leaving;
  for (const Function *F : Reached)
    if (Throwing.contains(F) && any_of(instructions(F), [](const auto &I) {
          auto *Call = dyn_cast<CallBase>(&I);
          return Call && throwsOnPurpose(*Call);
        }))
      Leaving.insert(F);
  for (unsigned I = 0; I != Leaving.size(); ++I)
    for (const User *U : Leaving[I]->users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Throwing.contains(Call->getFunction()))
        Leaving.insert(Call->getFunction());
  SetVector<Function *> Open;
  for (Function *F : Roots)
    if (Leaving.contains(F))
      Open.insert(F);
  for (unsigned I = 0; I != Open.size(); ++I) {
    Scopes[Open[I]] = Whole;
    for (Instruction &Inst : instructions(Open[I]))
      if (auto *Call = dyn_cast<CallBase>(&Inst); Call && mayThrow(*Call))
        forEachTarget(*Call, [&](Function &F) {
          if (Leaving.contains(&F) && isDerived(F))
            Open.insert(&F);
        });
  }
}

ExceptionScopes::ExceptionScopes(ArrayRef<Function *> Roots) {
  if (Roots.empty())
    return;
  findReached(Roots);
  findThrowing(*Roots.front()->getParent());
  findCaught();
  findLeaving(Roots);
}

void ExceptionScopes::findThrowingOnPurpose() {
  if (std::exchange(HasOnPurpose, true))
    return;
  auto throws = [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !mayThrow(*Call))
      return false;
    bool Throws = throwsOnPurpose(*Call);
    forEachTarget(*Call,
                  [&](const Function &F) { Throws |= OnPurpose.contains(&F); });
    return Throws;
  };
  for (bool Changed = true; std::exchange(Changed, false);)
    for (const Function *F : Reached)
      if (!OnPurpose.contains(F) && Throwing.contains(F) &&
          any_of(instructions(*F), throws)) {
        OnPurpose.insert(F);
        Changed = true;
      }
}

/// The handler of \p F is worth it: those of futures are behind all functions
/// that give one their result.
bool ExceptionScopes::mayCatchOnPurpose(const Function &F,
                                        ArrayRef<const InvokeInst *> Invokes) {
  if (isStdAsync(F))
    return false;
  if (!keepsExceptionInFuture(F))
    return true;
  findThrowingOnPurpose();
  return any_of(Invokes, [&](const InvokeInst *Invoke) {
    bool Throws = false;
    forEachTarget(*Invoke,
                  [&](const Function &G) { Throws |= OnPurpose.contains(&G); });
    return Throws || throwsOnPurpose(*Invoke);
  });
}

void ExceptionScopes::findCaught() {
  for (Function *F : Reached) {
    if (!F->hasPersonalityFn() ||
        F->getPersonalityFn()->getName() != "__gxx_personality_v0")
      continue;
    SmallVector<const InvokeInst *, 8> Invokes;
    bool Catches = false;
    for (BasicBlock &B : *F)
      if (auto *Invoke = dyn_cast<InvokeInst>(B.getTerminator());
          Invoke && mayThrow(*Invoke)) {
        Invokes.push_back(Invoke);
        Catches = Catches || catches(*Invoke->getUnwindDest());
      }
    if (!Catches || !mayCatchOnPurpose(*F, Invokes))
      continue;
    Scope &S = Scopes[F];
    S = S == None ? Handles : S;
    for (const InvokeInst *Invoke : Invokes)
      makeWhole(*Invoke);
  }
  while (!Todo.empty())
    for (Instruction &I : instructions(Todo.pop_back_val()))
      if (auto *Call = dyn_cast<CallBase>(&I))
        makeWhole(*Call);
  while (findCaughtInTasks())
    ;
}

/// What a task catches is caught where it is created: its function, and what
/// that calls, are inlined there (LowerTasks.cpp). Whether anything is new.
bool ExceptionScopes::findCaughtInTasks() {
  auto catchesInside = [&](const Function &F) {
    return of(F) != None || any_of(instructions(F), [&](const auto &I) {
             auto *Call = dyn_cast<CallBase>(&I);
             const Function *Callee = Call ? calleeOf(*Call) : nullptr;
             return Callee && of(*Callee) != None;
           });
  };
  bool IsNew = false;
  for (const Function *Task : Reached)
    for (const User *U : Task->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->getName().starts_with("__kmpc_omp_task_alloc") ||
          of(*Call->getFunction()) != None || !catchesInside(*Task))
        continue;
      Scopes[Call->getFunction()] = Handles;
      IsNew = true;
    }
  return IsNew;
}

bool ExceptionScopes::mayLeave(const Function &F) const {
  switch (of(F)) {
  case None:
    return false;
  case Whole:
    return true;
  case Handles:
    return any_of(instructions(F),
                  [](const Instruction &I) { return isa<ResumeInst>(I); });
  }
  return false;
}

bool ExceptionScopes::mayLeave(const CallBase &Call) const {
  bool Leaves = false;
  if (!Scopes.empty())
    forEachTarget(Call, [&](const Function &F) { Leaves |= mayLeave(F); });
  return Leaves;
}

} // namespace adze

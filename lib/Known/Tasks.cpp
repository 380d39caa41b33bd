// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Tasks.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::tasks {

static constexpr char TaskAttribute[] = "adze.task";
/// Its value is the number of the half and that of the order.
static constexpr char SpawnAttribute[] = "adze.spawn";
static constexpr char Begin[] = "adze.task.begin";

bool isTaskCall(const CallBase &Call) {
  return Call.getAttributes().hasFnAttr(TaskAttribute);
}

void markTaskCall(CallBase &Call) {
  Call.addFnAttr(Attribute::NoInline);
  Call.addFnAttr(Attribute::get(Call.getContext(), TaskAttribute));
}

static bool calls(const Instruction &I, StringRef Name) {
  auto *Call = dyn_cast<CallBase>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == Name;
}

bool isWait(const Instruction &I) { return calls(I, Wait); }

bool isWaitMirror(const Instruction &I) { return calls(I, WaitMirror); }

bool isJoin(const Instruction &I) { return calls(I, Join); }

/// \p I waits, or what it calls may; then \p Reached gets that.
static bool mayWaitAt(const Instruction &I,
                      SmallSetVector<const Function *, 16> &Reached) {
  if (isWait(I) || teams::isMeeting(I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call) || isTaskCall(*Call))
    return I.isAtomic();
  if (lookupKnown(*Call) || Call->isInlineAsm() ||
      Call->hasFnAttr(Attribute::NoSync) || isDeclaredInactive(*Call))
    return false;
  const Function *F = Call->getCalledFunction();
  if (F && !F->isDeclaration()) {
    Reached.insert(F);
    return false;
  }
  // Who creates a task in the program's code does not wait for it.
  return !F || !(F->getName() == "__kmpc_omp_task" ||
                 F->getName() == "__kmpc_omp_task_alloc" ||
                 F->getName() == "__kmpc_taskgroup");
}

bool mayWaitIn(const CallBase &Call) {
  constexpr size_t MostFunctions = 200;
  SmallSetVector<const Function *, 16> Reached;
  if (mayWaitAt(Call, Reached))
    return true;
  for (size_t K = 0; K < Reached.size(); ++K)
    if (K == MostFunctions ||
        any_of(instructions(*Reached[K]),
               [&](const Instruction &I) { return mayWaitAt(I, Reached); }))
      return true;
  return false;
}

CallInst *createSpawn(IRBuilder<> &B, Function &Half, ArrayRef<Value *> Args,
                      teams::Half H, Order O) {
  Module &M = *Half.getParent();
  FunctionCallee Callee = M.getOrInsertFunction(
      Begin,
      FunctionType::get(B.getVoidTy(), {B.getPtrTy()}, /*isVarArg=*/true));
  SmallVector<Value *, 8> All{&Half};
  append_range(All, Args);
  CallInst *Call = B.CreateCall(Callee, All);
  Call->addFnAttr(
      Attribute::get(B.getContext(), SpawnAttribute,
                     utostr(unsigned(H)) + ":" + utostr(unsigned(O))));
  return Call;
}

bool isSpawn(const CallBase &Call) {
  return Call.getAttributes().hasFnAttr(SpawnAttribute);
}

static std::pair<unsigned, unsigned> valueOf(const CallBase &Spawn) {
  auto [First, Second] = Spawn.getAttributes()
                             .getFnAttr(SpawnAttribute)
                             .getValueAsString()
                             .split(':');
  unsigned H = 0, O = 0;
  First.getAsInteger(10, H);
  Second.getAsInteger(10, O);
  return {H, O};
}

teams::Half halfOf(const CallBase &Spawn) {
  return teams::Half(valueOf(Spawn).first);
}

Order orderOf(const CallBase &Spawn) { return Order(valueOf(Spawn).second); }

void createCall(IRBuilder<> &B, StringRef Name) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(M.getOrInsertFunction(
      Name, FunctionType::get(B.getVoidTy(), /*isVarArg=*/false)));
}

} // namespace adze::tasks

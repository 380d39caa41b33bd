// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   task = __kmpc_omp_task_alloc(place, thread, flags, bytes, shared, entry)
//   ..                                        fills in what the task captures
//   __kmpc_omp_task(place, thread, task)
//
// The block of the task is a variable. The last call becomes a task call
// (Tasks.h) of a function that gets what the block holds (TaskFunctions.cpp),
// if derivatives may run the task beside others (TaskLimits.cpp). Who waits for
// it calls adze.task.wait().
//
// Otherwise the thread that comes to the task runs it at once, as OpenMP lets
// it do: the last call becomes one of the task's function (TeamBodies.c:
// body_task_run). Then tasks that depend on each other run in the order in
// which they were created, which is one that they allow, and who waits for them
// has nothing to wait for.
//
// The function is inlined, unless the task is one of those that it creates
// itself (recursion). A task that is not tied to a thread creates itself again
// at each place where another thread could take it over; it is called until it
// no longer does.
#include "Prepare/Stages.h"
#include "Prepare/TaskLowering.h"
#include "adze/Prepare.h"
#include "adze/Tasks.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze::tasks {

namespace {

/// The runtime's block of a task (kmp_task_t), as clang lays it out. Bit 0 of
/// its flags: it is tied to a thread; bit 3: it has a destructor.
enum : uint64_t { Routine = 8, Part = 16, Destructor = 24 };

/// Operands of __kmpc_omp_task_alloc.
enum { Flags = 2, Bytes, SharedBytes, Entry };

bool isCreation(const CallBase &Call) {
  return isCallOf(Call, "__kmpc_omp_task") ||
         isCallOf(Call, "__kmpc_omp_task_with_deps");
}

/// Waits for tasks.
bool isWaitOfProgram(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && (isCallOf(*Call, "__kmpc_omp_taskwait") ||
                  isCallOf(*Call, "__kmpc_omp_taskwait_deps_51") ||
                  isCallOf(*Call, "__kmpc_end_taskgroup"));
}

/// \p V, or what stands in the variable that it is loaded from, if something is
/// stored there once.
const Value *origin(const Value *V) {
  for (unsigned Depth = 0; Depth < 8; ++Depth) {
    V = V->stripPointerCasts();
    auto *Load = dyn_cast<LoadInst>(V);
    auto *Variable =
        Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
    if (!Variable)
      return V;
    const StoreInst *Only = nullptr;
    for (const User *U : Variable->users())
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        if (Only || Store->getPointerOperand() != Variable)
          return V;
        Only = Store;
      } else if (!isa<LoadInst>(U) &&
                 !cast<Instruction>(U)->isLifetimeStartOrEnd()) {
        return V;
      }
    if (!Only)
      return V;
    V = Only->getValueOperand();
  }
  return V;
}

} // namespace

bool isCallOf(const CallBase &Call, StringRef Name) {
  const Function *F = Call.getCalledFunction();
  return F && F->isDeclaration() && F->getName() == Name;
}

/// The task of \p Given, a block, if that is known.
const Task *TaskLowering::taskOf(const Value *Given) const {
  const Value *Block = origin(Given);
  for (const Task &T : Tasks)
    if (T.Block == Block)
      return &T;
  return nullptr;
}

/// What \p Block gets as its destructor, if that is one function.
Function *destructorIn(const Value &Block, const DataLayout &DL) {
  Function *Found = nullptr;
  SmallVector<const Value *, 8> Work{&Block};
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(U))
        Work.push_back(U);
      auto *Store = dyn_cast<StoreInst>(U);
      if (!Store)
        continue;
      int64_t At = 0;
      const Value *Base =
          GetPointerBaseWithConstantOffset(Store->getPointerOperand(), At, DL);
      auto *Called = dyn_cast<Function>(Store->getValueOperand());
      if (Called && Base == &Block && At == Destructor)
        Found = const_cast<Function *>(Called);
    }
  return Found;
}

void TaskLowering::erase(CallInst &Call) {
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Constant::getNullValue(Call.getType()));
  Call.eraseFromParent();
}

/// Whoever is given \p Block is given no other one in its place.
bool isUsedAlone(const CallInst &Block) {
  return none_of(Block.uses(), [](const Use &U) {
    return isa<PHINode, SelectInst>(U.getUser()) ||
           (isa<StoreInst>(U.getUser()) && U.getOperandNo() == 0);
  });
}

/// Who does not ask pays nothing.
void TaskLowering::remark(const CallInst &Call, const char *Why) const {
  OptimizationRemarkEmitter ORE(&Source);
  ORE.emit([&] {
    return OptimizationRemarkMissed("adze", "Task", Call.getDebugLoc(),
                                    &Source.getEntryBlock())
           << "in derivatives, the thread that comes to this task runs it at "
              "once: "
           << Why;
  });
}

/// The block becomes a variable.
void TaskLowering::allocate(CallInst &Call) {
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(Bytes));
  auto *Shared = dyn_cast<ConstantInt>(Call.getArgOperand(SharedBytes));
  auto *Called = dyn_cast<Function>(Call.getArgOperand(tasks::Entry));
  const DataLayout &DL = M.getDataLayout();
  if (!Size || !Shared || !Called || Called->isDeclaration() ||
      Called->arg_size() != 2 || !Called->getReturnType()->isIntegerTy(32) ||
      DL.getPointerSize() != 8 || !isUsedAlone(Call))
    return;
  const KnownBits Bits = computeKnownBits(Call.getArgOperand(Flags), DL);
  Function *Ending = destructorIn(Call, DL);
  if (Ending ? !Bits.One[3] : !Bits.Zero[3])
    return;
  IRBuilder<> First(&*F.getEntryBlock().getFirstInsertionPt());
  auto variable = [&](uint64_t Count, const Twine &Name) {
    AllocaInst *New = First.CreateAlloca(
        ArrayType::get(First.getInt8Ty(), Count), nullptr, Name);
    New->setAlignment(Align(16));
    return New;
  };
  AllocaInst *Block = variable(Size->getZExtValue(), "task");
  IRBuilder<> B(&Call);
  B.CreateLifetimeStart(Block);
  Value *Captured = functionOrNull(nullptr);
  if (!Shared->isZero()) {
    AllocaInst *Area = variable(Shared->getZExtValue(), "task.shared");
    B.CreateLifetimeStart(Area);
    Captured = Area;
  }
  auto at = [&](uint64_t Offset) {
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Block, Offset);
  };
  B.CreateStore(Captured, Block);
  B.CreateStore(Called, at(Routine));
  B.CreateStore(B.getInt32(0), at(Part));
  Call.replaceAllUsesWith(Block);
  Tasks.push_back({Block, Called, Ending, !Bits.One[0], !Bits.Zero[1],
                   Shared->getZExtValue(),
                   dyn_cast<Constant>(Call.getArgOperand(0))});
  Call.eraseFromParent();
}

/// A call in front of \p Before; null if there is no such function.
CallInst *TaskLowering::call(Function *Called, ArrayRef<Value *> Args,
                             CallInst &Before) {
  if (!Called)
    return nullptr;
  CallInst *Call = IRBuilder<>(&Before).CreateCall(Called, Args);
  if (DISubprogram *Scope = F.getSubprogram(); Scope && !Call->getDebugLoc())
    Call->setDebugLoc(DILocation::get(C, 0, 0, Scope));
  return Call;
}

void TaskLowering::inlineCall(CallInst &Call, const Frame *In, bool IsBody) {
  InlineFunctionInfo Info;
  if (!InlineFunction(Call, Info).isSuccess())
    return;
  for (CallBase *Inner : Info.InlinedCallSites)
    if (auto *I = dyn_cast<CallInst>(Inner))
      Work.push_back({I, In, IsBody});
}

/// \p Call is of the function of a task.
void TaskLowering::inlineEntry(CallInst &Call, const Frame *In) {
  const Function *Called = Call.getCalledFunction();
  if (Called == &Source)
    return;
  for (const Frame *Above = In; Above; Above = Above->Above)
    if (Above->Entry == Called)
      return;
  Frames.push_back(std::make_unique<Frame>(
      Frame{Called, Call.getArgOperand(1)->stripPointerCasts(), In}));
  inlineCall(Call, Frames.back().get(), /*IsBody=*/false);
}

void TaskLowering::runTask(CallInst &Before, const Task &T, Value *Number,
                           const Frame *In) {
  Value *Untied = ConstantInt::get(Type::getInt32Ty(C), T.MayBeUntied);
  if (CallInst *Run = call(libraryBody(M, "body_task_run"),
                           {Number, T.Block, T.Entry, Untied}, Before))
    inlineCall(*Run, In, /*IsBody=*/true);
}

void TaskLowering::destroy(CallInst &Before, const Task &T, Value *Number) {
  if (CallInst *Call = call(T.Destructor, {Number, T.Block}, Before))
    inlineCall(*Call, nullptr, /*IsBody=*/false);
}

/// Control may come to \p Call again before \p F returns.
bool TaskLowering::isRepeated(const CallInst &Call) const {
  auto *Here = const_cast<BasicBlock *>(Call.getParent());
  SmallVector<BasicBlock *, 8> Behind(successors(Here));
  return !Behind.empty() &&
         isPotentiallyReachableFromMany(Behind, Here, nullptr);
}

/// Why the task that \p Call creates runs at once; null if it need not.
const char *TaskLowering::whyAtOnce(const CallInst &Call, const Task &T) const {
  if (Order == TaskOrder::AtOnce)
    return "the derivative may be differentiated again";
  if (any_of(M, [](const Function &F) {
        return F.getName().starts_with("adze_checkpoint");
      }))
    return "the file has loops with adze_checkpoint";
  if (isCallOf(Call, "__kmpc_omp_task_with_deps"))
    return "it depends on others";
  if (T.MayBeUntied)
    return "it is not tied to a thread";
  if (T.MayBeFinal)
    return "it may be final";
  if (T.Destructor)
    return "it has a copy of an object that must be destroyed";
  // Who leaves the function by one has not waited. (It may come with a task
  // that is inlined later.)
  if (!T.Place || F.hasPersonalityFn() || any_of(M, [](const Function &Other) {
        return Other.hasPersonalityFn() &&
               Other.getName().starts_with(".omp_task_entry.");
      }))
    return "the function, or a task of the file, handles exceptions";
  return nullptr;
}

/// What the task calls, where it may run beside others.
std::optional<TaskFunction> TaskLowering::beside(const CallInst &Call,
                                                 const Task &T) const {
  const char *Why = whyAtOnce(Call, T);
  std::optional<TaskFunction> Called;
  if (!Why) {
    const uint64_t Bytes = T.Block->getAllocatedType()->getArrayNumElements();
    Called = taskFunction(*T.Entry, {Bytes, T.AreaBytes, T.Place},
                          /*ByReference=*/!isLoop(Call) && !isRepeated(Call));
    Why = Called ? whyTaskRunsAtOnce(*Called->F)
                 : "not all that it copies is numbers and pointers, or it is "
                   "not optimized";
  }
  if (!Why)
    return Called;
  remark(Call, Why);
  return std::nullopt;
}

/// In the place of \p Call. What may be a float is passed in a variable, to the
/// shadow of which the task adds.
void TaskLowering::createBeside(CallInst &Call, Value &Block,
                                const TaskFunction &Called) {
  IRBuilder<> First(&*F.getEntryBlock().getFirstInsertionPt());
  IRBuilder<> B(&Call);
  Value *Area = B.CreateLoad(B.getPtrTy(), &Block);
  SmallVector<Value *, 8> Args;
  for (const TaskWord &Word : Called.Words) {
    Value *V = B.CreateLoad(
        Word.Ty, B.CreateConstInBoundsGEP1_64(
                     B.getInt8Ty(), Word.InArea ? Area : &Block, Word.Offset));
    if (Word.MayBeFloat) {
      AllocaInst *Passed = First.CreateAlloca(Word.Ty, nullptr, "passed");
      B.CreateStore(V, Passed);
      V = Passed;
    }
    Args.push_back(V);
  }
  CallInst *New = B.CreateCall(Called.F, Args);
  New->setDoesNotThrow();
  New->setDebugLoc(Call.getDebugLoc());
  tasks::markTaskCall(*New);
  HasTaskCalls = true;
  erase(Call);
}

/// Runs the task.
void TaskLowering::create(CallInst &Call, const Frame *In) {
  const Value *Block = origin(Call.getArgOperand(tasks::Block));
  // A task that is not tied creates itself again.
  auto *Arg = dyn_cast<Argument>(Block);
  if ((In && In->Task == Block) ||
      (Arg && Arg->getArgNo() == 1 && F.arg_size() == 2 &&
       F.getReturnType()->isIntegerTy(32)))
    return erase(Call);
  const Task *Found = taskOf(Call.getArgOperand(tasks::Block));
  if (!Found)
    return;
  const Task T = *Found;
  if (std::optional<TaskFunction> Called = beside(Call, T))
    return createBeside(Call, *T.Block, *Called);
  Value *Number = Call.getArgOperand(Thread);
  runTask(Call, T, Number, In);
  destroy(Call, T, Number);
  erase(Call);
}

/// The end of a task that the program runs at once (if its clause says so).
void TaskLowering::end(CallInst &Call) {
  const Task *T = taskOf(Call.getArgOperand(tasks::Block));
  if (!T)
    return;
  destroy(Call, *T, Call.getArgOperand(Thread));
  erase(Call);
}

void TaskLowering::lower(const Item &Found) {
  CallInst &Call = *Found.Call;
  if (isCreation(Call))
    return create(Call, Found.In);
  if (isLoop(Call))
    return loop(Call, Found.In);
  if (isCallOf(Call, "__kmpc_omp_task_complete_if0"))
    return end(Call);
  Function *Called = Call.getCalledFunction();
  if (!Called || Called->isDeclaration())
    return;
  const bool IsEntry =
      any_of(Tasks, [&](const Task &T) { return T.Entry == Called; });
  if (Found.OfBody)
    return IsEntry ? inlineEntry(Call, Found.In)
                   : inlineCall(Call, Found.In, /*IsBody=*/false);
  // The program runs it at once (if its clause says so).
  if (!IsEntry)
    return;
  const Task *Known = taskOf(Call.getArgOperand(1));
  if (!Known)
    return;
  const Task T = *Known;
  runTask(Call, T, Call.getArgOperand(0), Found.In);
  erase(Call);
}

/// Tasks have ended where the function returns, though the program may wait for
/// them later, and behind calls of what may wait for them in its turn. And no
/// analysis moves what is behind a wait in a loop in front of that loop, out of
/// which it could not be told from what runs beside tasks.
void TaskLowering::addWaits() {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallSetVector<BasicBlock *, 4> Ends;
  SmallPtrSet<const Loop *, 4> Create;
  SmallVector<Instruction *, 8> Calls;
  for (Instruction &I : instructions(F)) {
    if (isa<ReturnInst>(I))
      Ends.insert(I.getParent());
    auto *Call = dyn_cast<CallInst>(&I);
    if (Call && !tasks::isTaskCall(*Call) && !tasks::isWait(I) &&
        !isWaitOfProgram(I) && tasks::mayWaitIn(*Call))
      Calls.push_back(Call);
    if (Call && tasks::isTaskCall(*Call))
      for (Loop *L = LI.getLoopFor(I.getParent()); L; L = L->getParentLoop())
        Create.insert(L);
  }
  for (Instruction &I : instructions(F)) {
    if (!tasks::isWait(I) && !isWaitOfProgram(I))
      continue;
    for (Loop *L = LI.getLoopFor(I.getParent()); L && !Create.contains(L);
         L = L->getParentLoop())
      for (BasicBlock *Before : predecessors(L->getHeader()))
        if (!L->contains(Before))
          Ends.insert(Before);
  }
  for (BasicBlock *End : Ends) {
    IRBuilder<> B(End->getTerminator());
    tasks::createCall(B, tasks::Wait);
  }
  for (Instruction *Call : Calls) {
    IRBuilder<> B(Call->getNextNode());
    tasks::createCall(B, tasks::Wait);
  }
}

void TaskLowering::run() {
  separateTasks(F);
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      Work.push_back({Call, nullptr, false});
  // What is inlined in a round is looked at in the next.
  while (!Work.empty()) {
    std::vector<Item> Round;
    std::swap(Round, Work);
    // The blocks first: a call may stand in front of the one that it follows.
    erase_if(Round, [&](const Item &Found) {
      const bool Is = isCallOf(*Found.Call, "__kmpc_omp_task_alloc");
      if (Is)
        allocate(*Found.Call);
      return Is;
    });
    for (const Item &Found : Round)
      lower(Found);
  }
  if (HasTaskCalls)
    addWaits();
  if (Order == TaskOrder::AtOnce)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isWaitOfProgram(I))
        erase(cast<CallInst>(I));
}

} // namespace adze::tasks

namespace adze {

void lowerTasks(Function &F, Function &Source, TaskOrder Order) {
  tasks::TaskLowering(F, Source, Order).run();
}

} // namespace adze

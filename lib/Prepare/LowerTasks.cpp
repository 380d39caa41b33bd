// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   task = __kmpc_omp_task_alloc(place, thread, flags, bytes, shared, entry)
//   ..                                        fills in what the task captures
//   __kmpc_omp_task(place, thread, task)
//
// OpenMP lets the thread that comes to a task run it at once, and so does a
// derivative: the block of the task is a variable, and the last call one of
// the task's function (TeamBodies.c: body_task_run). Then tasks that depend
// on each other run in the order in which they were created, which is one that
// they allow, and who waits for them has nothing to wait for.
//
// The function is inlined, unless the task is one of those that it creates
// itself (recursion). A task that is not tied to a thread creates itself again
// at each place where another thread could take it over; it is called until it
// no longer does.
#include "Prepare/Stages.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// The runtime's block of a task (kmp_task_t), as clang lays it out. Bit 0 of
/// its flags: it is tied to a thread; bit 3: it has a destructor.
enum : uint64_t { Routine = 8, Part = 16, Destructor = 24 };

/// Operands of __kmpc_omp_task_alloc.
enum { Flags = 2, Bytes, SharedBytes, Entry };

/// Of what creates, runs or ends a task: the thread, and the block.
enum { Thread = 1, Block };

struct Task {
  AllocaInst *Block;
  Function *Entry;
  /// Called behind it, or null.
  Function *Destructor;
  bool MayBeUntied;
};

/// The function of a task that was inlined, within others.
struct Frame {
  const Function *Entry;
  const Value *Task; // the block that it was called with
  const Frame *Above;
};

bool isCallOf(const CallBase &Call, StringRef Name) {
  const Function *F = Call.getCalledFunction();
  return F && F->isDeclaration() && F->getName() == Name;
}

bool isCreation(const CallBase &Call) {
  return isCallOf(Call, "__kmpc_omp_task") ||
         isCallOf(Call, "__kmpc_omp_task_with_deps");
}

bool isLoop(const CallBase &Call) {
  return isCallOf(Call, "__kmpc_taskloop") ||
         isCallOf(Call, "__kmpc_taskloop_5");
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

class TaskLowering {
public:
  TaskLowering(Function &F, Function &Source)
      : F(F), Source(Source), M(*F.getParent()), C(F.getContext()) {}

  void run();

private:
  struct Item {
    CallInst *Call;
    const Frame *In;
    bool OfBody; // of TeamBodies.c
  };

  void lower(const Item &Found);
  void allocate(CallInst &Call);
  void create(CallInst &Call, const Frame *In);
  void end(CallInst &Call);
  void loop(CallInst &Call, const Frame *In);
  void runTask(CallInst &Before, const Task &T, Value *Number, const Frame *In);
  void destroy(CallInst &Before, const Task &T, Value *Number);
  void inlineCall(CallInst &Call, const Frame *In, bool IsBody);
  void inlineEntry(CallInst &Call, const Frame *In);
  CallInst *call(Function *Called, ArrayRef<Value *> Args, CallInst &Before);
  void erase(CallInst &Call);
  const Task *taskOf(const Value *Given) const;
  void remark(const CallInst &Call) const;

  Value *functionOrNull(Function *Called) const {
    return Called ? static_cast<Value *>(Called)
                  : ConstantPointerNull::get(PointerType::getUnqual(C));
  }

  Function &F, &Source;
  Module &M;
  LLVMContext &C;
  std::vector<Task> Tasks;
  std::vector<std::unique_ptr<Frame>> Frames;
  std::vector<Item> Work;
};

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
void TaskLowering::remark(const CallInst &Call) const {
  OptimizationRemarkEmitter ORE(&Source);
  ORE.emit([&] {
    return OptimizationRemarkMissed("adze", "Task", Call.getDebugLoc(),
                                    &Source.getEntryBlock())
           << "in derivatives, the thread that comes to this task runs it at "
              "once";
  });
}

/// The block becomes a variable.
void TaskLowering::allocate(CallInst &Call) {
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(Bytes));
  auto *Shared = dyn_cast<ConstantInt>(Call.getArgOperand(SharedBytes));
  auto *Called = dyn_cast<Function>(Call.getArgOperand(adze::Entry));
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
  remark(Call);
  Call.eraseFromParent();
  Tasks.push_back({Block, Called, Ending, !Bits.One[0]});
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

/// Runs the task.
void TaskLowering::create(CallInst &Call, const Frame *In) {
  const Value *Block = origin(Call.getArgOperand(adze::Block));
  // A task that is not tied creates itself again.
  auto *Arg = dyn_cast<Argument>(Block);
  if ((In && In->Task == Block) ||
      (Arg && Arg->getArgNo() == 1 && F.arg_size() == 2 &&
       F.getReturnType()->isIntegerTy(32)))
    return erase(Call);
  const Task *Found = taskOf(Call.getArgOperand(adze::Block));
  if (!Found)
    return;
  const Task T = *Found;
  Value *Number = Call.getArgOperand(Thread);
  runTask(Call, T, Number, In);
  destroy(Call, T, Number);
  erase(Call);
}

/// The end of a task that the program runs at once (if its clause says so).
void TaskLowering::end(CallInst &Call) {
  const Task *T = taskOf(Call.getArgOperand(adze::Block));
  if (!T)
    return;
  destroy(Call, *T, Call.getArgOperand(Thread));
  erase(Call);
}

/// A task for each part of the iterations, with a copy of the block.
void TaskLowering::loop(CallInst &Call, const Frame *In) {
  const Task *Found = taskOf(Call.getArgOperand(adze::Block));
  if (!Found)
    return;
  const Task T = *Found;
  // (.., block, if, lower, upper, step, nogroup, schedule, size, [strict],
  // copy)
  enum { Lower = 4, Upper, Step, Schedule = 8, Size, Strict };
  const bool HasStrict = Call.arg_size() == 12;
  IRBuilder<> First(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Copy =
      First.CreateAlloca(T.Block->getAllocatedType(), nullptr, "task.part");
  Copy->setAlignment(T.Block->getAlign());
  IRBuilder<> B(&Call);
  Value *Number = Call.getArgOperand(Thread);
  CallInst *Run =
      call(libraryBody(M, "body_task_loop"),
           {Number, T.Block, Copy,
            B.getInt64(T.Block->getAllocatedType()->getArrayNumElements()),
            Call.getArgOperand(Lower), Call.getArgOperand(Upper),
            Call.getArgOperand(Step), Call.getArgOperand(Schedule),
            Call.getArgOperand(Size),
            HasStrict ? Call.getArgOperand(Strict) : B.getInt32(0),
            Call.getArgOperand(Call.arg_size() - 1), T.Entry,
            B.getInt32(T.MayBeUntied), functionOrNull(T.Destructor)},
           Call);
  if (!Run)
    return;
  inlineCall(*Run, In, /*IsBody=*/true);
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
}

} // namespace

void lowerTasks(Function &F, Function &Source) {
  TaskLowering(F, Source).run();
}

} // namespace adze

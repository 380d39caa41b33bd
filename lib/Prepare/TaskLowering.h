// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How tasks of OpenMP become calls in one function: LowerTasks.cpp, and
// LowerTaskLoops.cpp for loops of tasks.
#ifndef ADZE_LIB_PREPARE_TASKLOWERING_H
#define ADZE_LIB_PREPARE_TASKLOWERING_H

#include "Prepare/Stages.h"
#include "Prepare/TaskFunctions.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include <memory>
#include <vector>

namespace adze::tasks {

/// Of what creates, runs or ends a task: the thread, and the block.
enum { Thread = 1, Block };

struct Task {
  llvm::AllocaInst *Block;
  llvm::Function *Entry;
  /// Called behind it, or null.
  llvm::Function *Destructor;
  /// The runtime may run it in parts, by several threads; at once, where it is
  /// created.
  bool MayBeUntied, MayBeFinal;
  uint64_t AreaBytes;
  llvm::Constant *Place; // in the program; null if that is not known
};

/// The function of a task that was inlined, within others.
struct Frame {
  const llvm::Function *Entry;
  const llvm::Value *Task; // the block that it was called with
  const Frame *Above;
};

/// \p Call is of the function of that name, which the program does not define.
bool isCallOf(const llvm::CallBase &Call, llvm::StringRef Name);
/// \p Call creates the tasks of a loop.
bool isLoop(const llvm::CallBase &Call);

class TaskLowering {
public:
  TaskLowering(llvm::Function &F, llvm::Function &Source, TaskOrder Order)
      : F(F), Source(Source), M(*F.getParent()), C(F.getContext()),
        Order(Order) {}

  void run();

private:
  struct Item {
    llvm::CallInst *Call;
    const Frame *In;
    bool OfBody; // of TeamBodies.c
  };

  void lower(const Item &Found);
  void allocate(llvm::CallInst &Call);
  void create(llvm::CallInst &Call, const Frame *In);
  void end(llvm::CallInst &Call);
  void loop(llvm::CallInst &Call, const Frame *In);
  void runTask(llvm::CallInst &Before, const Task &T, llvm::Value *Number,
               const Frame *In);
  void destroy(llvm::CallInst &Before, const Task &T, llvm::Value *Number);
  void inlineCall(llvm::CallInst &Call, const Frame *In, bool IsBody);
  void inlineEntry(llvm::CallInst &Call, const Frame *In);
  llvm::CallInst *call(llvm::Function *Called,
                       llvm::ArrayRef<llvm::Value *> Args,
                       llvm::CallInst &Before);
  void erase(llvm::CallInst &Call);
  const Task *taskOf(const llvm::Value *Given) const;
  std::optional<TaskFunction> beside(const llvm::CallInst &Call,
                                     const Task &T) const;
  const char *whyAtOnce(const llvm::CallInst &Call, const Task &T) const;
  bool isRepeated(const llvm::CallInst &Call) const;
  void createBeside(llvm::CallInst &Call, llvm::Value &Block,
                    const TaskFunction &Called);
  bool loopBeside(llvm::CallInst &Call, const Task &T, llvm::Value &Copy);
  void addWaits();
  void remark(const llvm::CallInst &Call, const char *Why) const;

  llvm::Value *functionOrNull(llvm::Function *Called) const {
    return Called ? static_cast<llvm::Value *>(Called)
                  : llvm::ConstantPointerNull::get(
                        llvm::PointerType::getUnqual(C));
  }

  llvm::Function &F, &Source;
  llvm::Module &M;
  llvm::LLVMContext &C;
  const TaskOrder Order;
  bool HasTaskCalls = false;
  std::vector<Task> Tasks;
  std::vector<std::unique_ptr<Frame>> Frames;
  std::vector<Item> Work;
};

} // namespace adze::tasks
#endif

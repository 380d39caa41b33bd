// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A derivative runs a thread where it is created (SerialThreads.h). What would
// come out differently then, or never end, is refused where a function creates
// threads, wherever it stands in what may be called from there:
//   * a loop that ends when another thread stores something,
//
//       while (!Ready.load()) ;
//
//     each of whose exits depends on nothing but what is loaded atomically in
//     the loop, and on what does not change there. (Where the loop exchanges a
//     value, it tries until it succeeds, which needs nobody else.)
//   * a function of the library that waits.
//   * what is inside of a future, wherever it is used.
//   * a variable of which each thread has its own.
#include "Prepare/Stages.h"
#include "Prepare/StateMemory.h"
#include "adze/Diagnostics.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/ParallelRuntime.h"
#include "adze/SerialThreads.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {
namespace {

/// Functions of libstdc++ that wait for what a thread has done before it ended,
/// and what they keep for a thread.
bool isOfLibrary(StringRef Name) {
  return Name.starts_with("_ZNSt23__atomic_futex_unsigned") ||
         Name.starts_with("_ZSt11__once_call") ||
         Name.starts_with("_ZSt15__once_callable");
}

//===-- What may be called ------------------------------------------------===//

struct Reached {
  SetVector<const Function *> Functions;
  SetVector<const GlobalVariable *> Variables;

  explicit Reached(const Function &From);

private:
  void addPartsOf(const Function &F);
  void addConstant(const Constant *C);
  void addTypes();

  SetVector<const Constant *> Constants;
  SetVector<const FunctionType *> Called; // through pointers
};

/// \p C and what it is made of.
void Reached::addConstant(const Constant *C) {
  if (!Constants.insert(C))
    return;
  SmallVector<const Constant *, 8> Work{C};
  while (!Work.empty()) {
    const Constant *At = Work.pop_back_val();
    if (auto *F = dyn_cast<Function>(At)) {
      Functions.insert(F);
      continue;
    }
    if (auto *V = dyn_cast<GlobalVariable>(At))
      Variables.insert(V);
    for (const Use &Op : At->operands())
      if (auto *Part = dyn_cast<Constant>(Op); Part && Constants.insert(Part))
        Work.push_back(Part);
  }
}

/// What the pointers that are called may be.
void Reached::addTypes() {
  if (Called.empty())
    return;
  for (const Function &F : *Functions.front()->getParent())
    if (!isOwn(F) && !F.getName().starts_with(ClonePrefix) &&
        Called.contains(F.getFunctionType()) && F.hasAddressTaken())
      Functions.insert(&F);
}

void Reached::addPartsOf(const Function &F) {
  if (isOwn(F) || hasBodyBesideHeader(F))
    return;
  for (const Instruction &I : instructions(F)) {
    for (const Use &Op : I.operands())
      if (auto *C = dyn_cast<Constant>(Op))
        addConstant(C);
    auto *Call = dyn_cast<CallBase>(&I);
    if (Call && Call->isIndirectCall())
      Called.insert(Call->getFunctionType());
  }
}

Reached::Reached(const Function &From) {
  Functions.insert(&From);
  size_t Seen = 0, Types = 0;
  while (Seen < Functions.size()) {
    addPartsOf(*Functions[Seen++]);
    if (Seen == Functions.size() && Types != Called.size()) {
      addTypes();
      Types = Called.size();
    }
  }
}

//===-- Loops that wait ---------------------------------------------------===//

/// \p F says what is somewhere, as std::atomic<T>::load does.
bool loadsAtomically(const Function *F) {
  if (!F || F->isDeclaration() || F->getReturnType()->isVoidTy())
    return false;
  bool Loads = false;
  for (const Instruction &I : instructions(F)) {
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I))
      return false;
    auto *Load = dyn_cast<LoadInst>(&I);
    Loads |= Load && Load->isAtomic();
  }
  return Loads;
}

bool exchangesAtomically(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
  });
}

class WaitingLoop {
public:
  explicit WaitingLoop(const Loop &L) : L(L) {}
  /// Each of its exits waits for others.
  bool waits() const;

private:
  bool addSources(const Instruction &I,
                  SmallVectorImpl<const Value *> &Work) const;
  bool dependsOnOthersAlone(const Value &V, bool &Loads) const;

  const Loop &L;
};

/// Adds what the value of \p I is made of, in one iteration; false if the loop
/// itself may change it.
bool WaitingLoop::addSources(const Instruction &I,
                             SmallVectorImpl<const Value *> &Work) const {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    auto *Variable = dyn_cast<AllocaInst>(Load->getPointerOperand());
    if (!Variable)
      return false;
    for (const User *U : Variable->users()) {
      auto *Store = dyn_cast<StoreInst>(U);
      if (Store && Store->getPointerOperand() == Variable) {
        if (L.contains(Store))
          Work.push_back(Store->getValueOperand());
      } else if (!isa<LoadInst>(U) && !isa<IntrinsicInst>(U) &&
                 L.contains(cast<Instruction>(U))) {
        return false;
      }
    }
    return true;
  }
  if (isa<PHINode>(I) ? L.getHeader() == I.getParent()
                      : I.mayReadOrWriteMemory())
    return false;
  Work.append(I.op_begin(), I.op_end());
  return true;
}

/// What \p V is in one iteration does not depend on those before. \p Loads: it
/// depends on atomic loads.
bool WaitingLoop::dependsOnOthersAlone(const Value &V, bool &Loads) const {
  SmallVector<const Value *, 8> Work{&V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    auto *Load = dyn_cast<LoadInst>(I);
    auto *Call = dyn_cast<CallBase>(I);
    if ((Load && (Load->isAtomic() || Load->isVolatile())) ||
        (Call && loadsAtomically(Call->getCalledFunction())))
      Loads = true;
    else if (!addSources(*I, Work))
      return false;
  }
  return true;
}

bool WaitingLoop::waits() const {
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ||
          (Callee && exchangesAtomically(*Callee)))
        return false;
    }
  bool Loads = false;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *B : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
    if (!Branch || !dependsOnOthersAlone(*Branch->getCondition(), Loads))
      return false;
  }
  return Loads;
}

const Instruction *waitingLoopOf(const Function &F) {
  if (none_of(instructions(F), [](const Instruction &I) {
        auto *Load = dyn_cast<LoadInst>(&I);
        auto *Call = dyn_cast<CallBase>(&I);
        return (Load && (Load->isAtomic() || Load->isVolatile())) ||
               (Call && loadsAtomically(Call->getCalledFunction()));
      }))
    return nullptr;
  const DominatorTree DT(const_cast<Function &>(F));
  const LoopInfo LI(DT);
  for (const Loop *L : LI.getLoopsInPreorder())
    if (WaitingLoop(*L).waits())
      return L->getHeader()->getTerminator();
  return nullptr;
}

/// What is called, as whatever it is declared.
const Function *calleeOf(const CallBase &Call) {
  return dyn_cast<Function>(
      Call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// \p Call asks Linux to wait until another thread changes a number: what
/// barriers, latches, semaphores and std::atomic<T>::wait of C++ are made of.
bool waitsForNumber(const CallBase &Call) {
  const Function *Callee = calleeOf(Call);
  if (!Callee || Callee->getName() != "syscall" || Call.arg_size() < 3)
    return false;
  const bool IsX86 = Triple(Callee->getParent()->getTargetTriple()).isX86();
  auto *Number = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  auto *Operation = dyn_cast<ConstantInt>(Call.getArgOperand(2));
  enum { Futex = 98, FutexOfX86 = 202, Private = 128, Wake = 1 };
  return Number && Number->getZExtValue() == (IsX86 ? FutexOfX86 : Futex) &&
         !(Operation && (Operation->getZExtValue() & ~Private) == Wake);
}

/// \p I waits for another thread, or wants what it has returned.
bool mayWait(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && waitsForNumber(*Call))
    return true;
  const Function *Callee = Call ? calleeOf(*Call) : nullptr;
  const KnownFunction *Known = Callee ? lookupKnown(*Call) : nullptr;
  if (!Known || Known->Facts.By != Derivation::Mirror || Known->Mirror)
    return false;
  if (Callee->getName() == "pthread_join" && Call->arg_size() == 2)
    return !isa<ConstantPointerNull>(Call->getArgOperand(1));
  return !libraryBodyOf(*Call);
}

std::string nameOfWait(const CallBase &Call) {
  return waitsForNumber(Call)
             ? "a barrier, latch, semaphore or std::atomic<T>::wait"
             : sourceName(*calleeOf(Call));
}

} // namespace

/// Where a thread is created, or null.
static const Instruction *creationIn(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      if (const Function *Callee = Call->getCalledFunction();
          Callee && Callee->getName() == ThreadBegin)
        return &I;
  return nullptr;
}

bool createsThreads(const Function &F) { return creationIn(F); }

bool refuseThreadWaits(const Function &F, const Refusal &Refuse) {
  bool Refused = false;
  auto refuse = [&](const Instruction *At, const std::string &What) {
    const MissingFunction Text = threadsRefusal(What);
    Refuse.Diags.report(Text.ID, Refuse.From, At, Text.Args);
    Refused = true;
  };
  for (const Instruction &I : instructions(F))
    if (usesInsideOfFuture(I)) {
      refuse(&I,
             "a future (std::async, std::promise, std::packaged_task) that "
             "is set when the thread ends, or was inlined before this pass");
      return true;
    }
  const Instruction *Creation = creationIn(F);
  if (!Creation)
    return false;
  const Reached R(F);
  for (const Function *G : R.Functions)
    if (!isOwn(*G) && !G->isDeclaration() && !isOfLibrary(G->getName()) &&
        !hasBodyBesideHeader(*G)) {
      if (const Instruction *At = waitingLoopOf(*G))
        refuse(At, "a loop that waits for another thread");
      // Code that has no derivative is called as it is.
      for (const Instruction &I : instructions(*G))
        if (mayWait(I))
          refuse(&I, nameOfWait(cast<CallBase>(I)));
    }
  for (const GlobalVariable *V : R.Variables)
    if (V->isThreadLocal() && !isOfLibrary(V->getName()))
      refuse(Creation, ("threads that have their own '" + V->getName() +
                        "' (thread_local)")
                           .str());
  return Refused;
}

} // namespace adze

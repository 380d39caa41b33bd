// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   while (Flag.exchange(true)) ;
//
// A derivative runs a thread where it is created (SerialThreads.h). A lock of
// this kind that the creator holds there is never free for the thread. Whether
// that is so only the run knows: it is told of the iterations of such a loop
// (Runtime/Threads.c), and stops the program after some seconds.
#include "Prepare/Stages.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/SerialThreads.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// Functions that are worth it are of this size without optimization.
constexpr unsigned MostInstructions = 150, MostDepth = 4;

bool createsThreadsSomewhere(const Module &M) {
  return M.getFunction("pthread_create") || M.getFunction("thrd_create") ||
         M.getFunction("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_"
                       "StateESt14default_deleteIS1_EEPFvvE");
}

bool exchangesAt(const Instruction &I) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return isa<AtomicCmpXchgInst>(I) ||
         (RMW && RMW->getOperation() == AtomicRMWInst::Xchg);
}

bool hasLoop(const Function &F) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 2> Backs;
  FindFunctionBackedges(F, Backs);
  return !Backs.empty();
}

/// Loops of libstdc++ (those of stop tokens) are no locks of the program.
bool isLoopOfLibrary(const Function &F) {
  const StringRef Name = F.getName();
  return (Name.starts_with("_ZNSt") || Name.starts_with("_ZSt")) && hasLoop(F);
}

/// What functions do, or what they call does.
class Exchangers {
public:
  /// \p F exchanges something.
  bool exchanges(const Function &F) { return ask(F, MostDepth).Exchanges; }
  /// It does so in a loop.
  bool spins(const Function &F) { return ask(F, MostDepth).Spins; }

private:
  struct Answer {
    bool Exchanges = false, Spins = false;
  };

  Answer ask(const Function &F, unsigned Depth);

  DenseMap<std::pair<const Function *, unsigned>, Answer> Known;
};

/// What is declared of a function would be lost where it becomes a part of
/// another one.
bool mayBecomePart(const Function &F) {
  return !F.isDeclaration() && !isOwn(F) && !F.isVarArg() &&
         !isDeclaredInactive(F) && !isStdAsync(F) && !hasBodyBesideHeader(F) &&
         F.getInstructionCount() <= MostInstructions && !isLoopOfLibrary(F);
}

Exchangers::Answer Exchangers::ask(const Function &F, unsigned Depth) {
  auto [It, Fresh] = Known.try_emplace({&F, Depth});
  if (!Fresh || !mayBecomePart(F))
    return It->second;
  Answer A;
  for (const Instruction &I : instructions(F)) {
    A.Exchanges |= exchangesAt(I);
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Depth == 0)
      continue;
    const Answer Inner = ask(*Callee, Depth - 1);
    A.Exchanges |= Inner.Exchanges;
    A.Spins |= Inner.Spins;
  }
  A.Spins |= A.Exchanges && hasLoop(F);
  return Known[{&F, Depth}] = A;
}

/// \p V is made, in one iteration of \p L, of nothing but what is exchanged
/// (\p Exchanges: there is such) or loaded atomically there.
bool isOfExchanges(const Value &V, const Loop &L, bool &Exchanges) {
  SmallVector<const Value *, 8> Work{&V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (exchangesAt(*I)) {
      Exchanges = true;
      continue;
    }
    auto *Load = dyn_cast<LoadInst>(I);
    if (Load && Load->isAtomic())
      continue;
    if (isa<PHINode>(I) ? L.getHeader() == I->getParent()
                        : I->mayReadOrWriteMemory())
      return false;
    Work.append(I->op_begin(), I->op_end());
  }
  return true;
}

bool isSpin(const Loop &L) {
  bool Exchanges = false;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *B : Exiting) {
    auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
    if (!Branch || !isOfExchanges(*Branch->getCondition(), L, Exchanges))
      return false;
  }
  return Exchanges;
}

} // namespace

void inlineExchanges(Function &F) {
  if (!createsThreadsSomewhere(*F.getParent()))
    return;
  Exchangers Of;
  for (unsigned Round = 0; Round <= MostDepth; ++Round) {
    const DominatorTree DT(F);
    const LoopInfo LI(DT);
    SmallVector<CallBase *, 4> Calls;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && Callee != &F &&
            (LI.getLoopFor(Call->getParent()) ? Of.exchanges(*Callee)
                                              : Of.spins(*Callee)) &&
            Callee->getFunctionType() == Call->getFunctionType())
          Calls.push_back(Call);
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info);
    }
  }
}

void watchSpinLocks(Function &F) {
  if (!createsThreadsSomewhere(*F.getParent()) ||
      none_of(instructions(F), exchangesAt))
    return;
  const DominatorTree DT(F);
  const LoopInfo LI(DT);
  auto call = [&](StringRef Name, BasicBlock::iterator Before) {
    IRBuilder<> B(Before->getParent(), Before);
    B.CreateCall(F.getParent()->getOrInsertFunction(
        (ThreadFunctionPrefix + Name).str(),
        FunctionType::get(B.getVoidTy(), false)));
  };
  for (const Loop *L : LI.getLoopsInPreorder()) {
    if (!isSpin(*L))
      continue;
    BasicBlock *Header = L->getHeader();
    for (BasicBlock *From : predecessors(Header))
      if (!L->contains(From))
        call("spin.begin", From->getTerminator()->getIterator());
    call("spin", Header->getFirstInsertionPt());
  }
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations threads take as they come:
//
//   __kmpc_dispatch_init_4(.., lower, upper, 1, ..);
//   while (__kmpc_dispatch_next_4(.., &last, &l, &u, &step))
//     for (i = l; i <= u; i++) ..
//
// What the runtime has put into l and u passes through the functions for bounds
// of iterations (Teams.h), as that of static schedules does: chunks of two
// threads have no common iteration. They are as many parts as there are
// iterations, at most.
#include "Prepare/Stages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// Operands of the two functions.
enum InitOperand {
  ScheduleKind = 2,
  FirstLower = 3,
  LastUpper = 4,
  InitStep = 5,
  ChunkSize = 6
};
enum NextOperand { Lower = 3, Upper = 4 };

/// What follows \p Prefix in the name of the function that \p Call calls: "4u".
StringRef kindOf(const CallBase &Call, StringRef Prefix) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return Name.consume_front(Prefix) && Callee->isDeclaration() ? Name : "";
}

/// The one of \p Inits that begins the loop of \p Next: the last in front of
/// it.
CallBase *beginOf(const CallBase &Next, StringRef Kind,
                  ArrayRef<CallBase *> Inits, const DominatorTree &DT) {
  CallBase *Last = nullptr;
  for (CallBase *Init : Inits) {
    if (!DT.dominates(Init, &Next))
      continue;
    if (!Last || DT.dominates(Last, Init))
      Last = Init;
  }
  return Last && kindOf(*Last, "__kmpc_dispatch_init_") == Kind ? Last
                                                                : nullptr;
}

/// In how many chunks the iterations are taken, at least: of some size, or, of
/// guided schedules, not more than the size or a half of those that are left. 0
/// if nobody knows.
Value *chunksOf(CallBase &Init, bool IsSigned) {
  constexpr uint64_t Dynamic = 35, Guided = 36, Modifiers = 3u << 29;
  IRBuilder<> B(&Init);
  Value *From = Init.getArgOperand(FirstLower),
        *To = Init.getArgOperand(LastUpper),
        *Size = Init.getArgOperand(ChunkSize);
  Type *Ty = From->getType();
  auto *Schedule = dyn_cast<ConstantInt>(Init.getArgOperand(ScheduleKind));
  const uint64_t Kind = Schedule ? Schedule->getZExtValue() & ~Modifiers : 0;
  if (Kind != Dynamic && Kind != Guided)
    return ConstantInt::get(Ty, 0);
  Value *One = ConstantInt::get(Ty, 1), *None = ConstantInt::get(Ty, 0);
  Size = B.CreateBinaryIntrinsic(Intrinsic::smax, Size, One);
  Value *Any = IsSigned ? B.CreateICmpSLE(From, To) : B.CreateICmpULE(From, To);
  Value *Full = B.CreateUDiv(B.CreateSub(To, From), Size);
  return B.CreateSelect(Any, B.CreateAdd(Full, One), None);
}

/// What is loaded from the variable in which the runtime leaves a bound, behind
/// \p Init, whose operand \p Limit is that of all chunks.
void passThrough(const Value &Variable, InitOperand Limit, Value &Parts,
                 CallBase &Init, const DominatorTree &DT) {
  Type *Ty = Parts.getType();
  StringRef Name =
      Limit == FirstLower ? "adze.team.lower." : "adze.team.upper.";
  SmallVector<LoadInst *, 4> Loads;
  for (User *U : const_cast<Value &>(Variable).users())
    if (auto *Load = dyn_cast<LoadInst>(U);
        Load && Load->getType() == Ty && DT.dominates(&Init, Load))
      Loads.push_back(Load);
  for (LoadInst *Load : Loads) {
    IRBuilder<> B(Load->getNextNode());
    FunctionCallee Bound = Load->getModule()->getOrInsertFunction(
        (Name + Twine(Ty->getIntegerBitWidth() / 8)).str(), Ty, Ty, Ty, Ty);
    CallInst *Passed = B.CreateCall(
        Bound, {PoisonValue::get(Ty), &Parts, Init.getArgOperand(Limit)});
    Passed->setDoesNotThrow();
    Passed->setDoesNotAccessMemory();
    Passed->addFnAttr(Attribute::WillReturn);
    Load->replaceAllUsesWith(Passed);
    Passed->setArgOperand(0, Load);
  }
}

} // namespace

void lowerDispatch(Function &F) {
  SmallVector<CallBase *, 4> Inits, Nexts;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I)) {
      if (!kindOf(*Call, "__kmpc_dispatch_init_").empty())
        Inits.push_back(Call);
      else if (!kindOf(*Call, "__kmpc_dispatch_next_").empty())
        Nexts.push_back(Call);
    }
  if (Nexts.empty() || Inits.empty())
    return;
  const DominatorTree DT(F);
  // A variable that several loops use belongs to none.
  MapVector<const Value *, CallBase *> BeginOf;
  for (CallBase *Next : Nexts) {
    const StringRef Kind = kindOf(*Next, "__kmpc_dispatch_next_");
    CallBase *Init = beginOf(*Next, Kind, Inits, DT);
    for (unsigned K : {Lower, Upper}) {
      auto [It, New] = BeginOf.insert({Next->getArgOperand(K), Init});
      if (!New && It->second != Init)
        It->second = nullptr;
    }
  }
  DenseMap<CallBase *, Value *> Chunks;
  SmallPtrSet<const Value *, 4> Done;
  for (CallBase *Next : Nexts) {
    Value *L = Next->getArgOperand(Lower), *U = Next->getArgOperand(Upper);
    CallBase *Init = BeginOf.lookup(L);
    auto *Step =
        Init ? dyn_cast<ConstantInt>(Init->getArgOperand(InitStep)) : nullptr;
    if (!Step || !Step->isOne() || BeginOf.lookup(U) != Init ||
        !isa<AllocaInst>(L) || !isa<AllocaInst>(U) || !Done.insert(L).second)
      continue;
    Value *&Parts = Chunks[Init];
    if (!Parts)
      Parts = chunksOf(*Init,
                       !kindOf(*Init, "__kmpc_dispatch_init_").ends_with("u"));
    passThrough(*L, FirstLower, *Parts, *Init, DT);
    passThrough(*U, LastUpper, *Parts, *Init, DT);
  }
}

} // namespace adze

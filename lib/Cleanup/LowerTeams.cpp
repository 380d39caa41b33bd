// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A team call (Teams.h)
//
//   half(number, number, a, b, .., tape)
//
// becomes a call of the runtime (Runtime/Teams.c) that gives it to a team:
//
//   arguments = {a, b, ..}
//   adze.team.run(body, &arguments, tape, bytes, which)
//
//   body(number, bound, arguments, tape):
//     half(number, bound, arguments.a, arguments.b, .., tape)
//
// Lists of the threads go to who has started the team (TeamLists.h). Copies
// that threads may make (teams::markCopy) are made by the body, each thread a
// part.
#include "LowerTaskCalls.h"
#include "adze/Cleanup.h"
#include "adze/Diagnostics.h"
#include "adze/OwnFunction.h"
#include "adze/Runtime.h"
#include "adze/SerialThreads.h"
#include "adze/TapeMemory.h"
#include "adze/Tasks.h"
#include "adze/TeamLists.h"
#include "adze/Teams.h"
#include "adze/ThreadShadows.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// The program may have a declaration of it from where it was first called.
Function *teamFunction(Module &M, StringRef Name) {
  const bool OfThreads = Name.starts_with(ThreadFunctionPrefix);
  if (!OfThreads) {
    tapeAllocFunction(M); // the unit calls both
    tapeFreeFunction(M);
  }
  Function *Known = M.getFunction(Name);
  if (Known && !Known->isDeclaration())
    return Known;
  if (Known)
    Known->setName("");
  Function *F = runtimeFunction(M, OfThreads ? ThreadsUnit : TeamsUnit, Name);
  if (Known) {
    Known->replaceAllUsesWith(F);
    Known->eraseFromParent();
  }
  return F;
}

namespace {

using teams::RuntimeArgs;

class TeamCallLowering {
public:
  TeamCallLowering(CallBase &Call, bool UsesThreadVariables)
      : Call(Call), UsesThreadVariables(UsesThreadVariables),
        M(*Call.getModule()), C(M.getContext()),
        HasTape(teams::halfOf(Call) != teams::Half::Whole), Lists(M) {
    for (unsigned K = RuntimeArgs; K < Call.arg_size() - HasTape; ++K)
      Passed.push_back(Call.getArgOperand(K));
    Behind = Passed.size();
    findCopies();
    SmallVector<Type *, 8> Fields;
    for (const Value *V : Passed)
      Fields.push_back(V->getType());
    Fields.push_back(Lists.placeType());
    Arguments = StructType::get(C, Fields);
  }

  void run();

private:
  void findCopies();
  Function *body();
  void makeCopies(IRBuilder<> &B, Value *Given);

  CallBase &Call;
  const bool UsesThreadVariables;
  Module &M;
  LLVMContext &C;
  const bool HasTape;
  /// What the half gets, and behind it, for each copy, where to, from where and
  /// how many bytes.
  SmallVector<Value *, 8> Passed;
  unsigned Behind = 0;
  SmallVector<MemCpyInst *, 2> Copies;
  StructType *Arguments;
  TeamLists Lists;
};

/// Those in front of the call that the team may make: nothing in between calls
/// anything that could read or end them.
void TeamCallLowering::findCopies() {
  if (teams::halfOf(Call) != teams::Half::Augmented)
    return;
  for (Instruction *I = Call.getPrevNode(); I; I = I->getPrevNode()) {
    if (teams::isMarkedCopy(*I)) {
      Copies.push_back(cast<MemCpyInst>(I));
      continue;
    }
    auto *Other = dyn_cast<CallBase>(I);
    if (Other && !isa<IntrinsicInst>(Other) &&
        Other->getCalledFunction() != M.getFunction("adze.tape.alloc"))
      break;
  }
  for (MemCpyInst *Copy : Copies)
    Passed.append(
        {Copy->getRawDest(), Copy->getRawSource(), Copy->getLength()});
}

/// In each thread, a part of each.
void TeamCallLowering::makeCopies(IRBuilder<> &B, Value *Given) {
  auto field = [&](unsigned K) {
    return B.CreateLoad(Arguments->getElementType(K),
                        B.CreateStructGEP(Arguments, Given, K));
  };
  for (unsigned K = Behind; K < Passed.size(); K += 3)
    B.CreateCall(teamFunction(M, "adze.team.copy"),
                 {field(K), field(K + 1), field(K + 2)});
  if (any_of(Copies, [](auto *Copy) { return teams::comesFirst(*Copy); }))
    B.CreateCall(teamFunction(M, "adze.team.copied"));
}

Function *TeamCallLowering::body() {
  Function *Half = Call.getCalledFunction();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F = createOwn(
      FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Ptr, Ptr}, false),
      GlobalValue::InternalLinkage, "adze.team.body." + Half->getName(), M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *, 8> Args{F->getArg(0), F->getArg(1)};
  for (unsigned K = 0; K < Behind; ++K)
    Args.push_back(B.CreateLoad(Arguments->getElementType(K),
                                B.CreateStructGEP(Arguments, F->getArg(2), K)));
  if (HasTape)
    Args.push_back(F->getArg(3));
  if (Function *Reset = M.getFunction("adze.reset.thread"))
    B.CreateCall(Reset);
  if (HasTape && UsesThreadVariables)
    B.CreateCall(teamFunction(M, "adze.team.same.thread"));
  if (HasTape)
    Lists.begin(B);
  makeCopies(B, F->getArg(2));
  B.CreateCall(Half, Args);
  if (HasTape)
    Lists.give(B, B.CreateStructGEP(Arguments, F->getArg(2), Passed.size()));
  B.CreateRetVoid();
  return F;
}

void TeamCallLowering::run() {
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  IRBuilder<> Before(&Entry, Entry.getFirstInsertionPt());
  AllocaInst *Place = Before.CreateAlloca(Arguments, nullptr, "arguments");
  IRBuilder<> B(&Call);
  for (const auto &[K, V] : enumerate(Passed))
    B.CreateStore(V, B.CreateStructGEP(Arguments, Place, K));
  Value *Given = B.CreateStructGEP(Arguments, Place, Passed.size());
  B.CreateStore(Constant::getNullValue(Lists.placeType()), Given);
  Value *Record = HasTape ? Call.getArgOperand(Call.arg_size() - 1)
                          : Constant::getNullValue(B.getPtrTy());
  Function *Body = body();
  B.CreateCall(teamFunction(M, "adze.team.run"),
               {Body, Place, Record, B.getInt64(teams::tapeBytesOf(Call)),
                B.getInt32(unsigned(teams::halfOf(Call)))});
  if (HasTape)
    Lists.take(B, Given);
  Call.eraseFromParent();
  for (MemCpyInst *Copy : Copies)
    Copy->eraseFromParent();
}

/// Bounds of iterations are what they are; what else is called of the unit gets
/// its body.
bool lowerHelpers(Module &M) {
  // By their names: a declaration goes when a body for another one comes.
  SmallVector<std::string, 8> Helpers;
  for (Function &F : M)
    if (F.isDeclaration() && (F.getName().starts_with("adze.team.") ||
                              F.getName().starts_with(ThreadFunctionPrefix)))
      Helpers.push_back(F.getName().str());
  for (const std::string &Name : Helpers) {
    Function *F = M.getFunction(Name);
    if (!F || !F->isDeclaration())
      continue;
    for (User *U : make_early_inc_range(F->users()))
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && teams::isBoundFunction(*Call)) {
        Call->replaceAllUsesWith(Call->getArgOperand(0));
        Call->eraseFromParent();
      }
    if (F->use_empty())
      F->eraseFromParent();
    else
      teamFunction(M, Name);
  }
  return !Helpers.empty();
}

/// Code that has no derivative is called as it is, and waits for a future as it
/// does. In a thread that a derivative runs, that is for ever: the runtime is
/// told before. The function is one of this file then.
void watchFutureWaits(Module &M) {
  const Function *Begin = M.getFunction(ThreadBegin);
  if (!Begin || Begin->use_empty())
    return;
  SmallVector<CallBase *, 4> Waits;
  for (Function &F : M)
    if (F.isDeclaration() && F.getName().contains("_M_futex_wait_until"))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U);
            Call && Call->getCalledFunction() == &F)
          Waits.push_back(Call);
  for (CallBase *Call : Waits) {
    Function &In = *Call->getFunction();
    if (In.hasLinkOnceLinkage()) {
      In.setLinkage(GlobalValue::InternalLinkage);
      In.setComdat(nullptr);
    }
    IRBuilder<> B(Call);
    B.CreateCall(
        M.getOrInsertFunction((ThreadFunctionPrefix + Twine("wait")).str(),
                              FunctionType::get(B.getVoidTy(), false)));
  }
}

} // namespace

bool lowerTeams(Module &M, FunctionAnalysisManager &FAM) {
  SmallVector<CallBase *, 8> Calls;
  SetVector<Function *> Changed;
  for (Function &F : M)
    if (F.hasFnAttribute(teams::RegionAttribute))
      markOwn(F); // what nothing calls goes
  for (Function &F : M)
    if (!F.getName().starts_with(ClonePrefix))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (teams::isTeamCall(*Call) || teams::isBoundFunction(*Call) ||
              tasks::isSpawn(*Call) || tasks::isWait(*Call)) {
            Changed.insert(&F);
            if (teams::isTeamCall(*Call))
              Calls.push_back(Call);
          }
  const bool UsesThreadVariables = usesThreadVariables(M);
  if (!Calls.empty())
    threadResetFunction(M);
  for (CallBase *Call : Calls)
    TeamCallLowering(*Call, UsesThreadVariables).run();
  const bool HadTasks = lowerTaskCalls(M);
  watchFutureWaits(M);
  const bool HadHelpers = lowerHelpers(M);
  for (Function *F : Changed)
    FAM.invalidate(*F, PreservedAnalyses::none());
  return HadHelpers || HadTasks || !Calls.empty();
}

} // namespace adze

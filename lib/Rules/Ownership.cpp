// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ownership.h"
#include "adze/Deferred.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/Runtime.h"
#include "adze/TapeMemory.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *ListName = "adze.deferred";
constexpr const char *DeferName = "adze.defer.free";
constexpr const char *DrainName = "adze.free.deferred";
constexpr const char *FreeByName = "adze.free.by";

/// The address that \p Call gives back, if it is a deallocation.
const Use *freedBy(const CallBase &Call) {
  const KnownFunction *Known = lookupKnown(Call);
  return Known && Known->frees() ? &Call.getArgOperandUse(Known->FreeArg)
                                 : nullptr;
}

/// Follows an argument that its function does not put away: to deallocations,
/// and to other functions.
class PassedTracker : public CaptureTracker {
public:
  bool Freed = false;
  SmallVector<const Argument *, 4> Passed;

  void tooManyUses() override { Freed = true; }

  bool captured(const Use *) override { return Freed = true; }

  bool shouldExplore(const Use *U) override {
    auto *Call = dyn_cast<CallBase>(U->getUser());
    if (!Call || !Call->isArgOperand(U) || isa<IntrinsicInst>(Call))
      return true;
    const unsigned K = Call->getArgOperandNo(U);
    const Function *Callee = Call->getCalledFunction();
    if (U == freedBy(*Call))
      Freed = true;
    else if (lookupKnown(*Call) || Call->hasFnAttr(Attribute::NoFree) ||
             Call->onlyReadsMemory(K))
      return true;
    else if (Callee && !Callee->isDeclaration() && K < Callee->arg_size())
      Passed.push_back(Callee->getArg(K));
    else
      Freed = true;
    return true;
  }
};

/// A function that gets the address at \p U, and does not put it away, may free
/// the block all the same.
bool mayBeFreedAt(const Use &U) {
  PassedTracker Tracker;
  Tracker.shouldExplore(&U);
  SmallPtrSet<const Argument *, 4> Seen;
  while (!Tracker.Freed && !Tracker.Passed.empty()) {
    const Argument *A = Tracker.Passed.pop_back_val();
    if (Seen.insert(A).second)
      PointerMayBeCaptured(A, &Tracker);
  }
  return Tracker.Freed;
}

/// Follows a block's address: its own deallocations are no escape, calls
/// without derivative (printing and the like) neither.
class OwnershipTracker : public CaptureTracker {
public:
  explicit OwnershipTracker(const CallBase &Alloc) : Alloc(Alloc) {}
  bool Escapes = false;
  bool Freed = false;

  void tooManyUses() override { Escapes = true; }

  bool captured(const Use *U) override {
    if (auto *Call = dyn_cast<CallBase>(U->getUser()))
      if (isOwnFree(*Call))
        return false;
    Escapes = true;
    return true;
  }

  bool shouldExplore(const Use *U) override {
    // A deallocation marked nocapture never reaches captured().
    if (auto *Call = dyn_cast<CallBase>(U->getUser());
        Call && !isOwnFree(*Call) && mayBeFreedAt(*U))
      Escapes = true;
    return true;
  }

private:
  bool isOwnFree(const CallBase &Call) {
    const Use *Block = freedBy(Call);
    if (!Block || getUnderlyingObject(*Block) != &Alloc)
      return false;
    Freed = true;
    return true;
  }

  const CallBase &Alloc;
};

/// void adze.free.by(ptr block, ptr deallocator): compares with all that this
/// module defers, see defers(). A call through the pointer could not be
/// differentiated, and derivatives are, by outer markers.
Function *freeByFunction(Module &M) {
  if (Function *F = M.getFunction(FreeByName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      createOwn(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false),
                GlobalValue::InternalLinkage, FreeByName, M);
  F->addFnAttr(Attribute::NoUnwind);
  ReturnInst::Create(C, BasicBlock::Create(C, "done", F));
  return F;
}

/// From now on blocks may be put off that \p Deallocator frees.
void defers(Module &M, Function *Deallocator) {
  Function *F = freeByFunction(M);
  if (any_of(Deallocator->users(), [&](const User *U) {
        auto *Call = dyn_cast<CallInst>(U);
        return Call && Call->getFunction() == F;
      }))
    return;
  LLVMContext &C = M.getContext();
  BasicBlock *Others = &F->getEntryBlock();
  BasicBlock *Test = BasicBlock::Create(C, "test", F, Others);
  BasicBlock *Free = BasicBlock::Create(C, "free", F, Others);
  IRBuilder<> B(Test);
  B.CreateCondBr(B.CreateICmpEQ(F->getArg(1), Deallocator), Free, Others);
  B.SetInsertPoint(Free);
  B.CreateCall(Deallocator, {F->getArg(0)});
  B.CreateRetVoid();
}

Function *function(IRBuilderBase &B, StringRef Name) {
  Module &M = *B.GetInsertBlock()->getModule();
  freeByFunction(M); // the unit calls it
  return runtimeFunction(M, DeferredFreesUnit, Name);
}

} // namespace

Ownership ownershipOf(const CallBase &Alloc) {
  OwnershipTracker Tracker(Alloc);
  PointerMayBeCaptured(&Alloc, &Tracker);
  Ownership Result;
  Result.Owned = !Tracker.Escapes;
  Result.Freed = Result.Owned && Tracker.Freed;
  return Result;
}

const CallBase *ownedAllocationOf(const CallBase &Free) {
  const Use *Block = freedBy(Free);
  auto *Alloc =
      Block ? dyn_cast<CallBase>(getUnderlyingObject(*Block)) : nullptr;
  const KnownFunction *Known = Alloc ? lookupKnown(*Alloc) : nullptr;
  return Known && Known->returnsNewBlock() && ownershipOf(*Alloc).Owned
             ? Alloc
             : nullptr;
}

void emitDeferredFree(IRBuilderBase &B, Value *Block, Function *Deallocator) {
  Module &M = *B.GetInsertBlock()->getModule();
  defers(M, Deallocator);
  B.CreateCall(function(B, DeferName), {Block, Deallocator});
}

bool putsOffFree(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && isOwn(*Callee) && Callee->getName() == DeferName;
}

Value *setDeferredList(IRBuilderBase &B, Value *New) {
  GlobalVariable *List =
      B.GetInsertBlock()->getModule()->getNamedGlobal(ListName);
  if (!List)
    return nullptr;
  Value *Old = B.CreateLoad(B.getPtrTy(), List);
  B.CreateStore(New, List);
  return Old;
}

Value *beginDeferredList(IRBuilderBase &B) {
  function(B, DrainName);
  return setDeferredList(B, ConstantPointerNull::get(B.getPtrTy()));
}

void freeDeferredList(IRBuilderBase &B, Value *List) {
  Value *Outer = setDeferredList(B, List);
  if (!Outer)
    return;
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  B.CreateCall(tapeHoldFunction(*B.GetInsertBlock()->getModule()), {List});
  B.CreateCall(function(B, DrainName), {None});
  setDeferredList(B, Outer);
}

void emptyDeferredList(Function &Outermost) {
  Module &M = *Outermost.getParent();
  GlobalVariable *List = M.getNamedGlobal(ListName);
  if (!List)
    return;
  IRBuilder<> B(&*Outermost.getEntryBlock().getFirstInsertionPt());
  Value *Mark = B.CreateLoad(B.getPtrTy(), List);
  for (BasicBlock &Block : Outermost)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator())) {
      B.SetInsertPoint(Return);
      B.CreateCall(tapeHoldFunction(M), {B.CreateLoad(B.getPtrTy(), List)});
      B.CreateCall(function(B, DrainName), {Mark});
    }
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Ownership.h"
#include "adze/Deferred.h"
#include "adze/KnownFunction.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *ListName = "adze.deferred";
constexpr const char *DeferName = "adze.defer.free";
constexpr const char *DrainName = "adze.free.deferred";
constexpr const char *FreeByName = "adze.free.by";

const KnownFunction *knownOf(const CallBase &Call, KnownKind Kind) {
  const KnownFunction *Known = lookupKnown(Call);
  return Known && Known->Kind == Kind ? Known : nullptr;
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
    if (auto *Call = dyn_cast<CallBase>(U->getUser()))
      if (const KnownFunction *Known = knownOf(*Call, KnownKind::Free))
        if (Call->isArgOperand(U) &&
            int(Call->getArgOperandNo(U)) == Known->FreeArg &&
            !isOwnFree(*Call))
          Escapes = true;
    return true;
  }

private:
  bool isOwnFree(const CallBase &Call) {
    const KnownFunction *Known = knownOf(Call, KnownKind::Free);
    if (!Known ||
        getUnderlyingObject(Call.getArgOperand(Known->FreeArg)) != &Alloc)
      return false;
    Freed = true;
    return true;
  }

  const CallBase &Alloc;
};

StructType *nodeType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C);
  return StructType::get(C, {Ptr, Ptr, Ptr}); // next, block, deallocator
}

GlobalVariable *listOf(Module &M) {
  if (GlobalVariable *G = M.getNamedGlobal(ListName))
    return G;
  Type *Ptr = PointerType::getUnqual(M.getContext());
  auto *G = new GlobalVariable(M, Ptr, false, GlobalValue::InternalLinkage,
                               Constant::getNullValue(Ptr), ListName);
  G->setThreadLocalMode(GlobalVariable::GeneralDynamicTLSModel);
  return G;
}

FunctionCallee cLibrary(Module &M, StringRef Name, Type *Ret, Type *Arg) {
  return M.getOrInsertFunction(Name, FunctionType::get(Ret, {Arg}, false));
}

/// void adze.defer.free(ptr block, ptr deallocator)
Function *deferFunction(Module &M) {
  if (Function *F = M.getFunction(DeferName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false),
                       GlobalValue::InternalLinkage, DeferName, M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  StructType *Ty = nodeType(C);
  Value *Node =
      B.CreateCall(cLibrary(M, "malloc", Ptr, B.getInt64Ty()),
                   {B.getInt64(M.getDataLayout().getTypeAllocSize(Ty))});
  GlobalVariable *List = listOf(M);
  B.CreateStore(B.CreateLoad(Ptr, List), B.CreateStructGEP(Ty, Node, 0));
  B.CreateStore(F->getArg(0), B.CreateStructGEP(Ty, Node, 1));
  B.CreateStore(F->getArg(1), B.CreateStructGEP(Ty, Node, 2));
  B.CreateStore(Node, List);
  B.CreateRetVoid();
  return F;
}

/// void adze.free.by(ptr block, ptr deallocator): compares with all that this
/// module defers, see defers(). A call through the pointer could not be
/// differentiated, and derivatives are, by outer markers.
Function *freeByFunction(Module &M) {
  if (Function *F = M.getFunction(FreeByName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false),
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

/// void adze.free.deferred(ptr mark): empties the list down to mark. The mark
/// is gone if an exception left a first half that had begun a list of its own.
Function *drainFunction(Module &M) {
  if (Function *F = M.getFunction(DrainName))
    return F;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Function *F =
      Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr}, false),
                       GlobalValue::InternalLinkage, DrainName, M);
  F->addFnAttr(Attribute::NoUnwind);
  GlobalVariable *List = listOf(M);
  StructType *Ty = nodeType(C);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F);
  BasicBlock *Head = BasicBlock::Create(C, "head", F);
  BasicBlock *Body = BasicBlock::Create(C, "body", F);
  BasicBlock *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  B.CreateBr(Head); // an entry block cannot be a loop's header
  B.SetInsertPoint(Head);
  Value *Node = B.CreateLoad(Ptr, List);
  Value *AtEnd =
      B.CreateOr(B.CreateICmpEQ(Node, F->getArg(0)), B.CreateIsNull(Node));
  B.CreateCondBr(AtEnd, Done, Body);
  B.SetInsertPoint(Body);
  B.CreateStore(B.CreateLoad(Ptr, B.CreateStructGEP(Ty, Node, 0)), List);
  Value *Block = B.CreateLoad(Ptr, B.CreateStructGEP(Ty, Node, 1));
  Value *Deallocator = B.CreateLoad(Ptr, B.CreateStructGEP(Ty, Node, 2));
  B.CreateCall(freeByFunction(M), {Block, Deallocator});
  B.CreateCall(cLibrary(M, "free", B.getVoidTy(), Ptr), {Node});
  B.CreateBr(Head);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
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
  const KnownFunction *Known = knownOf(Free, KnownKind::Free);
  if (!Known)
    return nullptr;
  auto *Alloc = dyn_cast<CallBase>(
      getUnderlyingObject(Free.getArgOperand(Known->FreeArg)));
  if (!Alloc || !knownOf(*Alloc, KnownKind::Allocate))
    return nullptr;
  return ownershipOf(*Alloc).Owned ? Alloc : nullptr;
}

void emitDeferredFree(IRBuilderBase &B, Value *Block, Function *Deallocator) {
  Module &M = *B.GetInsertBlock()->getModule();
  defers(M, Deallocator);
  B.CreateCall(deferFunction(M), {Block, Deallocator});
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

void freeDeferredList(IRBuilderBase &B, Value *List) {
  Value *Outer = setDeferredList(B, List);
  if (!Outer)
    return;
  Value *None = ConstantPointerNull::get(B.getPtrTy());
  B.CreateCall(drainFunction(*B.GetInsertBlock()->getModule()), {None});
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
      B.CreateCall(drainFunction(M), {Mark});
    }
}

void keepDeferredList(Module &M) {
  for (const char *Name : {ListName, DeferName, DrainName, FreeByName})
    if (GlobalValue *V = M.getNamedValue(Name))
      V->setName(Twine(Name) + ".inner");
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShadowConstants.h"
#include "SharedShadows.h"
#include "adze/Deferred.h"
#include "adze/DeviceTarget.h"
#include "adze/Emit.h"
#include "adze/GivenShadows.h"
#include "adze/OwnFunction.h"
#include "adze/ReachableConstants.h"
#include "adze/RuleContext.h"
#include "adze/Runtime.h"
#include "adze/RuntimeStop.h"
#include "adze/ThreadShadows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *Suffix = ShadowSuffix;
/// Of derivatives that are differentiated again.
constexpr const char *InnerSuffix = ".adze.inner";
constexpr const char *ResetName = "adze.reset.shadows";

/// Memory of a block of threads begins as it likes.
Constant *initialOf(const GlobalVariable &G) {
  Type *Ty = G.getValueType();
  if (isDynamicShared(G))
    return nullptr;
  return isSharedVariable(G) ? PoisonValue::get(Ty)
                             : Constant::getNullValue(Ty);
}

/// Shadows of constants in one direction.
class ConstantShadows {
public:
  ConstantShadows(Module &M, unsigned Direction) : M(M), Direction(Direction) {}

  Constant *of(Constant *C) {
    Constant *Shadow = shadowOf(C, /*Content=*/false);
    while (!New.empty()) {
      GlobalVariable *G = New.pop_back_val();
      if (G->hasInitializer() && !isSharedVariable(*G))
        M.getNamedGlobal(nameFor(*G))
            ->setInitializer(shadowOf(G->getInitializer(), /*Content=*/true));
    }
    return Shadow;
  }

private:
  /// The first direction's is that of a derivative in one direction.
  std::string nameFor(const GlobalVariable &G) const {
    std::string Number =
        Direction ? (".adze.direction" + Twine(Direction)).str() : "";
    return (G.getName() + Number + Suffix).str();
  }
  GlobalVariable *shadowGlobal(GlobalVariable *G);
  Constant *shadowOf(Constant *C, bool Content);

  Module &M;
  const unsigned Direction;
  SmallVector<GlobalVariable *, 4> New;
};

GlobalVariable *ConstantShadows::shadowGlobal(GlobalVariable *G) {
  if (GlobalVariable *Given = givenShadow(*G))
    return Given;
  std::string Name = nameFor(*G);
  if (GlobalVariable *Old = M.getNamedGlobal(Name))
    return Old;
  // Weak globals of several files are one variable; so are their shadows. What
  // the threads of a block share each derivative makes zero for itself.
  GlobalValue::LinkageTypes Linkage =
      isDynamicShared(*G) ? GlobalValue::ExternalLinkage
      : G->hasLocalLinkage() || isSharedVariable(*G)
          ? GlobalValue::InternalLinkage
          : GlobalValue::LinkOnceODRLinkage;
  auto *Shadow = new GlobalVariable(
      M, G->getValueType(), /*isConstant=*/false, Linkage, initialOf(*G), Name,
      G, G->getThreadLocalMode(), G->getAddressSpace());
  Shadow->setAlignment(G->getAlign());
  if (!Shadow->hasLocalLinkage())
    Shadow->setVisibility(G->getVisibility());
  New.push_back(G);
  return Shadow;
}

/// The shadow of \p C; with \p Content, floats and integers of an initializer
/// become zero, as tangents and adjoints start. Constants are trees of small
/// depth below the globals, which are followed by a worklist instead.
Constant *ConstantShadows::shadowOf(Constant *C, bool Content) {
  if (auto *G = dyn_cast<GlobalVariable>(C))
    return shadowGlobal(G);
  if (auto *A = dyn_cast<GlobalAlias>(C))
    return shadowOf(A->getAliasee(), Content);
  if (isa<GlobalValue>(C))
    return C;
  if (isa<ConstantFP>(C) || isa<ConstantInt>(C) || isa<ConstantData>(C))
    return Content ? Constant::getNullValue(C->getType()) : C;
  SmallVector<Constant *, 8> Operands;
  for (Use &U : C->operands())
    Operands.push_back(
        shadowOf(cast<Constant>(U.get()), Content && !isa<ConstantExpr>(C)));
  if (auto *E = dyn_cast<ConstantExpr>(C))
    return E->getWithOperands(Operands);
  if (auto *S = dyn_cast<ConstantStruct>(C))
    return ConstantStruct::get(S->getType(), Operands);
  if (auto *A = dyn_cast<ConstantArray>(C))
    return ConstantArray::get(A->getType(), Operands);
  if (isa<ConstantVector>(C))
    return ConstantVector::get(Operands);
  return C;
}

} // namespace

namespace {

bool holdsPointers(Type *Ty) {
  if (Ty->isPtrOrPtrVectorTy())
    return true;
  if (auto *A = dyn_cast<ArrayType>(Ty))
    return holdsPointers(A->getElementType());
  return any_of(Ty->subtypes(), holdsPointers);
}

void emitReset(IRBuilder<> &B, Type *Ty, Value *Place, const DataLayout &DL);

/// The same for each element of an array, in a loop: a table of constants may
/// have any number of them.
void emitResetLoop(IRBuilder<> &B, ArrayType *Ty, Value *Place,
                   const DataLayout &DL) {
  Type *Index = B.getInt64Ty();
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Body = BasicBlock::Create(B.getContext(), "element", F);
  BasicBlock *After = BasicBlock::Create(B.getContext(), "behind", F);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *I = B.CreatePHI(Index, 2);
  I->addIncoming(ConstantInt::get(Index, 0), Before);
  emitReset(B, Ty->getElementType(),
            B.CreateInBoundsGEP(Ty, Place, {ConstantInt::get(Index, 0), I}),
            DL);
  Value *Next = B.CreateAdd(I, ConstantInt::get(Index, 1));
  I->addIncoming(Next, B.GetInsertBlock());
  Value *Last = ConstantInt::get(Index, Ty->getNumElements());
  B.CreateCondBr(B.CreateICmpEQ(Next, Last), After, Body);
  B.SetInsertPoint(After);
}

/// Zeroes what is no pointer of the \p Ty at \p Place.
void emitReset(IRBuilder<> &B, Type *Ty, Value *Place, const DataLayout &DL) {
  constexpr uint64_t MaxUnrolled = 4;
  if (!holdsPointers(Ty)) {
    B.CreateMemSet(Place, B.getInt8(0), DL.getTypeAllocSize(Ty), MaybeAlign());
    return;
  }
  if (auto *S = dyn_cast<StructType>(Ty))
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      emitReset(B, S->getElementType(I), B.CreateStructGEP(S, Place, I), DL);
  auto *A = dyn_cast<ArrayType>(Ty);
  if (!A || A->getElementType()->isPtrOrPtrVectorTy())
    return;
  if (A->getNumElements() > MaxUnrolled)
    return emitResetLoop(B, A, Place, DL);
  for (uint64_t I = 0; I < A->getNumElements(); ++I)
    emitReset(B, A->getElementType(), B.CreateConstGEP2_64(A, Place, 0, I), DL);
}

/// \p G is the shadow of a variable that may hold pointers.
bool keepsPointers(const GlobalVariable &G) {
  StringRef Name = G.getName();
  if (!Name.consume_back(Suffix) || !holdsPointers(G.getValueType()))
    return false;
  const GlobalVariable *Primal = G.getParent()->getNamedGlobal(Name);
  return !Primal || !Primal->isConstant();
}

/// void adze.reset.shadows(): zeroes the numbers in all shadow globals, and in
/// the blocks that they lead to.
Function *resetFunction(Module &M) {
  if (Function *F = M.getFunction(ResetName))
    return F;
  LLVMContext &C = M.getContext();
  Function *F = createOwn(FunctionType::get(Type::getVoidTy(C), false),
                          GlobalValue::InternalLinkage, ResetName, M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  const DataLayout &DL = M.getDataLayout();
  const bool KeepsBlocks = M.getFunction("adze.kept.add");
  auto call = [&](const char *Name, ArrayRef<Value *> Args) {
    B.CreateCall(runtimeFunction(M, KeptBlocksUnit, Name), Args);
  };
  SmallVector<GlobalVariable *, 8> Shadows;
  for (GlobalVariable &G : M.globals())
    if (G.getName().ends_with(Suffix))
      Shadows.push_back(&G);
  // Other threads follow when they come to a region.
  if (any_of(Shadows, [](auto *G) { return G->isThreadLocal(); }) &&
      M.getFunction("__kmpc_fork_call"))
    B.CreateCall(runtimeFunction(M, TeamsUnit, "adze.team.shadows.reset"));
  for (GlobalVariable *G : Shadows) {
    Value *Place = G->isThreadLocal()
                       ? static_cast<Value *>(B.CreateThreadLocalAddress(G))
                       : G;
    emitReset(B, G->getValueType(), Place, DL);
    if (KeepsBlocks && keepsPointers(*G))
      call("adze.kept.scan",
           {Place, B.getInt64(DL.getTypeAllocSize(G->getValueType()))});
  }
  if (KeepsBlocks)
    call("adze.kept.done", {});
  B.CreateRetVoid();
  return F;
}

} // namespace

Function *threadResetFunction(Module &M) {
  SmallVector<GlobalVariable *, 8> Shadows;
  for (GlobalVariable &G : M.globals())
    if (G.isThreadLocal() && G.getName().ends_with(Suffix))
      Shadows.push_back(&G);
  if (Shadows.empty())
    return nullptr;
  LLVMContext &C = M.getContext();
  constexpr const char *Name = "adze.reset.thread";
  // What was made for fewer of them is made again.
  Function *F = M.getFunction(Name);
  if (F)
    F->deleteBody();
  else
    F = createOwn(FunctionType::get(Type::getVoidTy(C), false),
                  GlobalValue::InternalLinkage, Name, M);
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::NoUnwind);
  F->addFnAttr(Attribute::NoInline);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  BasicBlock *First = BasicBlock::Create(C, "first", F);
  BasicBlock *Done = BasicBlock::Create(C, "done", F);
  Value *IsFirst =
      B.CreateCall(runtimeFunction(M, TeamsUnit, "adze.team.shadows.begin"));
  B.CreateCondBr(B.CreateIsNotNull(IsFirst), First, Done);
  B.SetInsertPoint(First);
  if (any_of(M.globals(), [](const GlobalVariable &G) {
        return G.isThreadLocal() && G.getName().ends_with(InnerSuffix);
      }))
    emitRuntimeStopIf(B, B.getTrue(),
                      "variables of threads in parallel regions of a "
                      "derivative that is differentiated again");
  for (GlobalVariable *G : Shadows)
    emitReset(B, G->getValueType(), B.CreateThreadLocalAddress(G),
              M.getDataLayout());
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return F;
}

bool usesThreadVariables(const Module &M) {
  SmallVector<const User *, 16> Work;
  for (const GlobalVariable &G : M.globals())
    if (G.isThreadLocal() && !G.getName().starts_with("adze"))
      append_range(Work, G.users());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (auto *I = dyn_cast<Instruction>(U)) {
      if (isOwn(*I->getFunction()))
        return true;
    } else {
      append_range(Work, U->users());
    }
  }
  return false;
}

void resetShadowsBefore(CallBase &Call) {
  Module &M = *Call.getModule();
  // Others than those of a block have none (DeviceLimits.h).
  if (isDevice(M))
    return resetSharedShadowsBefore(Call, Suffix);
  if (none_of(M.globals(), [](const GlobalVariable &G) {
        return G.getName().ends_with(Suffix);
      }))
    return;
  IRBuilder<> B(&Call);
  B.CreateCall(resetFunction(M));
}

void keepNoBlocks(Module &M) {
  if (any_of(M.globals(), keepsPointers))
    return;
  for (const char *Name : {"adze.kept.add", "adze.kept.end"})
    if (Function *F = M.getFunction(Name))
      for (User *U : make_early_inc_range(F->users()))
        if (auto *Call = dyn_cast<CallInst>(U);
            Call && !Call->getFunction()->getName().starts_with("adze.kept."))
          Call->eraseFromParent();
}

void keepShadowsIn(ArrayRef<const Function *> Primals, Module &M) {
  keepRuntimeState(M);
  SmallVector<GlobalVariable *, 8> Shadows;
  for (GlobalVariable &G : M.globals())
    if (G.getName().ends_with(Suffix))
      Shadows.push_back(&G);
  // It knows the shadows of its time only, and its callers need no others.
  if (Function *Reset = M.getFunction(ResetName))
    Reset->setName(Twine(ResetName) + ".before");
  if (Shadows.empty())
    return;
  // Through an address, a primal may come to any function that has one.
  SmallVector<const Function *, 16> Roots(Primals.begin(), Primals.end());
  for (const Function &F : M)
    if (F.hasAddressTaken())
      Roots.push_back(&F);
  SetVector<const Constant *> Reachable = reachableConstants(Roots);
  for (GlobalVariable *G : Shadows)
    if (Reachable.contains(G))
      G->setName(G->getName().drop_back(StringRef(Suffix).size()) +
                 InnerSuffix);
}

Value *shadowsOfConstant(IRBuilder<> &B, Constant *C, const Lanes &L) {
  Module &M = *B.GetInsertBlock()->getModule();
  if (L.isOne())
    return ConstantShadows(M, 0).of(C);
  return L.make(B, C->getType(),
                [&] { return ConstantShadows(M, L.current()).of(C); });
}

} // namespace adze

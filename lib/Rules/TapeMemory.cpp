// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the functions of lib/Runtime/Tape.c into a module at first use.
#include "adze/TapeMemory.h"
#include "adze/DeviceTarget.h"
#include "adze/Options.h"
#include "adze/Runtime.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

constexpr const char *AllocName = "adze.tape.alloc";
constexpr const char *FreeName = "adze.tape.free";
constexpr const char *GrowName = "adze.tape.grow";
constexpr const char *ShrinkName = "adze.tape.shrink";
constexpr const char *HoldName = "adze.tape.hold";
constexpr const char *PoolName = "adze.tape.pool";
/// The options of Tape.c.
constexpr const char *PoisonName = "adze.tape.poison",
                     *BudgetName = "adze.tape.budget",
                     *PlainName = "adze.tape.plain";
constexpr const char *ReleaseName = "adze.release.kept.memory";
/// A name of C: programs call it.
constexpr const char *ReleaseSymbol = "adze_release_kept_memory";

/// What an option of this run is to the code.
void setOption(Module &Runtime, StringRef Name, uint64_t Value) {
  GlobalVariable *Option = Runtime.getNamedGlobal(Name);
  Option->setInitializer(ConstantInt::get(Option->getValueType(), Value));
}

/// To the optimizer, the two are what malloc and free are: an array that
/// nothing reads goes away with its block. C cannot say so.
void describe(Module &Runtime) {
  LLVMContext &C = Runtime.getContext();
  Attribute Family = Attribute::get(C, "alloc-family", "adze.tape");
  auto kind = [&](AllocFnKind Kind) {
    return Attribute::get(C, Attribute::AllocKind, uint64_t(Kind));
  };
  Function *Alloc = Runtime.getFunction(AllocName);
  Alloc->setOnlyAccessesInaccessibleMemory();
  Alloc->addFnAttr(kind(AllocFnKind::Alloc | AllocFnKind::Uninitialized));
  Alloc->addFnAttr(Attribute::getWithAllocSizeArgs(C, 0, std::nullopt));
  Alloc->addFnAttr(Family);
  for (Attribute::AttrKind Promise : {Attribute::NoAlias, Attribute::NonNull})
    Alloc->addRetAttr(Promise);
  Alloc->addRetAttr(Attribute::getWithAlignment(C, Align(16)));
  Function *Free = Runtime.getFunction(FreeName);
  Free->setOnlyAccessesInaccessibleMemOrArgMem();
  Free->addFnAttr(kind(AllocFnKind::Free));
  Free->addFnAttr(Family);
  Free->addParamAttr(0, Attribute::AllocatedPointer);
}

/// On targets whose C library never tells of a thread's end.
void expectNoThreadEnd(Module &Runtime) {
  for (const char *Name : {"__cxa_thread_atexit_impl", "__dso_handle"}) {
    GlobalValue *G = Runtime.getNamedValue(Name);
    G->replaceAllUsesWith(
        ConstantPointerNull::get(cast<PointerType>(G->getType())));
    G->eraseFromParent();
  }
}

/// No code is left that names the arena, which is a thread-local variable.
void forgetArena(Module &Runtime) {
  GlobalVariable *Plain = Runtime.getNamedGlobal(PlainName);
  for (User *U : make_early_inc_range(Plain->users()))
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      Load->replaceAllUsesWith(ConstantInt::get(Load->getType(), 1));
      Load->eraseFromParent();
    }
  for (const char *Name : {AllocName, FreeName}) {
    Function *F = Runtime.getFunction(Name);
    for (BasicBlock &B : *F) {
      SimplifyInstructionsInBlock(&B);
      ConstantFoldTerminator(&B, /*DeleteDeadConditions=*/true);
    }
    removeUnreachableBlocks(*F);
  }
}

void adapt(Module &Runtime, bool Plain) {
  setOption(Runtime, PoisonName, Options::get().PoisonTapes);
  setOption(Runtime, PlainName, Plain);
  // The C library keeps blocks by itself.
  setOption(Runtime, BudgetName,
            Plain ? 0 : uint64_t(Options::get().KeepTapes) << 20);
  if (Plain)
    forgetArena(Runtime);
  describe(Runtime);
  // Each file with a tape has one, and a program one of them.
  Function *Release = Runtime.getFunction(ReleaseName);
  Release->setName(ReleaseSymbol);
  Release->setLinkage(GlobalValue::WeakODRLinkage);
  Triple Target(Runtime.getTargetTriple());
  if (!Target.isOSBinFormatELF())
    expectNoThreadEnd(Runtime);
}

/// What is linked with \p Name: only what the module names is, and for each
/// function asked for alone the unit would be read again.
void nameCompanions(Module &M, StringRef Name) {
  LLVMContext &C = M.getContext();
  Type *Void = Type::getVoidTy(C), *Pointer = PointerType::getUnqual(C);
  M.getOrInsertFunction(ReleaseSymbol, Void);
  if (Name == AllocName)
    M.getOrInsertFunction(FreeName, Void, Pointer);
  if (Name == FreeName)
    M.getOrInsertFunction(AllocName, Pointer, Type::getInt64Ty(C));
}

/// On a GPU these are words until the tape of the thread is there
/// (Cleanup/LowerLanes.cpp).
Function *laneFunction(Module &M, StringRef Name) {
  IRBuilder<> B(M.getContext());
  Type *Ptr = B.getPtrTy(), *Number = B.getInt64Ty();
  FunctionType *Ty =
      Name == AllocName  ? FunctionType::get(Ptr, {Number}, false)
      : Name == FreeName ? FunctionType::get(B.getVoidTy(), {Ptr}, false)
      : Name == GrowName
          ? FunctionType::get(Ptr, {Ptr, Number, Number}, false)
          : FunctionType::get(Ptr, {Ptr, Number, Number, B.getInt1Ty()}, false);
  auto *F = cast<Function>(M.getOrInsertFunction(Name, Ty).getCallee());
  F->addFnAttr(Attribute::NoUnwind);
  return F;
}

Function *function(Module &M, StringRef Name) {
  if (isDevice(M))
    return laneFunction(M, Name);
  if (!M.getFunction(Name))
    nameCompanions(M, Name);
  return runtimeFunction(M, TapeUnit, Name, [&](Module &Runtime) {
    adapt(Runtime, hasPlainTapes(M));
  });
}

} // namespace

bool hasPlainTapes(const Module &M) {
  if (Options::get().Allocator != TapeAllocator::Auto)
    return Options::get().Allocator == TapeAllocator::Malloc;
  return M.getCodeModel() == CodeModel::Large;
}

Function *tapeAllocFunction(Module &M) { return function(M, AllocName); }
Function *tapeFreeFunction(Module &M) { return function(M, FreeName); }
Function *growFunction(Module &M) { return function(M, GrowName); }
Function *shrinkFunction(Module &M) { return function(M, ShrinkName); }
Function *tapeHoldFunction(Module &M) { return function(M, HoldName); }

void eraseUnusedRelease(Module &M) {
  Function *Release = M.getFunction(ReleaseSymbol);
  GlobalVariable *Pool = M.getNamedGlobal(PoolName);
  if (!Release || Release->isDeclaration() || !Pool ||
      !all_of(Pool->users(), [&](const User *U) {
        auto *I = dyn_cast<Instruction>(U);
        return I && I->getFunction() == Release;
      }))
    return;
  if (Release->use_empty()) {
    Release->eraseFromParent();
  } else {
    Release->deleteBody();
    Release->setLinkage(GlobalValue::ExternalWeakLinkage);
  }
}

} // namespace adze

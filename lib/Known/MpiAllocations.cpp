// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   MPI_Win_allocate(size, unit, info, comm, &p, &win)
//
// becomes
//
//   MPI_Alloc_mem(size, info, &p);
//   MPI_Win_create(p, size, unit, info, comm, &win);
//   adze.mpi.window.owns(p, &win);
//
// so the shadow of its memory comes as that of any block, and one function
// makes windows.
#include "MpiAllocations.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::mpi {

namespace {

/// Declared as MPI does, with handles of any kind.
bool isWindowAllocation(const Function &F) {
  return F.isDeclaration() && !F.isVarArg() && F.arg_size() == 6 &&
         F.getReturnType()->isIntegerTy(32) &&
         F.getArg(0)->getType()->isIntegerTy(64) &&
         F.getArg(1)->getType()->isIntegerTy(32) &&
         F.getArg(4)->getType()->isPointerTy() &&
         F.getArg(5)->getType()->isPointerTy();
}

void lower(CallBase &Call, StringRef Prefix, Function &Owns) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Value *Size = Call.getArgOperand(0), *Unit = Call.getArgOperand(1),
        *Info = Call.getArgOperand(2), *Comm = Call.getArgOperand(3),
        *Place = Call.getArgOperand(4), *Win = Call.getArgOperand(5);
  Type *Int = B.getInt32Ty(), *Ptr = B.getPtrTy();
  FunctionCallee Alloc = M.getOrInsertFunction(
      (Prefix + "Alloc_mem").str(), Int, Size->getType(), Info->getType(), Ptr);
  FunctionCallee Create = M.getOrInsertFunction(
      (Prefix + "Win_create").str(), Int, Ptr, Size->getType(), Int,
      Info->getType(), Comm->getType(), Ptr);
  B.CreateCall(Alloc, {Size, Info, Place});
  Value *Block = B.CreateLoad(Ptr, Place);
  Value *Error = B.CreateCall(Create, {Block, Size, Unit, Info, Comm, Win});
  B.CreateCall(&Owns, {Block, Win})
      ->addFnAttr(Attribute::get(M.getContext(), declared::Inactive));
  Call.replaceAllUsesWith(Error);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    B.CreateBr(Invoke->getNormalDest());
  }
  Call.eraseFromParent();
}

} // namespace

bool lowerWindowAllocations(Module &M, const RuntimeUnit &Unit) {
  bool Changed = false;
  for (StringRef Prefix : {"MPI_", "PMPI_"}) {
    Function *F = M.getFunction((Prefix + "Win_allocate").str());
    if (!F || !isWindowAllocation(*F))
      continue;
    for (User *U : make_early_inc_range(F->users())) {
      auto *Call = dyn_cast<CallBase>(U);
      if (!Call || Call->getCalledOperand() != F ||
          Call->getFunctionType() != F->getFunctionType())
        continue;
      Function *Owns = runtimeFunction(M, Unit, "adze.mpi.window.owns");
      lower(*Call, Prefix, *Owns);
      Changed = true;
    }
  }
  return Changed;
}

} // namespace adze::mpi

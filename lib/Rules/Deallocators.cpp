// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Deallocators.h"
#include "Ownership.h"
#include "adze/Deferred.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

// Of the Itanium C++ ABI: delete and delete[], and an alignment as operand.
constexpr const char *Delete = "_ZdlPv", *DeleteArray = "_ZdaPv",
                     *Aligned = "St11align_val_t";

/// Where the program gives the name to something else, another function is
/// declared, which the linker will miss.
Function *libraryFunction(Module &M, StringRef Name,
                          ArrayRef<Type *> Operands) {
  auto *Ty =
      FunctionType::get(Type::getVoidTy(M.getContext()), Operands, false);
  if (auto *F = dyn_cast<Function>(M.getOrInsertFunction(Name, Ty).getCallee()))
    return F;
  return Function::Create(Ty, GlobalValue::ExternalLinkage, Name, M);
}

/// void \p Name(ptr block): calls \p Callee with the block and \p Alignment.
Function *alignedBy(Function *Callee, ConstantInt *Alignment) {
  Module &M = *Callee->getParent();
  LLVMContext &C = M.getContext();
  std::string Name = ("adze.delete." + Callee->getName() + "." +
                      Twine(Alignment->getZExtValue()))
                         .str();
  if (Function *F = M.getFunction(Name))
    return F;
  auto *Ty =
      FunctionType::get(Type::getVoidTy(C), {PointerType::getUnqual(C)}, false);
  Function *F = createOwn(Ty, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  B.CreateCall(Callee, {F->getArg(0), Alignment});
  B.CreateRetVoid();
  return F;
}

} // namespace

const Value *alignmentOfBlock(const CallBase &Allocation) {
  const AllocationInfo &Info = lookupKnown(Allocation)->Allocation;
  return StringRef(Info.Deallocator).ends_with(Aligned)
             ? Allocation.getArgOperand(Info.AlignArg)
             : nullptr;
}

void emitDeallocation(EmitContext &C, Value *Block,
                      const CallBase &Allocation) {
  StringRef Name = lookupKnown(Allocation)->Allocation.Deallocator;
  SmallVector<Value *, 2> Operands = {Block};
  SmallVector<Type *, 2> Types = {C.B.getPtrTy()};
  if (const Value *Alignment = alignmentOfBlock(Allocation)) {
    Operands.push_back(C.primal(Alignment));
    Types.push_back(Alignment->getType());
  }
  C.B.CreateCall(libraryFunction(C.module(), Name, Types), Operands);
}

void emitCFree(EmitContext &C, Value *Block) {
  C.B.CreateCall(libraryFunction(C.module(), "free", {C.B.getPtrTy()}),
                 {Block});
}

Function *plainDeallocator(const CallBase &Deallocation) {
  Function *F = Deallocation.getCalledFunction();
  Module &M = *const_cast<Module *>(Deallocation.getModule());
  Type *Ptr = PointerType::getUnqual(M.getContext());
  if (F && Deallocation.arg_size() == 1)
    return F;
  StringRef Name = F ? F->getName() : "";
  StringRef Operator = Name.substr(0, StringRef(Delete).size());
  if (Operator != Delete && Operator != DeleteArray)
    return libraryFunction(M, lookupKnown(Deallocation)->Allocation.Deallocator,
                           {Ptr});
  if (!Name.contains(Aligned))
    return libraryFunction(M, Operator, {Ptr});
  // (block, alignment), (block, size, alignment), (block, alignment, nothrow)
  unsigned Last = Deallocation.arg_size() - 1;
  if (Deallocation.getArgOperand(Last)->getType()->isPointerTy())
    --Last;
  auto *Alignment = dyn_cast<ConstantInt>(Deallocation.getArgOperand(Last));
  if (!Alignment)
    return libraryFunction(M, "free", {Ptr});
  return alignedBy(libraryFunction(M, (Operator + Aligned).str(),
                                   {Ptr, Alignment->getType()}),
                   Alignment);
}

void deferFree(IRBuilderBase &B, const CallBase &Free, Value *Block) {
  emitDeferredFree(B, Block, plainDeallocator(Free));
}

} // namespace adze

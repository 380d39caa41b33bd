// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   q = realloc(p, n)   becomes   q = malloc(n)
//                                 memcpy(q, p, min(size of p, n))
//                                 free(p)
//
// The size of p is followed through phi and select to the calls that made the
// block, by a web of i64 values beside the web of pointers. Where p comes from
// elsewhere (memory, an argument), the allocator is asked instead; it may
// answer some bytes more than were requested, which are then copied too. The
// null pointer has size 0: memcpy of no bytes and free of null do nothing.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace adze {
namespace {

class ReallocLowering {
public:
  explicit ReallocLowering(Function &F)
      : F(F), M(*F.getParent()),
        SizeTy(M.getDataLayout().getIntPtrType(F.getContext())) {}

  void run();

private:
  Function &F;
  Module &M;
  IntegerType *SizeTy;
  /// Sizes of pointers, as far as made. Reallocations enter it first: their
  /// results stay in place until all webs are made.
  DenseMap<Value *, Value *> SizeOf;

  Value *knownSize(Value *Pointer);
  bool collectWeb(Value *Pointer, SetVector<Value *> &Web);
  void buildWeb(const SetVector<Value *> &Web);
  Value *sizeOf(Value *Pointer, IRBuilder<> &B);
  void lower(CallBase &Call, Value *OldSize);
};

bool isReallocation(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->reallocates() &&
         StringRef(Known->Allocation.Deallocator) == "free" &&
         Known->Allocation.CountArg < 0 && Known->Allocation.AlignArg < 0 &&
         Known->Allocation.SizeArg >= 0;
}

/// The size of a block whose origin is \p Pointer itself; null if \p Pointer
/// is no origin.
Value *ReallocLowering::knownSize(Value *Pointer) {
  if (Value *Known = SizeOf.lookup(Pointer))
    return Known;
  if (isa<ConstantPointerNull>(Pointer))
    return ConstantInt::get(SizeTy, 0);
  auto *Call = dyn_cast<CallInst>(Pointer);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  if (!Known || Known->Allocation.SizeArg < 0)
    return nullptr;
  const AllocationInfo &Info = Known->Allocation;
  if (Known->reallocates() && isReallocation(*Call))
    return Call->getArgOperand(Info.SizeArg);
  if (!Known->returnsNewBlock())
    return nullptr;
  Value *Size = Call->getArgOperand(Info.SizeArg);
  if (Info.CountArg >= 0)
    Size = IRBuilder<>(Call).CreateMul(Size, Call->getArgOperand(Info.CountArg),
                                       "adze.size");
  return Size->getType() == SizeTy ? Size : nullptr;
}

/// Collects the phis and selects behind \p Pointer. False if anything but
/// allocations and null stands at their ends.
bool ReallocLowering::collectWeb(Value *Pointer, SetVector<Value *> &Web) {
  SmallVector<Value *, 8> Work{Pointer};
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (Web.contains(V))
      continue;
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      Web.insert(V);
      append_range(Work, Phi->incoming_values());
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Web.insert(V);
      Work.push_back(Select->getTrueValue());
      Work.push_back(Select->getFalseValue());
    } else if (Value *Size = knownSize(V)) {
      SizeOf[V] = Size;
    } else {
      return false;
    }
  }
  return true;
}

/// Makes the sizes beside the phis and selects of \p Web: all results first,
/// then their operands, since webs have cycles.
void ReallocLowering::buildWeb(const SetVector<Value *> &Web) {
  SmallVector<Value *, 8> Fresh;
  for (Value *V : Web) {
    if (SizeOf.lookup(V))
      continue;
    Fresh.push_back(V);
    if (auto *Phi = dyn_cast<PHINode>(V))
      SizeOf[V] = PHINode::Create(SizeTy, Phi->getNumIncomingValues(),
                                  "adze.size", Phi->getIterator());
    else
      SizeOf[V] =
          SelectInst::Create(cast<SelectInst>(V)->getCondition(),
                             PoisonValue::get(SizeTy), PoisonValue::get(SizeTy),
                             "adze.size", cast<SelectInst>(V)->getIterator());
  }
  for (Value *V : Fresh) {
    if (auto *Phi = dyn_cast<PHINode>(V)) {
      for (unsigned I = 0; I != Phi->getNumIncomingValues(); ++I)
        cast<PHINode>(SizeOf[V])->addIncoming(SizeOf[Phi->getIncomingValue(I)],
                                              Phi->getIncomingBlock(I));
      continue;
    }
    auto *Size = cast<SelectInst>(SizeOf[V]);
    Size->setTrueValue(SizeOf[cast<SelectInst>(V)->getTrueValue()]);
    Size->setFalseValue(SizeOf[cast<SelectInst>(V)->getFalseValue()]);
  }
}

/// Asks the allocator, which wants a pointer that it made, or null.
Value *ReallocLowering::sizeOf(Value *Pointer, IRBuilder<> &B) {
  SetVector<Value *> Web;
  if (collectWeb(Pointer, Web)) {
    buildWeb(Web);
    return SizeOf[Pointer];
  }
  StringRef Name = Triple(M.getTargetTriple()).isOSDarwin()
                       ? "malloc_size"
                       : "malloc_usable_size";
  FunctionCallee Ask = M.getOrInsertFunction(Name, SizeTy, Pointer->getType());
  return B.CreateCall(Ask, Pointer, "adze.size");
}

void ReallocLowering::lower(CallBase &Call, Value *OldSize) {
  const KnownFunction *Known = lookupKnown(Call);
  Value *Old = Call.getArgOperand(Known->FreeArg);
  Value *Bytes = Call.getArgOperand(Known->Allocation.SizeArg);
  IRBuilder<> B(&Call);
  Type *Ptr = Call.getType();
  FunctionCallee Malloc = M.getOrInsertFunction("malloc", Ptr, SizeTy);
  FunctionCallee Free = M.getOrInsertFunction("free", B.getVoidTy(), Ptr);
  CallInst *New = B.CreateCall(Malloc, B.CreateZExtOrTrunc(Bytes, SizeTy));
  New->addRetAttr(Attribute::NoAlias);
  Value *Copied = B.CreateBinaryIntrinsic(Intrinsic::umin, OldSize, Bytes);
  CallInst *Copy = B.CreateMemCpy(New, MaybeAlign(), Old, MaybeAlign(), Copied);
  Copy->setAAMetadata(Call.getAAMetadata());
  B.CreateCall(Free, Old);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void ReallocLowering::run() {
  SmallVector<CallBase *, 4> Calls;
  for (Instruction &I : instructions(F))
    if (isReallocation(I))
      Calls.push_back(cast<CallBase>(&I));
  SmallVector<Value *, 4> Sizes;
  for (CallBase *Call : Calls) {
    IRBuilder<> B(Call);
    Value *Old = Call->getArgOperand(lookupKnown(*Call)->FreeArg);
    Value *Size = sizeOf(Old, B);
    Sizes.push_back(B.CreateZExtOrTrunc(
        Size, Call->getArgOperand(lookupKnown(*Call)->Allocation.SizeArg)
                  ->getType()));
  }
  for (auto [Call, Size] : zip(Calls, Sizes))
    lower(*Call, Size);
}

} // namespace

void lowerReallocations(Function &F) { ReallocLowering(F).run(); }

} // namespace adze

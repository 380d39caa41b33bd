// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and its shadow come and go together.
//
//   p = alloca, malloc(n), new     dp = the same, zero-filled
//   free(p)                        forward: free(dp)
//
// In reverse mode no memory ends before the reverse pass is done with it: see
// Ownership.h for heap blocks. The shadow of an owned block is nobody else's,
// so it comes from the memory of the tape, which is kept from one gradient to
// the next: system calls and first touches of fresh pages cost more than large
// blocks are worth. So does the block itself, if the function frees it, and
// what stands for an alloca of run-time size, which the reverse of the alloca
// ends. Static allocas live in the tape or the frame.
#include "BlockFunctions.h"
#include "Deallocators.h"
#include "KeptBlocks.h"
#include "Ownership.h"
#include "Rules.h"
#include "adze/RuntimeStop.h"
#include "adze/TapeMemory.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

const KnownFunction &knownOf(const Instruction &I) {
  return *lookupKnown(cast<CallBase>(I));
}

/// Bytes of a block as the allocation call's arguments tell.
Value *allocatedBytes(const CallBase &Call, const AllocationInfo &Info,
                      EmitContext &C) {
  auto arg = [&](int Index) {
    return C.B.CreateZExtOrTrunc(C.primal(Call.getArgOperand(Index)),
                                 C.B.getInt64Ty());
  };
  Value *Bytes = arg(Info.SizeArg);
  return Info.CountArg < 0 ? Bytes : C.B.CreateMul(Bytes, arg(Info.CountArg));
}

CallInst *cloneAllocation(const CallBase &Call, EmitContext &C) {
  SmallVector<Value *, 4> Args;
  for (const Use &Arg : Call.args())
    Args.push_back(C.primal(Arg.get()));
  CallInst *New =
      C.B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(), Args);
  New->setAttributes(Call.getAttributes());
  New->setDebugLoc(Call.getDebugLoc());
  return New;
}

/// In reverse mode. Memory of the tape is aligned as malloc's is.
bool hasShadowOnTape(const CallBase &Call) {
  return knownOf(Call).Allocation.AlignArg < 0 && ownershipOf(Call).Owned;
}

/// Tools that look for accesses beside a block must see the program's own.
bool isWatched(const Function &F) {
  return F.hasFnAttribute(Attribute::SanitizeAddress) ||
         F.hasFnAttribute(Attribute::SanitizeHWAddress) ||
         F.hasFnAttribute(Attribute::SanitizeMemory);
}

/// In reverse mode: nobody else comes to know the block's address, and the
/// reverse pass ends it.
bool isOnTape(const CallBase &Call) {
  return hasShadowOnTape(Call) && ownershipOf(Call).Freed &&
         !isWatched(*Call.getFunction());
}

/// Memory of the tape in place of the block that \p Call allocates.
Value *allocateOnTape(const CallBase &Call, bool Zeroed, EmitContext &C) {
  Value *Bytes = allocatedBytes(Call, knownOf(Call).Allocation, C);
  Value *Block = C.B.CreateCall(tapeAllocFunction(C.module()), {Bytes});
  if (Zeroed)
    C.B.CreateMemSet(Block, C.B.getInt8(0), Bytes, MaybeAlign());
  return Block;
}

class AllocateRule : public Rule {
public:
  bool ownsPrimal(const Instruction &I) const override {
    return isOnTape(cast<CallBase>(I));
  }

  void needs(const Instruction &I, NeedsContext &C) const override {
    auto &Call = cast<CallBase>(I);
    if (isCleared(Call, C)) {
      const AllocationInfo &Info = knownOf(I).Allocation;
      C.shadow(&I);
      C.primal(Call.getArgOperand(Info.SizeArg));
      if (Info.CountArg >= 0)
        C.primal(Call.getArgOperand(Info.CountArg));
    }
    Ownership Own = ownershipOf(Call);
    if (!Own.Owned)
      return;
    if (C.hasShadow(&I))
      C.shadow(&I);
    if (Own.Freed)
      C.primal(&I);
    if (const Value *Alignment = alignmentOfBlock(Call))
      C.primal(Alignment);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const AllocationInfo &Info = knownOf(I).Allocation;
    if (isOnTape(Call)) {
      if (C.reversesLater())
        C.setPrimal(&I, allocateOnTape(Call, Info.Zeroed, C));
      else
        C.clonePrimal(&I);
    }
    if (!C.carries(&I))
      return;
    C.setDual(&I, C.L.make(C.B, I.getType(), [&] {
      if (C.reversesLater() && hasShadowOnTape(Call)) {
        Value *Block = allocateOnTape(Call, /*Zeroed=*/true, C);
        listShadowBlock(C, Block, allocatedBytes(Call, Info, C), Call);
        return Block;
      }
      Value *Block = cloneAllocation(Call, C);
      if (!Info.Zeroed)
        C.B.CreateMemSet(Block, C.B.getInt8(0), allocatedBytes(Call, Info, C),
                         MaybeAlign());
      listShadowBlock(C, Block, allocatedBytes(Call, Info, C), Call);
      return Block;
    }));
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &Call = cast<CallBase>(I);
    if (C.runsAgain()) {
      if (isCleared(Call, C))
        clear(Call, C);
      return;
    }
    Ownership Own = ownershipOf(Call);
    if (!Own.Owned)
      return;
    if (C.hasShadow(&I))
      C.L.map(C.B, {C.shadow(&I)}, [&](ArrayRef<Value *> D) -> Value * {
        if (hasShadowOnTape(Call))
          C.B.CreateCall(tapeFreeFunction(C.module()), {D[0]});
        else
          emitDeallocation(C, D[0], Call);
        return nullptr;
      });
    if (isOnTape(Call))
      C.B.CreateCall(tapeFreeFunction(C.module()), {C.primal(&I)});
    else if (Own.Freed)
      emitDeallocation(C, C.primal(&I), Call);
  }

private:
  static BlockLayout layoutOf(const CallBase &Call, const RuleContext &C) {
    return C.facts().Types->memoryLayout(&Call, UINT64_MAX);
  }

  /// No store takes what reads of the first zeros add to the shadow: the next
  /// reverse pass on the same tape would find it.
  static bool isCleared(const CallBase &Call, const RuleContext &C) {
    return C.facts().R.RunsAgain && knownOf(Call).Allocation.Zeroed &&
           C.hasShadow(&Call) && layoutOf(Call, C).has(ConcreteType::Float);
  }

  static void clear(const CallBase &Call, EmitContext &C) {
    Function *Clear =
        blockFunction(C.module(), BlockOp::Clear, layoutOf(Call, C));
    Value *Bytes = allocatedBytes(Call, knownOf(Call).Allocation, C);
    C.L.map(C.B, {C.shadow(&Call)}, [&](ArrayRef<Value *> D) -> Value * {
      return C.B.CreateCall(Clear, {D[0], D[0], Bytes}), nullptr;
    });
  }
};

/// posix_memalign(&p, align, n), MPI_Alloc_mem(n, info, &p): the shadow of p
/// receives the shadow block.
class AllocateToRule : public Rule {
public:
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const unsigned At = knownOf(I).placeOfBlock();
    const Value *Place = Call.getArgOperand(At);
    if (!C.carries(Place))
      return;
    C.L.map(C.B, {C.dual(Place)}, [&](ArrayRef<Value *> D) -> Value * {
      Value *To = C.writable(Place, D[0], C.B.getPtrTy());
      SmallVector<Value *, 4> Args;
      for (const Use &Arg : Call.args())
        Args.push_back(Call.getArgOperandNo(&Arg) == At ? To
                                                        : C.primal(Arg.get()));
      Value *Failed =
          C.B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(), Args);
      stopIfAlone(Call, Failed, C);
      Value *Block = C.B.CreateLoad(C.B.getPtrTy(), To);
      Value *Bytes = allocatedBytes(Call, knownOf(I).Allocation, C);
      clear(C, Block, Bytes, knownOf(I).Allocation.Clear);
      listShadowBlock(C, Block, Bytes, Call);
      return nullptr;
    });
  }

  void reverse(const Instruction &, ReverseContext &) const override {}

private:
  /// Where the primal got its block, the shadow must not be missing.
  static void stopIfAlone(const CallBase &Call, Value *Failed, EmitContext &C) {
    if (!Failed->getType()->isIntegerTy())
      return;
    Value *Succeeded = C.B.CreateIsNull(C.primal(&Call));
    emitRuntimeStopIf(C.B,
                      C.B.CreateAnd(Succeeded, C.B.CreateIsNotNull(Failed)),
                      "there is no memory for a shadow");
  }

  /// By code, or, in memory of a device, by a function of its library.
  static void clear(EmitContext &C, Value *Block, Value *Bytes,
                    StringRef Function) {
    if (Function == "memset") {
      C.B.CreateMemSet(Block, C.B.getInt8(0), Bytes, MaybeAlign());
      return;
    }
    C.B.CreateCall(C.module().getOrInsertFunction(
                       Function, C.B.getInt32Ty(), C.B.getPtrTy(),
                       C.B.getInt32Ty(), C.B.getInt64Ty()),
                   {Block, C.B.getInt32(0), Bytes});
  }
};

class FreeRule : public Rule {
public:
  bool ownsPrimal(const Instruction &) const override { return true; }
  void needs(const Instruction &, NeedsContext &) const override {}

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &Call = cast<CallBase>(I);
    const Value *Block = Call.getArgOperand(knownOf(I).FreeArg);
    if (!C.reversesLater()) {
      C.clonePrimal(&I);
      if (C.carries(Block))
        C.L.map(C.B, {C.dual(Block)}, [&](ArrayRef<Value *> D) -> Value * {
          SmallVector<Value *, 3> Args;
          for (const Use &Arg : Call.args())
            Args.push_back(C.primal(Arg.get()));
          Value *Shadow = nullIfPlain(C, Block, D[0]);
          unlistShadowBlock(C, Shadow);
          Args[knownOf(I).FreeArg] = Shadow;
          return C.B.CreateCall(Call.getFunctionType(), Call.getCalledOperand(),
                                Args),
                 nullptr;
        });
      return;
    }
    if (!I.getType()->isVoidTy()) // it is put off, and succeeds
      C.setPrimal(&I, Constant::getNullValue(I.getType()));
    if (ownedAllocationOf(Call))
      return;
    Function *End = plainDeallocator(Call);
    emitDeferredFree(C.B, C.primal(Block), End);
    if (C.carries(Block))
      C.L.map(C.B, {C.dual(Block)}, [&](ArrayRef<Value *> D) -> Value * {
        Value *Shadow = nullIfPlain(C, Block, D[0]);
        unlistShadowBlock(C, Shadow);
        return emitDeferredFree(C.B, Shadow, End), nullptr;
      });
  }

  void reverse(const Instruction &, ReverseContext &) const override {}

private:
  /// A plain block is freed once; to free null is nothing.
  static Value *nullIfPlain(EmitContext &C, const Value *Block, Value *Shadow) {
    Value *SelfShadowed = C.isSelfShadowed(Block, Shadow);
    return SelfShadowed
               ? C.B.CreateSelect(SelfShadowed,
                                  Constant::getNullValue(Shadow->getType()),
                                  Shadow)
               : Shadow;
  }
};

class AllocaRule : public Rule {
public:
  bool ownsPrimal(const Instruction &) const override { return true; }

  void needs(const Instruction &I, NeedsContext &C) const override {
    if (cast<AllocaInst>(I).isStaticAlloca())
      return;
    C.primal(&I);
    if (C.hasShadow(&I))
      C.shadow(&I);
  }

  void propagate(const Instruction &I, ForwardSweepContext &C) const override {
    auto &A = cast<AllocaInst>(I);
    if (A.isStaticAlloca()) {
      C.setPrimal(&I, C.storageOf(&A, /*Shadow=*/false));
      if (C.carries(&I)) {
        Value *Shadow = C.storageOf(&A, /*Shadow=*/true);
        fillZero(A, C, Shadow);
        C.setDual(&I, Shadow);
      }
      return;
    }
    Value *Primal = C.reversesLater() ? heapBlock(A, C) : C.clonePrimal(&I);
    C.setPrimal(&I, Primal);
    if (!C.carries(&I))
      return;
    Value *Packed = C.L.make(C.B, I.getType(), [&] {
      Value *Block = C.reversesLater() ? heapBlock(A, C) : stackBlock(A, C);
      C.B.CreateMemSet(Block, C.B.getInt8(0), bytesOf(A, C), MaybeAlign());
      return Block;
    });
    C.setDual(&I, Packed);
  }

  void reverse(const Instruction &I, ReverseContext &C) const override {
    auto &A = cast<AllocaInst>(I);
    if (A.isStaticAlloca() || C.runsAgain())
      return;
    if (C.hasShadow(&I))
      C.L.map(C.B, {C.shadow(&I)}, [&](ArrayRef<Value *> D) -> Value * {
        return end(A, D[0], C), nullptr;
      });
    end(A, C.primal(&I), C);
  }

private:
  static Value *bytesOf(const AllocaInst &A, EmitContext &C) {
    Value *Count =
        C.B.CreateZExtOrTrunc(C.primal(A.getArraySize()), C.B.getInt64Ty());
    return C.B.CreateMul(Count, C.B.getInt64(C.dataLayout().getTypeAllocSize(
                                    A.getAllocatedType())));
  }

  static void fillZero(const AllocaInst &A, EmitContext &C, Value *Shadow) {
    C.L.map(C.B, {Shadow}, [&](ArrayRef<Value *> D) -> Value * {
      C.B.CreateMemSet(D[0], C.B.getInt8(0), bytesOf(A, C), A.getAlign());
      return nullptr;
    });
  }

  /// Memory of the tape is aligned as malloc's is.
  static bool isOnTape(const AllocaInst &A) {
    constexpr uint64_t TapeAlign = 16;
    return A.getAlign().value() <= TapeAlign && !isWatched(*A.getFunction());
  }

  static void end(const AllocaInst &A, Value *Block, EmitContext &C) {
    if (isOnTape(A))
      C.B.CreateCall(tapeFreeFunction(C.module()), {Block});
    else
      emitCFree(C, Block);
  }

  static Value *stackBlock(const AllocaInst &A, EmitContext &C) {
    AllocaInst *Block =
        C.B.CreateAlloca(A.getAllocatedType(), A.getAddressSpace(),
                         C.primal(A.getArraySize()), A.getName() + ".shadow");
    Block->setAlignment(A.getAlign());
    return Block;
  }

  static Value *heapBlock(const AllocaInst &A, EmitContext &C) {
    Module &M = C.module();
    Type *I64 = C.B.getInt64Ty();
    Value *Bytes = bytesOf(A, C);
    if (isOnTape(A))
      return C.B.CreateCall(tapeAllocFunction(M), {Bytes});
    Value *Align = C.B.getInt64(A.getAlign().value());
    Value *Rounded = C.B.CreateAnd(
        C.B.CreateAdd(Bytes, C.B.getInt64(A.getAlign().value() - 1)),
        C.B.CreateNeg(Align));
    return C.B.CreateCall(
        M.getOrInsertFunction("aligned_alloc", C.B.getPtrTy(), I64, I64),
        {Align, Rounded});
  }
};

} // namespace

const Rule &allocaRule() {
  static const AllocaRule R;
  return R;
}

const Rule &allocateRule() {
  static const AllocateRule R;
  return R;
}

const Rule &allocateToRule() {
  static const AllocateToRule R;
  return R;
}

const Rule &freeRule() {
  static const FreeRule R;
  return R;
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScratchShadows.h"
#include "AccessedExtent.h"

#include "adze/TapeMemory.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

/// Larger shadows are not in the frame of the marker's caller.
static constexpr uint64_t MaxInFrame = 4096;

/// What unoptimized code loads from the variable \p Load reads, which is stored
/// to once; null if that is not all that can be in it.
static Value *onlyStoredTo(LoadInst &Load) {
  auto *Variable = dyn_cast<AllocaInst>(Load.getPointerOperand());
  Value *Stored = nullptr;
  if (!Variable)
    return nullptr;
  for (User *U : Variable->users()) {
    if (isa<LoadInst>(U))
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getPointerOperand() != Variable || Stored)
      return nullptr;
    Stored = Store->getValueOperand();
  }
  return Stored;
}

/// \p Pointer, seen through variables of unoptimized code; null if one of them
/// may hold something else.
Value *ScratchShadows::resolved(Value *Pointer, CallBase &At) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*At.getFunction());
  while (auto *Load = dyn_cast<LoadInst>(Pointer)) {
    Value *Stored = onlyStoredTo(*Load);
    auto *Made = dyn_cast_or_null<Instruction>(Stored);
    if (!Stored || (Made && !DT.dominates(Made, &At)))
      return nullptr;
    Pointer = Stored;
  }
  return Pointer;
}

/// Code of other functions than \p Caller uses \p Variable.
static bool isKnownElsewhere(const GlobalVariable &Variable,
                             const Function &Caller) {
  if (!Variable.hasLocalLinkage())
    return true;
  SmallVector<const User *, 8> Todo(Variable.user_begin(), Variable.user_end());
  while (!Todo.empty()) {
    const User *U = Todo.pop_back_val();
    if (auto *I = dyn_cast<Instruction>(U)) {
      if (I->getFunction() != &Caller)
        return true;
    } else if (isa<GlobalVariable>(U)) {
      return true;
    } else {
      append_range(Todo, U->users());
    }
  }
  return false;
}

/// The memory of operand \p Place may be that of another pointer that is called
/// constant, or of a variable that the function knows by its name.
bool ScratchShadows::isReachedOtherwise(const Marker &M, unsigned Place) {
  CallBase &At = *M.Call;
  Function &Caller = *At.getFunction();
  auto &AA = FAM.getResult<AAManager>(Caller);
  Value *Pointer = resolved(M.Operands[Place], At);
  if (!Pointer)
    Pointer = M.Operands[Place];
  auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer));
  if (Variable && isKnownElsewhere(*Variable, Caller))
    return true;
  unsigned Other = 0;
  for (ArgActivity A : M.Req.Args) {
    Value *V = M.Operands[Other];
    const bool IsConstant = !hasShadowParam(A);
    if (IsConstant && Other != Place && V->getType()->isPointerTy() &&
        !isa<ConstantPointerNull>(V)) {
      Value *There = resolved(V, At);
      if (AA.alias(MemoryLocation::getBeforeOrAfter(Pointer),
                   MemoryLocation::getBeforeOrAfter(There ? There : V)) !=
          AliasResult::NoAlias)
        return true;
    }
    Other += IsConstant ? 1 : 2;
  }
  return false;
}

std::optional<ScratchShadows::Extent> ScratchShadows::extentOf(Value *Pointer,
                                                               CallBase &At) {
  Function &Caller = *At.getFunction();
  Pointer = resolved(Pointer, At);
  if (!Pointer)
    return std::nullopt;
  auto &TLI = FAM.getResult<TargetLibraryAnalysis>(Caller);
  ObjectSizeOffsetEvaluator Evaluator(At.getDataLayout(), &TLI,
                                      At.getContext());
  SizeOffsetValue Found = Evaluator.compute(Pointer);
  if (!Found.bothKnown())
    return std::nullopt;
  return Extent{Found.Size, Found.Offset};
}

/// In numbers that the marker passes.
std::optional<ScratchShadows::Extent>
ScratchShadows::extentOfAccesses(const Marker &M, unsigned K) {
  const Primal *P = Store.prepared(*M.Req.Primal, *M.From);
  if (!P)
    return std::nullopt;
  SmallVector<Value *, 8> Passed;
  unsigned Place = 0;
  for (ArgActivity A : M.Req.Args) {
    Passed.push_back(M.Operands[Place]);
    Place += hasShadowParam(A) ? 2 : 1;
  }
  IRBuilder<> B(M.Call);
  std::optional<AccessedExtent> E =
      accessedExtent(*P, *P->F->getArg(K), B, Passed);
  if (!E)
    return std::nullopt;
  Value *Size =
      B.CreateSelect(E->Holds, B.CreateSub(E->End, E->Least), B.getInt64(0));
  return Extent{Size, B.CreateNeg(E->Least), E->Holds};
}

/// Where \p Call has returned. (One that throws leaves the shadow behind.)
static Instruction *behind(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  BasicBlock *To = Invoke->getNormalDest();
  if (!To->getSinglePredecessor())
    To = SplitEdge(Invoke->getParent(), To);
  return &*To->getFirstInsertionPt();
}

/// Zeros from here until the call is over.
Value *ScratchShadows::shadowOf(const Extent &E, CallBase &At) {
  IRBuilder<> B(&At);
  Module &M = *At.getModule();
  Value *Size = B.CreateZExtOrTrunc(E.Size, B.getInt64Ty());
  auto *Known = dyn_cast<ConstantInt>(Size);
  Value *Block;
  if (Known && Known->getZExtValue() <= MaxInFrame) {
    BasicBlock &Entry = At.getFunction()->getEntryBlock();
    IRBuilder<> AtEntry(&Entry, Entry.begin());
    AllocaInst *Variable = AtEntry.CreateAlloca(
        ArrayType::get(B.getInt8Ty(), Known->getZExtValue()), nullptr,
        "scratch.shadow");
    Variable->setAlignment(Align(TapeBlockAlign));
    Block = Variable;
  } else {
    Block = B.CreateCall(tapeAllocFunction(M), {Size}, "scratch.shadow");
    IRBuilder<> Behind(behind(At));
    Behind.CreateCall(tapeFreeFunction(M), {Block});
  }
  B.CreateMemSet(Block, B.getInt8(0), Size, Align(TapeBlockAlign));
  Value *Shadow = B.CreateGEP(B.getInt8Ty(), Block, E.Offset);
  // Where nobody knows, nobody accesses it, or the program crashes.
  return E.Holds ? B.CreateSelect(E.Holds, Shadow,
                                  Constant::getNullValue(Shadow->getType()))
                 : Shadow;
}

void ScratchShadows::give(Marker &M) {
  CallBase *At = M.Call;
  if (M.Half != SplitHalf::None || M.Req.RuntimeActivity)
    return;
  const SmallVector<unsigned, 2> Missing = Store.missingShadows(M.Req, *M.From);
  unsigned Place = 0;
  for (unsigned K = 0; K != M.Req.Args.size(); ++K, ++Place) {
    if (hasShadowParam(M.Req.Args[K])) {
      ++Place;
      continue;
    }
    if (!is_contained(Missing, K) || isReachedOtherwise(M, Place))
      continue;
    std::optional<Extent> E = extentOf(M.Operands[Place], *At);
    if (!E)
      E = extentOfAccesses(M, K);
    if (!E)
      continue;
    const unsigned Width = M.Req.Width;
    IRBuilder<> B(At);
    Value *Shadow = shadowOf(*E, *At);
    if (Width != 1) {
      Value *All = PoisonValue::get(dualTypeOf(Shadow->getType(), Width));
      for (unsigned D = 0; D != Width; ++D)
        All = B.CreateInsertValue(All, D ? shadowOf(*E, *At) : Shadow, D);
      Shadow = All;
    }
    M.Req.Args[K] = ArgActivity::Dup;
    M.Operands.insert(M.Operands.begin() + ++Place, Shadow);
  }
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A byval argument is a copy that the call makes and its callee owns. A
// derivative gets the caller's memory instead: its reverse half runs when the
// copy is long gone. So the copy is made in the open, into a variable of the
// clone, and the argument becomes an ordinary pointer that is only read.
//
//   f(ptr byval(T) p)   becomes   f(ptr p):  t = alloca T;  *t = *p;  p -> t
//
// A structure that an inactive function returns in memory is a constant, but
// the memory may hold active data before and after, and a call without
// derivative clears no shadow. So it gets a variable of its own, and the
// caller's memory a copy.
//
// Copies go leaf by leaf where T is small, so that each leaf keeps its
// type; long arrays go as a block.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {
namespace {

/// Arrays longer than this are copied as a block.
constexpr uint64_t MaxElements = 64;

struct Piece {
  Type *Ty;
  uint64_t Offset;
};

void copyPiece(IRBuilder<> &B, Value *To, Value *From, Align Known, Piece P,
               const DataLayout &DL, SmallVectorImpl<Piece> &Work) {
  if (auto *Struct = dyn_cast<StructType>(P.Ty)) {
    const StructLayout &Layout = *DL.getStructLayout(Struct);
    for (unsigned K = Struct->getNumElements(); K-- > 0;)
      Work.push_back(
          {Struct->getElementType(K), P.Offset + Layout.getElementOffset(K)});
    return;
  }
  auto *Array = dyn_cast<ArrayType>(P.Ty);
  if (Array && Array->getNumElements() <= MaxElements) {
    uint64_t Size = DL.getTypeAllocSize(Array->getElementType());
    for (uint64_t K = Array->getNumElements(); K-- > 0;)
      Work.push_back({Array->getElementType(), P.Offset + K * Size});
    return;
  }
  Align At = commonAlignment(Known, P.Offset);
  auto at = [&](Value *Base) {
    return P.Offset
               ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Base, P.Offset)
               : Base;
  };
  Value *Target = at(To), *Source = at(From);
  if (Array)
    B.CreateMemCpy(Target, At, Source, At, DL.getTypeAllocSize(Array));
  else
    B.CreateAlignedStore(B.CreateAlignedLoad(P.Ty, Source, At), Target, At);
}

void copyAll(IRBuilder<> &B, Value *To, Value *From, Align Known, Type *Ty,
             const DataLayout &DL) {
  SmallVector<Piece, 16> Work{{Ty, 0}};
  while (!Work.empty())
    copyPiece(B, To, From, Known, Work.pop_back_val(), DL, Work);
}

void copy(Argument &Arg, const DataLayout &DL) {
  Function &F = *Arg.getParent();
  Type *Ty = Arg.getParamByValType();
  Align Known = Arg.getParamAlign().value_or(DL.getABITypeAlign(Ty));
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  auto *Copy = new AllocaInst(Ty, DL.getAllocaAddrSpace(), nullptr, Known,
                              Arg.getName() + ".copy", Entry.begin());
  Arg.replaceAllUsesWith(Copy);
  copyAll(B, Copy, &Arg, Known, Ty, DL);
}

/// Marks the variable of a call that has one already.
constexpr char OwnResult[] = "adze.own_result";

void separate(CallInst &Call, unsigned Operand, const DataLayout &DL) {
  Value *To = Call.getArgOperand(Operand);
  auto *Known = dyn_cast<AllocaInst>(To);
  if (Known && Known->hasMetadata(OwnResult))
    return;
  Type *Ty = Call.getParamStructRetType(Operand);
  Align At = Call.getParamAlign(Operand).value_or(DL.getABITypeAlign(Ty));
  BasicBlock &Entry = Call.getFunction()->getEntryBlock();
  auto *Own = new AllocaInst(Ty, DL.getAllocaAddrSpace(), nullptr, At, "",
                             Entry.begin());
  Own->setMetadata(OwnResult, MDNode::get(Call.getContext(), {}));
  Call.setArgOperand(Operand, Own);
  IRBuilder<> B(Call.getNextNode());
  copyAll(B, To, Own, At, Ty, DL);
}

} // namespace

void separateInactiveResults(Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<std::pair<CallInst *, unsigned>, 4> Found;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    if (!Known || !Known->isDeclaredInactive())
      continue;
    for (unsigned K = 0; K < std::min(Call->arg_size(), 2u); ++K)
      if (Call->paramHasAttr(K, Attribute::StructRet) &&
          Call->getArgOperand(K)->getType()->getPointerAddressSpace() ==
              DL.getAllocaAddrSpace())
        Found.emplace_back(Call, K);
  }
  for (auto [Call, Operand] : Found)
    separate(*Call, Operand, DL);
}

void copyByValArguments(Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (Argument &Arg : F.args()) {
    if (!Arg.hasByValAttr())
      continue;
    // What never writes has no use for a copy of its own.
    if (!F.onlyReadsMemory() && !Arg.use_empty() &&
        Arg.getType()->getPointerAddressSpace() == DL.getAllocaAddrSpace())
      copy(Arg, DL);
    F.removeParamAttr(Arg.getArgNo(), Attribute::ByVal);
  }
}

} // namespace adze

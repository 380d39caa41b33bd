// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A byval argument is a copy that the call makes and its callee owns. A
// derivative gets the caller's memory instead: its reverse half runs when the
// copy is long gone. So the copy is made in the open, into a variable of the
// clone, and the argument becomes an ordinary pointer that is only read.
//
//   f(ptr byval(T) p)   becomes   f(ptr p):  t = alloca T;  *t = *p;  p -> t
//
// The copy goes leaf by leaf where T is small, so that each leaf keeps its
// type; long arrays go as a block.
#include "Prepare/Stages.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
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

void copy(Argument &Arg, const DataLayout &DL) {
  Function &F = *Arg.getParent();
  Type *Ty = Arg.getParamByValType();
  Align Known = Arg.getParamAlign().value_or(DL.getABITypeAlign(Ty));
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> B(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  auto *Copy = new AllocaInst(Ty, DL.getAllocaAddrSpace(), nullptr, Known,
                              Arg.getName() + ".copy", Entry.begin());
  Arg.replaceAllUsesWith(Copy);
  SmallVector<Piece, 16> Work{{Ty, 0}};
  while (!Work.empty())
    copyPiece(B, Copy, &Arg, Known, Work.pop_back_val(), DL, Work);
}

} // namespace

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

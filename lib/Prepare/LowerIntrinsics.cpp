// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intrinsics that mean nothing to derivatives, or that are spelled more
// plainly by other instructions.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/LowerMatrixIntrinsics.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"

using namespace llvm;

namespace adze {

/// Markers of lifetimes and invariance speak of the primal's order of events,
/// which a reverse pass does not keep.
static bool isMarker(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
    return true;
  default:
    return false;
  }
}

static bool isMaskedAccess(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
    return true;
  default:
    return false;
  }
}

/// memcpy.inline and memset.inline only differ from the plain ones in that no
/// library call may be made, which no rule depends on.
static void lowerInlineBlock(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  CallInst *Plain = nullptr;
  if (auto *Copy = dyn_cast<MemCpyInlineInst>(&I))
    Plain = B.CreateMemCpy(Copy->getRawDest(), Copy->getDestAlign(),
                           Copy->getRawSource(), Copy->getSourceAlign(),
                           Copy->getLength(), Copy->isVolatile());
  else if (auto *Set = dyn_cast<MemSetInlineInst>(&I))
    Plain = B.CreateMemSet(Set->getRawDest(), Set->getValue(), Set->getLength(),
                           Set->getDestAlign(), Set->isVolatile());
  else
    return;
  Plain->setAAMetadata(I.getAAMetadata());
  I.eraseFromParent();
}

/// A copy of less than a word, between places that are aligned, becomes a load
/// and a store, as the optimizer makes them: a member that is a number is moved
/// so at -O0, too.
static bool lowerSmallCopy(IntrinsicInst &I) {
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  auto *Bytes = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
  if (!Bytes || Copy->isVolatile() ||
      Copy->getMetadata(LLVMContext::MD_tbaa_struct))
    return false;
  uint64_t Size = Bytes->getZExtValue();
  if (Size != 2 && Size != 4)
    return false;
  Align To = Copy->getDestAlign().valueOrOne(),
        From = Copy->getSourceAlign().valueOrOne();
  if (To < Size || From < Size)
    return false;
  IRBuilder<> B(&I);
  Type *Ty = B.getIntNTy(Size * 8);
  B.CreateAlignedStore(B.CreateAlignedLoad(Ty, Copy->getRawSource(), From),
                       Copy->getRawDest(), To);
  I.eraseFromParent();
  return true;
}

static bool isOfMatrices(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::matrix_column_major_load:
  case Intrinsic::matrix_column_major_store:
  case Intrinsic::matrix_multiply:
  case Intrinsic::matrix_transpose:
    return true;
  default:
    return false;
  }
}

/// Conversions under -ffp-model=strict: which exceptions they raise, and how
/// they round, is the machine's business either way.
static bool lowerConversion(IntrinsicInst &I) {
  bool Narrow =
      I.getIntrinsicID() == Intrinsic::experimental_constrained_fptrunc;
  if (!Narrow &&
      I.getIntrinsicID() != Intrinsic::experimental_constrained_fpext)
    return false;
  IRBuilder<> B(&I);
  Value *V = Narrow ? B.CreateFPTrunc(I.getArgOperand(0), I.getType())
                    : B.CreateFPExt(I.getArgOperand(0), I.getType());
  I.replaceAllUsesWith(V);
  I.eraseFromParent();
  return true;
}

static void dropMarker(IntrinsicInst &I) {
  // invariant.end consumes the token of invariant.start; it goes as well.
  if (!I.getType()->isVoidTy())
    I.replaceAllUsesWith(PoisonValue::get(I.getType()));
  I.eraseFromParent();
}

/// In each iteration the variable's content is undefined here: RecordStructure
/// notes that.
static bool beginsScopeInLoop(const IntrinsicInst &I, const LoopInfo &LI) {
  return I.getIntrinsicID() == Intrinsic::lifetime_start &&
         isa<AllocaInst>(I.getArgOperand(1)) && LI.getLoopFor(I.getParent());
}

void lowerIntrinsics(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  bool HasMasked = false, HasMatrices = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call)
      continue;
    if (isMarker(*Call)) {
      if (!beginsScopeInLoop(*Call, LI))
        dropMarker(*Call);
      continue;
    }
    if (lowerConversion(*Call) || lowerSmallCopy(*Call))
      continue;
    HasMasked |= isMaskedAccess(*Call);
    HasMatrices |= isOfMatrices(*Call);
    if (isa<MemCpyInlineInst>(Call) || isa<MemSetInlineInst>(Call)) {
      lowerInlineBlock(*Call);
      continue;
    }
    const KnownFunction *Known = lookupKnown(*Call);
    if (Known && Known->returnsOperand() &&
        Call->getType() == Call->getArgOperand(0)->getType()) {
      Call->replaceAllUsesWith(Call->getArgOperand(0));
      Call->eraseFromParent();
    }
  }
  // llvm.is.constant and llvm.objectsize have their answer by now.
  FunctionPassManager Passes;
  if (HasMatrices)
    Passes.addPass(LowerMatrixIntrinsicsPass(/*Minimal=*/true));
  Passes.addPass(LowerConstantIntrinsicsPass());
  // A lane that is off must touch neither memory nor shadow: one branch each.
  if (HasMasked)
    Passes.addPass(ScalarizeMaskedMemIntrinPass());
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, Passes.run(F, FAM));
}

} // namespace adze

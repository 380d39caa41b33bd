// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/SplitParameters.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr const char *KnownAttribute = "adze-pieces-known";
constexpr const char *FirstAttribute = "adze-first-piece";

/// The variable that a parameter is stored to, and where in it.
struct Home {
  const Value *Variable = nullptr;
  uint64_t Offset = 0;
};

} // namespace

/// None if it is used in another way: \p A comes from an optimizer.
static Home homeOf(const Argument &A) {
  Home H;
  if (!A.hasOneUse())
    return H;
  const auto *Store = dyn_cast<StoreInst>(*A.user_begin());
  if (!Store || Store->getValueOperand() != &A)
    return H;
  const DataLayout &DL = A.getParent()->getParent()->getDataLayout();
  const Value *Place = Store->getPointerOperand();
  APInt Offset(DL.getIndexTypeSizeInBits(Place->getType()), 0);
  const Value *Base = Place->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/false);
  if (isa<AllocaInst>(Base))
    H = {Base, Offset.getZExtValue()};
  return H;
}

bool adze::noteSplitParameters(Function &F) {
  if (F.isDeclaration() || splitIsKnown(F))
    return false;
  SmallVector<Home, 8> Homes;
  for (const Argument &A : F.args()) {
    Homes.push_back(homeOf(A));
    // What is passed in memory is a variable itself.
    if (!Homes.back().Variable && !A.hasPassPointeeByValueCopyAttr() &&
        !A.hasStructRetAttr() && !A.use_empty())
      return false;
  }
  for (unsigned P = 0; P + 1 < Homes.size(); ++P)
    if (Homes[P].Variable && Homes[P].Variable == Homes[P + 1].Variable)
      F.addParamAttr(P, Attribute::get(F.getContext(), FirstAttribute));
  F.addFnAttr(KnownAttribute);
  return true;
}

void adze::copySplitNote(const Function &From, Function &To) {
  if (splitIsKnown(From))
    To.addFnAttr(KnownAttribute);
}

bool adze::splitIsKnown(const Function &F) {
  return F.hasFnAttribute(KnownAttribute);
}

bool adze::isFirstPiece(const Function &F, unsigned Param) {
  return F.getAttributes().hasParamAttr(Param, FirstAttribute);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FusionTests.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

/// The bytes of \p A while \p In runs, or, where that is the loop in front of
/// which all tests stand at the latest, while the loop of \p A does.
std::optional<AddressSpan> FusionTests::rangeOf(const LoopAccess &A, Loop &In) {
  std::optional<AddressEnds> Ends;
  if (&In != &At) {
    Ends = Ranges.testedEndsIn(In, A);
  } else {
    const Loop *Own = LI.getLoopFor(A.I->getParent());
    Ends = Ranges.endsIn(Own == At.getParentLoop() ? nullptr : Own, A);
  }
  if (!Ends)
    return std::nullopt;
  const DataLayout &DL = A.I->getModule()->getDataLayout();
  Type *Index = DL.getIndexType(getLoadStorePointerOperand(A.I)->getType());
  const AddressSpan R{Ends->First,
                      SE.getAddExpr(Ends->Last, SE.getConstant(Index, A.Size))};
  SCEVExpander Expander(SE, DL, "range");
  const Instruction *Where = In.getLoopPreheader()->getTerminator();
  for (const SCEV *S : {R.First, R.End})
    if (!SE.isLoopInvariant(S, &In) || !Expander.isSafeToExpandAt(S, Where))
      return std::nullopt;
  return R;
}

bool FusionTests::add(const Test &T) {
  for (Test &Known : Tests)
    if (Known.In == T.In && Known.B.First == T.B.First &&
        Known.B.End == T.B.End && join(Known.A, T.A, SE))
      return true;
  Tests.push_back(T);
  return true;
}

bool FusionTests::add(const LoopAccess &A, const LoopAccess &B) {
  if (A.Address->getType() != B.Address->getType() ||
      SE.getPointerBase(A.Address) == SE.getPointerBase(B.Address))
    return false;
  SmallVector<Loop *, 4> Around;
  for (Loop *L = &At; L; L = L->getParentLoop())
    Around.push_back(L);
  for (Loop *In : reverse(Around)) {
    if (!In->getLoopPreheader())
      continue;
    std::optional<AddressSpan> OfA = rangeOf(A, *In);
    std::optional<AddressSpan> OfB = OfA ? rangeOf(B, *In) : std::nullopt;
    if (OfB)
      return add({In, *OfA, *OfB});
  }
  return false;
}

SmallVector<Value *, 2> FusionTests::emit() {
  MapVector<Loop *, Value *> Found;
  for (const Test &T : Tests) {
    Instruction *Where = T.In->getLoopPreheader()->getTerminator();
    SCEVExpander Expander(SE, Where->getModule()->getDataLayout(), "range");
    IRBuilder<> B(Where);
    auto expand = [&](const SCEV *S) {
      return Expander.expandCodeFor(S, S->getType(), Where);
    };
    Value *Behind = B.CreateICmpUGE(expand(T.A.First), expand(T.B.End));
    Value *Before = B.CreateICmpUGE(expand(T.B.First), expand(T.A.End));
    // Where a loop never runs, what it would access may be no number.
    Value *Apart = B.CreateFreeze(B.CreateOr(Behind, Before));
    Value *&All = Found[T.In];
    All = All ? B.CreateAnd(All, Apart) : Apart;
  }
  SmallVector<Value *, 2> Conditions;
  for (const auto &[In, Condition] : Found)
    Conditions.push_back(Condition);
  return Conditions;
}

} // namespace adze

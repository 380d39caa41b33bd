// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RangeTests.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

constexpr unsigned MaxTests = 24;

bool join(AddressSpan &Known, const AddressSpan &Next, ScalarEvolution &SE) {
  std::optional<int64_t> Begin = distance(Known.First, Next.First, SE);
  std::optional<int64_t> End = distance(Known.End, Next.End, SE);
  if (!Begin || !End)
    return false;
  if (*Begin < 0)
    Known.First = Next.First;
  if (*End > 0)
    Known.End = Next.End;
  return true;
}

/// The bytes of \p Access in all iterations.
std::optional<AddressSpan> RangeTests::rangeOf(const Instruction &Access) {
  std::optional<LoopAccess> A = accessOf(Access, SE);
  std::optional<AddressEnds> Ends = A ? Ranges.endsIn(&L, *A) : std::nullopt;
  if (!Ends)
    return std::nullopt;
  const DataLayout &DL = Access.getModule()->getDataLayout();
  Type *Index = DL.getIndexType(getLoadStorePointerOperand(&Access)->getType());
  return AddressSpan{Ends->First,
                     SE.getAddExpr(Ends->Last, SE.getConstant(Index, A->Size))};
}

bool RangeTests::add(const AddressSpan &A, const AddressSpan &B) {
  for (auto &[Known, Other] : Tests)
    if (Other.First == B.First && Other.End == B.End && join(Known, A, SE))
      return true;
  Tests.push_back({A, B});
  return Tests.size() <= MaxTests;
}

bool RangeTests::add(const Instruction &A, const Instruction &B) {
  auto place = [&](const Instruction &I) {
    return SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&I)));
  };
  // At a known distance in one array they meet. Vectors that lie side by side
  // in one block, or rows of a matrix, do not.
  if (distance(place(A), place(B), SE))
    return false;
  std::optional<AddressSpan> OfA = rangeOf(A), OfB = rangeOf(B);
  return OfA && OfB && add(*OfA, *OfB);
}

bool RangeTests::canExpand(SCEVExpander &Expander, const Instruction *At) {
  auto isSafe = [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, At); };
  return all_of(Tests, [&](const auto &T) {
    return isSafe(T.first.First) && isSafe(T.first.End) &&
           isSafe(T.second.First) && isSafe(T.second.End);
  });
}

Value *RangeTests::emit(SCEVExpander &Expander, Value *Good, Instruction *At) {
  IRBuilder<> B(At);
  auto pointer = [&](const SCEV *S) {
    return Expander.expandCodeFor(S, S->getType(), At);
  };
  for (const auto &[One, Two] : Tests) {
    Value *Behind = B.CreateICmpUGE(pointer(One.First), pointer(Two.End));
    Value *Before = B.CreateICmpUGE(pointer(Two.First), pointer(One.End));
    Good = B.CreateAnd(Good, B.CreateOr(Behind, Before));
  }
  return Good;
}

} // namespace adze

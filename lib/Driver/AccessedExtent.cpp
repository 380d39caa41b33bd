// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessedExtent.h"
#include "UsesBehind.h"

#include "Emit/ExpressionWriter.h"
#include "Loops/EntryBounds.h"
#include "Loops/LoopMemory.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

namespace {

/// Collects the intervals of all accesses.
class Extents {
public:
  Extents(const Primal &P, const Argument &A)
      : A(A), SE(loopMemoryOf(P, /*Budget=*/0).SE),
        Limits(P.F->getEntryBlock(), SE, *P.DT) {}

  /// False if there is an access of which nothing can be said.
  bool visitAll() {
    auto isKnown = [&](const Instruction &I, const Use &U) {
      return isa<ICmpInst>(I) || visit(I, U);
    };
    if (!holdsOfUsesBehind(A, isKnown))
      return false;
    return Least && all_of(Limits.conditions(),
                           [&](auto &C) { return isOfCaller(C.S); });
  }

  std::optional<AccessedExtent> write(IRBuilder<> &B,
                                      ArrayRef<Value *> Passed) {
    auto leaf = [&](const Value *V) {
      return Passed[cast<Argument>(V)->getArgNo()];
    };
    ExpressionWriter W(B, leaf);
    Value *From = W.write(Least), *To = W.write(End);
    Type *Wide = From->getType();
    auto within = [&](Value *V, const APInt &Min, const APInt &Max) {
      return B.CreateAnd(B.CreateICmpSGE(V, ConstantInt::get(Wide, Min)),
                         B.CreateICmpSLE(V, ConstantInt::get(Wide, Max)));
    };
    const APInt None = APInt::getZero(EntryBounds::Width);
    const APInt Most = APInt::getOneBitSet(EntryBounds::Width, MaxExtentBits);
    Value *Holds = within(B.CreateSub(To, From), None, Most);
    Holds = B.CreateAnd(Holds, within(From, -Most, None));
    for (const EntryBounds::Condition &C : Limits.conditions())
      Holds = B.CreateAnd(Holds, within(W.write(C.S), C.Least, C.Greatest));
    return AccessedExtent{B.CreateTrunc(From, B.getInt64Ty()),
                          B.CreateTrunc(To, B.getInt64Ty()), Holds};
  }

private:
  /// An access through \p U.
  bool visit(const Instruction &I, const Use &U) {
    if (auto *Access = dyn_cast<MemIntrinsic>(&I)) {
      std::optional<EntryBounds::Interval> Bytes =
          Limits.of(SE.getSCEV(Access->getLength()));
      return Bytes && add(SE.getSCEV(U.get()), Bytes->Greatest);
    }
    if (auto *Call = dyn_cast<CallBase>(&I))
      return isa<DbgInfoIntrinsic>(I) || Call->isLifetimeStartOrEnd();
    std::optional<LoopAccess> Access = accessOf(I, SE);
    const bool ByAddress = !isa<StoreInst>(I) || U.getOperandNo() == 1;
    return Access && ByAddress &&
           add(Access->Address, Limits.constant(int64_t(Access->Size)));
  }

  bool add(const SCEV *Address, const SCEV *Bytes) {
    auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
    if (!Base || Base->getValue() != &A)
      return false;
    auto Offsets = Limits.of(SE.removePointerBase(Address));
    if (!Offsets)
      return false;
    Limits.require(*Offsets, EntryBounds::DistanceBits, /*Signed=*/true);
    const SCEV *Behind = Limits.sum(Offsets->Greatest, Bytes);
    if (!isOfCaller(Offsets->Least) || !isOfCaller(Behind))
      return false;
    Least = SE.getSMinExpr(Least ? Least : Limits.constant(0), Offsets->Least);
    End = SE.getSMaxExpr(End ? End : Limits.constant(0), Behind);
    return true;
  }

  /// It is made of integers that the caller passes.
  static bool isOfCaller(const SCEV *S) {
    return !SCEVExprContains(S, [](const SCEV *Part) {
      if (auto *Leaf = dyn_cast<SCEVUnknown>(Part))
        return !isa<Argument>(Leaf->getValue()) ||
               !Leaf->getType()->isIntegerTy();
      return isa<SCEVAddRecExpr, SCEVPtrToIntExpr, SCEVVScale,
                 SCEVSequentialMinMaxExpr, SCEVCouldNotCompute>(Part);
    });
  }

  const Argument &A;
  ScalarEvolution &SE;
  EntryBounds Limits;
  const SCEV *Least = nullptr, *End = nullptr;
};

} // namespace

std::optional<AccessedExtent> accessedExtent(const Primal &P, const Argument &A,
                                             IRBuilder<> &B,
                                             ArrayRef<Value *> Passed) {
  Extents Found(P, A);
  if (!Found.visitAll())
    return std::nullopt;
  return Found.write(B, Passed);
}

} // namespace adze

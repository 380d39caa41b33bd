// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/Alternation.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// Buffers that are exchanged, and orders in which they come.
constexpr size_t MaxBuffers = 4, MaxCases = 8;

/// The value of each buffer's phi, in terms of what stands in front of the
/// loop.
using Buffers = MapVector<const PHINode *, const SCEV *>;

/// A bit that each iteration turns over; null if \p S is none. Its value in the
/// first iteration is a constant.
const SCEVAddRecExpr *alternatingBit(const SCEV *S) {
  auto *Bit = dyn_cast<SCEVAddRecExpr>(S);
  return Bit && Bit->getType()->isIntegerTy(1) && Bit->isAffine() &&
                 isa<SCEVConstant>(Bit->getStart()) &&
                 isa<SCEVConstant>(Bit->getOperand(1)) &&
                 Bit->getOperand(1)->isOne()
             ? Bit
             : nullptr;
}

/// ScalarEvolution has no expression for most choices. Null if \p V is none by
/// such a bit.
SelectInst *alternatingChoice(Value *V, ScalarEvolution &SE) {
  auto *Choice = dyn_cast<SelectInst>(V);
  return Choice && Choice->getCondition()->getType()->isIntegerTy(1) &&
                 alternatingBit(SE.getSCEV(Choice->getCondition()))
             ? Choice
             : nullptr;
}

/// An expression in one case.
class InCase : public SCEVRewriteVisitor<InCase> {
public:
  InCase(ScalarEvolution &SE, const Loop &L, const Buffers &Now, bool IsOdd)
      : SCEVRewriteVisitor(SE), L(L), Now(Now), IsOdd(IsOdd) {}

  const SCEV *visitUnknown(const SCEVUnknown *E) {
    if (SelectInst *Choice = alternatingChoice(E->getValue(), SE)) {
      const SCEV *Bit = SE.getSCEV(Choice->getCondition());
      if (auto *Known = dyn_cast<SCEVConstant>(visit(Bit)))
        return visit(SE.getSCEV(Known->isZero() ? Choice->getFalseValue()
                                                : Choice->getTrueValue()));
    }
    auto It = Now.find(dyn_cast<PHINode>(E->getValue()));
    return It == Now.end() ? E : It->second;
  }
  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *E) {
    const SCEVAddRecExpr *Bit = alternatingBit(E);
    if (!Bit || Bit->getLoop() != &L)
      return SCEVRewriteVisitor<InCase>::visitAddRecExpr(E);
    return IsOdd ? SE.getNotSCEV(Bit->getStart()) : Bit->getStart();
  }

private:
  const Loop &L;
  const Buffers &Now;
  bool IsOdd;
};

/// What alternates in some expressions.
class Alternating {
public:
  Alternating(ArrayRef<const SCEV *> S, const LoopInfo &LI, ScalarEvolution &SE)
      : LI(LI), SE(SE) {
    for (const SCEV *Part : S)
      visitAll(Part, *this);
    closeUnderExchange();
  }

  bool follow(const SCEV *S) {
    if (const SCEVAddRecExpr *Bit = alternatingBit(S))
      HasBits |= isOf(Bit->getLoop());
    else if (auto *Unknown = dyn_cast<SCEVUnknown>(S))
      follow(Unknown->getValue());
    return true;
  }
  bool isDone() const { return false; }

  bool areAny() const { return HasBits || !First.empty(); }
  const Loop &loop() const { return *L; }
  const Buffers &first() const { return First; }
  bool hasBits() const { return HasBits; }
  Buffers after(const Buffers &Now) const {
    Buffers Next;
    for (const auto &[Phi, Value] : Now)
      Next[Phi] = Now.find(exchanged(Phi))->second;
    return Next;
  }

private:
  void follow(Value *V) {
    if (SelectInst *Choice = alternatingChoice(V, SE))
      HasBits |=
          isOf(alternatingBit(SE.getSCEV(Choice->getCondition()))->getLoop());
    else
      add(dyn_cast<PHINode>(V));
  }
  /// One loop, the first one met.
  bool isOf(const Loop *Other) {
    if (!L && Other && Other->getLoopPreheader() && Other->getLoopLatch())
      L = Other;
    return L && L == Other;
  }
  const PHINode *exchanged(const PHINode *Phi) const {
    return dyn_cast<PHINode>(Phi->getIncomingValueForBlock(L->getLoopLatch()));
  }
  void add(const PHINode *Phi) {
    if (!Phi || !Phi->getType()->isPointerTy() ||
        !LI.isLoopHeader(Phi->getParent()) ||
        !isOf(LI.getLoopFor(Phi->getParent())))
      return;
    First[Phi] =
        SE.getSCEV(Phi->getIncomingValueForBlock(L->getLoopPreheader()));
  }
  /// What becomes of the buffers are buffers, or nothing is known of them.
  void closeUnderExchange() {
    for (size_t I = 0; I < First.size(); ++I) {
      const PHINode *Next = exchanged((First.begin() + I)->first);
      if (!Next || Next->getParent() != L->getHeader() ||
          First.size() > MaxBuffers) {
        First.clear();
        return;
      }
      add(Next);
    }
  }

  const LoopInfo &LI;
  ScalarEvolution &SE;
  const Loop *L = nullptr;
  Buffers First;
  bool HasBits = false;
};

bool areSame(const Buffers &A, const Buffers &B) {
  return all_of(A, [&](const auto &Entry) {
    return B.find(Entry.first)->second == Entry.second;
  });
}

} // namespace

bool inEachCase(ArrayRef<const SCEV *> S, const LoopInfo &LI,
                ScalarEvolution &SE,
                function_ref<bool(ArrayRef<const SCEV *>)> Test) {
  Alternating Found(S, LI, SE);
  if (!Found.areAny())
    return false;
  Buffers Now = Found.first();
  bool IsOdd = false;
  for (size_t Case = 0; Case < MaxCases; ++Case) {
    InCase Rewriter(SE, Found.loop(), Now, IsOdd);
    SmallVector<const SCEV *, 4> There;
    for (const SCEV *Part : S)
      There.push_back(Rewriter.visit(Part));
    if (!Test(There))
      return false;
    Now = Found.after(Now);
    IsOdd = !IsOdd;
    if (areSame(Now, Found.first()) && (!IsOdd || !Found.hasBits()))
      return true;
  }
  return false;
}

} // namespace adze

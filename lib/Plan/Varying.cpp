// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Varying.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

static constexpr unsigned MaxDepth = 64;

/// The depths 1 .. \p Depth.
static uint64_t depthsUpTo(unsigned Depth) {
  return Depth >= MaxDepth ? ~uint64_t(0) : (uint64_t(1) << Depth) - 1;
}

Varying::Depths Varying::allAround(const Instruction &I) const {
  return depthsUpTo(F.P->LI->getLoopDepth(F.P->blockOf(&I)));
}

/// The loops that \p I varies with although its operands do not.
Varying::Depths Varying::ownDepths(const Instruction &I) const {
  if (!isa<LoadInst>(I))
    return 0; // a call that can be made again finds the same in all of them
  const Loop *Steady = F.Memory->invariantIn(&I);
  return Steady ? depthsUpTo(Steady->getLoopDepth() - 1) : allAround(I);
}

/// What \p I is computed from; false if it may be something else.
bool Varying::operandsOf(const Instruction &I,
                         SmallVectorImpl<const Value *> &Ops) const {
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Ops.push_back(F.P->Elsewhere.meaningOf(Load->getPointerOperand()));
    return Load->isSimple();
  }
  auto Again = recompute({&I, Part::Primal}, F);
  if (!Again)
    return false;
  for (PlanValue Op : Again->Reads)
    Ops.push_back(Op.V);
  return true;
}

Varying::Depths Varying::of(const Value *V) {
  // Depth-first with a stack of our own. No value comes back while it is on
  // the stack: not without a phi of a loop header, whose operands are not
  // asked for.
  SmallVector<const Value *, 16> Stack(1, V);
  while (!Stack.empty()) {
    auto *I = dyn_cast<Instruction>(Stack.back());
    if (!I || Known.count(I)) {
      Stack.pop_back();
      continue;
    }
    SmallVector<const Value *, 4> Ops;
    const LoopRecord *L = F.P->loopOf(F.P->blockOf(I));
    Depths Result = 0;
    if (!L) {
      Result = 0;
    } else if (L->Counter == I) {
      Result = depthsUpTo(L->L->getLoopDepth()) &
               ~depthsUpTo(L->L->getLoopDepth() - 1);
    } else if (L->L->getLoopDepth() > MaxDepth || !operandsOf(*I, Ops)) {
      Result = allAround(*I);
    } else {
      size_t Before = Stack.size();
      for (const Value *Op : Ops)
        if (isa<Instruction>(Op) && !Known.count(Op))
          Stack.push_back(Op);
      if (Stack.size() > Before)
        continue;
      Result = ownDepths(*I);
      for (const Value *Op : Ops)
        Result |= Known.lookup(Op);
      Result &= allAround(*I);
    }
    Known[I] = Result;
    Stack.pop_back();
  }
  return Known.lookup(V);
}

Varying::Loops Varying::loopsOf(PlanValue V) {
  Loops Result;
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I)
    return Result;
  Depths D = V.Which == Part::Primal ? of(I) : allAround(*I);
  for (const LoopRecord *L = F.P->loopOf(F.P->blockOf(I)); L; L = L->Parent) {
    unsigned Depth = L->L->getLoopDepth();
    if (Depth > MaxDepth || (D >> (Depth - 1) & 1))
      Result.insert(Result.begin(), L);
  }
  return Result;
}

bool Varying::knownBefore(const LoopRecord &Inner,
                          const LoopRecord &Outer) const {
  auto *Last = dyn_cast<Instruction>(Inner.LastIteration);
  const BasicBlock *Preheader = Outer.L->getLoopPreheader();
  return !Last ||
         (Preheader && F.P->DT->dominates(Last, Preheader->getTerminator()));
}

Varying::AllAround Varying::loopsAround(PlanValue V,
                                        const LoopRecord *Outside) {
  AllAround Result;
  Loops Varies = loopsOf(V);
  if (Varies.empty() || (Outside && !Outside->L->contains(Varies.back()->L)))
    return Result;
  for (const LoopRecord *L = Varies.back(); L != Outside; L = L->Parent)
    Result.insert(Result.begin(), {L, is_contained(Varies, L)});
  return Result;
}

unsigned Varying::lastSegment(AllAround &Nest) const {
  unsigned Begin = Nest.size() - 1;
  auto isKnownBefore = [&](const LoopRecord &Outer) {
    return all_of(drop_begin(Nest, Begin), [&](const Around &A) {
      return !A.Varies || knownBefore(*A.L, Outer);
    });
  };
  if (Nest[Begin].L->LastIteration)
    while (Begin > 0) {
      const Around &Outer = Nest[Begin - 1];
      if ((Outer.Varies && !Outer.L->LastIteration) || !isKnownBefore(*Outer.L))
        break;
      --Begin;
    }
  for (Around &A : MutableArrayRef(Nest).take_front(Begin))
    A.Varies = true;
  return Begin;
}

Varying::Loops Varying::loopsKept(PlanValue V) {
  AllAround Nest = loopsAround(V);
  Loops Result;
  while (!Nest.empty()) {
    if (!Nest.back().Varies) {
      Nest.pop_back();
      continue;
    }
    const unsigned Begin = lastSegment(Nest);
    SmallVector<const LoopRecord *, 3> Segment;
    for (const Around &A : drop_begin(Nest, Begin))
      if (A.Varies)
        Segment.push_back(A.L);
    Result.insert(Result.begin(), Segment.begin(), Segment.end());
    Nest.resize(Begin, Around{nullptr, false});
  }
  return Result;
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alternatives/CallCopies.h"
#include "adze/KnownFunction.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Blocks between a copy and a call that reads it.
static constexpr size_t MaxBlocks = 200;
/// Calls that one array is passed to.
static constexpr size_t MaxCalls = 16;

CallCopies::CallCopies(Primal &P, LoopMemory &M) : P(P), M(M) {
  for (Instruction &I : instructions(*P.F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() || lookupKnown(*Call) ||
        !P.canReturn(Call->getParent()))
      continue;
    for (const Use &Arg : Call->args())
      if (Arg->getType()->isPointerTy() && !isa<Constant>(Arg))
        if (Value *Array = arrayBehind(Arg))
          if (auto &Calls = ByArray[Array]; Calls.size() < MaxCalls)
            Calls.push_back({Call, Call->getArgOperandNo(&Arg)});
  }
}

SmallVector<BasicBlock *, 4> CallCopies::callsOf(Value *Array) const {
  SmallVector<BasicBlock *, 4> Blocks;
  auto It = ByArray.find(Array);
  if (It != ByArray.end())
    for (const Passed &To : It->second)
      Blocks.push_back(To.Call->getParent());
  return Blocks;
}

/// Nothing behind \p From and in front of \p To, in one iteration of the loop
/// around both, writes to what \p Read reads.
bool CallCopies::isQuiet(Instruction &From, Instruction &To, Value *Array,
                         const AffineAccess &Read) {
  const Loop *Around = P.LI->getLoopFor(From.getParent());
  // The callee may read the array as another type than the nest does.
  auto writes = [&](Instruction &I, const Loop *In) {
    return M.Writers.mayWrite(I, MemoryLocation::getBeforeOrAfter(Array),
                              Times::any()) &&
           !M.Ranges.areDisjoint(I, In, *Read.I, Read.Nest);
  };
  if (From.getParent() == To.getParent()) {
    for (Instruction *I = From.getNextNode(); I != &To; I = I->getNextNode())
      if (writes(*I, nullptr))
        return false;
    return true;
  }
  auto Between =
      Reachability::between(From.getParent(), To.getParent(), MaxBlocks);
  if (Between.size() > MaxBlocks)
    return false;
  for (BasicBlock *B : Between) {
    const Loop *In = P.LI->getLoopFor(B);
    while (In != Around && In->getParentLoop() != Around)
      In = In->getParentLoop();
    for (Instruction &I : *B) {
      if (&I == &To)
        break;
      if (writes(I, In == Around ? nullptr : In))
        return false;
    }
  }
  return true;
}

/// What \p Read reads, from the argument on, if it is the same at the call.
std::optional<CallCopy::Part> CallCopies::partFor(const Passed &To,
                                                  Value *Array, BasicBlock *S,
                                                  const CopiedRead &Read) {
  CallBase &Call = *To.Call;
  Instruction &Made = *S->getTerminator();
  const bool IsBefore = Call.getParent() == S;
  if (P.LI->getLoopFor(Call.getParent()) != P.LI->getLoopFor(S) ||
      !(IsBefore || P.DT->dominates(S, Call.getParent())) ||
      !(IsBefore ? isQuiet(Call, Made, Array, Read.Access)
                 : isQuiet(Made, Call, Array, Read.Access)))
    return std::nullopt;
  std::optional<ByteRange> R =
      M.Affine.rangeIfEntered(Read.Access, Call.getArgOperand(To.Argument));
  if (!R)
    return std::nullopt;
  return CallCopy::Part{R->Begin, R->End, Read.If, {}};
}

void CallCopies::serve(SnapshotOffer &Offer, Value *Array, BasicBlock *S,
                       ArrayRef<CopiedRead> Reads) {
  auto It = ByArray.find(Array);
  if (It == ByArray.end())
    return;
  for (const Passed &To : It->second) {
    CallCopy Copy;
    for (const CopiedRead &Read : Reads)
      if (std::optional<CallCopy::Part> Part = partFor(To, Array, S, Read))
        Copy.Parts.push_back(std::move(*Part));
    if (Copy.Parts.empty())
      continue;
    Copy.IsBehind = To.Call->getParent() == S;
    Copy.Copy = Offer.copy();
    Copy.Address =
        Offer.addressOf(To.Call->getArgOperand(To.Argument),
                        Copy.IsBehind ? S->getTerminator() : To.Call);
    const Instruction *&First = Offer.snapshot().FirstCall;
    if (Copy.IsBehind && (!First || To.Call->comesBefore(First)))
      First = To.Call;
    P.CallCopies[{To.Call, To.Argument}] = std::move(Copy);
  }
}

} // namespace adze

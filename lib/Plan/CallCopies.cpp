// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallCopies.h"
#include "Loops/ArgumentRanges.h"
#include "Loops/LoopMemory.h"
#include "adze/GivenDerivatives.h"
#include "adze/Tasks.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace adze {

/// Whether the callee's reverse half takes parameters as the call plan says.
/// Where the caller is run by a team, other threads may overwrite what its
/// callees read.
static bool mayBeGiven(const CallBase &Call, const Request &R, const Facts &F) {
  return R.Kind.isSplit() && !R.RunsAgain && F.R.InTeam == TeamRole::None &&
         !tasks::isTaskCall(Call) &&
         !given::has(*R.Primal, DerivativeMode::Reverse);
}

/// It is made here, or the caller's caller gives it.
static bool isThere(const CallCopy &Copy, const Facts &F) {
  const Argument *Given = F.P->snapshotAt(Copy.Copy)->Given;
  return !Given || is_contained(F.R.Copied, Given->getArgNo());
}

/// \p Copy holds all that the callee reads by way of \p Given.
static bool holds(const CallCopy &Copy, const Snapshot &Given,
                  const CallBase &Call, const Primal &P) {
  return P.KnownMemory && !(Given.InFront && Copy.IsBehind) &&
         P.snapshotAt(Copy.Copy)->Aligned >= Given.Aligned &&
         all_of(Given.Ranges, [&](const ArgumentRange &Read) {
           return isWithin(Read, Call, Copy, P.KnownMemory->SE);
         });
}

SmallVector<unsigned, 2> copiedArguments(const CallBase &Call, const Request &R,
                                         const Facts &F,
                                         CalleeProvider &Callees) {
  SmallVector<unsigned, 2> Copied;
  if (F.P->CallCopies.empty() || !mayBeGiven(Call, R, F))
    return Copied;
  for (unsigned K = 0; K < R.MayBeOverwritten.Arguments.size(); ++K) {
    auto It = F.P->CallCopies.find({&Call, K});
    if (It == F.P->CallCopies.end() || !isThere(It->second, F))
      continue;
    const Primal *Callee = Callees.primalOf(*R.Primal);
    const Snapshot *Given =
        Callee ? Callee->snapshotAt(Callee->givenCopyOf(*Callee->F->getArg(K)))
               : nullptr;
    // Where nobody overwrites the memory, it is as good.
    if (Given && (R.MayBeOverwritten.Arguments[K] || Given->InFront) &&
        holds(It->second, *Given, Call, *F.P))
      Copied.push_back(K);
  }
  return Copied;
}

SmallVector<const Value *, 2> copiesRead(const CallBase &Call, const Request &R,
                                         const Plan *Inner, const Facts &F,
                                         CalleeProvider &Callees) {
  SmallVector<const Value *, 2> Read;
  for (unsigned K : R.Copied) {
    const Primal &Callee = *Callees.primalOf(*R.Primal);
    const Value *Given = Callee.givenCopyOf(*Callee.F->getArg(K));
    Read.push_back(!Inner || Inner->find(Given, Part::Primal)
                       ? F.P->CallCopies.find({&Call, K})->second.Address
                       : nullptr);
  }
  return Read;
}

} // namespace adze

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Marker.h"

#include "Frontend/Resolve.h"
#include "adze/ReachableConstants.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

std::vector<std::vector<CallBase *>>
adze::markerRounds(ArrayRef<CallBase *> Calls) {
  // The functions that a primal may run: those whose address it, or one of
  // them, mentions.
  DenseMap<const Function *, SetVector<const Function *>> Reached;
  for (const CallBase *Call : Calls)
    if (const Function *F = markedFunction(*Call); F && !Reached.count(F))
      for (const Constant *C : reachableConstants(F))
        if (const auto *Callee = dyn_cast<Function>(C))
          Reached[F].insert(Callee);

  std::vector<std::vector<CallBase *>> Rounds;
  std::vector<CallBase *> Left(Calls.begin(), Calls.end());
  while (!Left.empty()) {
    SmallPtrSet<const Function *, 8> Holders;
    for (const CallBase *Call : Left)
      Holders.insert(Call->getFunction());
    std::vector<CallBase *> Now, Later;
    for (CallBase *Call : Left) {
      const Function *F = markedFunction(*Call);
      bool Waits = F && any_of(Reached[F], [&](const Function *R) {
                     return Holders.contains(R);
                   });
      (Waits ? Later : Now).push_back(Call);
    }
    if (Now.empty())
      Now.swap(Later); // they wait for each other
    Rounds.push_back(std::move(Now));
    Left = std::move(Later);
  }
  return Rounds;
}

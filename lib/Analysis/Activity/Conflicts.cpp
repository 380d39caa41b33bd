// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory without shadow conflicts with active data in two ways:
//  * active floats, or pointers to active memory, are stored there and read
//    again from there to an active result: the gradient would lose them;
//  * one pointer may lead there or to memory with a shadow: there would be no
//    right shadow for the pointer.
#include "Analysis/Activity/Conflicts.h"
#include "Analysis/Activity/FunctionActivity.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

class Reporter {
public:
  explicit Reporter(const FunctionActivity &A) : A(A), M(A.M), G(A.M.G) {}

  SmallVector<Witness, 2> witnesses(const Value *Origin) const {
    SmallVector<Witness, 2> Facts;
    addMemoryWitnesses(Origin, Facts);
    if (Facts.empty())
      addMergeWitness(Origin, Facts);
    if (Facts.empty())
      addCallWitness(Origin, Facts);
    return Facts;
  }

private:
  /// \p N may point to memory of \p Origin that needs a shadow.
  bool leadsThere(NodeId N, const Value *Origin) const {
    return N != None && any_of(G.targets(N), [&](Target T) {
             return G.Objects[T.first].Wanted &&
                    G.Objects[T.first].Origin == Origin;
           });
  }

  bool activeContent(NodeId N) const {
    return G.isVaried(N) || G.reachesShadow(N);
  }

  void addMemoryWitnesses(const Value *Origin,
                          SmallVectorImpl<Witness> &Facts) const {
    const MemoryUse *Stored = nullptr, *Read = nullptr;
    auto Look = [&](const MemoryUse &U) {
      bool To = U.K != MemoryUse::Load && leadsThere(U.Ptr, Origin);
      if (!Stored && To &&
          (any_of(U.Values, [&](NodeId N) { return activeContent(N); }) ||
           U.K == MemoryUse::Copy))
        Stored = &U;
      bool FromThere = (U.K == MemoryUse::Load && leadsThere(U.Ptr, Origin)) ||
                       leadsThere(U.Source, Origin);
      if (!Read && FromThere &&
          (U.K == MemoryUse::Copy || any_of(U.Values, [&](NodeId N) {
             return G.isActive(N) || (G.isDemanded(N) && G.reachesShadow(N));
           })))
        Read = &U;
    };
    for_each(M.Uses, Look);
    for (const CallSite &Site : M.Calls)
      for_each(Site.Moves, Look);
    if (!Read)
      return;
    if (Stored)
      Facts.push_back({"active data is stored there", Stored->I});
    else
      addMergeWitness(Origin, Facts);
    if (Facts.empty())
      addCallWitness(Origin, Facts);
    Facts.push_back({"and read from there to an active result", Read->I});
  }

  void addMergeWitness(const Value *Origin,
                       SmallVectorImpl<Witness> &Facts) const {
    for (const Instruction &I : instructions(*M.P.F))
      if (A.hasShadow(&I))
        for (unsigned L = 0; L < M.numLeaves(&I); ++L)
          if (leadsThere(M.find(&I, L), Origin)) {
            Facts.push_back({"this pointer may lead there or to memory that "
                             "has a shadow",
                             &I});
            return;
          }
  }

  void addCallWitness(const Value *Origin,
                      SmallVectorImpl<Witness> &Facts) const {
    for (const CallSite &Site : M.Calls)
      for (unsigned I = 0; I < Site.Args.size(); ++I)
        if (leadsThere(Site.Args[I], Origin) ||
            leadsThere(Site.Behind[I], Origin)) {
          Facts.push_back(
              {"the function called here gets a pointer to it", Site.Call});
          return;
        }
  }

  const FunctionActivity &A;
  const Model &M;
  const DataFlow &G;
};

std::string calleeName(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F ? "'" + sourceName(*F) + "'" : "called here";
}

std::string nameOf(const Object &O) {
  if (!O.Origin)
    return "memory of unknown origin";
  if (isa<Argument>(O.Origin))
    return "argument " + describe(O.Origin);
  if (auto *Call = dyn_cast<CallBase>(O.Origin))
    return "memory that the inactive function " + calleeName(*Call) +
           " returned";
  if (cast<GlobalVariable>(O.Origin)->isDeclaration())
    return "global variable " + describe(O.Origin) + " of another file";
  return "global variable " + describe(O.Origin);
}

} // namespace

void reportConflicts(const FunctionActivity &A, bool Unknown, bool AtRunTime,
                     Diagnostics &Diags, const Origin &From) {
  Reporter R(A);
  const DataFlow &G = A.M.G;
  SmallPtrSet<const Value *, 4> Reported;
  for (const Object &O : G.Objects) {
    bool Lost =
        &O == &G.Objects[G.LostObject] || &O == &G.Objects[G.LostObject + 1];
    if (!O.Wanted || (AtRunTime && !Lost) || !Reported.insert(O.Origin).second)
      continue;
    if (O.Kind == ObjectKind::Foreign && Unknown)
      continue;
    SmallVector<Witness, 2> Facts = R.witnesses(O.Origin);
    Diags.report(Diag::ActivityConflict, From,
                 Facts.empty() ? nullptr : Facts.front().At, {nameOf(O)},
                 Facts);
  }
}

} // namespace adze

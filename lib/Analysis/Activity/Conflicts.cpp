// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory without shadow conflicts with active data in two ways:
//  * active floats, or pointers to active memory, are stored there and read
//    again from there to an active result: the gradient would lose them;
//  * one pointer may lead there or to memory with a shadow: there would be no
//    right shadow for the pointer.
#include "Analysis/Activity/Conflicts.h"
#include "Analysis/Activity/ActivityTable.h"
#include "Analysis/Activity/FunctionActivity.h"

#include "adze/Mpi.h"
#include "adze/ParallelRuntime.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// The way out where no active data passes, though it might.
constexpr const char *AsConstant =
    "; if none passes through it when the program runs, say "
    "enzyme_runtime_activity before the arguments, or -mllvm "
    "-adze-runtime-activity: what is read from there then counts as constant";

/// More calls than this are not followed into each other.
constexpr unsigned MaxDescent = 16;

/// \p N may point to memory that \p Origin names.
bool pointsTo(const DataFlow &G, NodeId N, const Value *Origin) {
  return N != None && any_of(G.targets(N), [&](Target T) {
           return G.Objects[G.representative(T.first)].Origin == Origin;
         });
}

/// What callee \p M calls the memory of \p Origin that \p Site hands to it.
const Value *nameInCallee(const DataFlow &Caller, const CallSite &Site,
                          const Model &M, const Value *Origin) {
  for (unsigned I = 0; I < Site.Args.size(); ++I)
    if (pointsTo(Caller, Site.Args[I], Origin) ||
        pointsTo(Caller, Site.Behind[I], Origin))
      return M.P.F->getArg(I);
  return isa<GlobalVariable>(Origin) ? Origin : nullptr;
}

/// The first instruction, in order, that stores (reads) what matters.
const Instruction *findMove(const Model &M, const Value *Origin, bool Store) {
  const DataFlow &G = M.G;
  auto Moves = [&](const MemoryUse &U) {
    bool There = Store
                     ? U.K != MemoryUse::Load && pointsTo(G, U.Ptr, Origin)
                     : (U.K == MemoryUse::Load && pointsTo(G, U.Ptr, Origin)) ||
                           pointsTo(G, U.Source, Origin);
    return There && (U.K == MemoryUse::Copy || any_of(U.Values, [&](NodeId N) {
                       return Store ? G.isVaried(N) || G.reachesShadow(N)
                                    : G.isUseful(N) || G.isDemanded(N);
                     }));
  };
  for (const MemoryUse &U : M.Uses)
    if (Moves(U))
      return U.I;
  for (const CallSite &Site : M.Calls)
    for (const MemoryUse &U : Site.Moves)
      if (Moves(U))
        return U.I;
  return nullptr;
}

class Reporter {
public:
  Reporter(const FunctionActivity &A, const ActivityTable &Table)
      : A(A), Table(Table), M(A.M), G(A.M.G) {}

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
             return G.Objects[T.first].isMissingShadow() &&
                    G.Objects[T.first].Origin == Origin;
           });
  }

  bool activeContent(NodeId N) const {
    return G.isVaried(N) || G.reachesShadow(N);
  }

  /// If \p I calls a function that stores (reads), the place in that function.
  const Instruction *inCallee(const Instruction *I, const Value *Origin,
                              bool Store) const {
    const Model *In = &M;
    for (unsigned Depth = 0; Depth < MaxDescent && Origin; ++Depth) {
      auto Site =
          find_if(In->Calls, [&](const CallSite &S) { return S.Call == I; });
      if (Site == In->Calls.end())
        break;
      const FunctionActivity *Callee = Table.solved(*Site);
      if (!Callee)
        break;
      Origin = nameInCallee(In->G, *Site, Callee->M, Origin);
      In = &Callee->M;
      const Instruction *Inner =
          Origin ? findMove(*In, Origin, Store) : nullptr;
      if (!Inner)
        break;
      I = Inner;
    }
    return I;
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
      Facts.push_back({"active data is stored there",
                       inCallee(Stored->I, Origin, /*Store=*/true)});
    else
      addMergeWitness(Origin, Facts);
    if (Facts.empty())
      addCallWitness(Origin, Facts);
    Facts.push_back({"and read from there to an active result",
                     inCallee(Read->I, Origin, /*Store=*/false)});
  }

  void addMergeWitness(const Value *Origin,
                       SmallVectorImpl<Witness> &Facts) const {
    for (const Instruction &I : instructions(*M.P.F))
      if (A.hasShadow(&I))
        for (unsigned L = 0; L < M.numFields(&I); ++L)
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
  const ActivityTable &Table;
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
  if (auto *A = dyn_cast<Argument>(O.Origin)) {
    // The places shown may be in other functions.
    std::string Name = describe(A);
    if (!StringRef(Name).starts_with("argument ")) // as those without a name
      Name = "argument " + Name;
    if (StringRef(Name).contains(" of '"))
      return Name;
    return Name + " of '" + sourceName(*A->getParent()) + "'";
  }
  if (auto *Call = dyn_cast<CallBase>(O.Origin))
    return "memory that the inactive function " + calleeName(*Call) +
           " returned";
  if (cast<GlobalVariable>(O.Origin)->isDeclaration())
    return "global variable " + describe(O.Origin) + " of another file";
  return "global variable " + describe(O.Origin);
}

/// What is stored in \p O is constant by the program's word. That word is not
/// about memory of others that has a shadow, to which a pointer is kept there.
bool dropsAll(const DataFlow &G, const Object &O) {
  return O.has(MemoryDrops) && none_of(O.Stores, [&](const MemoryCell &C) {
           return any_of(G.targets(C.Node), [&](Target T) {
             const Object &To = G.Objects[G.representative(T.first)];
             return To.isExternal() && To.hasShadow();
           });
         });
}

/// \p A and what it calls, as solve() has left it.
SmallSetVector<const FunctionActivity *, 16>
calledFrom(const FunctionActivity &A, const ActivityTable &Table,
           function_ref<bool(const CallSite &)> Follow) {
  SmallSetVector<const FunctionActivity *, 16> Reached;
  Reached.insert(&A);
  for (unsigned I = 0; I < Reached.size(); ++I)
    for (const CallSite &Site : Reached[I]->M.Calls)
      if (const FunctionActivity *Callee =
              Follow(Site) ? Table.solved(Site) : nullptr)
        Reached.insert(Callee);
  return Reached;
}

/// \p A is a derivative of a derivative that exchanges data. What Adze's own
/// code for that does means nothing to anyone.
bool reportNested(const FunctionActivity &A, const ActivityTable &Table,
                  Diagnostics &Diags, const Origin &From) {
  auto Reached = calledFrom(A, Table, [](const CallSite &) { return true; });
  if (none_of(Reached, [](const FunctionActivity *F) {
        return mpi::isRuntime(*F->M.P.Source);
      }))
    return false;
  MissingFunction Missing = nestedExchangeRefusal();
  Diags.report(Missing.ID, From, nullptr, Missing.Args);
  return true;
}

/// The functions without a body that active data goes into, or comes out of,
/// in \p A and in what it calls. They may reach all memory, so most conflicts
/// come of them. False if none can be named.
bool reportUnknown(const FunctionActivity &A, const ActivityTable &Table,
                   Diagnostics &Diags, const Origin &From) {
  bool Found = false;
  auto Reached = calledFrom(
      A, Table, [](const CallSite &Site) { return Site.ActiveInUnknown; });
  for (const FunctionActivity *F : Reached) {
    const Model &M = F->M;
    for (const auto &[Call, Data] : M.Unknown) {
      auto *Callee =
          dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts());
      if (!Callee || !Callee->isDeclaration() || !M.G.isActive(Data))
        continue;
      MissingFunction Missing = missingFunction(*Callee);
      Diags.report(Missing.ID, From, Call, Missing.Args);
      Found = true;
    }
  }
  return Found;
}

} // namespace

void reportConflicts(const FunctionActivity &A, const ActivityTable &Table,
                     bool AtRunTime, Diagnostics &Diags, const Origin &From) {
  Reporter R(A, Table);
  // Active data that reaches functions that cannot be looked into is reported
  // elsewhere, and explains memory of unknown origin.
  bool Unknown = A.activeInUnknownCallee();
  const DataFlow &G = A.M.G;
  SmallPtrSet<const Value *, 4> Reported;
  auto Concerns = [&](const Object &O) {
    bool Explained = O.Kind == ObjectKind::Foreign && Unknown;
    return O.isMissingShadow() && !Explained && !dropsAll(G, O);
  };
  const bool Any = any_of(G.Objects, Concerns);
  if (Any && reportNested(A, Table, Diags, From))
    return;
  if (Unknown && !AtRunTime && Any && reportUnknown(A, Table, Diags, From))
    return;
  for (const Object &O : G.Objects) {
    bool Lost =
        &O == &G.Objects[G.LostObject] || &O == &G.Objects[G.LostObject + 1];
    if (!Concerns(O) || (AtRunTime && !Lost) ||
        !Reported.insert(O.Origin).second)
      continue;
    SmallVector<Witness, 2> Facts = R.witnesses(O.Origin);
    const Instruction *At = Facts.empty() ? nullptr : Facts.front().At;
    if (G.isLimited() || Table.isLimited())
      Facts.push_back({"of very many objects or places not all were told "
                       "apart, so these may not be the same",
                       nullptr});
    Diags.report(Diag::ActivityConflict, From, At,
                 {nameOf(O), Lost ? "" : AsConstant}, Facts);
  }
}

} // namespace adze

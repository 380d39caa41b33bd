// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that activity analyses of one run look into, each in the
// contexts in which it is called.
//
// Calls: a callee is analyzed in the context that its call has (which
// arguments are active), and its summary is added to the caller's constraints;
// that may activate more arguments, hence a new context, and so on. Contexts
// and summaries only grow, so running whoever used a summary that has grown,
// from one worklist, gives the least solution, for recursive functions too, and
// without recursion here.
//
// Types: what a callee cannot tell of the blocks that it copies (a vector's
// elements, which it knows by their size alone), its caller often can. So
// types, too, are those of the call, as they will be for its derivative.
//
// A solved entry depends on nothing but its function, its context, its types,
// and what that calls. So it is solved once, however many requests come to it:
// for its own derivatives' callers as for all of theirs.
#ifndef ADZE_ANALYSIS_ACTIVITY_ACTIVITYTABLE_H
#define ADZE_ANALYSIS_ACTIVITY_ACTIVITYTABLE_H

#include "Analysis/Activity/GlobalRegion.h"
#include "Analysis/Activity/Summary.h"
#include "adze/Analyses.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <optional>
#include <set>

namespace adze {

class FunctionActivity;
struct CallSite;

class ActivityTable {
public:
  /// \p FollowsText: see TextFlow.cpp.
  explicit ActivityTable(bool FollowsText = false);
  ~ActivityTable();

  /// Begins the analysis of \p Root. \p Lookup is used until the next call.
  void enter(const Primal &Root, PrimalLookup Lookup);
  /// Some function that was solved has more objects or places than are told
  /// apart.
  bool isLimited() const;
  /// Brings \p Root and all it calls to the least solution.
  void solve(FunctionActivity &Root);

  // For FunctionActivity, while it is built and run:

  /// The summary as it stands; it is brought up to date by solve().
  const CalleeSummary &summary(const CallSite &Site,
                               const CallContext &Context);
  const Primal *calleeOf(llvm::Function &F) { return Callees(F); }
  /// The callee of \p Site as solve() has left it, for messages; or null.
  const FunctionActivity *solved(const CallSite &Site) const;
  GlobalRegion &globals() { return *Regions[Region]; }
  /// All functions that were solved, but for the roots.
  std::vector<const FunctionActivity *> functions() const;

private:
  struct Entry;
  /// Number of the region of globals, number of the types of the primal.
  using Key = std::tuple<unsigned, unsigned, CallContext>;

  /// The number of what is known of types in \p P when its caller knows \p
  /// Known.
  unsigned typesFor(const Primal &P, const CallerTypes &Known);
  unsigned entryFor(const CallSite &Site, const CallContext &Context);
  void settle(FunctionActivity &Root);
  void update(unsigned Index);

  const bool FollowsText;
  PrimalLookup Callees;
  std::vector<std::unique_ptr<GlobalRegion>> Regions;
  unsigned Region = 0;
  std::map<const Primal *, std::map<CallerTypes, unsigned>>
      TypesOf; // looked up only
  std::vector<std::unique_ptr<TypeInfo>> Types;
  std::map<Key, unsigned> EntryOf; // looked up only
  std::vector<std::unique_ptr<Entry>> Entries;
  /// Entries to be run, the root aside.
  std::set<unsigned> Work;
  bool RootWaits = false;
  /// Who runs and so depends on the summaries that it is given.
  unsigned Running = 0;
};

} // namespace adze
#endif

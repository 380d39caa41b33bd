// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/ActivityTable.h"
#include "Analysis/Activity/FunctionActivity.h"

using namespace llvm;

namespace adze {

/// More functions in context than this, and new contexts are widened: then one
/// per function is enough.
static constexpr size_t MaxEntries = 20000;
/// A function is looked at with the types of so many callers; for others with
/// those alone that it shows itself.
static constexpr size_t MaxTypesOfOne = 8;
/// The root of an analysis is no entry. (The two largest numbers cannot be
/// members of a set.)
static constexpr unsigned TheRoot = ~0u - 2;

struct ActivityTable::Entry {
  std::unique_ptr<FunctionActivity> Function;
  CalleeSummary Summary;
  SetVector<unsigned> Users;
};

ActivityTable::ActivityTable(bool FollowsText) : FollowsText(FollowsText) {}
ActivityTable::~ActivityTable() = default;

bool ActivityTable::isLimited() const {
  return any_of(Entries, [](const std::unique_ptr<Entry> &E) {
    return E->Function && E->Function->M.G.isLimited();
  });
}

std::vector<const FunctionActivity *> ActivityTable::functions() const {
  std::vector<const FunctionActivity *> All;
  for (const std::unique_ptr<Entry> &E : Entries)
    All.push_back(E->Function.get());
  return All;
}

/// What may be active of the globals depends on what the differentiated code
/// can reach. The requests of one run come from each other, so that the first
/// one's region mostly holds the others.
void ActivityTable::enter(const Primal &Root, PrimalLookup Lookup) {
  Callees = Lookup;
  const Function &F = Root.Source ? *Root.Source : *Root.F;
  for (Region = 0; Region < Regions.size(); ++Region)
    if (Regions[Region]->contains(F))
      return;
  Regions.push_back(std::make_unique<GlobalRegion>(F, FollowsText));
}

/// Limits are reached once and for all, so that a call keeps what it has got.
unsigned ActivityTable::typesFor(const Primal &P, const CallerTypes &Known) {
  std::map<CallerTypes, unsigned> &OfPrimal = TypesOf[&P];
  const bool Told = !Known.empty() &&
                    (OfPrimal.count(Known) || OfPrimal.size() < MaxTypesOfOne);
  const CallerTypes None, &Key = Told ? Known : None;
  auto [Slot, New] = OfPrimal.try_emplace(Key, Types.size());
  if (New)
    Types.push_back(analyzeTypes(P, Key, Callees));
  return Slot->second;
}

unsigned ActivityTable::entryFor(const CallSite &Site,
                                 const CallContext &Context) {
  const Primal &P = *Site.Callee;
  const unsigned TypesOfP = typesFor(P, Site.Types);
  Key K{Region, TypesOfP, Context};
  if (Entries.size() >= MaxEntries && !EntryOf.count(K)) {
    CallContext &Widened = std::get<CallContext>(K);
    Widened.Args.assign(Context.Args.size(), ValueVaried | MemoryShadow |
                                                 MemoryVaried | MemoryUseful);
    Widened.ReturnActive = Widened.ReturnShadow = true;
  }
  auto [It, New] = EntryOf.try_emplace(K, Entries.size());
  if (!New)
    return It->second;
  auto E = std::make_unique<Entry>();
  E->Function = std::make_unique<FunctionActivity>(
      P, Types[TypesOfP].get(), std::get<CallContext>(K), *this);
  E->Summary = E->Function->summary();
  Entries.push_back(std::move(E));
  Work.insert(It->second);
  return It->second;
}

const CalleeSummary &ActivityTable::summary(const CallSite &Site,
                                            const CallContext &Context) {
  Entry &E = *Entries[entryFor(Site, Context)];
  E.Users.insert(Running);
  return E.Summary;
}

const FunctionActivity *ActivityTable::solved(const CallSite &Site) const {
  auto OfPrimal = TypesOf.find(Site.Callee);
  if (OfPrimal == TypesOf.end())
    return nullptr;
  auto Slot = OfPrimal->second.find(Site.Types);
  if (Slot == OfPrimal->second.end())
    Slot = OfPrimal->second.find(CallerTypes());
  if (Slot == OfPrimal->second.end())
    return nullptr;
  auto It = EntryOf.find({Region, Slot->second, Site.Context});
  return It == EntryOf.end() ? nullptr : Entries[It->second]->Function.get();
}

void ActivityTable::update(unsigned Index) {
  Entry &E = *Entries[Index];
  Running = Index;
  E.Function->run(*this);
  CalleeSummary S = E.Function->summary();
  if (S == E.Summary)
    return;
  E.Summary = std::move(S);
  for (unsigned User : E.Users)
    if (User == TheRoot)
      RootWaits = true;
    else
      Work.insert(User);
}

void ActivityTable::settle(FunctionActivity &Root) {
  while (RootWaits || !Work.empty()) {
    if (Work.empty()) {
      RootWaits = false;
      Running = TheRoot;
      Root.run(*this);
      continue;
    }
    // The youngest first: callees are asked for after their callers, and
    // summaries travel upwards.
    unsigned Index = *Work.rbegin();
    Work.erase(Index);
    update(Index);
  }
}

void ActivityTable::solve(FunctionActivity &Root) {
  // Those that were solved before call no one who was not.
  size_t FirstNew = Entries.size();
  RootWaits = true;
  while (RootWaits || !Work.empty()) {
    settle(Root);
    RootWaits = Root.findLostPointers();
    for (size_t I = FirstNew; I < Entries.size(); ++I)
      if (Entries[I]->Function->findLostPointers())
        Work.insert(I);
  }
}

} // namespace adze

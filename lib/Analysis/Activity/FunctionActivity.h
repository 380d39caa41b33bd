// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity of one function in one context, and the table of all that one
// analysis looks at.
//
// Calls: a callee is analyzed in the context that its call has (which
// arguments are active), and its summary is added to the caller's constraints;
// that may activate more arguments, hence a new context, and so on. Contexts
// and summaries only grow, so going over all functions of the table until
// nothing changes gives the least solution, for recursive functions too, and
// without recursion here.
#ifndef ADZE_ANALYSIS_ACTIVITY_FUNCTIONACTIVITY_H
#define ADZE_ANALYSIS_ACTIVITY_FUNCTIONACTIVITY_H

#include "Analysis/Activity/Model.h"
#include "adze/Analyses.h"
#include <map>

namespace adze {

class ActivityTable;

class FunctionActivity {
public:
  FunctionActivity(const Primal &P, const TypeInfo *Types,
                   const CallContext &Context, ActivityTable &Table);

  /// Solves with the summaries that the table has now.
  void run(ActivityTable &Table);
  CalleeSummary summary() const;
  /// To be asked in a solution: pointers that memory is accessed through, but
  /// that point nowhere. Their bits came on ways that are not followed, so
  /// they may point anywhere. True if there are new ones.
  bool findLostPointers();

  bool isActive(const llvm::Value *V) const;
  bool hasShadow(const llvm::Value *V) const;
  bool takesPart(const llvm::Instruction &I) const;
  /// Active data goes into, or comes out of, a function without a body.
  bool activeInUnknownCallee() const;

  Model M;
  CallContext Context;

private:
  void seedArguments();
  bool updateShadows();
  bool updateDemands();
  bool updateExposure();
  bool wantShadow(ObjectId O);
  bool wantAll(NodeId N);
  bool updateCall(CallSite &Site, ActivityTable &Table);
  bool applySummary(CallSite &Site, const CalleeSummary &S);
  bool applyStore(CallSite &Site, const StoreEffect &E);
  bool applyWritten(CallSite &Site, const SharedMemory &Memory);
  bool applyReturns(CallSite &Site, const CalleeSummary &S);
  bool applyArguments(CallSite &Site, const CalleeSummary &S);
  NodeId behind(CallSite &Site, unsigned Arg);
  NodeId nodeOf(CallSite &Site, const SharedMemory &Memory);
  CallContext contextOf(const CallSite &Site) const;
  uint8_t memoryBits(NodeId Pointer) const;
  bool leafActive(NodeId N) const { return M.G.isActive(N); }
  bool leafShadow(NodeId N) const {
    return M.G.isDemanded(N) && M.G.reachesShadow(N);
  }
  llvm::BitVector writtenObjects() const;
  std::optional<SharedMemory> shared(ObjectId O) const;
  std::vector<SharedPointer> sharedTargets(NodeId N) const;

  llvm::DenseMap<const llvm::GlobalVariable *, NodeId> GlobalNodes,
      BehindGlobals;
  llvm::DenseMap<const llvm::CallBase *, unsigned> SiteOf;
};

/// The functions looked at, by context, with what is known of each so far.
class ActivityTable {
public:
  ActivityTable(const Primal &Root, PrimalLookup Callees)
      : Callees(Callees), Globals(Root.Source ? *Root.Source : *Root.F) {}

  /// The summary as it stands; the function is analyzed by solve().
  const CalleeSummary &summary(const Primal &P, const CallContext &Context);
  /// Brings \p Root and all it calls to the least solution.
  void solve(FunctionActivity &Root);
  const Primal *calleeOf(llvm::Function &F) { return Callees(F); }
  /// Some function looked at hands active data to an unknown one: an error
  /// that the derivative of that function will report.
  bool activeInUnknownCallee() const;

private:
  struct Entry {
    std::unique_ptr<FunctionActivity> Function;
    CalleeSummary Summary;
  };
  using Key = std::pair<unsigned, CallContext>; // number of the primal

  PrimalLookup Callees;
  llvm::MapVector<const Primal *, std::unique_ptr<TypeInfo>> Primals;
  std::map<Key, std::unique_ptr<Entry>> Entries;
  std::vector<Entry *> Order; // as they were made

public:
  GlobalRegion Globals;
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity of one function in one context; what it calls stands in a table
// (ActivityTable.h).
#ifndef ADZE_ANALYSIS_ACTIVITY_FUNCTIONACTIVITY_H
#define ADZE_ANALYSIS_ACTIVITY_FUNCTIONACTIVITY_H

#include "Analysis/Activity/Model.h"
#include "adze/Analyses.h"

namespace adze {

class ActivityTable;

/// What a request says about its function, for the solver.
CallContext contextOf(const Primal &P, const Request &R);

class FunctionActivity {
public:
  FunctionActivity(const Primal &P, const TypeInfo *Types,
                   const CallContext &Context, ActivityTable &Table,
                   bool Outermost = false);

  /// Solves with the summaries that the table has now.
  void run(ActivityTable &Table);
  CalleeSummary summary() const;
  /// To be asked in a solution: pointers that memory is accessed through, but
  /// that point nowhere. Their bits came on ways that are not followed, so
  /// they may point anywhere. True if there are new ones.
  bool findLostPointers();

  bool isActive(const llvm::Value *V) const;
  bool isMovedWord(const llvm::Value *V) const;
  bool mayBeActiveFloat(const llvm::Value *V) const;
  bool hasShadow(const llvm::Value *V) const;
  bool mayBeSelfShadowed(const llvm::Value *V) const;
  bool mayHoldPlain(const llvm::Value *V) const;
  bool dropsActive(const llvm::Value *V) const;
  /// Pointer \p V is null, or was read by way of a null pointer: it leads
  /// nowhere, whatever its type.
  bool leadsNowhere(const llvm::Value *V) const;
  bool mayHoldVaried(const llvm::Value *V, uint64_t Begin, uint64_t End) const;
  bool mayHoldUseful(const llvm::Value *V, uint64_t Begin, uint64_t End) const;
  bool mayHoldVariedBits(const llvm::Value *V, uint64_t Begin,
                         uint64_t End) const;
  uint16_t memoryBits(const llvm::Value *V) const;
  bool mayHoldShadows(const llvm::Value *V, uint64_t Begin, uint64_t End) const;
  /// Says which memory from outside pointers may be plain that lead there.
  void setPlain(const Request &R);
  bool takesPart(const llvm::Instruction &I) const;
  bool mayCutFloat(const llvm::StoreInst &S) const;
  /// Active data goes into, or comes out of, a function without a body, here
  /// or in a callee: an error that the derivative of that one will report.
  bool activeInUnknownCallee() const;

  Model M;
  CallContext Context;

private:
  /// A pointer that is read from an argument's memory, which holds none by the
  /// caller's word, is null; it has a shadow as others have. True if there are
  /// new ones.
  bool readEmptyMembers();
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
  bool applySeen(CallSite &Site, const SharedMemory &Memory);
  NodeId comesBack(CallSite &Site, const SharedPointer &From);
  void storeOnce(CallSite &Site, const StoreEffect &E, NodeId Value);
  bool applyReturns(CallSite &Site, const CalleeSummary &S);
  bool applyArguments(CallSite &Site, const CalleeSummary &S);
  NodeId behind(CallSite &Site, unsigned Arg, int64_t Field);
  NodeId pointerTo(ObjectId Object, int64_t Offset);
  NodeId nodeOf(CallSite &Site, const SharedMemory &Memory);
  CallContext contextOf(const CallSite &Site) const;
  uint16_t memoryBits(NodeId Pointer) const;
  bool isAddress(const llvm::Value &V) const;
  bool leafActive(NodeId N) const { return M.G.isActive(N); }
  bool leafShadow(NodeId N) const {
    return M.G.isDemanded(N) && M.G.reachesShadow(N);
  }
  llvm::BitVector writtenObjects(bool Seen) const;
  std::vector<SharedMemory> demandedBehind(const Object &O) const;
  bool isPlainObject(ObjectId O) const;
  bool pointsToPlain(NodeId N) const;
  bool pointsToDropping(NodeId N) const;
  std::optional<SharedMemory> shared(ObjectId O) const;
  std::vector<SharedPointer> sharedTargets(NodeId N) const;

  // What summaries speak of, for all calls: those that hand on the same pointer
  // mostly do the same to it.
  llvm::DenseMap<const llvm::GlobalVariable *, NodeId> BehindGlobals;
  std::map<std::pair<ObjectId, int64_t>, NodeId> ObjectNodes;
  std::map<std::pair<NodeId, int64_t>, NodeId> BehindPointers; // pointer, field
  std::map<std::tuple<NodeId, int64_t, bool>, NodeId> ComeBack;
  std::set<std::tuple<NodeId, NodeId, int64_t, int64_t, StoredAs>> Stored;
  llvm::DenseMap<const llvm::CallBase *, unsigned> SiteOf;
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivatives of a module, one for each distinct request. A request is
// analysed, then what its calls ask for is made in the same way, then it is
// planned: so who asked knows its signature, tape type and needs; code is
// emitted when all are planned. A request made again while it is open
// (recursion) gets its signature only.
#ifndef ADZE_DRIVER_DERIVATIVESTORE_H
#define ADZE_DRIVER_DERIVATIVESTORE_H

#include "Times.h"
#include "adze/Analyses.h"
#include "adze/Driver.h"
#include "adze/Plan.h"
#include "adze/Prepare.h"
#include "adze/Recording.h"
#include "llvm/ADT/StringMap.h"

namespace adze {

class DerivativeStore : public CalleeProvider {
public:
  /// \p Last: how far to go with each request.
  DerivativeStore(llvm::Module &M, llvm::ModuleAnalysisManager &AM,
                  Diagnostics &Diags, Stage Last, Times &T)
      : M(M), AM(AM), Diags(Diags), Last(Last), T(T), Primals(Diags) {}

  /// To be called first: \p Roots, and what they call, will be requested.
  void differentiates(llvm::ArrayRef<llvm::Function *> Roots, TaskOrder Tasks) {
    Primals.differentiates(Roots, Tasks);
  }
  /// Null after a report.
  const Derivative *request(const Request &R,
                            std::shared_ptr<const Origin> From);
  /// Forward mode: \p D, and what it calls, will be made in two steps, too
  /// (Recording.h). Reports what cannot be.
  void replay(const Derivative &D);
  bool canReplay(const Derivative &D);
  /// An argument that the request calls constant, and that holds active data
  /// which is read again, but no pointers.
  struct MissingShadow {
    unsigned Arg;
    /// Another one reads it, which may lead to the same memory.
    std::optional<unsigned> By;
  };
  /// Those of \p R. \p AreOne says of two arguments that they lead into one
  /// object.
  llvm::SmallVector<MissingShadow, 2>
  missingShadows(const Request &R, const Origin &From,
                 llvm::function_ref<bool(unsigned, unsigned)> AreOne);
  /// The canonical primal of \p F; null for declarations and after a report,
  /// and if the program gives derivatives of it.
  const Primal *prepared(llvm::Function &F, const Origin &From);
  /// Optimization remarks about all plans, if anybody asked for them.
  void tellPlans() const;
  /// Emits every derivative planned.
  void emitAll();
  /// The functions emitted, in order.
  std::vector<llvm::Function *> functions() const;
  /// What was found out about the function of \p D; null for what is not one of
  /// ours.
  const Facts *factsOf(const Derivative &D) const;
  /// Cleans the emitted functions up, callees first. \p IsLast: no marker is
  /// left that may differentiate them. "", or what is wrong with one then.
  llvm::Error simplify(llvm::ModuleAnalysisManager &AM, bool IsLast);
  /// Removes all functions, after an error.
  void eraseFunctions();
  /// Removes the canonical clones.
  void dropPrimals() { Primals.eraseClones(); }

  /// Prints what the stage \p Last made of every request.
  void print(llvm::raw_ostream &OS) const;

  const Derivative *derivative(const Request &R,
                               const llvm::CallBase &At) override;
  const Plan *planOf(const Derivative &D) override;
  const Primal *primalOf(llvm::Function &F) override;

private:
  struct Entry {
    Derivative D;
    Facts F;
    std::unique_ptr<Plan> P;
    std::shared_ptr<const Origin> From;
    bool Failed = false;
    bool IsGiven = false; // by the program
  };

  /// A request being analysed, or planned once all of Nested are.
  struct Waiting {
    Entry *E;
    std::vector<NestedRequest> Nested;
    size_t Next;
  };

  const Primal *canonical(llvm::Function &F, const Origin &From);
  void begin(const Request &R, std::shared_ptr<const Origin> From);
  void finish(size_t Remaining);
  bool analyse(Entry &E);
  /// The program gives the derivative.
  bool take(Entry &E);
  /// It moves words of shadows.
  bool takeWordMove(Entry &E);
  bool plan(Entry &E);
  void emit(const Entry &E);
  Entry *entryOf(const Derivative &D);
  /// \p D and what it calls. False where they are not all planned.
  bool entriesBelow(const Derivative &D, llvm::SmallVectorImpl<Entry *> &All);
  std::optional<NotReplayed> whyNotReplayed(const Entry &E) const;
  void locate(const Entry &E);
  /// Where its code calls what throws, and how it is left itself.
  void finishExceptions(const Entry &E);
  bool reaches(Stage S) const { return Last >= S; }

  llvm::Module &M;
  llvm::ModuleAnalysisManager &AM;
  Diagnostics &Diags;
  Stage Last;
  Times &T;
  PrimalStore Primals;
  SummaryStore Summaries;
  llvm::StringMap<unsigned> ByKey;
  std::vector<std::unique_ptr<Entry>> Entries;
  /// Each was asked for by the one before it.
  std::vector<Waiting> Open;
  /// Requests are made beforehand; finish() will come to them.
  bool Collecting = false;
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prepare: from the user's function to its canonical clone (see Primal.h).
#ifndef ADZE_PREPARE_H
#define ADZE_PREPARE_H

#include "adze/Diagnostics.h"
#include "adze/Primal.h"
#include "llvm/Support/Error.h"

namespace adze {

class ExceptionScopes; // lib/Prepare

/// When derivatives run tasks of OpenMP.
enum class TaskOrder : uint8_t {
  AtOnce, // where they are created
  Beside  // beside what creates them, where that is known to be right (Tasks.h)
};

/// Clones \p F and brings the clone to canonical form, whatever the
/// optimization level \p F was compiled at. Null after a report if the
/// function holds what cannot be brought to that form: asm goto, a coroutine
/// that is not split yet. Other inline assembly is left to the rules. \p F is
/// not changed; the clone is owned by F's module. Exceptions become values
/// where \p Scopes says so (docs/Exceptions.md); nowhere without them.
std::unique_ptr<Primal> preparePrimal(llvm::Function &F, Diagnostics &Diags,
                                      const Origin &From,
                                      const ExceptionScopes *Scopes = nullptr,
                                      TaskOrder Order = TaskOrder::AtOnce);

/// The first way in which \p P is not in canonical form.
llvm::Error verifyCanonical(const Primal &P);

/// The canonical clones of a module, made on demand, one per user function.
/// Owns them; erase() removes the clones from the module at the end.
class PrimalStore {
public:
  explicit PrimalStore(Diagnostics &Diags);
  ~PrimalStore();
  /// To be called before get(), if functions are to be differentiated: \p
  /// Roots, and what they call.
  void differentiates(llvm::ArrayRef<llvm::Function *> Roots, TaskOrder Tasks);
  /// Derivatives of \p F may return with an exception in flight (Exceptions.h).
  bool mayLeaveException(const llvm::Function &F) const;
  /// Null for declarations and after a report.
  const Primal *get(llvm::Function &F, const Origin &From);
  /// Copies that \p P, of get(), may make for functions that it calls: once it
  /// is to be differentiated, and so are they.
  void offerCopies(const Primal &P, const Origin &From);
  /// The clone's record from the clone itself; null if F is no clone.
  const Primal *ofClone(const llvm::Function &F) const;
  /// Removes every clone from its module and forgets all records.
  void eraseClones();

private:
  Diagnostics &Diags;
  std::unique_ptr<ExceptionScopes> Scopes;
  TaskOrder Order = TaskOrder::AtOnce;
  llvm::MapVector<llvm::Function *, std::unique_ptr<Primal>> Primals;
  llvm::DenseMap<const llvm::Function *, const Primal *> ByClone;
  llvm::DenseSet<const Primal *> HaveCopies; // as far as they are offered
  unsigned CopyDepth = 0;
};

} // namespace adze
#endif

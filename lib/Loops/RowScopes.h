// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of a matrix of which each row stands behind a pointer of its own, in
// a table: double **a. Where the run has found that no two rows have a byte in
// common (Prepare/RowTables.cpp), its accesses have a scope, as those have that
// meet no other array. The scope says, for one run of the code that declares
// it:
//
//   the table is not written;
//   two accesses that have the scope, and whose addresses begin with pointers
//   read from different places of the table, meet nowhere.
#ifndef ADZE_LIB_LOOPS_ROWSCOPES_H
#define ADZE_LIB_LOOPS_ROWSCOPES_H

#include "adze/Primal.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class LLVMContext;
class MDNode;
} // namespace llvm

namespace adze {

/// A scope of its own.
llvm::MDNode *makeRowScope(llvm::LLVMContext &Context);

/// The scopes that hold in all of a function.
class RowScopes {
public:
  explicit RowScopes(const Primal &P);
  /// That of \p I; null if there is none.
  const llvm::MDNode *of(const llvm::Instruction &I) const;

private:
  /// How often each is declared; outside of all loops.
  llvm::SmallDenseMap<const llvm::MDNode *, unsigned> Declared;
};

} // namespace adze
#endif

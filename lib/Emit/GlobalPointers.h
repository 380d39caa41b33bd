// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers in global variables that the program set while no derivative ran.
#ifndef ADZE_EMIT_GLOBALPOINTERS_H
#define ADZE_EMIT_GLOBALPOINTERS_H

#include "adze/RuleContext.h"

#include <optional>

namespace adze {

/// The shadow of a global variable knows the pointers that derivatives stored,
/// and no others: where the program set the variable before, it holds null, and
/// there is no memory for the derivatives of what the pointer leads to.
class GlobalPointers {
public:
  /// Emits what ends the program if \p I has read such a pointer, to be used
  /// for more than to release it or to compare it. To be called behind the rule
  /// of \p I.
  void stopWithoutShadow(const llvm::Instruction &I, ForwardSweepContext &C);

private:
  /// The variables with pointers whose addresses differentiated code stores or
  /// passes: what it reads behind an unknown pointer may be theirs.
  llvm::ArrayRef<const llvm::GlobalVariable *> handedOn(const llvm::Module &M);

  std::optional<llvm::SmallVector<const llvm::GlobalVariable *, 4>> HandedOn;
};

} // namespace adze
#endif

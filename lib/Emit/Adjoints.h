// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the adjoints of SSA values live while the reverse pass is emitted. An
// adjoint is Zero, a Value or a Slot: a value used only in its own block has
// its adjoint complete when the reverse of its definition is reached, so it is
// carried as a plain value and costs nothing while it is zero; all others have
// a stack variable that SROA turns into registers.
#ifndef ADZE_EMIT_ADJOINTS_H
#define ADZE_EMIT_ADJOINTS_H

#include "adze/RuleContext.h"

namespace adze {

class Adjoints {
public:
  /// Variables are made in the entry block of \p Out and become zero at
  /// \p Start, where the reverse pass begins.
  Adjoints(llvm::Function &Out, llvm::BasicBlock &Start, const Lanes &L)
      : Out(Out), Start(Start), L(L) {}

  /// The adjoint of \p V at \p C's place; it becomes zero. Null: zero.
  llvm::Value *take(const llvm::Value *V, EmitContext &C);
  /// Calls \p Summed with the adjoint before and after if it was not zero for
  /// sure.
  void add(const llvm::Value *V, llvm::Value *A, EmitContext &C,
           llvm::function_ref<void(llvm::Value *Old, llvm::Value *New)> Summed);

private:
  /// \p A as an adjoint of a value of type \p Ty.
  llvm::Value *converted(llvm::Value *A, llvm::Type *Ty, EmitContext &C);
  llvm::Value *variable(const llvm::Value *V);

  llvm::Function &Out;
  llvm::BasicBlock &Start;
  const Lanes &L;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Local, Variables;
};

} // namespace adze
#endif

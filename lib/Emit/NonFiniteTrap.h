// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -adze-trap-nan in reverse mode: what goes into the rule of an instruction
// and what comes out. ReverseEmitter, through which all of it passes, tells.
#ifndef ADZE_EMIT_NONFINITETRAP_H
#define ADZE_EMIT_NONFINITETRAP_H

#include "adze/RuleContext.h"
#include "llvm/ADT/SetVector.h"

namespace adze {

class NonFiniteTrap {
public:
  explicit NonFiniteTrap(const llvm::Function &Primal) : Primal(Primal) {}

  using Value = llvm::Value;

  /// The rule of \p I begins.
  void begin(const llvm::Instruction &I);
  /// It reads primal value \p V, or takes adjoint \p V.
  void in(Value *V);
  /// It adds \p A to the adjoint of \p To.
  void out(const Value *To, Value *A);
  /// It is done: emits the checks.
  void end(EmitContext &C);

  /// \p Sum = \p Old + \p A has been emitted, for the adjoint of \p Of.
  void sum(const Value *Of, Value *Old, Value *A, Value *Sum,
           llvm::IRBuilder<> &B);

private:
  const llvm::Function &Primal;
  const llvm::Instruction *I = nullptr;
  bool IsWatched = false;
  llvm::SmallSetVector<Value *, 8> In;
  llvm::SmallVector<std::pair<const Value *, Value *>, 4> Out;
};

} // namespace adze
#endif

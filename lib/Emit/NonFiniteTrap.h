// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -adze-trap-nan in reverse mode: a reverse pass that looks at what goes into
// the rule of an instruction and what comes out, and at sums.
#ifndef ADZE_EMIT_NONFINITETRAP_H
#define ADZE_EMIT_NONFINITETRAP_H

#include "ReverseEmitter.h"
#include "llvm/ADT/SetVector.h"

namespace adze {

class NonFiniteTrap final : public ReverseEmitter {
public:
  using ReverseEmitter::ReverseEmitter;
  using Value = llvm::Value;

  Value *primal(const Value *V) override {
    return in(ReverseEmitter::primal(V));
  }
  Value *takeAdjoint(const Value *V) override {
    return in(ReverseEmitter::takeAdjoint(V));
  }

protected:
  /// Emits the checks behind the code of the rule.
  void reverseRule(const Rule &R, const llvm::Instruction &I) override;
  void contribute(const Value *V, Value *A) override;
  void summed(const Value *V, Value *Old, Value *A, Value *Sum) override;
  void finish() override;

private:
  /// The rule reads \p V.
  Value *in(Value *V);

  const llvm::Instruction *I = nullptr; // whose rule runs
  bool IsWatched = false;
  llvm::SmallSetVector<Value *, 8> In;
  llvm::SmallVector<std::pair<const Value *, Value *>, 4> Contributions;
};

} // namespace adze
#endif

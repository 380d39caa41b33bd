// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode: primal and tangents in one function.
#ifndef ADZE_EMIT_FORWARDEMITTER_H
#define ADZE_EMIT_FORWARDEMITTER_H

#include "ForwardSweepEmitter.h"

namespace adze {

class ForwardEmitter : public ForwardSweepEmitter {
public:
  using ForwardSweepEmitter::ForwardSweepEmitter;

  bool carries(const llvm::Value *V) const override {
    return isActive(V) || hasShadow(V);
  }
  bool reversesLater() const override { return false; }
  llvm::Value *tapeOf(const llvm::CallBase *) override { return nullptr; }
  llvm::Value *storageOf(const llvm::AllocaInst *A, bool Shadow) override;

protected:
  void emitReturn(const llvm::ReturnInst &Return) override {
    returnStruct(Return, F.R.Ret != RetActivity::Const);
  }
};

} // namespace adze
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the analyses found about one primal under one request, in one bundle
// that rules, planner and emitters read.
#ifndef ADZE_FACTS_H
#define ADZE_FACTS_H

#include "adze/ActivityInfo.h"
#include "adze/Execution.h"
#include "adze/MemoryInfo.h"
#include "adze/Primal.h"
#include "adze/Request.h"
#include "adze/Sharing.h"
#include "adze/TypeInfo.h"

namespace llvm {
class TargetTransformInfo;
} // namespace llvm

namespace adze {

struct Facts {
  const Primal *P = nullptr;
  Request R;
  std::unique_ptr<TypeInfo> Types;
  std::unique_ptr<ActivityInfo> Activity;
  std::unique_ptr<MemoryInfo> Memory;
  std::unique_ptr<Execution> Runs;
  std::unique_ptr<Sharing> Team;
  /// What operations cost where the derivative will run; null: nobody knows.
  const llvm::TargetTransformInfo *Target = nullptr;
  /// hasDoublesAlone() of the module; emission reads it.
  bool DoublesAlone = false;

  bool isActive(const llvm::Value *V) const {
    return Activity->isActiveValue(V);
  }
  bool hasShadow(const llvm::Value *V) const { return Activity->hasShadow(V); }
  /// Threads may accumulate to the adjoint of what \p Read reads together.
  bool isLikelyAlike(const llvm::Instruction &Read) const {
    return Team && Team->isLikelyAlike(Read);
  }
  bool mayBeShared(const llvm::Instruction &Read) const {
    return Team && Team->mayBeShared(Read);
  }
  /// If they do so near the bounds of their iterations alone.
  const NearBounds *nearBounds(const llvm::Instruction &Read) const {
    return Team ? Team->nearBounds(Read) : nullptr;
  }
  bool mayBeSelfShadowed(const llvm::Value *V) const {
    return Activity->mayBeSelfShadowed(V);
  }
};

} // namespace adze
#endif

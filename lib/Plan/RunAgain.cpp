// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Facts.h"
#include "adze/KnownFunction.h"
#include "adze/Plan.h"
#include "adze/Rule.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Nothing is known of some bytes behind \p Block.
static bool hasUnknown(const CallBase &Block, const Facts &F) {
  BlockLayout Layout = F.Types->memoryLayout(&Block, UINT64_MAX);
  uint64_t Known = 0;
  for (const TypedRange &R : Layout.Ranges) {
    if (!R.Type.isKnown() || R.Begin > Known)
      return true;
    Known = R.End;
  }
  return Known < Layout.Period;
}

std::optional<NotAgain> whyNotAgain(const Facts &F) {
  for (const Instruction &I : instructions(*F.P->F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    const KnownFunction *Known = lookupKnown(*Call);
    if (Known && Known->returnsNewBlock()) {
      if (Known->Allocation.Zeroed && F.hasShadow(Call) && hasUnknown(*Call, F))
        return NotAgain{Call, "nothing is known of what stands in some bytes "
                              "of memory that is allocated as zeros"};
      continue;
    }
    if (Known && Known->Facts.Exception == ExceptionStep::Makes &&
        F.hasShadow(Call))
      return NotAgain{Call, "an exception holds active data"};
    if (F.Activity->isActiveInstruction(Call) || needsRuleIfInactive(*Call))
      continue;
    for (const Use &Arg : Call->args())
      if (F.hasShadow(Arg) && Call->mayWriteToMemory() &&
          !Call->onlyReadsMemory(Call->getArgOperandNo(&Arg)) &&
          !isa<DbgInfoIntrinsic>(Call) && !Call->isLifetimeStartOrEnd())
        return NotAgain{Call, "a call without derivative may write to memory "
                              "that has a shadow"};
  }
  return std::nullopt;
}

} // namespace adze

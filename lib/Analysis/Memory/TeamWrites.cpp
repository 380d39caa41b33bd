// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Memory/TeamWrites.h"

#include "adze/DeviceTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace adze {

void TeamWrites::addWritten(const Value &Base) {
  if (Meetings.empty())
    return;
  for (const Value *Object : ThreadObjects::objectsBehind(&Base))
    if (!Objects.areOfThread(Object))
      Written.insert(Object);
}

bool TeamWrites::othersMayWrite(const Value *Pointer) {
  const auto Read = ThreadObjects::objectsBehind(Pointer);
  if (Objects.areOfThread(Read))
    return false;
  return Anything || R.InTeam != TeamRole::Region ||
         isDevice(*R.Primal->getParent()) ||
         any_of(Written, [&](const Value *Object) {
           return !Objects.areApart(Read, Object);
         });
}

bool TeamWrites::areApart(const Value *A, const Value *B) {
  return !R.Pairs.empty() && Objects.areApart(ThreadObjects::objectsBehind(A),
                                              ThreadObjects::objectsBehind(B));
}

} // namespace adze
